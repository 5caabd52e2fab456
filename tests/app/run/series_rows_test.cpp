/// When rows of --series and of the window's table are due: at multiples of an interval, or of several.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/run/run_series.h"
#include "scenes/load.h"

namespace riffle {
namespace {

constexpr double kEvery = 0.01;  // [s], ten steps

class SeriesRows : public ::testing::Test {
 protected:
  explicit SeriesRows(const std::string& step = "0.001")
      : scene_(scene_of(step)), simulation_(scene_.simulation, Device{}) {}

  static scenes::Scene scene_of(const std::string& step) {
    return scenes::parse_scene(
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\nbodies:\n"
        "  - box: {min: [0, 0], max: [1, 0.4]}\nsolver: {type: wcsph}\ntime: {step: " +
            step + ", end: 1}\n",
        "s.yaml");
  }

  /// Until that many intervals have passed since time 0.
  void run(RunSeries& series, double until, std::uint64_t intervals) {
    while (true) {
      series.sample(simulation_, intervals);
      if (simulation_.finish().time > (until - 0.05) * kEvery) return;
      simulation_.step();
    }
  }

  /// The multiples of kEvery at which there are rows.
  static std::vector<long> rows_of(const RunSeries& series) {
    std::vector<long> rows;
    for (std::size_t k = 0; k < series.rows(); ++k) {
      const double at = series.row_values(k)[0] / kEvery;
      rows.push_back(std::lround(at));
      EXPECT_NEAR(at, static_cast<double>(rows.back()), 1e-3);
    }
    return rows;
  }

  scenes::Scene scene_;
  Simulation simulation_;
};

TEST_F(SeriesRows, TheRowAfterAnotherDistanceIsChosenIsAtThatDistance) {
  RunSeries series(scene_, kEvery);
  run(series, 8.5, 4);
  run(series, 10, 1);
  EXPECT_EQ(rows_of(series), (std::vector<long>{0, 4, 8, 9, 10}));
  run(series, 20, 4);
  EXPECT_EQ(rows_of(series), (std::vector<long>{0, 4, 8, 9, 10, 12, 16, 20}));
}

TEST_F(SeriesRows, AfterAWayBackTheyAreWhereTheyWereBefore) {
  RunSeries series(scene_, kEvery);
  run(series, 5.5, 4);
  const SimulationState between = simulation_.save_state();
  run(series, 12, 4);
  simulation_.restore_state(between);
  EXPECT_TRUE(series.cut_after(simulation_.finish().time));
  run(series, 12, 4);
  EXPECT_EQ(rows_of(series), (std::vector<long>{0, 4, 8, 12}));
}

/// Rows lie a little before the multiples, by less than a thousandth of a step.
class SlightlyEarlyRows : public SeriesRows {
 protected:
  SlightlyEarlyRows() : SeriesRows("0.00099999") {}
};

TEST_F(SlightlyEarlyRows, AfterAWayBackToTheMomentOfOneTheNextIsAnIntervalLater) {
  RunSeries series(scene_, kEvery);
  for (int k = 1; k <= 8; ++k) {
    run(series, k, 1);
    const SimulationState at_row = simulation_.save_state();
    run(series, k + 1, 1);
    simulation_.restore_state(at_row);
    EXPECT_TRUE(series.cut_after(simulation_.finish().time));
    run(series, k + 1, 1);
    ASSERT_EQ(rows_of(series).size(), static_cast<std::size_t>(k + 2)) << k;
  }
}

TEST_F(SeriesRows, HalfAsManyAreTwiceAsFarApart) {
  RunSeries even(scene_, kEvery, 4), odd(scene_, kEvery, 3), far(scene_, kEvery, 4);
  const SimulationState start = simulation_.save_state();
  run(even, 8, 1);
  EXPECT_EQ(rows_of(even), (std::vector<long>{0, 4, 8})) << "0 to 4, then 0, 2, 4, 6, 8";
  simulation_.restore_state(start);
  run(odd, 6, 1);
  EXPECT_EQ(rows_of(odd), (std::vector<long>{0, 4})) << "0 to 3, then 0, 2, 4, 6";
  simulation_.restore_state(start);
  run(far, 25, 4);
  EXPECT_EQ(rows_of(far), (std::vector<long>{0, 8, 16, 24})) << "each 4, then each 8";
}

}  // namespace
}  // namespace riffle
