#include "program_end.h"

#include <sstream>

namespace riffle::test {

namespace {

/// A line in which LeakSanitizer says that it failed itself.
bool is_of_failed_leak_check(const std::string& line) {
  for (const char* part : {"Tracer caught signal ", "LeakSanitizer has encountered a fatal error",
                           "HINT: For debugging, try setting environment variable LSAN_OPTIONS",
                           "HINT: LeakSanitizer does not work under ptrace"})
    if (line.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

End judge_end(const Outcome& outcome, std::optional<int> own_exit_code, int expected) {
  End end;
  end.leaks_unknown = outcome.err.find("LeakSanitizer has encountered a fatal error") != std::string::npos;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    if (end.leaks_unknown && is_of_failed_leak_check(line)) continue;
    for (const char* complaint : {"Sanitizer", "runtime error", "OpenGL: "})
      if (line.find(complaint) != std::string::npos) end.fault += line + "\n";
  }
  if (end.leaks_unknown && !own_exit_code) {
    end.fault += "the program did not come to its end\n";
  } else {
    const int code = end.leaks_unknown ? *own_exit_code : outcome.exit_code;
    if (code != expected)
      end.fault += "exit code " + std::to_string(code) + ", expected " + std::to_string(expected) + "\n";
  }
  return end;
}

}  // namespace riffle::test
