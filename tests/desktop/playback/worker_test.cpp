#include "app/desktop/playback/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "app/command/scene_options.h"
#include "app/desktop/playback/playback.h"
#include "core/device/device.h"
#include "desktop/playback/ask.h"
#include "desktop/playback/scene_files.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;
/// It does not end while a test waits.
const std::string kBlock = std::string(test::kBlock) + "time: {end: 1.0e+6}\n";

class WorkerTest : public test::SceneFiles {
 protected:
  static ::testing::AssertionResult wait_until(desktop::Worker& worker,
                                               const std::function<bool(const desktop::WorkerStatus&)>& condition) {
    const auto begin = std::chrono::steady_clock::now();
    while (!condition(*worker.status())) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60)) {
        const desktop::WorkerStatus status = *worker.status();
        return ::testing::AssertionFailure() << "after a minute: loaded " << status.loaded << ", busy \"" << status.busy
                                             << "\", step " << status.clock.step << ", playing " << status.playing;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return ::testing::AssertionSuccess();
  }
  static ::testing::AssertionResult wait_for_step(desktop::Worker& worker, std::uint64_t step) {
    return wait_until(worker,
                      [=](const desktop::WorkerStatus& status) { return status.loaded && status.clock.step >= step; });
  }

  static std::uint64_t hash(desktop::Worker& worker) {
    return test::ask(worker,
                     [](desktop::Playback& playback) { return playback.simulation().diagnostics().state_hash; });
  }
  static std::uint64_t step_of(desktop::Worker& worker) {
    return test::ask(worker, [](desktop::Playback& playback) { return playback.simulation().finish().step; });
  }

  /// The same way as the panels: the scene with another search.
  void choose(desktop::Worker& worker, const NeighborSetup& neighbors) {
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
    desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Search};
    edit.scene.simulation.neighbors = neighbors;
    worker.edit(edit);
  }
};

TEST_F(WorkerTest, LoadsAndWaitsToBeTold) {
  desktop::Worker worker;
  EXPECT_FALSE(worker.status()->loaded);
  worker.load(scene(kBlock));
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  const desktop::WorkerStatus status = *worker.status();
  EXPECT_EQ(status.scene->name, "block");
  EXPECT_EQ(status.particles, 125);
  EXPECT_GT(status.wall_particles, 0);
  EXPECT_EQ(status.busy, "");
  EXPECT_FALSE(status.playing);
  EXPECT_EQ(step_of(worker), 0u);
  const desktop::ParticleFrame* frame = worker.frames().read();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->count, 125);
  EXPECT_EQ(frame->scene, status.scene_version);
}

TEST_F(WorkerTest, ARunPausesAtTheScenesEndAndGoesOnWhenItIsTold) {
  desktop::Worker worker;
  worker.load(scene(std::string(test::kBlock) + "time: {end: 0.05}\n"), true);
  worker.set_speed(INFINITY);
  const auto at_end = [](const desktop::WorkerStatus& status) { return status.loaded && status.at_end; };
  ASSERT_TRUE(
      wait_until(worker, [&](const desktop::WorkerStatus& status) { return at_end(status) && !status.playing; }));
  const desktop::WorkerStatus status = *worker.status();
  EXPECT_EQ(status.clock.time, status.scene->run.end_time);
  EXPECT_FALSE(status.ended) << "nothing is wrong";
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& now) { return now.clock.time > 0.1; }));
  EXPECT_TRUE(worker.status()->playing);
  worker.reset();
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& now) { return at_end(now) && !now.playing; }))
      << "from the beginning it pauses again";
}

