#pragma once
/// What the end of a run says about the program, apart from what broke in the sanitizer that watched it.

#include <optional>
#include <string>

#include "support/program.h"

namespace riffle::test {

struct End {
  std::string fault;           ///< of the program; "": it ended as expected
  bool leaks_unknown = false;  ///< LeakSanitizer failed before it could say anything
};

/// LeakSanitizer looks for leaks after the program has ended, with a thread that stops all others. If that thread crashes or
/// cannot do so, the exit code is LeakSanitizer's, and only `own_exit_code` tells how the program ended.
/// @param own_exit_code  DesktopSession::own_exit_code()
/// @param expected  exit code
End judge_end(const Outcome& outcome, std::optional<int> own_exit_code, int expected);

}  // namespace riffle::test
