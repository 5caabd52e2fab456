// Undo and redo over runs: a new start, a change that starts again and another scene leave a run, and it comes back.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <thread>

#include "app/command/scene_options.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "desktop/playback/ask.h"
#include "desktop/playback/followed_worker.h"
#include "desktop/playback/scene_files.h"
#include "scenes/document/parameters.h"
#include "tests/scenes/warned_scenes.h"

namespace riffle {
namespace {

namespace fs = std::filesystem;

/// Runs on as long as a test wants.
const std::string kBlock = std::string(test::kBlock) + "time: {end: 1.0e+6}\n";

/// What makes two moments of a run the same.
struct Moment {
  std::string scene;
  std::uint64_t hash = 0, step = 0;
  std::size_t moments = 0;
  double last_moment = 0;
  friend bool operator==(const Moment&, const Moment&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Moment& m) {
    return out << m.scene << ", step " << m.step << ", " << m.moments << " moments up to " << m.last_moment << " s";
  }
};

class BringBack : public test::SceneFiles {
 protected:
  void TearDown() override {
    editor_.reset();
    worker_.reset();
    SceneFiles::TearDown();
  }

  void begin(std::optional<std::size_t> kept_bytes = {}, double asked_after = 60) {
    worker_.emplace(true, kept_bytes);
    editor_.emplace(*worker_, asked_after);
    editor_->open(scene(kBlock), /*play=*/false);
    ASSERT_TRUE(settled());
  }

  /// Waits until it is true; the editor follows, as in the window.
  ::testing::AssertionResult until(const std::function<bool(const desktop::WorkerStatus&)>& condition) {
    return test::follow_until(*worker_, *editor_, condition);
  }
  ::testing::AssertionResult settled() {
    return until([&](const desktop::WorkerStatus& status) {
      return status.loaded && status.busy.empty() && status.handled == worker_->asked();
    });
  }

  /// Runs until it has saved a few more moments, then pauses.
  void run() {
    worker_->set_speed(INFINITY);
    worker_->play(true);
    const std::size_t goal = worker_->status()->moments + 3;
    ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.moments >= goal; }));
    worker_->play(false);
    keep_newest();
  }

  /// The moment that is left is kept at once: what leaves it does not wait for a copy that is on its way.
  void keep_newest() {
    test::ask(*worker_, [](desktop::Playback& playback) {
      playback.keep_newest(0);
      return 0;
    });
  }

  Moment now() {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      const StepReport clock = playback.simulation().finish();
      return Moment{playback.scene().name, playback.simulation().diagnostics().state_hash, clock.step,
                    playback.history().size(), playback.history().last_time()};
    });
  }
  float spacing() {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.simulation().setup().spacing; });
  }
  std::string shown(const std::string& key) { return editor_->find(key)->value; }

  std::optional<desktop::Worker> worker_;
  std::optional<desktop::SceneEditor> editor_;
};

// As `riffle run` starts it: nothing is carried over from the solver that made no step.
TEST_F(BringBack, ASolverChosenBeforeTheFirstStepStartsTheScene) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const auto density_error = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) {
      playback.simulation().finish();
      return playback.simulation().diagnostics().compression->all.mean;
    });
  };
  const Moment of_wcsph = now();
  editor_->set("solver.type", "pbf");
  ASSERT_TRUE(settled());
  const double chosen = density_error();
  ASSERT_NO_FATAL_FAILURE(run());
  const Moment of_pbf = now();
  editor_->undo();
  worker_->play(false);
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), of_wcsph);
  EXPECT_EQ(shown("solver.type"), "wcsph");
  editor_->redo();
  worker_->play(false);
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), of_pbf);
  editor_->open(scene(kBlock + "solver: {type: pbf}\n", "pbf.yaml"), /*play=*/false);
  ASSERT_TRUE(settled());
  EXPECT_EQ(density_error(), chosen);
}

TEST_F(BringBack, ARunComesBackAsItWasLeftWhateverEndedIt) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const std::vector<std::pair<const char*, std::function<void()>>> ways = {
      {"start again", [&] { editor_->start_again(); }},
      {"spacing", [&] { editor_->set("particles.spacing", "0.125"); }},
      {"dimension", [&] { editor_->add_entry("bodies", "sphere"); }},
      {"scene", [&] { editor_->open(scene(kBlock, "other.yaml")); }},
  };
  for (const auto& [name, leave] : ways) {
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(run());
    const Moment left = now();
    ASSERT_GE(left.moments, 4u);
    ASSERT_TRUE(settled());
    leave();
    worker_->play(false);
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().step, 0u);
    ASSERT_NO_FATAL_FAILURE(run());
    const Moment other = now();
    ASSERT_TRUE(editor_->can_undo());
    editor_->undo();
    EXPECT_EQ(now(), left);
    ASSERT_TRUE(settled());
    EXPECT_EQ(worker_->status()->kept_runs, 1u) << "the other one is kept for redo";
    editor_->redo();
    EXPECT_EQ(now(), other);
    editor_->undo();
    EXPECT_EQ(now(), left);
    ASSERT_TRUE(settled());
    worker_->seek(0.5 * left.last_moment);
    const Moment earlier = now();
    EXPECT_LT(earlier.step, left.step);
    EXPECT_GT(earlier.step, 0u) << "its saved moments are there";
    EXPECT_GE(earlier.moments, left.moments);
    worker_->seek(earlier.last_moment);
    EXPECT_EQ(now().step, left.step) << "the moment at which it was left is within reach";
    EXPECT_TRUE(worker_->take_notices().empty());
  }
}

