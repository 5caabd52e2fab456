// Edits of a running scene are saved as events, which play to the same particles as in the window.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/command/scene_options.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/sampled/column_means.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/run/run_outputs.h"
#include "app/run/scene_run.h"
#include "app/state/state_file.h"
#include "app/terminal/signals.h"
#include "desktop/playback/ask.h"
#include "desktop/playback/followed_worker.h"
#include "desktop/playback/scene_files.h"
#include "scenes/document/parameters.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

const std::string kFall =
    "dimension: 2\ndeterministic: true\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
    "  - {box: {min: [0, 0], max: [0.4, 0.7]}, velocity: [2, 0]}\ntime: {end: 1.0e+6}\n";
const std::string kThermal =
    "deterministic: true\ndomain: {min: [0, 0, 0], max: [6, 6, 6], axes: periodic}\ngravity: [0, 0, 0]\n"
    "particles: {number_density: 3}\nbodies:\n  - {box: {min: [0, 0, 0], max: [6, 6, 6]}}\nsolver: {type: dpd}\n"
    "time: {end: 1.0e+6}\n";

class RunEdits : public test::SceneFiles {
 protected:
  void TearDown() override {
    editor_.reset();
    worker_.reset();
    SceneFiles::TearDown();
  }

  void open(const SceneOptions& options) {
    if (!worker_) {
      worker_.emplace();
      editor_.emplace(*worker_);
    }
    editor_->open(options, false);
    ASSERT_TRUE(settled());
  }

  ::testing::AssertionResult until(const std::function<bool(const desktop::WorkerStatus&)>& condition) {
    return test::follow_until(*worker_, *editor_, condition);
  }
  ::testing::AssertionResult settled() {
    return until([&](const desktop::WorkerStatus& status) {
      return status.loaded && status.busy.empty() && status.handled == worker_->asked() &&
             status.state == editor_->state();
    });
  }

  void go_to_step(std::uint64_t step) {
    ASSERT_TRUE(settled());
    worker_->step(static_cast<int>(step - worker_->status()->clock.step));
    ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.clock.step == step; }));
  }
  void edit(const std::string& path, const std::string& value) {
    editor_->set(path, value);
    EXPECT_EQ(editor_->error(), "");
    ASSERT_TRUE(settled());
  }
  /// The present moment is one to go back to.
  double keep() {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      playback.keep_newest(0);
      return playback.simulation().finish().time;
    });
  }
  void seek(double time) {
    worker_->seek(time);
    const double there =
        test::ask(*worker_, [](desktop::Playback& playback) { return playback.simulation().finish().time; });
    ASSERT_TRUE(settled());
    ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.clock.time == there; }));
  }

  std::string hash() {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      playback.simulation().finish();
      return fmt::format("{:016x}", playback.simulation().diagnostics().state_hash);
    });
  }

  /// As `riffle run` and `riffle resume` play it.
  nlohmann::json played(const std::string& file, std::uint64_t steps) {
    RunOptions options;
    options.scene.scene = file;
    options.scene.device = DeviceRequest::Cpu;
    options.steps = steps;
    options.no_picture = options.quiet = options.no_guard = true;
    options.json = (folder_ / "r.json").string();
    options.out = (folder_ / "out").string();
    const scenes::Scene scene = scenes::load_scene(file);
    const Interruption interruption;
    EXPECT_EQ(run_scene(scene, options, Outputs(scene, options), Device{}, interruption, {}, nullptr), 0);
    std::ifstream in(folder_ / "r.json");
    return nlohmann::json::parse(in);
  }

  std::string save() {
    const std::string file = (folder_ / "saved.yaml").string();
    editor_->save(file);
    return file;
  }
  std::vector<scenes::SceneEvent> saved_events() { return scenes::load_scene(save()).events; }
  std::vector<std::uint64_t> saved_steps() {
    std::vector<std::uint64_t> steps;
    for (const scenes::SceneEvent& event : saved_events()) steps.push_back(event.step);
    return steps;
  }

  /// The saved scene leads to the particles of the window.
  void expect_replayed() {
    const std::uint64_t step = worker_->status()->clock.step;
    const std::string file = save();
    std::ifstream in(file);
    SCOPED_TRACE(std::string(std::istreambuf_iterator<char>(in), {}));
    const nlohmann::json report = played(file, step);
    EXPECT_EQ(report["diagnostics"]["state_hash"], hash());
    EXPECT_EQ(report["steps"], step);
  }
  std::string shown(const std::string& key) { return editor_->find(key)->value; }

  std::optional<desktop::Worker> worker_;
  std::optional<desktop::SceneEditor> editor_;
};

