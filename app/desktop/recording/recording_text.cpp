#include "app/desktop/recording/recording_text.h"

#include <fmt/format.h>

#include "app/terminal/progress.h"
#include "core/text/number_text.h"

namespace riffle::desktop {

namespace {

constexpr double kAsFast = 0.8;  // of the movie's pace: a simulation held at that pace is at times a little slower

std::string seconds_text(double seconds) {
  return seconds < 99.95 ? fmt::format("{:.1f} s", seconds) : clock_text(seconds);
}

}  // namespace

bool slower_than_movie(double speed, double interval, double frames_per_second) {
  return speed > 0 && speed < kAsFast * interval * frames_per_second;
}

std::string recording_rule(const RecordingPlan& plan, const std::string& unit) {
  return plan.as_seen ? fmt::format("as seen, {:.0f} pictures/s", plan.frames_per_second)
                      : fmt::format("a picture every {:.3g} {}", plan.interval, unit);
}

std::string recording_progress(const RecordingPlan& plan, double wall, int frames, std::uintmax_t bytes) {
  return fmt::format("{} recorded, the movie is {} long ({} {}, {})", seconds_text(wall),
                     seconds_text(frames / plan.frames_per_second), frames, frames == 1 ? "picture" : "pictures",
                     bytes_text(static_cast<double>(bytes)));
}

std::string recording_result(const RecordingPlan& plan, int frames, int drawn) {
  std::string text = fmt::format("{}: {} {}, {}", plan.file.string(), frames, frames == 1 ? "picture" : "pictures",
                                 seconds_text(frames / plan.frames_per_second));
  if (2 * drawn < frames) text += fmt::format("; only {} of them differ: no more could be drawn in that time", drawn);
  return text;
}

}  // namespace riffle::desktop
