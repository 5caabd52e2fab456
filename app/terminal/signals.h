#pragma once
/// Ctrl-C and `kill` as a question that a loop asks, so that what was done so far is kept.

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

/// Whether one has arrived in the life of the latest Interruption, for loops that are not handed it.
bool interrupted();

/// The exit code then: 128 and the signal's number; otherwise `finished`.
int exit_code_or_interrupted(int finished);

/// What a table that is not whole says of itself, with its line's end; "" where it is.
std::string interruption_text(bool was_interrupted);

}  // namespace riffle