struct Edited {
  const char* name;
  std::string scene;
  std::vector<std::pair<const char*, const char*>> edits;
};

class RunEditsOf : public RunEdits, public ::testing::WithParamInterface<Edited> {};

TEST_P(RunEditsOf, ARunLeadToTheSameParticlesAsEvents) {
  ASSERT_NO_FATAL_FAILURE(open(scene(GetParam().scene)));
  std::uint64_t step = 0;
  for (const auto& [path, value] : GetParam().edits) {
    ASSERT_NO_FATAL_FAILURE(go_to_step(step += 20));
    ASSERT_NO_FATAL_FAILURE(edit(path, value));
  }
  ASSERT_NO_FATAL_FAILURE(go_to_step(step + 15));
  const std::vector<scenes::SceneEvent> events = saved_events();
  ASSERT_EQ(events.size(), GetParam().edits.size());
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].step, 20 * (i + 1));
  EXPECT_NE(played(scene(GetParam().scene).scene, step + 15)["diagnostics"]["state_hash"], hash())
      << "or the edits do nothing";
  expect_replayed();
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, RunEditsOf,
    ::testing::Values(
        Edited{"wcsph", kFall, {{"fluids[0].viscosity", "0.05"}, {"gravity", "[3, -4]"}, {"neighbors.skin", "0.15"}}},
        Edited{"dfsph",
               kFall + "solver: {type: dfsph}\n",
               {{"fluids[0].viscosity", "0.05"}, {"gravity[0]", "3"}, {"fluids[0].viscosity", "0.001"}}},
        Edited{"pbf", kFall + "solver: {type: pbf}\n", {{"solver.xsph", "0.2"}, {"gravity", "[3, -4]"}}},
        Edited{"dpd", kThermal, {{"solver.temperature", "0.5"}, {"solver.friction", "9"}}},
        Edited{"changes_of_the_solver",
               kFall + "solver: {density: summation}\n",
               {{"solver.type", "dfsph"}, {"solver.type", "pbf"}, {"solver.xsph", "0.3"}, {"solver.type", "wcsph"}}},
        Edited{"gravity_over_time",
               kFall,
               {{"gravity_change", "{amplitude: [5, 0], period: 0.1}"}, {"gravity_change.period", "0.2"}}}),
    [](const auto& edited) { return std::string(edited.param.name); });

TEST_F(RunEdits, SeveralAtOneStepAreOneEvent) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(12));
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
  ASSERT_NO_FATAL_FAILURE(edit("neighbors.skin", "0.15"));
  ASSERT_NO_FATAL_FAILURE(edit("fluids[0].viscosity", "0.05"));
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[-3, -4]"));
  EXPECT_EQ(saved_steps(), std::vector<std::uint64_t>{12}) << "also before the next step";
  ASSERT_NO_FATAL_FAILURE(go_to_step(40));
  ASSERT_EQ(saved_events().size(), 1u);
  EXPECT_EQ(saved_events().front().set.size(), 3u);
  expect_replayed();
}

TEST_F(RunEdits, WhatUndoTakesBackAtOnceIsNoEventAndLaterItIsAnother) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(12));
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
  editor_->undo();
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  EXPECT_TRUE(saved_steps().empty());
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(30));
  editor_->undo();
  ASSERT_NO_FATAL_FAILURE(go_to_step(40));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{20, 30}));
  expect_replayed();
  editor_->redo();
  ASSERT_NO_FATAL_FAILURE(go_to_step(50));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{20, 30, 40}));
  expect_replayed();
}

