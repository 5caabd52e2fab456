#pragma once
/// A progress line that rewrites itself on a terminal. Prints nothing elsewhere.

#include <chrono>
#include <cstdint>
#include <string>

namespace riffle {

class Progress {
 public:
  /// @param shown  false shows nothing even on a terminal (--quiet)
  /// @param time_unit  of simulated time
  Progress(bool shown, std::uint64_t particles, const char* time_unit = "s");
  ~Progress();  ///< wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap: draws ten times a second. @param fraction 0..1 of the run
  void update(double fraction, double simulated_time, std::uint64_t steps);

  /// The same when only a fraction is known. @param what  what is being done
  void update(double fraction, const std::string& what);

  void wipe();  ///< call it before printing a message, which would otherwise start in the middle of the line

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  std::uint64_t particles_;
  const char* time_unit_;
  Clock::time_point begin_, last_draw_;
  bool drawn_ = false;

  bool due();  ///< whether to draw now; if so, the next drawing is due later
  double elapsed() const;
  void draw(double fraction, const std::string& text) const;
};

/// "1:02:03", "2:03", "0:07".
std::string clock_text(double seconds);

/// "830", "12.3 k", "7.31 M", "1.2 G".
std::string short_count(double count);

}  // namespace riffle