TEST_F(BringBack, UndoGoesBackThroughScenesStartsAndChangesInTheirOrder) {
  ASSERT_NO_FATAL_FAILURE(begin());
  std::vector<Moment> moments;
  std::vector<std::string> gravities;
  const auto note = [&] {
    ASSERT_TRUE(settled());
    moments.push_back(now());
    gravities.push_back(shown("gravity"));
  };
  ASSERT_NO_FATAL_FAILURE(run());
  note();
  editor_->set("gravity", "[0, -5, 0]");  // the run goes on
  note();
  editor_->start_again();
  ASSERT_NO_FATAL_FAILURE(run());
  note();
  editor_->set("particles.spacing", "0.125");
  worker_->step(4);
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.clock.step == 4; }));
  note();
  editor_->open(scene(kBlock, "other.yaml"));
  worker_->play(false);
  note();
  EXPECT_EQ(moments.back().scene, "other");
  EXPECT_NE(gravities.back(), gravities[1]);
  for (std::size_t k = moments.size() - 1; k-- > 0;) {
    ASSERT_TRUE(editor_->can_undo()) << k;
    editor_->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(now(), moments[k]) << k;
    EXPECT_EQ(shown("gravity"), gravities[k]) << k;
  }
  EXPECT_FALSE(editor_->can_undo());
  for (std::size_t k = 1; k < moments.size(); ++k) {
    ASSERT_TRUE(editor_->can_redo()) << k;
    editor_->redo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(now(), moments[k]) << k;
    EXPECT_EQ(shown("gravity"), gravities[k]) << k;
  }
  EXPECT_FALSE(editor_->can_redo());
}

TEST_F(BringBack, StepsInQuickSuccessionLeadToTheSamePlace) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const Moment left = now();
  // The editor hears nothing from the worker meanwhile.
  editor_->set("particles.spacing", "0.125");
  editor_->set("particles.spacing", "0.0625");
  editor_->undo();
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), left);
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_FLOAT_EQ(spacing(), 0.125f);
  editor_->redo();
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_FLOAT_EQ(spacing(), 0.125f);
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), left);
  EXPECT_EQ(shown("particles.spacing"), "0.1");
}

// Edits that wait for the simulation are carried out as one.
TEST_F(BringBack, ChangesThatWaitedTogetherAreAllMarkedInThePlots) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  std::promise<void> gate;
  worker_->post("a long step", [open = gate.get_future().share()](desktop::Playback&) { open.wait(); });
  editor_->set("gravity", "[0, -5, 0]");
  editor_->set("solver.artificial_viscosity", "0.2");
  editor_->set("solver.artificial_viscosity", "0.3", true);
  gate.set_value();
  ASSERT_TRUE(settled());
  const auto marks = test::ask(
      *worker_, [](desktop::Playback& playback) { return playback.instruments().diagnostics().view()->marks; });
  ASSERT_EQ(marks.size(), 1u);
  ASSERT_EQ(marks[0].changes.size(), 2u);
  EXPECT_EQ(change_text(marks[0].changes[0]), "gravity from [0, -9.81, 0] to [0, -5, 0]");
  EXPECT_EQ(marks[0].changes[1].key, "solver.artificial_viscosity");
  EXPECT_EQ(marks[0].changes[1].to, "0.3");
}

TEST_F(BringBack, ARunThatWentBackAndPlayedOnIsBroughtBackWithItsLaterMoments) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const Moment end = now();
  const auto rows = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.series().rows(); });
  };
  const std::size_t all = rows();
  worker_->seek(0.5 * end.last_moment);
  const Moment earlier = now();
  ASSERT_LT(earlier.step, end.step);
  const std::uint64_t before = worker_->status()->state;
  worker_->step();
  ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.clock.step == earlier.step + 1; }));
  ASSERT_TRUE(until([&](const desktop::WorkerStatus&) { return editor_->state() != before; }));
  EXPECT_LT(now().last_moment, end.last_moment) << "another run from here on";
  EXPECT_LE(rows(), all);
  ASSERT_TRUE(editor_->can_undo());
  worker_->play(true);
  editor_->undo();
  EXPECT_EQ(now(), earlier);
  EXPECT_EQ(now().last_moment, end.last_moment);
  EXPECT_EQ(rows(), all) << "and what was measured since";
  ASSERT_TRUE(settled());
  EXPECT_FALSE(worker_->status()->playing) << "the next step would leave it again";
  worker_->seek(end.last_moment);
  EXPECT_EQ(now(), end);
  EXPECT_TRUE(editor_->can_redo());
}