// A search that was changed and changed back has lost what it kept from step to step.
TEST_F(RunEdits, ASearchThatBeganAnewDoesSoInTheEvent) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall + "neighbors: {skin: 0.2}\n")));
  ASSERT_NO_FATAL_FAILURE(go_to_step(25));
  ASSERT_NO_FATAL_FAILURE(edit("neighbors.skin", "0"));
  ASSERT_NO_FATAL_FAILURE(edit("fluids[0].viscosity", "0.05"));
  ASSERT_NO_FATAL_FAILURE(edit("neighbors.skin", "0.2"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(60));
  ASSERT_EQ(saved_events().size(), 1u);
  EXPECT_TRUE(saved_events().front().search);
  expect_replayed();
}

TEST_F(RunEdits, AnOutletAndADampingZoneAreAdded) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(12));
  editor_->add_entry("outlets", "");
  EXPECT_EQ(editor_->error(), "");
  ASSERT_NO_FATAL_FAILURE(go_to_step(30));
  editor_->add_entry("damping", "");
  EXPECT_EQ(editor_->error(), "");
  ASSERT_NO_FATAL_FAILURE(go_to_step(60));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{12, 30}));
  EXPECT_TRUE(scenes::load_scene(save()).simulation.outlets.empty());
  expect_replayed();
}

TEST_F(RunEdits, WhatOnlyTheScreenShowsIsNoEvent) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(12));
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  ASSERT_NO_FATAL_FAILURE(edit("picture.legend", "false"));
  ASSERT_NO_FATAL_FAILURE(edit("fluids[0].color", "\"#123456\""));
  ASSERT_NO_FATAL_FAILURE(edit("time.end", "77"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(30));
  const scenes::Scene saved = scenes::load_scene(save());
  EXPECT_EQ(saved.events.size(), 1u);
  EXPECT_FALSE(saved.picture.legend);
  EXPECT_EQ(saved.run.end_time, 77);
  EXPECT_NEAR(saved.simulation.fluids[0].color.x, 18 / 255.0, 1e-3);
  EXPECT_EQ(saved.simulation.gravity.y, -9.81f);
  expect_replayed();
}

TEST_F(RunEdits, PlayingOnFromAnEarlierMomentDropsWhatCameLater) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(10));
  const double early = keep();
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(30));
  ASSERT_NO_FATAL_FAILURE(edit("fluids[0].viscosity", "0.05"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(40));
  const std::string left = hash();
  ASSERT_NO_FATAL_FAILURE(seek(early));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{20, 30})) << "who only looks back drops nothing";
  ASSERT_NO_FATAL_FAILURE(edit("gravity", "[-3, -4]"));
  EXPECT_EQ(saved_steps(), std::vector<std::uint64_t>{10});
  ASSERT_NO_FATAL_FAILURE(go_to_step(35));
  ASSERT_EQ(saved_steps(), std::vector<std::uint64_t>{10});
  EXPECT_EQ(saved_events().front().set.size(), 2u) << "the viscosity was in force when the run went back";
  expect_replayed();
  ASSERT_TRUE(settled());
  editor_->undo();  // playing on
  ASSERT_TRUE(settled());
  editor_->undo();  // the edit there
  ASSERT_TRUE(settled());
  ASSERT_NO_FATAL_FAILURE(seek(INFINITY));
  EXPECT_EQ(hash(), left);
  ASSERT_NO_FATAL_FAILURE(go_to_step(50));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{20, 30}));
  expect_replayed();
}