TEST_F(WorkerTest, AtTheEndItSaysWhatBecameOfTheContactBetweenParticles) {
  const std::string frame =
      "dimension: 2\ndomain: {min: [0, 0], max: [4, 4], axes: open}\ngravity: [0, 0]\n"
      "particles: {spacing: 0.05}\ntime: {end: 0.3}\nsolver: {speed_of_sound: 20, density: summation}\nbodies:\n"
      "  - sphere: {center: [2, 2], radius: 0.3}\n";
  desktop::Worker worker;
  const auto at_end = [](const desktop::WorkerStatus& status) {
    return status.loaded && status.at_end && !status.playing;
  };
  worker.load(scene(frame), true);
  worker.set_speed(INFINITY);
  ASSERT_TRUE(wait_until(worker, at_end));
  EXPECT_EQ(worker.status()->contact, "") << "nothing happened to it";
  worker.load(scene(frame + "  - sphere: {center: [2.4, 2.03], radius: 0.3}\n", "two.yaml"), true);
  worker.set_speed(INFINITY);
  ASSERT_TRUE(wait_until(
      worker, [&](const desktop::WorkerStatus& status) { return at_end(status) && status.scene->name == "two"; }));
  const std::string text = worker.status()->contact;
  EXPECT_NE(text.find(" particles ("), std::string::npos) << text;
  EXPECT_NE(text.find("have lost contact with the rest"), std::string::npos) << text;
  EXPECT_NE(text.find("bodies overlap, or lie too close together"), std::string::npos) << text;
  worker.reset();
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.clock.step == 0; }));
  EXPECT_EQ(worker.status()->contact, "") << "it is of the end";
  worker.bring_back(worker.status()->state_before);
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& status) { return at_end(status); }));
  EXPECT_EQ(worker.status()->contact, text) << "it is of the run that came back";
  const double end = worker.status()->clock.time;
  worker.seek(0);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.clock.step == 0; }));
  worker.seek(end);
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& status) { return at_end(status); }));
  EXPECT_EQ(worker.status()->contact, text) << "it is of the end, however the run came there";
}

TEST_F(WorkerTest, GoingBackKeepsTheMomentAtWhichTheRunWas) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.set_speed(INFINITY);
  for (const bool by_a_step_back : {false, true}) {
    const auto before = worker.status()->clock.step;
    worker.step(7);
    ASSERT_TRUE(wait_until(
        worker, [&](const desktop::WorkerStatus& status) { return status.loaded && status.clock.step == before + 7; }));
    const StepReport newest = worker.status()->clock;
    by_a_step_back ? worker.step_back() : worker.seek(0.5 * newest.time);
    ASSERT_TRUE(
        wait_until(worker, [&](const desktop::WorkerStatus& status) { return status.clock.step < newest.step; }));
    EXPECT_EQ(worker.status()->last_moment, newest.time);
    worker.seek(newest.time);
    ASSERT_TRUE(
        wait_until(worker, [&](const desktop::WorkerStatus& status) { return status.clock.step == newest.step; }));
    EXPECT_EQ(worker.status()->clock.time, newest.time);
  }
}

TEST_F(WorkerTest, PlaysAndPauses) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.set_speed(INFINITY);
  worker.play(true);
  ASSERT_TRUE(wait_for_step(worker, 20));
  EXPECT_TRUE(worker.status()->playing);
  worker.play(false);
  const std::uint64_t stopped = step_of(worker);
  EXPECT_EQ(step_of(worker), stopped);
  ASSERT_TRUE(wait_until(worker, [=](const desktop::WorkerStatus& status) { return !status.playing; }));
  EXPECT_EQ(worker.status()->clock.step, stopped);
}

TEST_F(WorkerTest, ASceneThatIsToKeepUpIsEasedWhileItIsTooSlowAndSaysSo) {
  desktop::Worker worker;
  worker.load(
      scene(std::string(test::kBlock) + "solver: {type: dfsph}\ntime: {end: 1.0e+6, max_step: 1.0e-6, pace: real}\n"),
      true);
  // The status that says that nothing is left to ease.
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.pace.behind; }));
  EXPECT_TRUE(worker.status()->pace.real);
  EXPECT_EQ(worker.status()->pace.eased, "eased by 100 %: cfl 0.4, density_error 0.005");
  ASSERT_TRUE(
      wait_until(worker, [](const desktop::WorkerStatus& status) { return !std::isnan(status.density_error); }));

  desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Picture};
  edit.scene.run.pace = scenes::PaceChoice::Free;
  worker.edit(edit);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return !status.pace.real; }));
  const auto eased = [](desktop::Playback& playback) { return playback.simulation().eased(); };
  const std::uint64_t step = step_of(worker);
  ASSERT_TRUE(wait_for_step(worker, step + 2));
  EXPECT_EQ(test::ask(worker, eased), 0);
}