// No question as long as Ctrl+Z can bring the later moments back, otherwise one.
TEST_F(BringBack, PlayingOnFromAnEarlierMomentAsksExactlyWhereUndoCouldNotBringTheLaterOnesBack) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const std::size_t state =
      test::ask(*worker_, [](desktop::Playback& playback) { return playback.history().moments().front()->bytes(); });
  // The first moment, the one that is left and the last.
  for (const std::size_t bytes : {3 * state, 3 * state - 1, std::size_t{0}}) {
    SCOPED_TRACE(bytes);
    ASSERT_NO_FATAL_FAILURE(begin(bytes, 1e6));
    ASSERT_NO_FATAL_FAILURE(run());
    const Moment end = now();
    worker_->seek(0.5 * end.last_moment);
    editor_->set("gravity", "[0, -5, 0]");
    ASSERT_TRUE(settled());
    const Moment earlier = now();
    ASSERT_LT(earlier.step, end.step);
    worker_->step(2);
    if (bytes < 3 * state) {
      std::uint64_t asked = 0;  // so far
      const auto asks = [&] {
        return until([&](const desktop::WorkerStatus& status) { return status.later_question > asked; });
      };
      const auto answer = [&](bool go_on) {
        asked = worker_->status()->later_question;
        worker_->answer_about_later(go_on);
      };
      ASSERT_TRUE(asks());
      EXPECT_EQ(now(), earlier) << "nothing happens before the answer";
      answer(false);
      EXPECT_EQ(now(), earlier);
      worker_->play(true);
      ASSERT_TRUE(asks());
      EXPECT_FALSE(worker_->status()->playing);
      answer(false);
      worker_->step(2);
      ASSERT_TRUE(asks());
      answer(true);
    }
    ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.clock.step == earlier.step + 2; }));
    EXPECT_EQ(worker_->status()->later_question, 0u);
    ASSERT_TRUE(settled());
    if (bytes < 3 * state) continue;
    editor_->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().step, earlier.step);
    editor_->undo();
    EXPECT_FALSE(editor_->can_undo());
    worker_->seek(end.last_moment);
    EXPECT_EQ(now().hash, end.hash) << "the last moment is there, if not all on the way";
  }
}

TEST_F(BringBack, ARunThatComesBackIsAsUnsavedAsItWas) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  ASSERT_TRUE(settled());
  const auto unsaved = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.work().unsaved(); });
  };
  const double start =
      test::ask(*worker_, [](desktop::Playback& playback) { return playback.work().up_to(0).unsaved(); });
  EXPECT_GT(start, 0) << "making the simulation";
  const double left = unsaved();
  EXPECT_GT(left, start);
  editor_->start_again();
  worker_->play(false);
  EXPECT_EQ(unsaved(), start);
  ASSERT_TRUE(settled());
  editor_->undo();
  EXPECT_EQ(unsaved(), left);
  const auto saved = test::ask(*worker_, [](desktop::Playback& playback) { return playback.work().when_saved(); });
  const std::uint64_t goal = now().step + 5;
  worker_->step(5);
  ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.clock.step == goal; }));
  saved();
  EXPECT_GT(unsaved(), 0) << "the steps since that state";
  test::ask(*worker_, [](desktop::Playback& playback) { return playback.work().when_saved(); })();
  EXPECT_EQ(unsaved(), 0);
  saved();
  EXPECT_EQ(unsaved(), 0) << "an older state takes nothing away";
}

TEST_F(BringBack, RunsThatWereLeftSayWhatTheyAreAndWhatIsUnsavedOfEach) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  ASSERT_TRUE(settled());
  EXPECT_TRUE(worker_->status()->kept.empty());
  const Moment end = now();
  const auto of_present = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.work(); });
  };
  test::ask(*worker_,
            [](desktop::Playback& playback) { return playback.work().add(1e6), 0; });  // far more than it took
  const desktop::RunWork left = of_present();
  worker_->seek(0.5 * end.last_moment);
  const std::uint64_t middle = now().step;
  worker_->step();
  ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.kept.size() == 1; }));
  const desktop::KeptStatus kept = worker_->status()->kept[0];
  EXPECT_EQ(kept.name, fmt::format("block up to t = {:.3f} s", end.last_moment));
  EXPECT_EQ(kept.work.unsaved(), left.unsaved());
  const double share = static_cast<double>(middle) / static_cast<double>(end.step);
  EXPECT_NEAR(of_present().unsaved(), share * left.unsaved(), 1e4) << "only what led to that moment";
  of_present().when_saved()();
  EXPECT_EQ(of_present().unsaved(), 0);
  EXPECT_EQ(kept.work.unsaved(), left.unsaved()) << "the state has nothing of the run that was left";
  editor_->start_again();
  ASSERT_TRUE(settled());
  ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) { return status.kept.size() == 2; }));
  EXPECT_EQ(worker_->status()->kept[1].work.unsaved(), 0);
  ASSERT_NO_FATAL_FAILURE(begin(std::size_t{0}, 1e6));
  ASSERT_NO_FATAL_FAILURE(run());
  editor_->start_again();
  ASSERT_TRUE(settled());
  EXPECT_EQ(worker_->status()->kept_runs, 1u);
  ASSERT_EQ(worker_->status()->kept.size(), 1u);
  EXPECT_FALSE(worker_->status()->kept[0].has_states) << "it is lost already, but for its scene";
}

