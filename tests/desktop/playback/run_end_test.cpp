/// A run comes to the scene's time.end.

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/worker.h"
#include "desktop/playback/ask.h"
#include "desktop/playback/scene_files.h"

namespace riffle {
namespace {

class RunEnd : public test::SceneFiles {
 protected:
  static ::testing::AssertionResult wait_until(desktop::Worker& worker,
                                               const std::function<bool(const desktop::WorkerStatus&)>& condition) {
    const auto begin = std::chrono::steady_clock::now();
    while (!condition(*worker.status())) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60))
        return ::testing::AssertionFailure() << "after a minute: step " << worker.status()->clock.step << ", playing "
                                             << worker.status()->playing << ", note " << worker.status()->end_note;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return ::testing::AssertionSuccess();
  }
  void start(desktop::Worker& worker, const std::string& text) {
    worker.load(scene(text), true);
    worker.set_speed(INFINITY);
    ASSERT_TRUE(wait_until(worker, noted));
  }
  /// Waits until everything that was asked before is done.
  static StepReport now(desktop::Worker& worker) {
    return test::ask(worker, [](desktop::Playback& playback) { return playback.simulation().finish(); });
  }

  static bool noted(const desktop::WorkerStatus& status) { return status.loaded && status.end_note; }
  static bool paused(const desktop::WorkerStatus& status) { return status.loaded && !status.playing; }

  const std::string short_ = std::string(test::kBlock) + "time: {end: 0.05}\n";
};

// As `riffle run`, which has the same limit.
TEST_F(RunEnd, TheLastStepEndsAtTheEnd) {
  desktop::Worker worker;
  start(worker, short_);
  const double end = worker.status()->scene->run.end_time;
  EXPECT_EQ(now(worker).time, end);
  EXPECT_FALSE(worker.status()->playing);
  Simulation alone(worker.status()->scene->simulation, Device{});
  alone.set_time_limit(end);
  while (alone.finish().time < end) alone.step();
  EXPECT_EQ(alone.finish().step, now(worker).step);
  EXPECT_EQ(alone.diagnostics().state_hash, test::ask(worker, [](desktop::Playback& playback) {
              return playback.simulation().diagnostics().state_hash;
            }));
}

TEST_F(RunEnd, SingleStepsStopThereOnceAndThenGoOn) {
  desktop::Worker worker;
  worker.load(scene(short_), false);
  worker.step(10000);
  ASSERT_TRUE(wait_until(worker, noted));
  const StepReport last = now(worker);
  EXPECT_EQ(last.time, worker.status()->scene->run.end_time);
  EXPECT_FALSE(worker.status()->ended) << "it is not stuck";
  worker.step();
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& s) { return s.clock.step == last.step + 1; }));
  EXPECT_GT(now(worker).time, last.time);
  EXPECT_FALSE(worker.status()->end_note);
  EXPECT_FALSE(worker.status()->ended);
}

TEST_F(RunEnd, TheNoteAppearsOnceAndNotAtLaterPauses) {
  desktop::Worker worker;
  start(worker, short_);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.clock.time > 0.06; }));
  EXPECT_FALSE(worker.status()->end_note);
  worker.play(false);
  ASSERT_TRUE(wait_until(worker, paused));
  now(worker);
  EXPECT_TRUE(worker.status()->at_end);
  EXPECT_FALSE(worker.status()->end_note) << "it is of the end";
  EXPECT_EQ(worker.status()->contact, "");
  const double later = now(worker).time;
  worker.seek(0);
  worker.seek(later);
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& s) { return s.clock.time == later; }));
  EXPECT_FALSE(worker.status()->end_note) << "the run had gone on from there";
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& s) { return s.clock.time > later; }));
  worker.reset();
  ASSERT_TRUE(wait_until(worker, noted)) << "another run comes to the end again";
}

TEST_F(RunEnd, TheNoteCanBeClosed) {
  desktop::Worker worker;
  start(worker, short_);
  worker.close_end_note();
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return !s.end_note; }));
  EXPECT_TRUE(worker.status()->at_end);
  EXPECT_FALSE(worker.status()->playing);
}

TEST_F(RunEnd, ANoteThatWasClosedStaysClosedWhenTheRunComesBack) {
  desktop::Worker worker;
  start(worker, short_);
  for (const bool closed : {false, true}) {
    if (closed) worker.close_end_note();
    worker.play(false);
    worker.reset();
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.clock.step == 0; }));
    const std::uint64_t before = worker.status()->state_before;
    worker.bring_back(before);
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.at_end; }));
    now(worker);
    EXPECT_EQ(worker.status()->end_note, !closed) << "as it was left";
  }
}

TEST_F(RunEnd, ALaterEndIsTheNextStop) {
  desktop::Worker worker;
  start(worker, short_);
  desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Picture};
  edit.scene.run.end_time = 0.08;
  worker.edit(edit);
  worker.play(true);
  ASSERT_TRUE(
      wait_until(worker, [](const desktop::WorkerStatus& s) { return noted(s) && s.clock.time > 0.06 && paused(s); }));
  EXPECT_EQ(now(worker).time, 0.08);

  edit.scene.run.end_time = 100;
  worker.edit(edit);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.clock.time > 0.1; }));
  worker.play(false);
  edit.scene.run.end_time = 0.09;
  worker.edit(edit);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.at_end && paused(s); }));
  EXPECT_FALSE(worker.status()->end_note) << "no step has led to that end";
}

TEST_F(RunEnd, OneThatIsSetAfterTheRunHasGoneOnIsAStopAgain) {
  desktop::Worker worker;
  start(worker, short_);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.clock.time > 0.06; }));
  worker.play(false);
  desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Picture};
  const double later = now(worker).time + 0.05;
  edit.scene.run.end_time = later;
  worker.edit(edit);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return noted(s) && paused(s); }));
  EXPECT_EQ(now(worker).time, later);
}

TEST_F(RunEnd, ARunThatHadGoneOnGoesOnWhenItComesBack) {
  desktop::Worker worker;
  start(worker, short_);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& s) { return s.clock.time > 0.06; }));
  worker.reset();
  ASSERT_TRUE(
      wait_until(worker, [](const desktop::WorkerStatus& s) { return s.state_before != 0 && s.clock.time < 0.06; }));
  const std::uint64_t before = worker.status()->state_before;
  ASSERT_TRUE(wait_until(worker, noted));
  test::ask(worker, [](desktop::Playback&) { return true; });
  worker.play(true);
  worker.bring_back(before);
  const double there = now(worker).time;
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& s) { return s.clock.time > there; }));
  EXPECT_TRUE(worker.status()->playing);
  EXPECT_FALSE(worker.status()->end_note);
}

}  // namespace
}  // namespace riffle