TEST_F(WorkerTest, FramesFollowWhatIsPlayed) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.set_speed(INFINITY);
  worker.play(true);
  std::uint64_t first = 0;
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus&) {
    const desktop::ParticleFrame* frame = worker.frames().read();
    if (frame && first == 0 && frame->step > 0) first = frame->step;
    return frame && first > 0 && frame->step > first;
  }));
  // While paused, the last state must still arrive, even if the frame before it was never read.
  worker.step(3);
  const std::uint64_t before = step_of(worker);
  ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& status) {
    const desktop::ParticleFrame* frame = worker.frames().read();
    return !status.playing && status.clock.step >= before && frame->step == status.clock.step;
  }));
}

TEST_F(WorkerTest, StepsExactlyAsManyAsAskedFor) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.step();
  ASSERT_TRUE(wait_for_step(worker, 1));
  worker.step(7);
  worker.step(4);
  ASSERT_TRUE(wait_for_step(worker, 12));
  EXPECT_EQ(step_of(worker), 12u);
  EXPECT_FALSE(worker.status()->playing);
}

TEST_F(WorkerTest, StateIsTheSimulationsOwn) {
  const SceneOptions options = scene(kBlock);
  const scenes::Scene loaded = load_with_options(options);
  Simulation simulation(loaded.simulation, Device{});
  const std::uint64_t begin = simulation.diagnostics().state_hash;
  for (int i = 0; i < 25; ++i) simulation.step();

  desktop::Worker worker;
  worker.load(options);
  EXPECT_EQ(hash(worker), begin);
  worker.step(25);
  ASSERT_TRUE(wait_for_step(worker, 25));
  EXPECT_EQ(hash(worker), simulation.diagnostics().state_hash);
  worker.reset();
  EXPECT_EQ(hash(worker), begin) << "the first state again";
  EXPECT_EQ(step_of(worker), 0u);
}

TEST_F(WorkerTest, ResetForgetsStepsThatWereAskedFor) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.step(100000);
  ASSERT_TRUE(wait_for_step(worker, 3));
  worker.reset();
  EXPECT_EQ(step_of(worker), 0u);
  EXPECT_EQ(step_of(worker), 0u);
}

TEST_F(WorkerTest, ABrokenSceneLeavesTheOldOneAlive) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.step(5);
  ASSERT_TRUE(wait_for_step(worker, 5));
  const std::uint64_t before = hash(worker);
  const std::uint64_t version = worker.status()->scene_version;
  worker.load(scene("domain: {min: [0, 0, 0], max: [1, 1, 1]}\npartikel: {spacing: 0.1}\n", "broken.yaml"));
  EXPECT_EQ(hash(worker), before);
  const std::deque<desktop::Notice> notices = worker.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].title, "The scene could not be loaded");
  EXPECT_NE(notices[0].text.find("broken.yaml:2:1: partikel"), std::string::npos) << notices[0].text;
  EXPECT_TRUE(worker.take_notices().empty()) << "it is told once";
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.busy.empty(); }));
  EXPECT_EQ(worker.status()->scene->name, "block");
  EXPECT_EQ(worker.status()->scene_version, version);
  worker.step();
  EXPECT_TRUE(wait_for_step(worker, 6));
}

TEST_F(WorkerTest, ABrokenFirstSceneLeavesNothingAndTheNextOneLoads) {
  desktop::Worker worker;
  worker.load(scene("nonsense", "broken.yaml"));
  worker.play(true);
  worker.step(3);
  worker.reset();
  worker.set_speed(2);
  worker.edit({});
  worker.load(scene(kBlock));
  EXPECT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  EXPECT_EQ(worker.take_notices().size(), 1u);
}

TEST_F(WorkerTest, EveryMethodTakesOverWhileItRuns) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.set_speed(INFINITY);
  worker.play(true);
  std::vector<NeighborSetup> setups;
  for (const NeighborMethodInfo& info : neighbor_methods()) {
    NeighborSetup setup;
    setup.method = info.method;
    setups.push_back(setup);
  }
  NeighborSetup automatic;
  automatic.automatic = true;
  setups.push_back(automatic);
  for (const NeighborSetup& setup : setups) {
    choose(worker, setup);
    const std::uint64_t at = step_of(worker);
    ASSERT_TRUE(wait_for_step(worker, at + 5)) << to_string(setup.method);
    const NeighborSetup now = worker.status()->neighbors;
    EXPECT_EQ(now.automatic, setup.automatic);
    if (!setup.automatic) {
      EXPECT_EQ(now.method, setup.method);
    }
  }
  EXPECT_TRUE(worker.take_notices().empty());
  EXPECT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.tuning.has_value(); }));
}