TEST(RunWork, FromAnEarlierMomentOnHasTheWorkUpToThere) {
  desktop::RunWork whole;
  whole.add(100);
  whole.when_saved()();
  whole.add(60);
  const desktop::RunWork before = whole.up_to(0.5), after = whole.up_to(0.75);
  EXPECT_EQ(before.unsaved(), 80) << "the state is of a later moment";
  EXPECT_EQ(after.unsaved(), 20);
  after.when_saved()();
  EXPECT_EQ(after.unsaved(), 0);
  EXPECT_EQ(whole.unsaved(), 60);
}

// An equilibration is worked off before the first step, and all moments need it.
TEST(RunWork, FromTheFirstMomentOnHasTheWorkOfTheStart) {
  desktop::RunWork whole(3600);
  whole.add(100);
  EXPECT_EQ(whole.unsaved(), 3700);
  EXPECT_EQ(whole.up_to(0).unsaved(), 3600);
  EXPECT_EQ(whole.up_to(0.5).unsaved(), 3650);
  EXPECT_EQ(whole.up_to(0.5).up_to(0).unsaved(), 3600);
}

TEST_F(BringBack, StartingAgainIsOneStepToUndoThoughLaterMomentsAreThere) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const Moment left = now();
  editor_->start_again();
  worker_->step(3);
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.clock.step == 3; }));
  ASSERT_TRUE(settled());
  EXPECT_EQ(worker_->status()->kept_runs, 1u);
  editor_->undo();
  EXPECT_EQ(now(), left);
}

TEST_F(BringBack, AChangeMadeWhileAnotherSceneLoadsBelongsToNone) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const Moment left = now();
  editor_->open(scene(kBlock, "other.yaml"));
  editor_->set("gravity", "[0, -5, 0]");
  editor_->set("particles.spacing", "0.125");
  worker_->play(false);
  ASSERT_TRUE(settled());
  EXPECT_EQ(now().scene, "other");
  EXPECT_FLOAT_EQ(spacing(), 0.1f);
  EXPECT_FALSE(editor_->anything_edited());
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), left);
  EXPECT_FALSE(editor_->anything_edited());
}

TEST_F(BringBack, ASceneThatCannotBeOpenedChangesNothing) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  editor_->set("gravity", "[0, -5, 0]");
  ASSERT_TRUE(settled());
  const Moment left = now();
  editor_->open(scene("nonsense: 1\n", "broken.yaml"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(worker_->take_notices().size(), 1u);
  EXPECT_EQ(now(), left);
  EXPECT_EQ(shown("gravity"), "[0, -5, 0]");
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_NE(shown("gravity"), "[0, -5, 0]");
  EXPECT_FALSE(editor_->can_undo());
}

TEST_F(BringBack, ARunThatCannotBeKeptIsAskedAboutFirst) {
  ASSERT_NO_FATAL_FAILURE(begin(0, 0.0));
  ASSERT_NO_FATAL_FAILURE(run());
  ASSERT_TRUE(settled());
  const Moment here = now();
  const std::vector<std::function<void()>> ways = {
      [&] { editor_->start_again(); },
      [&] { editor_->set("particles.spacing", "0.125"); },
      [&] { editor_->open(scene(kBlock, "other.yaml")); },
  };
  for (const auto& leave : ways) {
    leave();
    ASSERT_TRUE(editor_->asks());
    ASSERT_TRUE(settled());
    EXPECT_EQ(now(), here) << "nothing happens before the answer";
    editor_->answer(false);
    EXPECT_FALSE(editor_->asks());
    ASSERT_TRUE(settled());
    EXPECT_EQ(now(), here);
    EXPECT_EQ(shown("particles.spacing"), "0.1");
    EXPECT_FALSE(editor_->can_undo());
  }
  editor_->set("gravity", "[0, -5, 0]");
  EXPECT_FALSE(editor_->asks()) << "the run goes on";
  ways[1]();
  ASSERT_TRUE(editor_->asks());
  editor_->answer(true);
  ASSERT_TRUE(settled());
  EXPECT_FLOAT_EQ(spacing(), 0.125f);
  EXPECT_EQ(now().step, 0u);
  editor_->undo();
  editor_->answer(true);
  ASSERT_TRUE(settled());
  EXPECT_FLOAT_EQ(spacing(), 0.1f) << "the scene comes back";
  EXPECT_EQ(now().step, 0u) << "at time 0";
}

TEST_F(BringBack, AYoungRunThatCannotBeKeptIsLeftWithoutAQuestion) {
  ASSERT_NO_FATAL_FAILURE(begin(0, 1e6));
  ASSERT_NO_FATAL_FAILURE(run());
  ASSERT_TRUE(settled());
  editor_->start_again();
  EXPECT_FALSE(editor_->asks());
  ASSERT_TRUE(settled());
  EXPECT_EQ(now().step, 0u);
}

TEST_F(BringBack, OverTheBudgetTheOldestRunLosesItsMomentsFirst) {
  const auto state = [](double time) {
    SimulationState state;
    state.clock.time = time;
    state.attributes.push_back({"position", std::vector<float>(250)});  // 1,000 bytes
    return state;
  };
  const auto kept = [&](double begin) {
    desktop::KeptRun run;
    run.history = desktop::SnapshotHistory(1 << 20);
    for (int k = 0; k < 3; ++k) run.history.add(state(begin + k), k, 0);
    run.now = std::make_shared<const SimulationState>(state(begin + 2.5));
    return run;
  };
  const std::size_t budget = 9 * state(0).bytes();
  desktop::KeptRuns runs(budget);
  runs.put(1, kept(0));
  runs.put(2, kept(10));
  ASSERT_EQ(runs.bytes(), 8 * state(0).bytes());
  runs.put(3, kept(20));
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs.find(1)->history.size(), 1u) << "the first moment";
  EXPECT_TRUE(runs.find(1)->now);
  EXPECT_EQ(runs.find(2)->history.size(), 1u);
  EXPECT_EQ(runs.find(3)->history.size(), 3u);
  runs.put(4, kept(30));
  runs.put(5, kept(40));
  runs.put(6, kept(50));
  EXPECT_LE(runs.bytes(), budget);
  EXPECT_FALSE(runs.find(1)->now);
  EXPECT_TRUE(runs.find(6)->now);
  runs.forget(2);
  EXPECT_EQ(runs.find(2), nullptr);
}

