#include "bench/session.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include "app/command/option_checks.h"
#include "app/terminal/signals.h"

namespace riffle::bench {

void add_row_options(CLI::App& command, RowRuns& runs) {
  command.add_option("--runs", runs.runs, "timed runs of each row (20), after 3 to warm up")
      ->check(whole_number_from(1, 1000000))
      ->type_name("K");
  command
      .add_option("--row-seconds", runs.row_seconds, "start no further run of a row after this time (20), and say so")
      ->check(positive_seconds())
      ->type_name("SECONDS");
}

BenchSession start_session(const Device& device, const std::string& command, int runs, int warm_up) {
  BenchSession session;
  session.device_kind = to_string(device.kind);
  session.device_name = device_name(device);
  session.processor = device_name(Device{});
  session.threads = cpu_threads();
  utsname system{};
  uname(&system);
  session.system = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  const CudaStatus& cuda = cuda_status();
  if (cuda.usable)
    session.cuda =
        fmt::format("runtime {}.{}, driver accepts {}.{}", cuda.runtime_version / 1000,
                    cuda.runtime_version % 1000 / 10, cuda.driver_version / 1000, cuda.driver_version % 1000 / 10);
  session.command = command;
  session.runs = static_cast<std::uint64_t>(runs);
  session.warm_up = static_cast<std::uint64_t>(warm_up);
  return session;
}

std::string note_of_runs(int runs, int wanted) {
  if (runs >= wanted) return "";
  return fmt::format("{} runs instead of {}: {}", runs, wanted, interrupted() ? "interrupted" : "the time was up");
}

std::string session_text(const BenchSession& s) {
  return fmt::format(
      "{}\non {} ({}), {}, {} threads; {}{}\nmedians of {} runs after {} to warm up [ms]; positions in single "
      "precision\n{}",
      s.command, s.device_name, s.device_kind, s.processor, s.threads, s.system,
      s.cuda.empty() ? "" : "; CUDA " + s.cuda, s.runs, s.warm_up, interruption_text(s.interrupted));
}

nlohmann::ordered_json session_json(const char* bench, const BenchSession& s, bool wrong) {
  using Json = nlohmann::ordered_json;
  return {{"bench", bench},
          {"command", s.command},
          {"device", {{"kind", s.device_kind}, {"name", s.device_name}}},
          {"machine",
           {{"processor", s.processor},
            {"threads", s.threads},
            {"system", s.system},
            {"cuda", s.cuda.empty() ? Json(nullptr) : Json(s.cuda)}}},
          {"runs", s.runs},
          {"warm_up", s.warm_up},
          {"wrong", wrong},
          {"interrupted", s.interrupted}};
}

}  // namespace riffle::bench