TEST_F(WorkerTest, ResetKeepsTheSearchThatWasChosen) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  NeighborSetup green;
  green.method = NeighborMethod::Green;
  choose(worker, green);
  worker.reset();
  EXPECT_EQ(
      test::ask(worker, [](desktop::Playback& playback) { return playback.simulation().setup().neighbors.method; }),
      NeighborMethod::Green);
}

TEST_F(WorkerTest, WhatAnActionThrowsIsANotice) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.post("It did not work", [](desktop::Playback&) { throw std::runtime_error("because"); });
  step_of(worker);
  const std::deque<desktop::Notice> notices = worker.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].title, "It did not work");
  EXPECT_EQ(notices[0].text, "because");
}

TEST_F(WorkerTest, WhatIsNoFluidAnyMoreEndsAndCanBeStartedAgain) {
  desktop::Worker worker;
  // After one step of fall the particles are faster than any sound.
  worker.load(scene(std::string(test::kBlock) + "time: {step: 1000, end: 1e9}\n"));
  worker.set_speed(INFINITY);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.ended; }));
  EXPECT_FALSE(worker.status()->playing);
  const std::deque<desktop::Notice> notices = worker.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].title, "The simulation has ended");
  worker.reset();
  ASSERT_TRUE(
      wait_until(worker, [](const desktop::WorkerStatus& status) { return !status.ended && status.clock.step == 0; }));
}

TEST_F(WorkerTest, AFaultPausesMarksItsParticlesAndLeadsBack) {
  desktop::Worker worker;
  worker.load(scene(test::kBlock));
  worker.step(5);
  ASSERT_TRUE(wait_for_step(worker, 5));
  test::ask(worker, [](desktop::Playback& playback) {
    playback.keep_newest(1);
    SimulationState state = playback.simulation().save_state();
    for (AttributeValues& attribute : state.attributes)
      if (attribute.name == "velocity") std::get<std::vector<Vec4>>(attribute.values)[7].x = NAN;
    playback.simulation().restore_state(state);
    return 0;
  });
  worker.set_speed(INFINITY);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.ended; }));
  EXPECT_FALSE(worker.status()->playing);
  const desktop::WorkerStatus ended = *worker.status();
  EXPECT_LE(ended.clock.step, 7u) << "at once, not when two seconds have passed";
  ASSERT_EQ(ended.run_warnings.size(), 1u);
  EXPECT_EQ(ended.run_warnings[0].kind, scenes::WarningKind::Unstable);
  EXPECT_TRUE(ended.run_warnings[0].text.starts_with("at step 5 (t = ")) << ended.run_warnings[0].text;
  const std::deque<desktop::Notice> notices = worker.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_TRUE(notices[0].leads_back);
  const auto culprits = [&] {
    return test::ask(worker, [](desktop::Playback& playback) {
      desktop::ParticleFrame frame;
      playback.fill(frame, false);
      return frame.culprits.size();
    });
  };
  EXPECT_EQ(culprits(), 1u);
  worker.back_to_good();
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return !status.ended; }));
  EXPECT_LT(step_of(worker), 5u) << "the moment that was saved with the fault does not count";
  EXPECT_EQ(culprits(), 0u);
  EXPECT_TRUE(worker.status()->run_warnings.empty());
  const std::uint64_t at = step_of(worker);
  worker.step(20);
  EXPECT_TRUE(wait_for_step(worker, at + 20)) << "and it goes on from there";
}