TEST_F(RunEdits, AnotherStartMakesEditsThoseOfTheStart) {
  for (const bool by_edit : {false, true}) {
    SCOPED_TRACE(by_edit ? "an edit" : "start again");
    ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
    ASSERT_NO_FATAL_FAILURE(go_to_step(12));
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
    ASSERT_NO_FATAL_FAILURE(go_to_step(20));
    EXPECT_NE(editor_->save_text().find("an event with its step"), std::string::npos) << editor_->save_text();
    save();
    EXPECT_FALSE(editor_->present_is_unsaved());
    by_edit ? editor_->set("bodies[0].velocity", "[1, 0]") : editor_->start_again();
    ASSERT_TRUE(settled());
    EXPECT_TRUE(editor_->present_is_unsaved()) << "the file has them as events";
    EXPECT_EQ(editor_->save_text(), "");
    EXPECT_TRUE(saved_steps().empty());
    EXPECT_EQ(scenes::load_scene(save()).simulation.gravity.x, 3);
    ASSERT_NO_FATAL_FAILURE(go_to_step(25));
    EXPECT_TRUE(saved_steps().empty());
    expect_replayed();
    editor_->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(saved_steps(), std::vector<std::uint64_t>{12}) << "the run before has its edits again";
    expect_replayed();
  }
}

const std::string kWithEvents = kFall +
                                "events:\n  - {step: 10, set: {gravity: [3, -4]}}\n"
                                "  - {step: 30, set: {fluids.0.viscosity: 0.05, gravity: [0, -4]}}\n";

TEST_F(RunEdits, AScenesOwnEventsPlayAgainAfterEachStart) {
  const SceneOptions options = scene(kWithEvents);
  ASSERT_NO_FATAL_FAILURE(open(options));
  EXPECT_EQ(shown("gravity"), "[0, -9.81]");
  ASSERT_NO_FATAL_FAILURE(go_to_step(10));
  EXPECT_EQ(shown("gravity"), "[0, -9.81]") << "an event acts with the next step";
  const double before = keep();
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  ASSERT_TRUE(until([&](const auto&) { return shown("gravity") == "[3, -4]"; }));
  const double between = keep();
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  const std::string whole = hash();
  EXPECT_EQ(played(options.scene, 45)["diagnostics"]["state_hash"], whole);
  EXPECT_FALSE(editor_->present_is_unsaved());
  EXPECT_EQ(editor_->save_text(), "");
  for (const double moment : {between, before}) {
    ASSERT_NO_FATAL_FAILURE(seek(moment));
    ASSERT_TRUE(until([&](const auto&) { return shown("gravity") == (moment == before ? "[0, -9.81]" : "[3, -4]"); }));
    ASSERT_NO_FATAL_FAILURE(go_to_step(45));
    EXPECT_EQ(hash(), whole);
  }
  editor_->start_again();
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("gravity"), "[0, -9.81]");
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  EXPECT_EQ(hash(), whole);
  ASSERT_NO_FATAL_FAILURE(edit("bodies[0].velocity", "[1, 0]"));  // which starts again, too
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  EXPECT_NE(hash(), whole);
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{10, 30}));
  expect_replayed();
}

TEST_F(RunEdits, AnEditTakesThePlaceOfAnEventThatHasActed) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kWithEvents)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  ASSERT_TRUE(until([&](const auto&) { return shown("gravity") == "[3, -4]"; }));
  ASSERT_NO_FATAL_FAILURE(edit("gravity[1]", "-9.81"));  // as at the start
  EXPECT_EQ(shown("gravity"), "[3, -9.81]");
  ASSERT_NO_FATAL_FAILURE(go_to_step(28));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{10, 20, 30}));
  expect_replayed();
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  expect_replayed();
  editor_->undo();  // at step 45, after both events
  ASSERT_TRUE(settled());
  ASSERT_TRUE(until([&](const auto&) { return shown("gravity") == "[0, -4]"; }));
  ASSERT_NO_FATAL_FAILURE(go_to_step(50));
  expect_replayed();
  editor_->redo();
  ASSERT_TRUE(settled());
  editor_->start_again();
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("gravity"), "[3, -9.81]");
  EXPECT_EQ(saved_steps(), std::vector<std::uint64_t>{30}) << "the first one has nothing left to set";
}

