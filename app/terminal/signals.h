#pragma once
/// Ctrl-C, `kill` and a terminal that closes set a flag that loops test, so that the results so far are kept.

#include <string>

namespace riffle {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted. A second SIGINT or SIGTERM ends the program at once; further
/// SIGHUPs do nothing. A SIGHUP that was ignored before (`nohup`) stays ignored. SIGPIPE and SIGXFSZ (a file above
/// `ulimit -f`) become failed writes.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int signal() const;  ///< the signal that arrived, 0 while there was none

  /// Whether a signal has arrived since the last call. After the first one that it reports, a second SIGINT or SIGTERM
  /// is noted, too, and only a third ends the program at once.
  bool take();

  explicit operator bool() const { return signal() != 0; }

 private:
  int taken_ = 0;
};

/// Whether a signal has arrived since the latest Interruption was made; for loops that have no access to it.
bool interrupted();

/// 128 plus the signal's number if one has arrived; otherwise `finished`.
int exit_code_or_interrupted(int finished);

/// Whether the terminal has closed, so that nobody can read standard output.
bool hung_up();

/// The line that an incomplete table begins with; "" when it is complete.
std::string interruption_text(bool was_interrupted);

}  // namespace riffle