// The moments after the change are already damaged, though no particle has a fault there.
TEST_F(WorkerTest, TheLastGoodMomentIsBeforeTheChangeThatIsBlamedAndUndoingIsNotBlamed) {
  for (const bool taken_back : {false, true}) {
    SCOPED_TRACE(taken_back);
    desktop::Worker worker;
    worker.load(scene(test::kBlock));
    const auto step_to = [&](std::uint64_t step) {
      worker.step(5);
      ASSERT_TRUE(wait_for_step(worker, step));
      test::ask(worker, [](desktop::Playback& playback) {
        playback.keep_newest(1);
        return 0;
      });
    };
    const auto change = [&](float gravity, const char* what, bool takes_back) {
      desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Live, what, 0, 0, {{"gravity", what, "so"}}};
      edit.takes_back = takes_back;
      edit.scene.simulation.gravity.y = gravity;
      worker.edit(edit);
    };
    ASSERT_NO_FATAL_FAILURE(step_to(5));
    change(-5, "the cause", false);
    ASSERT_NO_FATAL_FAILURE(step_to(10));
    if (taken_back) change(-9.81f, "the cure", true);
    ASSERT_NO_FATAL_FAILURE(step_to(15));
    test::ask(worker, [](desktop::Playback& playback) {
      SimulationState state = playback.simulation().save_state();
      for (AttributeValues& attribute : state.attributes)
        if (attribute.name == "velocity") std::get<std::vector<Vec4>>(attribute.values)[7].x = NAN;
      playback.simulation().restore_state(state);
      return 0;
    });
    worker.play(true);
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.ended; }));
    const std::deque<desktop::Notice> notices = worker.take_notices();
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_TRUE(notices[0].text.starts_with("You changed the cause at step 5")) << notices[0].text;
    EXPECT_EQ(notices[0].text.find("the cure"), std::string::npos) << notices[0].text;
    EXPECT_EQ(notices[0].text.find("took it back at step 10") != std::string::npos, taken_back) << notices[0].text;
    worker.back_to_good();
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return !status.ended; }));
    EXPECT_EQ(step_of(worker), 5u);
  }
}

// Those moments led to the fault: nobody is asked whether they may go, even where undo could not bring them back.
TEST_F(WorkerTest, BackFromAFaultPlayingOnAsksOnlyAboutMomentsThatTheUserLeft) {
  for (const bool by_hand : {false, true}) {
    SCOPED_TRACE(by_hand);
    desktop::Worker worker(true, 0);
    worker.load(scene(test::kBlock));
    for (const std::uint64_t step : {5u, 10u}) {
      worker.step(5);
      ASSERT_TRUE(wait_for_step(worker, step));
      test::ask(worker, [](desktop::Playback& playback) {
        playback.keep_newest(1);
        return 0;
      });
    }
    test::ask(worker, [](desktop::Playback& playback) {
      SimulationState state = playback.simulation().save_state();
      for (AttributeValues& attribute : state.attributes)
        if (attribute.name == "velocity") std::get<std::vector<Vec4>>(attribute.values)[7].x = NAN;
      playback.simulation().restore_state(state);
      return 0;
    });
    worker.play(true);
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.ended; }));
    by_hand ? worker.seek(0) : worker.back_to_good();
    ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return !status.ended; }));
    const std::uint64_t at = step_of(worker);
    ASSERT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus& status) {
      return status.last_moment > status.clock.time && status.asks_about_later == by_hand;
    }));
    worker.step();
    if (by_hand) {
      ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.later_question != 0; }));
      worker.answer_about_later(true);
    }
    EXPECT_TRUE(wait_for_step(worker, at + 1));
    EXPECT_EQ(worker.status()->later_question, 0u);
  }
}

// Without that it would stand still for ever, and call that playing.
TEST_F(WorkerTest, ARunWhoseStepHasBecomeZeroEndsAsOnTheCommandLine) {
  const std::string tar =
      "domain: {min: [0, 0, 0], max: [0.001, 0.001, 0.001]}\nparticles: {spacing: 0.0001}\n"
      "bodies: [{box: {min: [0, 0, 0], max: [0.0005, 0.0005, 0.0005]}}]\ntime: {end: 3}\n";
  const auto ended = [](const desktop::WorkerStatus& status) { return status.ended; };
  const auto told = [](desktop::Worker& worker) {
    const std::deque<desktop::Notice> notices = worker.take_notices();
    return notices.size() == 1 && notices[0].title == "The simulation has ended" ? notices[0].text : "";
  };
  desktop::Worker worker;
  worker.load(scene(tar + "fluids: [{name: tar, viscosity: 1e37, rest_density: 1}]\n"), true);
  worker.set_speed(INFINITY);
  ASSERT_TRUE(wait_until(worker, ended)) << "from the first step on";
  EXPECT_FALSE(worker.status()->playing);
  EXPECT_EQ(told(worker),
            "the time step has become 0 after step 0 (t = 0 s), short of 3 s: an acceleration, or a viscosity, is too "
            "large for single precision");

  worker.load(scene(tar + "fluids: [{name: tar, viscosity: 1e-6, rest_density: 1}]\n", "later.yaml"), true);
  worker.set_speed(INFINITY);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) {
    return status.scene->name == "later" && status.clock.step > 3;
  }));
  desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Live, "fluids[0].viscosity from 1e-6 to 1e37"};
  edit.scene.simulation.fluids[0].viscosity = 1e37f;
  worker.edit(edit);
  ASSERT_TRUE(wait_until(worker, ended)) << "in the midst of a run";
  const std::string text = told(worker);
  EXPECT_TRUE(text.starts_with("You changed fluids[0].viscosity")) << text;
  EXPECT_NE(text.find("the time step has become 0 after step"), std::string::npos) << text;
}