TEST_F(RunEdits, AnEditOfAnotherKeyLeavesTheEventsOfAScene) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kWithEvents)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  ASSERT_NO_FATAL_FAILURE(edit("neighbors.skin", "0.2"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{10, 20, 30}));
  expect_replayed();
  editor_->start_again();
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{10, 30}));
  expect_replayed();
}

TEST_F(RunEdits, AnEditThatIsRefusedLeavesTheEventsAsTheyAre) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kWithEvents)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(20));
  editor_->set("gravity", "down");
  EXPECT_NE(editor_->error(), "");
  editor_->undo();  // the message
  ASSERT_NO_FATAL_FAILURE(go_to_step(45));
  EXPECT_FALSE(editor_->can_undo() && editor_->what_undo_takes() == "gravity");
  EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{10, 30}));
  expect_replayed();
}

// Before a step after it, and later: what goes on from the state is the same to the last bit, and so is a new start of it.
TEST_F(RunEdits, AStateHasTheEventsOfItsRun) {
  for (const std::uint64_t more : {0, 5}) {
    SCOPED_TRACE(more);
    ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
    ASSERT_NO_FATAL_FAILURE(go_to_step(12));
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
    ASSERT_NO_FATAL_FAILURE(go_to_step(20));
    ASSERT_NO_FATAL_FAILURE(edit("solver.type", "dfsph"));
    ASSERT_NO_FATAL_FAILURE(go_to_step(20 + more));
    const SavedScene text = editor_->saved_scene();
    const fs::path file = folder_ / "state.h5";
    test::ask(*worker_, [=](desktop::Playback& playback) {
      write_state(file, playback.saved_run(text));
      return 0;
    });
    ASSERT_NO_FATAL_FAILURE(go_to_step(40));
    const std::string whole = hash();
    SceneOptions state;
    state.scene = file.string();
    state.device = DeviceRequest::Cpu;
    ASSERT_NO_FATAL_FAILURE(open(state));
    EXPECT_EQ(shown("gravity"), "[3, -4]");
    ASSERT_NO_FATAL_FAILURE(go_to_step(40));
    EXPECT_EQ(hash(), whole);
    EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{12, 20}));
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[0, -4]"));
    ASSERT_NO_FATAL_FAILURE(go_to_step(50));
    EXPECT_EQ(saved_steps(), (std::vector<std::uint64_t>{12, 20, 40}));
    expect_replayed();
    editor_->start_again();
    ASSERT_NO_FATAL_FAILURE(go_to_step(15));
    EXPECT_EQ(saved_steps(), std::vector<std::uint64_t>{20}) << "gravity is an edit of the start now";
    expect_replayed();
  }
}

TEST_F(RunEdits, WhatNoSceneHasIsSaid) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kFall)));
  ASSERT_NO_FATAL_FAILURE(go_to_step(5));
  const desktop::Ray ray{{0.3f, 0.3f, 1}, {0, 0, -1}};
  const double before = keep();
  for (int k = 0; k < 2; ++k) {
    worker_->stir(ray, StirringKind::Pull, {});
    ASSERT_NO_FATAL_FAILURE(go_to_step(8 + 10 * static_cast<std::uint64_t>(k)));
    worker_->stir(ray, std::nullopt, {});
    ASSERT_NO_FATAL_FAILURE(go_to_step(12 + 10 * static_cast<std::uint64_t>(k)));
  }
  save();
  EXPECT_NE(editor_->save_text().find("the hand moved the fluid or a solid 2 times"), std::string::npos)
      << editor_->save_text();
  ASSERT_NO_FATAL_FAILURE(seek(before));
  ASSERT_NO_FATAL_FAILURE(go_to_step(9));
  EXPECT_EQ(editor_->save_text(), "") << "the run without the hand";
  expect_replayed();
}

const std::string kFixed = kFall.substr(0, kFall.find("time:")) + "time: {step: 0.0005, end: 0.01}\n";