// Hours of leaving runs must not fill the memory.
TEST_F(BringBack, RowsOfRunsGoOverTheBudgetToo) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const desktop::KeptRun one = test::ask(*worker_, [](desktop::Playback& playback) { return playback.keep(true); });
  ASSERT_TRUE(one.series && one.diagnostics.view());
  const auto& history = one.diagnostics.view()->history;
  const std::size_t table = one.series->rows() * one.series->row_values(0).size() * sizeof(double);
  const std::size_t plots =
      2 * history.buckets().size() *
      (sizeof(desktop::SeriesHistory::Bucket) + history.channels() * sizeof(desktop::SeriesHistory::Extent));
  ASSERT_GT(table, 0u);
  ASSERT_GT(plots, 0u);
  desktop::KeptRuns all(std::size_t{1} << 40);
  all.put(1, one);
  all.put(2, one);
  EXPECT_EQ(all.row_bytes(), 2 * (table + plots));
  EXPECT_TRUE(all.find(1)->series);
  desktop::KeptRun bare = one;  // as over the budget, or where it was left without room
  bare.now.reset();
  bare.edited_from.reset();
  bare.history.clear();
  bare.series.reset();
  desktop::KeptRuns two(2 * plots);
  for (std::uint64_t state = 1; state <= 4; ++state) two.put(state, bare);
  EXPECT_EQ(two.row_bytes(), 2 * plots);
  EXPECT_EQ(two.size(), 4u) << "scenes stay";
  EXPECT_FALSE(two.find(1)->diagnostics.view() || two.find(2)->diagnostics.view());
  EXPECT_TRUE(two.find(4)->diagnostics.view()) << "the newest plots stay";
  // States that all runs share take little, and each run has rows of its own.
  desktop::KeptRun lean = one;
  auto shared = std::make_shared<SimulationState>();
  shared->attributes.push_back({"position", std::vector<float>(1)});
  lean.now = shared;
  lean.edited_from.reset();
  lean.history.clear();
  desktop::KeptRuns many(2 * (table + plots));
  ASSERT_LT(shared->bytes(), 2 * (table + plots));
  for (std::uint64_t state = 1; state <= 5; ++state) many.put(state, lean);
  EXPECT_EQ(many.row_bytes(), 2 * (table + plots));
  EXPECT_FALSE(many.find(3)->now || many.find(3)->series || many.find(3)->diagnostics.view());
  EXPECT_TRUE(many.find(4)->now && many.find(5)->now && many.find(5)->series);
  desktop::KeptRuns none(1);
  none.put(1, one);
  EXPECT_FALSE(none.find(1)->now || none.find(1)->series) << "a table without its state says nothing";
}

TEST_F(BringBack, UnsavedScenesAreNamedOnceAndToldApart) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const auto open_and_change = [&](const std::string& text, const std::string& file) {
    editor_->open(scene(text, file));
    ASSERT_TRUE(settled());
    editor_->set("gravity", "[0, -1, 0]");
    ASSERT_TRUE(settled());
  };
  editor_->set("gravity", "[0, -1, 0]");
  ASSERT_TRUE(settled());
  EXPECT_EQ(editor_->unsaved(), (std::vector<std::string>{"block"}));
  ASSERT_NO_FATAL_FAILURE(open_and_change(kBlock, "block.yaml"));
  EXPECT_EQ(editor_->unsaved(), (std::vector<std::string>{"block (opened 2 times)"}));
  ASSERT_NO_FATAL_FAILURE(open_and_change("name: block\n" + kBlock, "other.yaml"));
  EXPECT_EQ(editor_->unsaved(),
            (std::vector<std::string>{"block (other.yaml)", "block (block.yaml) (opened 2 times)"}));
  fs::create_directory(folder_ / "more");
  ASSERT_NO_FATAL_FAILURE(open_and_change("name: block\n" + kBlock, "more/other.yaml"));
  const std::string here = folder_.string();
  EXPECT_EQ(editor_->unsaved(),
            (std::vector<std::string>{"block (" + here + "/more/other.yaml)", "block (block.yaml) (opened 2 times)",
                                      "block (" + here + "/other.yaml)"}));
}