TEST_F(WorkerTest, EndsWhileItLoadsOrPlays) {
  const SceneOptions large = scene(
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.02}\n"
      "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.5, 0.5]}\n",
      "large.yaml");
  {
    desktop::Worker worker;
    worker.load(large);
    worker.play(true);
  }
  {
    desktop::Worker worker;
    worker.load(large);
    ASSERT_TRUE(
        wait_until(worker, [](const desktop::WorkerStatus& status) { return !status.busy.empty() || status.loaded; }));
  }
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.play(true);
  ASSERT_TRUE(wait_for_step(worker, 2));
}

TEST_F(WorkerTest, FramesHaveTheCellsOfTheSearchInUseOnceAskedFor) {
  desktop::Worker worker;
  std::string block = kBlock;
  worker.load(scene(block.replace(block.find("0.1}"), 4, "0.1, support_ratio: 2}")));
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  const Domain domain = worker.status()->scene->simulation.domain;
  const auto cells = [&](const std::string& method) {  // in a frame that was made after all earlier requests
    step_of(worker);
    const std::uint64_t before = worker.frames().read()->number;
    step_of(worker);
    desktop::SearchCells found;
    EXPECT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus&) {
      const desktop::ParticleFrame* frame = worker.frames().read();
      found = frame->cells;
      return frame->number > before && found.text.starts_with(method);
    })) << method;
    return found;
  };
  EXPECT_EQ(worker.frames().read()->cells.text, "");
  worker.show_cells(true);
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float ratio : {1.0f, 2.0f}) {
      if (!info.has_cells && ratio != 1) continue;
      SCOPED_TRACE(std::string(info.name) + " " + std::to_string(ratio));
      choose(worker, {{.method = info.method, .cell_ratio = ratio}});
      const desktop::SearchCells planned = cells(std::string(info.name));
      worker.step();
      ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.clock.step > 0; }));
      const desktop::SearchCells built = cells(std::string(info.name));
      EXPECT_EQ(planned.text, built.text) << "what the next step would build";
      ASSERT_EQ(built.grid.has_value(), info.has_cells);
      if (built.grid) {
        // The support radius is a fifth of the box; five cells of that edge would be too small by the rounding margin.
        EXPECT_EQ(built.grid->counts[0], ratio == 1 ? 4 : 2);
        const Vec3 end = built.grid->origin + Vec3{built.grid->cell.x * static_cast<float>(built.grid->counts[0]),
                                                   built.grid->cell.y * static_cast<float>(built.grid->counts[1]),
                                                   built.grid->cell.z * static_cast<float>(built.grid->counts[2])};
        EXPECT_NEAR(length2(end - domain.max), 0, 1e-10);
      }
      if (info.method == NeighborMethod::Rtnn) {
        ASSERT_GT(built.boxes.size(), 8u);
        EXPECT_LE(built.boxes.size(), desktop::kMostTreeBoxes);
        for (const render::BoxView& box : built.boxes) {
          EXPECT_LE(box.min.x, box.max.x);
          EXPECT_GE(box.min.y, domain.min.y - 0.1f);
          EXPECT_LE(box.max.z, domain.max.z + 0.1f);
        }
      } else {
        EXPECT_TRUE(built.boxes.empty());
      }
    }
  choose(worker, {{.method = NeighborMethod::Fenns}});
  // 1,000 particles per unit of volume in the filled part: one cell would be too many for a tile.
  EXPECT_EQ(cells("fenns").grid->counts[0], 2);
  choose(worker, {{.method = NeighborMethod::BruteForce}});
  EXPECT_NE(cells("brute_force").text.find("no cells"), std::string::npos);
  worker.show_cells(false);
  EXPECT_TRUE(
      wait_until(worker, [&](const desktop::WorkerStatus&) { return worker.frames().read()->cells.text.empty(); }));
}

