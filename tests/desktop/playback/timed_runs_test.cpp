/// The times of a run and those of the runs before it.

#include <gtest/gtest.h>

#include <algorithm>

#include "app/desktop/playback/playback.h"
#include "desktop/playback/scene_files.h"

namespace riffle {
namespace {

class TimedRuns : public test::SceneFiles {
 protected:
  desktop::Playback playback() { return desktop::Playback(scene(test::kBlock)); }

  /// As many columns of the plot as that, of a step each.
  void step(desktop::Playback& run, int columns) {
    run.sample_timings(wall_++);
    for (int i = 0; i < columns; ++i) {
      run.step();
      run.simulation().finish();
      run.sample_timings(wall_++);
    }
  }
  static std::size_t earlier(const desktop::Playback& run) {
    const auto& columns = run.stages().columns();
    return static_cast<std::size_t>(std::count_if(
        columns.begin(), columns.end(), [&](const auto& column) { return column.run != run.stages().run(); }));
  }
  /// The events of the plot's columns, without those that have none.
  static std::vector<std::string> events(const desktop::Playback& run) {
    std::vector<std::string> found;
    for (const auto& column : run.stages().columns())
      if (!column.event.empty()) found.push_back(column.event);
    return found;
  }
  static desktop::SceneEdit edit(const desktop::Playback& run, scenes::Effect effect) { return {run.scene(), effect}; }

  double wall_ = 0;
};

TEST_F(TimedRuns, ANewStartIsMarkedAndWhatWasBeforeIsOfAnEarlierRun) {
  desktop::Playback run = playback();
  step(run, 3);
  EXPECT_EQ(earlier(run), 0u);
  run.reset();
  EXPECT_EQ(earlier(run), 3u) << "at once, not only with the first step";
  EXPECT_EQ(run.sample_timings(wall_++).steps, 0u);
  step(run, 2);
  EXPECT_EQ(earlier(run), 3u);
  EXPECT_EQ(run.stages().columns().size(), 5u);
  EXPECT_EQ(events(run), (std::vector<std::string>{"new run"}));
  EXPECT_EQ(run.sample_timings(wall_++).steps, 2u) << "only those of this run";
}

TEST_F(TimedRuns, OtherParticlesMakeANewRunAndAnotherSearchDoesNot) {
  desktop::Playback run = playback();
  step(run, 3);
  desktop::SceneEdit search = edit(run, scenes::Effect::Search);
  search.scene.simulation.neighbors.method = NeighborMethod::Bucket;
  run.edit(search);
  step(run, 2);
  EXPECT_EQ(earlier(run), 0u) << "the same particles: their times can be compared";
  EXPECT_FALSE(run.sample_timings(wall_++).before.what.empty());

  desktop::SceneEdit finer = edit(run, scenes::Effect::Restart);
  finer.scene.simulation.spacing = 0.08f;
  run.edit(finer);
  step(run, 1);
  EXPECT_EQ(earlier(run), 5u);
  EXPECT_EQ(events(run), (std::vector<std::string>{"bucket", "new run"}));
  EXPECT_EQ(run.sample_timings(wall_++).before.what, "") << "times of other particles stand beside none of these";
}

TEST_F(TimedRuns, AnotherSolverMakesOneToo) {
  desktop::Playback run = playback();
  step(run, 3);
  desktop::SceneEdit solver = edit(run, scenes::Effect::Live);
  solver.scene.simulation.solver = SolverKind::Pbf;
  run.edit(solver);
  step(run, 1);
  EXPECT_EQ(earlier(run), 3u);
  EXPECT_EQ(events(run), (std::vector<std::string>{"pbf"}));
}

TEST_F(TimedRuns, GoingBackInTheSameRunMakesNone) {
  desktop::Playback run = playback();
  step(run, 3);
  run.seek(0);
  step(run, 1);
  EXPECT_EQ(earlier(run), 0u);
}

}  // namespace
}  // namespace riffle