// What redo would bring back is lost as well when the window closes.
TEST_F(BringBack, ChangesOfASceneThatRedoLeadsToAreUnsaved) {
  ASSERT_NO_FATAL_FAILURE(begin());
  editor_->open(scene(kBlock, "channel.yaml"));
  ASSERT_TRUE(settled());
  editor_->add_probe({0.5f, 0.5f, 0.5f});
  ASSERT_TRUE(settled());
  ASSERT_EQ(editor_->unsaved(), std::vector<std::string>{"channel"});
  const auto undo = [&] {
    editor_->undo();
    ASSERT_TRUE(settled());
  };
  ASSERT_NO_FATAL_FAILURE(undo());
  EXPECT_TRUE(editor_->unsaved().empty()) << "the user has taken it back";
  ASSERT_NO_FATAL_FAILURE(undo());
  ASSERT_EQ(now().scene, "block");
  EXPECT_EQ(editor_->unsaved(), std::vector<std::string>{"channel"}) << "redo leads there";
  editor_->redo();
  editor_->redo();
  ASSERT_TRUE(settled());
  editor_->save((folder_ / "channel.yaml").string());
  ASSERT_NO_FATAL_FAILURE(undo());
  ASSERT_NO_FATAL_FAILURE(undo());
  EXPECT_TRUE(editor_->unsaved().empty()) << "it is in a file";
}

// A typing mistake can make a start of minutes.
TEST_F(BringBack, AStartOfVeryManyParticlesIsAskedAbout) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const auto spacing = [&] { return editor_->find("particles.spacing")->value; };
  const std::string before = spacing();
  editor_->set("particles.spacing", "0.002");
  ASSERT_TRUE(editor_->asks());
  EXPECT_NE(editor_->asks_about_start().find(" million particles, "), std::string::npos) << editor_->asks_about_start();
  editor_->answer(false);
  EXPECT_FALSE(editor_->asks());
  EXPECT_EQ(spacing(), before) << "the change is taken back";
  EXPECT_FALSE(editor_->can_redo());
  ASSERT_TRUE(settled());
  editor_->set("particles.spacing", "0.09");
  EXPECT_FALSE(editor_->asks());
}

TEST_F(BringBack, AnOpeningOfVeryManyParticlesIsAskedAbout) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const Moment block = now();
  std::string large = kBlock;
  large.replace(large.find("0.1}"), 4, "0.002}");
  const SceneOptions options = scene(large, "large.yaml");
  const auto asks = [&](const desktop::WorkerStatus& status) { return status.busy.empty() && editor_->asks(); };
  editor_->open(options);
  ASSERT_TRUE(until(asks));
  EXPECT_NE(editor_->asks_about_start().find("about 16 million particles, 1.25e+05 times as many as now"),
            std::string::npos)
      << editor_->asks_about_start();
  EXPECT_EQ(editor_->asks_about_opening(), "large");
  EXPECT_TRUE(worker_->take_notices().empty());
  editor_->answer(false);
  ASSERT_TRUE(settled());
  EXPECT_FALSE(editor_->asks()) << "it was answered";
  EXPECT_EQ(now(), block);
  EXPECT_FALSE(editor_->can_undo());
  editor_->open(options);
  ASSERT_TRUE(until(asks)) << "another time, another question";
  editor_->answer(true);
  EXPECT_FALSE(editor_->asks());
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.start.has_value(); })) << "it starts";
  worker_->give_up_start();
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), block);
  EXPECT_FALSE(editor_->can_undo());
  editor_->open(scene(kBlock, "next.yaml"));
  ASSERT_TRUE(settled());
  EXPECT_FALSE(editor_->asks());
  EXPECT_EQ(now().scene, "next");
}

// Thin rings, each a disc without another one: all discs together would have millions.
TEST_F(BringBack, AnOpeningIsNotAskedAboutForParticlesThatItDoesNotMake) {
  ASSERT_NO_FATAL_FAILURE(begin());
  editor_->open(scene(test::rings(), "rings.yaml"));
  ASSERT_TRUE(until([&](const desktop::WorkerStatus& status) {
    return editor_->asks() || (status.busy.empty() && status.handled == worker_->asked());
  }));
  EXPECT_FALSE(editor_->asks()) << editor_->asks_about_start();
  EXPECT_EQ(now().scene, "rings");
}

