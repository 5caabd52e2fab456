#pragma once
/// Which frames of a movie are due: frame k is at its start plus k intervals.

#include <cstdint>

namespace riffle {

class MovieClock {
 public:
  static constexpr double kMostAtOnce = 1000;  ///< a step of a million seconds must not fill the disk with one picture

  /// @param interval [s] between two frames, > 0; of simulated time, or of any other
  explicit MovieClock(double interval, double start = 0) : interval_(interval), start_(start) {}

  /// From here on, after a leap in time: the next frame is due at once, and no frames are owed for what was leapt over.
  void restart(double start);

  /// Frames that are missing up to this time: 0 or 1 as a rule, more where a step spans several.
  double due(double time) const;

  /// The same as counted, at most kMostAtOnce.
  int take(double time);

  std::int64_t frames() const { return taken_; }  ///< taken since construction

 private:
  double interval_, start_;
  std::int64_t next_ = 0;  ///< frame that is due next, counted from start_
  std::int64_t taken_ = 0;
};

}  // namespace riffle
