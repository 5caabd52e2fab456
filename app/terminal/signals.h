#pragma once
/// Ctrl-C and `kill` set a flag that loops test, so that the results so far are kept.

#include <string>

namespace riffle {

/// While it lives, SIGINT and SIGTERM are noted; a second one ends the program at once. SIGPIPE and
/// SIGXFSZ (a file above `ulimit -f`) become failed writes.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int signal() const;  ///< the signal that arrived, 0 while there was none
  explicit operator bool() const { return signal() != 0; }
};

/// Whether a signal has arrived since the latest Interruption was made; for loops that have no access to it.
bool interrupted();

/// 128 plus the signal's number if one has arrived; otherwise `finished`.
int exit_code_or_interrupted(int finished);

/// The line that an incomplete table begins with; "" when it is complete.
std::string interruption_text(bool was_interrupted);

}  // namespace riffle