TEST_F(WorkerTest, TellsAboutEveryChange) {
  std::atomic<int> told = 0;
  desktop::Worker worker;
  worker.on_change([&] { ++told; });
  worker.load(scene(kBlock));
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  const int before = told;
  EXPECT_GT(before, 0);
  worker.step();
  ASSERT_TRUE(wait_for_step(worker, 1));
  EXPECT_TRUE(wait_until(worker, [&](const desktop::WorkerStatus&) { return told > before; }));
}

const char* const kSoup =
    "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\n"
    "gravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [4, 4, 4]}\n"
    "solver: {type: dpd}\n"
    "time: {step: 0.01}\n";

bool equilibrates(const desktop::WorkerStatus& status) {
  return status.start && status.start->stage == StartStage::Equilibration && status.start->done > 0;
}

TEST_F(WorkerTest, ABlowUpIsPutDownToTheChangeBeforeIt) {
  desktop::Worker worker;
  worker.load(scene(kSoup));
  worker.set_speed(INFINITY);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  desktop::SceneEdit edit{*worker.status()->scene, scenes::Effect::Live, "gravity from 0 to 1e7"};
  edit.scene.simulation.gravity.x = 1e7f;  // in one step faster than any fluid
  worker.edit(edit);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.ended; }));
  const std::deque<desktop::Notice> notices = worker.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  const std::string& text = notices[0].text;
  EXPECT_EQ(text.find("You changed gravity from 0 to 1e7 at step 0. Undo it (Ctrl+Z), go back"), 0u) << text;
  EXPECT_NE(text.find("more than 100 times the speed that heat and repulsion give a particle (1 "), std::string::npos)
      << text;
  for (const char* unfit : {"m/s", " s)", "tenfold", "A smaller step"})
    EXPECT_EQ(text.find(unfit), std::string::npos) << text;
}

TEST_F(WorkerTest, AnEquilibrationIsGivenUpAndTheOldSceneStays) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  worker.load(scene(std::string(kSoup) + "start: {equilibration: 100000}\n", "soup.yaml"));
  ASSERT_TRUE(wait_until(worker, equilibrates));
  EXPECT_EQ(worker.status()->busy, "loading soup");
  EXPECT_TRUE(worker.status()->can_cancel);
  EXPECT_GE(worker.status()->start->all, 10'000'000u);
  worker.give_up_start();
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.busy.empty(); }));
  EXPECT_EQ(worker.status()->scene->name, "block");
  EXPECT_FALSE(worker.status()->start);
  EXPECT_FALSE(worker.status()->can_cancel);
  EXPECT_TRUE(worker.take_notices().empty()) << "it was wanted";
}

/// A block beside a ball, enough places for a look in each stage.
const char* const kBeside =
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    "particles: {spacing: 0.025}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
    "solids:\n  - sphere: {center: [0.75, 0.75, 0.75], radius: 0.15}\n";

struct Present {
  std::uint64_t hash, step;
  std::size_t moments, rows;
  std::string scene;
  friend bool operator==(const Present&, const Present&) = default;
};
Present present(desktop::Worker& worker) {
  return test::ask(worker, [](desktop::Playback& playback) {
    return Present{playback.simulation().diagnostics().state_hash, playback.simulation().finish().step,
                   playback.history().size(), playback.series().rows(), playback.scene().name};
  });
}

