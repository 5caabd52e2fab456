#pragma once
/// What a recording is told about in words.

#include <cstdint>
#include <string>

#include "app/desktop/recording/recording.h"

namespace riffle {

/// Whether a movie with a picture for every interval would run faster than what is seen while it is recorded: so much so
/// that a long recording comes out as a blink.
/// @param speed simulated per second, now; 0: not known
bool slower_than_movie(double speed, double interval, double frames_per_second);

/// "as seen, 30 pictures/s", or "a picture every 0.267 τ".
/// @param unit of simulated time: "s"
std::string recording_rule(const RecordingPlan& plan, const std::string& unit);

/// "20.3 s recorded, the movie is 0.5 s long (16 pictures, 1.2 MiB)".
/// @param wall [s] on the clock on the wall
std::string recording_progress(const RecordingPlan& plan, double wall, int frames, std::uintmax_t bytes);

/// "wave.mp4: 432 pictures, 14.4 s", and how few of them differ where that is less than half.
std::string recording_result(const RecordingPlan& plan, int frames, int drawn);

}  // namespace riffle