TEST_F(RunEdits, OnesBeyondTheEndAreSaidWhereTheSceneIsSaved) {
  for (const bool fixed : {true, false}) {
    SCOPED_TRACE(fixed ? "fixed steps" : "adaptive steps");
    ASSERT_NO_FATAL_FAILURE(open(scene(fixed ? kFixed : kFall)));
    if (!fixed) {
      ASSERT_NO_FATAL_FAILURE(edit("time.end", "0.01"));
    }
    ASSERT_NO_FATAL_FAILURE(go_to_step(5));
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[0, -8]"));
    worker_->step(1000);
    ASSERT_TRUE(until([](const auto& status) { return status.end_note; }));
    EXPECT_EQ(editor_->save_text().find("riffle run ends"), std::string::npos) << editor_->save_text();
    const std::uint64_t end = worker_->status()->clock.step;
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -4]"));
    const std::string now =
        fmt::format("riffle run ends at 0.01 s (time.end), before the event of step {}, so it does not act", end);
    EXPECT_NE(editor_->save_text().find(now), std::string::npos) << editor_->save_text();
    ASSERT_NO_FATAL_FAILURE(go_to_step(end + 5));
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[3, -5]"));
    ASSERT_NO_FATAL_FAILURE(go_to_step(end + 9));
    const std::string both = fmt::format("before the events of the steps {}, {}, so they do not act", end, end + 5);
    EXPECT_NE(editor_->save_text().find(both), std::string::npos) << editor_->save_text();
    // Also after the state of the run was opened.
    const std::string said = editor_->save_text().substr(editor_->save_text().find("riffle run ends"));
    const SavedScene saved = editor_->saved_scene("");
    SavedRun run = test::ask(*worker_, [&](desktop::Playback& playback) { return playback.saved_run(saved); });
    const auto state = folder_ / "beyond.h5";
    write_state(state, run);
    SceneOptions options;
    options.scene = state.string();
    options.device = DeviceRequest::Cpu;
    editor_->open(options, false);
    ASSERT_TRUE(until([&](const auto& status) { return status.state_file == state.string(); }));
    EXPECT_NE(editor_->save_text().find(said), std::string::npos) << editor_->save_text() << "\n" << said;
    editor_->undo();
    ASSERT_TRUE(until([&](const auto& status) { return status.state_file.empty(); }));
    ASSERT_NO_FATAL_FAILURE(edit("time.end", "1"));
    EXPECT_EQ(editor_->save_text().find("riffle run ends"), std::string::npos) << editor_->save_text();
    if (fixed) expect_replayed();
  }
}

// A warning of an event that does not act, until it has acted.
TEST_F(RunEdits, AnEventBeyondTheEndIsWarnedOfUntilItHasActed) {
  const auto warned = [&] {
    return std::ranges::count(editor_->warnings(), scenes::WarningKind::EventsBeyondEnd, &scenes::Warning::kind);
  };
  ASSERT_NO_FATAL_FAILURE(open(scene(kFixed + "events: [{step: 30, set: {gravity: [0, -5]}}]\n")));
  EXPECT_EQ(warned(), 1);
  worker_->step(1000);
  ASSERT_TRUE(until([](const auto& status) { return status.end_note; }));
  const double there = keep();
  ASSERT_NO_FATAL_FAILURE(go_to_step(40));
  ASSERT_TRUE(settled());
  EXPECT_EQ(warned(), 0);
  ASSERT_NO_FATAL_FAILURE(seek(there));
  ASSERT_NO_FATAL_FAILURE(edit("time.end", "0.012"));
  EXPECT_EQ(warned(), 1) << "it is ahead again";
}