// Where nothing was before nothing is there to compare with.
TEST_F(BringBack, AFirstOpeningOfVeryManyParticlesIsAskedAboutToo) {
  worker_.emplace(true, std::nullopt);
  editor_.emplace(*worker_);
  std::string large = kBlock;
  large.replace(large.find("0.1}"), 4, "0.002}");
  editor_->open(scene(large, "large.yaml"));
  ASSERT_TRUE(until([&](const desktop::WorkerStatus&) { return editor_->asks(); }));
  EXPECT_NE(editor_->asks_about_start().find("about 16 million particles. Its"), std::string::npos)
      << editor_->asks_about_start();
  editor_->answer(false);
  EXPECT_FALSE(worker_->status()->loaded);
}

// A start that is cancelled takes the change with it, and redo begins it again.
TEST_F(BringBack, AChangeWhoseStartIsCancelledIsTakenBack) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const Moment before = now();
  const std::string spacing = shown("particles.spacing");
  std::atomic<bool> cancels = true;
  worker_->on_change([&] {
    if (cancels && worker_->status()->start) worker_->give_up_start();
  });
  editor_->set("particles.spacing", "0.08");
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("particles.spacing"), spacing);
  EXPECT_EQ(now(), before);
  EXPECT_TRUE(worker_->take_notices().empty());
  cancels = false;
  ASSERT_TRUE(editor_->can_redo());
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("particles.spacing"), "0.08");
  EXPECT_EQ(now().step, 0u);
  worker_->on_change({});
}

// A scene is not saved if no file has it, also when it is the one that was opened.
TEST_F(BringBack, AScenesFileCountsAsItIsNow) {
  ASSERT_NO_FATAL_FAILURE(begin());
  editor_->open(scene(kBlock, "channel.yaml"));
  ASSERT_TRUE(settled());
  editor_->set("gravity", "[0, -1, 0]");
  ASSERT_TRUE(settled());
  editor_->save((folder_ / "." / "channel.yaml").string());
  EXPECT_TRUE(editor_->unsaved().empty());
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(editor_->unsaved(), std::vector<std::string>{"channel"}) << "the file has the change";
  EXPECT_TRUE(editor_->present_is_unsaved());
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_TRUE(editor_->unsaved().empty());
  editor_->undo();
  ASSERT_TRUE(settled());
  editor_->save((folder_ / "other.yaml").string());
  EXPECT_TRUE(editor_->unsaved().empty()) << "another file has it";
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_TRUE(editor_->unsaved().empty()) << "the first one has it";
  editor_->save((folder_ / "other.yaml").string());
  editor_->undo();
  ASSERT_TRUE(settled());
  editor_->open(scene(kBlock, "next.yaml"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(editor_->unsaved(), std::vector<std::string>{"other"}) << "undo leads to it";
}

TEST_F(BringBack, RunsThatRedoLeadsToAreAskedAboutBeforeTheyAreForgotten) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  const auto leave_a_long_run_forth = [&](double seconds) {
    editor_->start_again();
    ASSERT_NO_FATAL_FAILURE(run());
    test::ask(*worker_, [=](desktop::Playback& playback) { return playback.work().add(seconds), 0; });
    editor_->undo();
    ASSERT_TRUE(settled());
    ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.kept.size() == 1; }));
  };
  ASSERT_NO_FATAL_FAILURE(leave_a_long_run_forth(1000));
  const std::vector<std::function<void()>> ways = {
      [&] { editor_->set("gravity", "[0, -5, 0]"); },  // the run goes on
      [&] { editor_->set("particles.spacing", "0.125"); },
      [&] { editor_->open(scene(kBlock, "other.yaml")); },
  };
  const Moment here = now();
  for (const auto& step : ways) {
    step();
    ASSERT_TRUE(editor_->asks());
    ASSERT_EQ(editor_->asks_about().size(), 1u);
    EXPECT_GE(editor_->asks_about()[0].work.unsaved(), 1000);
    editor_->answer(false);
    ASSERT_TRUE(settled());
    EXPECT_EQ(now(), here);
    EXPECT_EQ(shown("gravity"), "[0, -9.81, 0]");
    EXPECT_TRUE(editor_->can_redo());
  }
  // These lose nothing: they are refused, or change nothing.
  for (const auto& [key, value] : {std::pair("particles.spacing", "-1"), std::pair("solver.type", "honey")}) {
    editor_->set(key, value);
    EXPECT_FALSE(editor_->asks()) << key;
    EXPECT_NE(editor_->error(), "") << key;
    EXPECT_TRUE(editor_->can_redo()) << key;
  }
  for (const auto& [key, value] : {std::pair("gravity", "[0, -9.81, 0]"), std::pair("solver.type", "wcsph")}) {
    editor_->set(key, value);
    EXPECT_FALSE(editor_->asks()) << key;
    EXPECT_EQ(editor_->error(), "") << key;
    EXPECT_TRUE(editor_->can_redo()) << key;
  }
  ways[0]();
  ASSERT_TRUE(editor_->asks());
  editor_->set("gravity", "[0, -9.81, 0]", true);  // a slider is back where it was
  EXPECT_FALSE(editor_->asks());
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), here);
  EXPECT_TRUE(editor_->can_redo());
  ways[0]();
  editor_->set("gravity", "[0, -4, 0]", true);  // a slider moves on under the question
  editor_->answer(true);
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("gravity"), "[0, -4, 0]");
  EXPECT_FALSE(editor_->can_redo());
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.kept.empty(); }));

  ASSERT_NO_FATAL_FAILURE(leave_a_long_run_forth(100));
  ways[0]();
  EXPECT_FALSE(editor_->asks()) << "it took less than what is asked about";
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("gravity"), "[0, -5, 0]");
}

