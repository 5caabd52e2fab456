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

std::string pictures_text(int count) { return fmt::format("{} {}", count, count == 1 ? "picture" : "pictures"); }

}  // namespace

bool slower_than_movie(double speed, double interval, double frames_per_second) {
  return speed > 0 && speed < kAsFast * interval * frames_per_second;
}

std::string recording_rule(const RecordingPlan& plan, const std::string& unit) {
  return plan.as_seen ? fmt::format("as seen, {:.0f} pictures/s", plan.frames_per_second)
                      : fmt::format("a picture every {:.3g} {}", plan.interval, unit);
}

std::string automatic_choice(const RecordingPlan& plan, const std::string& unit) {
  if (!plan.automatic) return "";
  const std::string choice = fmt::format("Automatic chose \u201c{}\u201d: ", plan.as_seen ? "as seen" : "every moment");
  if (plan.speed <= 0) return choice + "how fast the simulation is will be known when it has played.";
  return choice + fmt::format("the simulation makes {:.3g} {} per second{}; a movie of every moment shows {:.3g}.",
                              plan.speed, unit, plan.as_seen ? " here, which is slower" : " here, which is fast enough",
                              plan.interval * plan.frames_per_second);
}

std::string recording_progress(const RecordingPlan& plan, double wall, int frames, int written, std::uintmax_t bytes) {
  constexpr std::uintmax_t kHeader = 1024;  // an encoder that holds its pictures back has written less
  return fmt::format("Recording for {}. The movie has {}, {}; {} of them {} written{}.", seconds_text(wall),
                     pictures_text(frames), seconds_text(frames / plan.frames_per_second), written,
                     written == 1 ? "is" : "are", bytes < kHeader ? "" : ", " + bytes_text(static_cast<double>(bytes)));
}

std::string files_text(std::size_t count, bool frames) {
  return fmt::format("{} {}{}", count, frames ? "frame" : "file", count == 1 ? "" : "s");
}

std::string jumps_text(int jumps) {
  if (jumps == 0) return "";
  return fmt::format("the run went back in time {}, where the movie jumps",
                     jumps == 1 ? "once" : fmt::format("{} times", jumps));
}

std::string finishing_text(const RecordingPlan& plan, int written, int frames, bool early) {
  const std::string what = (plan.pictures ? "the pictures in " : "the movie ") + plan.file.filename().string();
  if (early) return fmt::format("Ending {} with the {} of {} pictures that are written.", what, written, frames);
  return fmt::format("Finishing {}: {} of {} pictures are written.", what, written, frames);
}

std::string recording_result(const RecordingPlan& plan, int frames, int drawn) {
  std::string text = fmt::format("{}: {}, {}", plan.file.string(), pictures_text(frames),
                                 seconds_text(frames / plan.frames_per_second));
  if (2 * drawn < frames)
    text += fmt::format("; only {} of them were drawn in that time, the others repeat one", drawn);
  return text;
}

}  // namespace riffle::desktop