TEST_F(WorkerTest, AStartThatIsGivenUpInAnyStageLeavesTheRunAsItWas) {
  desktop::Worker worker;
  worker.load(scene(kBlock));
  worker.step(7);
  ASSERT_TRUE(wait_for_step(worker, 7));
  const Present before = present(worker);
  std::atomic<StartStage> until = StartStage::Counting;
  std::atomic<int> given_up = 0;
  worker.on_change([&] {
    if (const auto status = worker.status(); status->start && status->start->stage == until && !worker.gives_up())
      worker.give_up_start(), ++given_up;
  });
  const SceneOptions beside = scene(kBeside, "beside.yaml");
  const SceneOptions soup = scene(std::string(kSoup) + "start: {equilibration: 100000}\n", "soup.yaml");
  int starts = 0;
  for (const StartStage stage : {StartStage::Counting, StartStage::Walls, StartStage::Particles,
                                 StartStage::Equilibration, StartStage::Simulation})
    for (const bool edits : {false, true}) {
      if (edits && stage == StartStage::Equilibration) continue;
      SCOPED_TRACE(testing::Message() << "stage " << int(stage) << (edits ? ", a change" : ", another scene"));
      until = stage;
      if (edits) {
        desktop::SceneEdit edit{scenes::load_scene(beside.scene), scenes::Effect::Restart};
        worker.edit(edit);
      } else {
        worker.load(stage == StartStage::Equilibration ? soup : beside);
      }
      ASSERT_EQ(present(worker), before);
      ASSERT_EQ(given_up, ++starts) << "no such stage";
      EXPECT_TRUE(worker.take_notices().empty());
    }
  EXPECT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.refused_edits == 4; }));
  EXPECT_EQ(worker.status()->cancelled, "") << "there is a scene";
  worker.step();
  ASSERT_TRUE(wait_for_step(worker, 8));
  worker.on_change({});
}

TEST_F(WorkerTest, AChangeThatIsGivenUpAtAnyLookLeavesTheRunAsItWas) {
  int left = -1;  // looks until it is given up; below 0: it is not
  desktop::Playback playback(scene(kBlock), true, [&](const StartPoint&) { return left < 0 || left-- > 0; });
  for (int k = 0; k < 7; ++k) playback.step();
  playback.keep_newest(1);
  const auto now = [&] {
    return Present{playback.simulation().diagnostics().state_hash, playback.simulation().finish().step,
                   playback.history().size(), playback.series().rows(), playback.scene().name};
  };
  const Present before = now();
  const desktop::SceneEdit edit{scenes::load_scene(scene(kBeside, "beside.yaml").scene), scenes::Effect::Restart};
  int given_up = 0;
  for (bool starts = false; !starts; ++given_up) {
    left = given_up;
    try {
      playback.edit(edit);
      starts = true;
    } catch (const StartGivenUp&) {
      ASSERT_EQ(now(), before) << "given up at look " << given_up;
    }
  }
  EXPECT_GT(given_up, 10);
  EXPECT_EQ(now().scene, "beside");
  EXPECT_EQ(now().step, 0u);
}

TEST_F(WorkerTest, WithoutASceneItSaysWhichStartWasGivenUp) {
  desktop::Worker worker;
  worker.load(scene(std::string(kSoup) + "start: {equilibration: 100000}\n", "soup.yaml"));
  ASSERT_TRUE(wait_until(worker, equilibrates));
  worker.give_up_start();
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.busy.empty(); }));
  EXPECT_FALSE(worker.status()->loaded);
  EXPECT_EQ(worker.status()->cancelled, "the start of soup");
  worker.load(scene(kBlock));
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.loaded; }));
  EXPECT_EQ(worker.status()->cancelled, "");
}

TEST_F(WorkerTest, TheEndDoesNotWaitForAnEquilibration) {
  desktop::Worker worker;
  worker.load(scene(std::string(kSoup) + "start: {equilibration: 100000}\n"));
  ASSERT_TRUE(wait_until(worker, equilibrates));
}

TEST_F(WorkerTest, ABlowUpThatNobodyCausedHasARemedy) {
  desktop::Worker worker;
  worker.load(scene(std::string(test::kBlock) + "time: {step: 0.2}\n"));
  worker.set_speed(INFINITY);
  worker.play(true);
  ASSERT_TRUE(wait_until(worker, [](const desktop::WorkerStatus& status) { return status.ended; }));
  const std::deque<desktop::Notice> notices = worker.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].text.find("You changed"), std::string::npos) << notices[0].text;
  EXPECT_NE(notices[0].text.find("A smaller step helps most"), std::string::npos) << notices[0].text;
}

}  // namespace
}  // namespace riffle
