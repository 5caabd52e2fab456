#pragma once
/// What a benchmark ran on.

#include <nlohmann/json.hpp>
#include <string>

#include "core/device/device.h"

namespace riffle {

struct BenchMachine {
  std::string device_kind, device_name, processor, system, cuda;  ///< cuda: "" where there is none
  int threads = 0;
};

/// Of a row: why it has fewer runs than were asked for; "" where it has not.
std::string note_of_runs(int runs, int wanted);

BenchMachine describe_machine(const Device& device);
nlohmann::ordered_json device_json(const BenchMachine& machine);   ///< kind, name
nlohmann::ordered_json machine_json(const BenchMachine& machine);  ///< processor, threads, system, cuda
std::string machine_text(const BenchMachine& machine);             ///< one line

}  // namespace riffle
