#include "bench/cells.h"

#include <fmt/format.h>

#include "core/text/number_text.h"

namespace riffle::bench {

std::string number_cell(double value, const char* format) {
  return value < 0 ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string milliseconds_cell(double ms) { return ms < 0 ? "-" : milliseconds_text(ms, 4); }

std::string mebibytes_cell(std::int64_t bytes, int decimals) {
  return bytes < 0 ? "-" : fmt::format("{:.{}f}", double(bytes) / (1 << 20), decimals);
}

nlohmann::ordered_json spread_json(const Spread& s) {
  if (s.median < 0) return nullptr;
  return {{"median", s.median}, {"min", s.min}, {"max", s.max}, {"p5", s.p5}, {"p95", s.p95}, {"sigma", s.sigma}};
}

}  // namespace riffle::bench