TEST_F(BringBack, AnotherStartKeepsWhatRedoLeadsTo) {
  ASSERT_NO_FATAL_FAILURE(begin());
  ASSERT_NO_FATAL_FAILURE(run());
  editor_->set("gravity", "[0, -5, 0]");
  ASSERT_TRUE(settled());
  editor_->set("particles.spacing", "0.125");
  ASSERT_NO_FATAL_FAILURE(run());
  ASSERT_TRUE(settled());
  const Moment coarse = now();
  editor_->undo();
  editor_->undo();
  ASSERT_TRUE(settled());
  editor_->start_again();
  worker_->step(3);
  ASSERT_TRUE(until([](const desktop::WorkerStatus& status) { return status.clock.step == 3; }));
  keep_newest();
  ASSERT_TRUE(settled());
  const Moment again = now();
  ASSERT_TRUE(editor_->can_redo());
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown("gravity"), "[0, -5, 0]");
  editor_->redo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), coarse);
  editor_->undo();  // the second one changes the run that the first one brings back
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_EQ(now(), again);
}

TEST_F(BringBack, UndoAndRedoSayWhatTheyDo) {
  ASSERT_NO_FATAL_FAILURE(begin());
  EXPECT_EQ(editor_->what_undo_takes(), "");
  editor_->set("gravity", "[0, -5, 0]");
  editor_->set("gravity", "[0, -6, 0]", true);
  EXPECT_EQ(editor_->what_undo_takes(), "gravity from [0, -9.81, 0] to [0, -6, 0]");
  editor_->undo();
  EXPECT_EQ(editor_->what_undo_takes(), "");
  EXPECT_EQ(editor_->what_redo_brings(), "gravity from [0, -9.81, 0] to [0, -6, 0]");
  ASSERT_NO_FATAL_FAILURE(run());
  ASSERT_TRUE(settled());
  editor_->start_again();
  EXPECT_EQ(editor_->what_undo_takes(), "the new start");
  editor_->open(scene(kBlock, "other.yaml"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(editor_->what_undo_takes(), "the opening of other");
  editor_->undo();
  EXPECT_EQ(editor_->what_redo_brings(), "the opening of other");
}

TEST_F(BringBack, ARowForEachIntervalStaysChosenInAnotherScene) {
  ASSERT_NO_FATAL_FAILURE(begin());
  const auto all = [&] {
    return test::ask(*worker_, [](desktop::Playback& playback) { return playback.row_stride().measures_all(); });
  };
  test::ask(*worker_, [](desktop::Playback& playback) { return playback.measure_all_rows(true), 0; });
  editor_->open(scene(kBlock, "other.yaml"));
  ASSERT_TRUE(settled());
  EXPECT_TRUE(all());
  test::ask(*worker_, [](desktop::Playback& playback) { return playback.measure_all_rows(false), 0; });
  editor_->undo();
  ASSERT_TRUE(settled());
  EXPECT_FALSE(all()) << "it is the window's, not the run's";
}

/// [bytes] that this program has written to and that are in no file.
std::size_t resident() {
  std::ifstream in("/proc/self/status");
  std::size_t kilobytes = 0;
  for (std::string word; in >> word;)
    if (word == "RssAnon:") in >> kilobytes;
  return kilobytes << 10;
}

TEST_F(BringBack, TheMemoryOfMomentsOfARunThatWasLeftReturnsToTheSystem) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers have an allocator of their own";
#endif
  ASSERT_NO_FATAL_FAILURE(begin(0));
  const std::string fine = std::string(test::kBlock) + "time: {end: 1.0e+6}\n";
  SceneOptions small_particles = scene(fine, "fine.yaml");
  small_particles.overrides = {"particles.spacing=0.04"};
  editor_->open(small_particles);
  worker_->play(false);
  ASSERT_TRUE(settled());
  const std::size_t before = resident();
  // Between the moments lies what stays, as rows of tables and scenes do.
  std::vector<std::unique_ptr<char[]>> stays;
  const std::size_t moments = test::ask(*worker_, [&](desktop::Playback& playback) {
    for (int k = 1; k <= 250; ++k) {
      playback.step();
      playback.remember(1e3 * k);  // as much later on the wall, so that each is due
      stays.push_back(std::make_unique<char[]>(64));
    }
    return playback.history().bytes();
  });
  const std::size_t full = resident();
  ASSERT_GT(moments, std::size_t{24} << 20);
  ASSERT_GT(full - before, moments / 2);
  editor_->open(scene(kBlock, "other.yaml"));
  worker_->play(false);
  ASSERT_TRUE(settled());
  const std::size_t after = resident();
  EXPECT_LT(after, before + moments / 4) << moments << " bytes of moments; " << before << ", " << full << " and then "
                                         << after << " bytes in memory";
}

}  // namespace
}  // namespace riffle
