#pragma once
/// How the benchmarks' tables and reports show figures and mark missing ones. A figure below 0 is missing.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/math/statistics.h"

namespace riffle::bench {

std::string number_cell(double value, const char* format);  ///< "-" when missing; format: "{:.4g}"
std::string milliseconds_cell(double ms);                   ///< four figures; "-" when missing
std::string mebibytes_cell(std::int64_t bytes, int decimals);

template <class Number>
nlohmann::ordered_json number_or_null(Number value) {
  return value < 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

nlohmann::ordered_json spread_json(const Spread& spread);  ///< null when the median is missing

}  // namespace riffle::bench
