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

TEST(RecordingText, SaysWhatAutomaticHasChosenAndWhy) {
  desktop::RecordingPlan plan;
  plan.interval = 1.0 / 60;
  plan.frames_per_second = 30;
  EXPECT_EQ(desktop::automatic_choice(plan, "s"), "") << "the user has chosen";
  plan.automatic = true;
  EXPECT_EQ(desktop::automatic_choice(plan, "s"),
            "Automatic chose \u201cevery moment\u201d: how fast the simulation is will be known when it has played.");
  plan.speed = 0.49;
  EXPECT_EQ(
      desktop::automatic_choice(plan, "s"),
      "Automatic chose \u201cevery moment\u201d: the simulation makes 0.49 s per second here, which is fast enough; a "
      "movie of every moment shows 0.5.");
  plan.speed = 0.02;
  plan.as_seen = true;
  EXPECT_EQ(
      desktop::automatic_choice(plan, "s"),
      "Automatic chose \u201cas seen\u201d: the simulation makes 0.02 s per second here, which is slower; a movie of "
      "every moment shows 0.5.");
}

TEST(RecordingText, CountsOneFileAndMore) {
  EXPECT_EQ(desktop::files_text(1), "1 file");
  EXPECT_EQ(desktop::files_text(0), "0 files");
  EXPECT_EQ(desktop::files_text(12), "12 files");
  EXPECT_EQ(desktop::files_text(1, true), "1 frame");
  EXPECT_EQ(desktop::files_text(2, true), "2 frames");
}

TEST(RecordingText, SaysHowFarTheFileOfAMovieIs) {
  desktop::RecordingPlan plan;
  plan.file = "folder/m.mp4";
  EXPECT_EQ(desktop::finishing_text(plan, 43, 120, false),
            "Finishing the movie m.mp4: 43 of 120 pictures are written.");
  EXPECT_EQ(desktop::finishing_text(plan, 43, 120, true),
            "Ending the movie m.mp4 with the 43 of 120 pictures that are written.");
  plan.file = "folder/m";
  plan.pictures = true;
  EXPECT_EQ(desktop::finishing_text(plan, 43, 120, false),
            "Finishing the pictures in m: 43 of 120 pictures are written.");
}

TEST(RecordingText, SaysOfHowManyDifferentPicturesAMovieIs) {
  desktop::RecordingPlan plan;
  plan.file = "wave.mp4";
  plan.frames_per_second = 30;
  EXPECT_EQ(desktop::recording_result(plan, 432, 216), "wave.mp4: 432 pictures, 14.4 s");
  EXPECT_EQ(desktop::recording_result(plan, 432, 48),
            "wave.mp4: 432 pictures, 14.4 s; only 48 of them were drawn in that time, the others repeat one");
  EXPECT_EQ(desktop::recording_result(plan, 1, 1), "wave.mp4: 1 picture, 0.0 s");
}

TEST(RecordingText, SaysHowLongTheMovieIsBesideHowLongItTook) {
  desktop::RecordingPlan plan;
  EXPECT_EQ(desktop::recording_progress(plan, 20.26, 16, 12, 1234),
            "Recording for 20.3 s. The movie has 16 pictures, 0.5 s; 12 of them are written, 1.2 KiB.");
  EXPECT_EQ(desktop::recording_progress(plan, 0, 1, 0, 0),
            "Recording for 0.0 s. The movie has 1 picture, 0.0 s; 0 of them are written.");
  EXPECT_EQ(desktop::recording_progress(plan, 2.5, 75, 1, 48),
            "Recording for 2.5 s. The movie has 75 pictures, 2.5 s; 1 of them is written.")
      << "the encoder has written no more than the beginning of a file";
  EXPECT_EQ(desktop::recording_progress(plan, 125, 3750, 3700, 5 << 20),
            "Recording for 2:05. The movie has 3750 pictures, 2:05; 3700 of them are written, 5.0 MiB.");
}

TEST(RecordingText, SaysHowOftenTheRunWentBack) {
  EXPECT_EQ(desktop::jumps_text(0), "");
  EXPECT_EQ(desktop::jumps_text(1), "the run went back in time once, where the movie jumps");
  EXPECT_EQ(desktop::jumps_text(3), "the run went back in time 3 times, where the movie jumps");
}

}  // namespace
}  // namespace riffle
