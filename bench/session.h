#pragma once
/// The machine and the settings of a benchmark: the head of its tables and reports.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/device/device.h"

namespace CLI {
class App;
}

namespace riffle::bench {

/// How often each row of a table is timed.
struct RowRuns {
  int runs = 20;
  double row_seconds = 20;  ///< after this time no further run of a row starts
};
void add_row_options(CLI::App& command, RowRuns& runs);

struct BenchSession {
  std::string device_kind, device_name, processor, system, cuda;  ///< cuda: "" if there is none
  int threads = 0;
  std::string command;  ///< the command line
  std::uint64_t runs = 0, warm_up = 0;
  bool interrupted = false;  ///< rows are missing, or have few runs
};

BenchSession start_session(const Device& device, const std::string& command, int runs, int warm_up);

/// Why a row has fewer runs than requested; "" if it has all.
std::string note_of_runs(int runs, int wanted);

std::string session_text(const BenchSession& session);  ///< of a table of times in [ms]

/// "bench", "command", "device", "machine", "runs", "warm_up", "wrong", "interrupted"; the rows are the caller's.
/// @param wrong  whether any row is
nlohmann::ordered_json session_json(const char* bench, const BenchSession& session, bool wrong);

}  // namespace riffle::bench
