#pragma once
/// A recording in words.

#include <cstddef>
#include <cstdint>
#include <string>

#include "app/desktop/recording/recording.h"

namespace riffle::desktop {

/// Whether a movie with a picture for every interval would run much faster than the simulation does on the screen, so
/// that a long recording becomes a short movie.
/// @param speed simulated per second, now; 0: unknown
bool slower_than_movie(double speed, double interval, double frames_per_second);

/// "as seen, 30 pictures/s", or "a picture every 0.267 τ".
/// @param unit of simulated time: "s"
std::string recording_rule(const RecordingPlan& plan, const std::string& unit);

/// Which pace "Automatic" has chosen and why; "" if the user has chosen.
std::string automatic_choice(const RecordingPlan& plan, const std::string& unit);

/// "Recording for 20.3 s. The movie has 16 pictures, 0.5 s; 12 of them are written, 1.2 MiB."
/// @param wall [s] of wall time
std::string recording_progress(const RecordingPlan& plan, double wall, int frames, int written, std::uintmax_t bytes);

/// "1 file", "12 frames" @param frames  of one file, rather than files
std::string files_text(std::size_t count, bool frames = false);

/// "the run went back in time once, where the movie jumps": by a new start, or on the timeline; "" if it never did.
std::string jumps_text(int jumps);

/// "Finishing the movie m.mp4: 43 of 120 pictures are written."
/// @param early it ends with what is written
std::string finishing_text(const RecordingPlan& plan, int written, int frames, bool early);

/// "wave.mp4: 432 pictures, 14.4 s", and how many of them were drawn if that is less than half.
std::string recording_result(const RecordingPlan& plan, int frames, int drawn);

}  // namespace riffle::desktop
