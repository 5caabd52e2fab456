#pragma once
/// Which frames of a movie are due. Frame k is due k intervals after the start.

#include <cstdint>
#include <optional>

namespace riffle {

/// How many whole intervals that time [s] has. A time limit of n intervals may be rounded up or down, and the length of a
/// step is rounded to 24 bits: over many steps the time that is n intervals comes out shorter by up to 6e-8 of itself.
double whole_intervals(double time, double interval);

/// The last multiple of the interval up to that time [s], as frames count them.
double multiple_before(double time, double interval);

class MovieClock {
 public:
  static constexpr double kMostAtOnce = 1000;  ///< a huge step must not fill the disk with copies of one picture
  /// [steps] that a frame goes back, at most: they are enqueued before the clock is known
  static constexpr double kMostSteps = 4;

  /// @param interval [s] between two frames, > 0; of simulated time, or of any other
  explicit MovieClock(double interval, double start = 0) : interval_(interval), start_(start) {}

  /// Starts again at this time, after a jump: the next frame is due at once, and none for the time that was skipped.
  void restart(double start);

  /// Number of frames due up to this time: usually 0 or 1, more when a step spans several.
  double due(double time) const;

  /// The same, at most kMostAtOnce; they count as taken.
  int take(double time);

  /// Takes the oldest frame that is due up to now. Steps end after it: a picture shows the particles as they were then.
  /// Of more than kMostAtOnce frames the oldest are left out.
  /// @param longest [s], at most: a leap in time must not move particles through half a scene
  /// @return [s] how long before `now` it was due; nothing if none is due
  std::optional<double> take_one(double now, double longest);

  std::int64_t frames() const { return taken_; }  ///< taken since construction

 private:
  double interval_, start_;
  std::int64_t next_ = 0;  ///< frame that is due next, counted from start_
  std::int64_t taken_ = 0;
};

}  // namespace riffle