TEST_F(RunEdits, AStepThatTheEndShortenedIsSaidOnceTheRunGoesOn) {
  const auto said = [&] {
    return editor_->save_text().find("went on after a step that its end, time.end, had shortened");
  };
  const auto run_to_end = [&](const std::string& time) {
    ASSERT_NO_FATAL_FAILURE(open(scene(kFall.substr(0, kFall.find("time:")) + "time: {" + time + "}\n")));
    ASSERT_NO_FATAL_FAILURE(go_to_step(5));
    ASSERT_NO_FATAL_FAILURE(edit("gravity", "[0, -8]"));
    worker_->step(1000);
    ASSERT_TRUE(until([](const auto& status) { return status.end_note; }));
    EXPECT_EQ(said(), std::string::npos) << "it ends there, as the scene does";
  };
  for (const bool other_end : {false, true}) {
    SCOPED_TRACE(other_end ? "by another end" : "past the end");
    ASSERT_NO_FATAL_FAILURE(run_to_end("step: 0.0005, end: 0.01"));
    if (other_end) {
      ASSERT_NO_FATAL_FAILURE(edit("time.end", "1"));
    }
    ASSERT_NO_FATAL_FAILURE(go_to_step(25));
    EXPECT_EQ(said(), std::string::npos) << "the end is a whole number of steps: " << editor_->save_text();
    ASSERT_NO_FATAL_FAILURE(edit("time.end", "2"));
    expect_replayed();

    for (const char* shorter : {"step: 0.0005, end: 0.01002", "end: 0.01"}) {
      SCOPED_TRACE(shorter);
      ASSERT_NO_FATAL_FAILURE(run_to_end(shorter));
      const std::uint64_t end = worker_->status()->clock.step;
      const double there = keep();
      if (other_end) {
        ASSERT_NO_FATAL_FAILURE(edit("time.end", "1"));
      }
      EXPECT_EQ(said(), std::string::npos) << "no step was made since";
      ASSERT_NO_FATAL_FAILURE(go_to_step(end + 5));
      EXPECT_NE(said(), std::string::npos) << editor_->save_text();
      ASSERT_NO_FATAL_FAILURE(edit("time.end", "300"));
      EXPECT_NE(said(), std::string::npos) << "it was shortened, whatever the end is now";
      EXPECT_NE(played(save(), end + 5)["diagnostics"]["state_hash"], hash()) << "or there is nothing to say";
      ASSERT_NO_FATAL_FAILURE(seek(there));
      ASSERT_NO_FATAL_FAILURE(go_to_step(end + 3));
      EXPECT_NE(said(), std::string::npos) << "on another way from there";
    }
  }
}

TEST_F(RunEdits, OfTheSearchAreInTheTableOfChanges) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kThermal + "events: [{step: 5, set: {neighbors.method: green}}]\n")));
  ASSERT_NO_FATAL_FAILURE(go_to_step(8));
  ASSERT_NO_FATAL_FAILURE(edit("neighbors.method", "bucket"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(12));
  const auto changes = test::ask(*worker_, [](desktop::Playback& playback) { return playback.table_changes(); });
  std::vector<std::string> found;
  for (const ParameterChange& change : changes)
    if (change.key.key == "neighbors.method") found.push_back(change.key.from + " to " + change.key.to);
  EXPECT_EQ(found, (std::vector<std::string>{"hoetzlein to green", "green to bucket"}));
}

TEST_F(RunEdits, AmongTheRowsOfAMeanAreNamed) {
  ASSERT_NO_FATAL_FAILURE(open(scene(kThermal + "movie: {frames_per_second: 50}\n")));
  worker_->show_means(desktop::MeanSpan{});
  ASSERT_NO_FATAL_FAILURE(go_to_step(10));
  ASSERT_NO_FATAL_FAILURE(edit("solver.temperature", "2"));
  ASSERT_NO_FATAL_FAILURE(edit("neighbors.method", "green"));
  ASSERT_NO_FATAL_FAILURE(go_to_step(40));
  const auto named = [](const desktop::WorkerStatus& status) {
    const auto& view = status.instruments.means;
    return view && view->means.changes.size() == 1 && view->means.changes[0].key.key == "solver.temperature";
  };
  EXPECT_TRUE(until(named));
}

}  // namespace
}  // namespace riffle
