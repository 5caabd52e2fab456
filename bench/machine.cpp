#include "bench/machine.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include "app/terminal/signals.h"

namespace riffle {

std::string note_of_runs(int runs, int wanted) {
  if (runs >= wanted) return "";
  return fmt::format("{} runs instead of {}: {}", runs, wanted, interrupted() ? "interrupted" : "the time was up");
}

BenchMachine describe_machine(const Device& device) {
  BenchMachine machine;
  machine.device_kind = to_string(device.kind);
  machine.device_name = device_name(device);
  machine.processor = device_name(Device{});
  machine.threads = cpu_threads();
  utsname system{};
  uname(&system);
  machine.system = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  const CudaStatus& cuda = cuda_status();
  if (cuda.usable)
    machine.cuda =
        fmt::format("runtime {}.{}, driver accepts {}.{}", cuda.runtime_version / 1000,
                    cuda.runtime_version % 1000 / 10, cuda.driver_version / 1000, cuda.driver_version % 1000 / 10);
  return machine;
}

nlohmann::ordered_json device_json(const BenchMachine& machine) {
  return {{"kind", machine.device_kind}, {"name", machine.device_name}};
}

nlohmann::ordered_json machine_json(const BenchMachine& machine) {
  return {{"processor", machine.processor},
          {"threads", machine.threads},
          {"system", machine.system},
          {"cuda", machine.cuda.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(machine.cuda)}};
}

std::string machine_text(const BenchMachine& machine) {
  return fmt::format("on {} ({}), {}, {} threads; {}{}", machine.device_name, machine.device_kind, machine.processor,
                     machine.threads, machine.system, machine.cuda.empty() ? "" : "; CUDA " + machine.cuda);
}

}  // namespace riffle
