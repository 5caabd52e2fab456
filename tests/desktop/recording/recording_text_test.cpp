#include "app/desktop/recording/recording_text.h"

#include <gtest/gtest.h>

namespace riffle {
namespace {

TEST(RecordingText, ASimulationThatFallsBehindItsMovieIsRecordedAsSeen) {
  const double interval = 8.0 / 30;  // DPD: eight units of time are a second of the movie
  EXPECT_TRUE(desktop::slower_than_movie(0.2, interval, 30));
  EXPECT_TRUE(desktop::slower_than_movie(6, interval, 30));
  EXPECT_FALSE(desktop::slower_than_movie(7.8, interval, 30)) << "held at the movie's speed, and a little late";
  EXPECT_FALSE(desktop::slower_than_movie(200, interval, 30));
  EXPECT_FALSE(desktop::slower_than_movie(0, interval, 30)) << "it has not played yet";
}

TEST(RecordingText, SaysWhatAPictureIsOf) {
  desktop::RecordingPlan plan;
  plan.interval = 8.0 / 30;
  EXPECT_EQ(desktop::recording_rule(plan, "\u03c4"), "a picture every 0.267 \u03c4");
  plan.as_seen = true;
  plan.frames_per_second = 24;
  EXPECT_EQ(desktop::recording_rule(plan, "\u03c4"), "as seen, 24 pictures/s");
}

TEST(RecordingText, SaysOfHowManyDifferentPicturesAMovieIs) {
  desktop::RecordingPlan plan;
  plan.file = "wave.mp4";
  plan.frames_per_second = 30;
  EXPECT_EQ(desktop::recording_result(plan, 432, 216), "wave.mp4: 432 pictures, 14.4 s");
  EXPECT_EQ(desktop::recording_result(plan, 432, 48),
            "wave.mp4: 432 pictures, 14.4 s; only 48 of them differ: no more could be drawn in that time");
  EXPECT_EQ(desktop::recording_result(plan, 1, 1), "wave.mp4: 1 picture, 0.0 s");
}

TEST(RecordingText, SaysHowLongTheMovieIsBesideHowLongItTook) {
  desktop::RecordingPlan plan;
  EXPECT_EQ(desktop::recording_progress(plan, 20.26, 16, 1234),
            "20.3 s recorded, the movie is 0.5 s long (16 pictures, 1.2 KiB)");
  EXPECT_EQ(desktop::recording_progress(plan, 0, 1, 0), "0.0 s recorded, the movie is 0.0 s long (1 picture, 0 B)");
  EXPECT_EQ(desktop::recording_progress(plan, 125, 3750, 5 << 20),
            "2:05 recorded, the movie is 2:05 long (3750 pictures, 5.0 MiB)");
}

}  // namespace
}  // namespace riffle
