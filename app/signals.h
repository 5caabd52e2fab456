#pragma once
/// Ctrl-C and `kill` as a question that a loop asks, so that what was done so far is kept.

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

}  // namespace riffle
