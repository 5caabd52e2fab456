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
  explicit SeriesRows(const std::string& step = "0.001", const std::string& more = "")
      : scene_(scene_of(step, more)), simulation_(scene_.simulation, Device{}) {}

  static scenes::Scene scene_of(const std::string& step, const std::string& more) {
    return scenes::parse_scene(
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\nbodies:\n"
        "  - box: {min: [0, 0], max: [1, 0.4]}\nsolver: {type: wcsph}\ntime: {step: " +
            step + ", end: 1}\n" + more,
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

// With all rows the mean would weigh the time with dense rows more.
TEST_F(SeriesRows, MeansAreOverRowsThatAreEvenlyApart) {
  RunSeries series(scene_, kEvery);
  run(series, 6, 1);
  run(series, 20, 4);
  ASSERT_EQ(rows_of(series), (std::vector<long>{0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 20}));
  const std::size_t column = series.column("kinetic_energy").value();
  const auto mean_of = [&](std::initializer_list<std::size_t> rows) {
    double sum = 0;
    for (const std::size_t k : rows) sum += series.row_values(k)[column];
    return sum / static_cast<double>(rows.size());
  };
  const auto expect = [&](const SeriesMeans& means, std::initializer_list<std::size_t> rows, std::size_t left_out) {
    EXPECT_EQ(means.rows, rows.size());
    EXPECT_EQ(means.left_out, left_out);
    for (const SeriesMeans::Column& mean : means.columns) {
      if (mean.name != "kinetic_energy") continue;
      EXPECT_NEAR(mean.mean.value, mean_of(rows), 1e-12 * mean_of(rows));
      EXPECT_EQ(mean.rows, rows.size());
    }
  };
  expect(series.means(0), {0, 4, 7, 8, 9, 10}, 5);
  EXPECT_EQ(rows_text(series.means(0)), "6 rows (5 closer ones left out)");
  expect(series.means(0, 6 * kEvery), {0, 1, 2, 3, 4, 5, 6}, 0);
  expect(series.means(5 * kEvery, 16 * kEvery), {7, 8, 9}, 2);
  expect(series.means(8 * kEvery), {7, 8, 9, 10}, 0);
  EXPECT_NEAR(series.means(5 * kEvery).first, 8 * kEvery, 1e-3 * kEvery);
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

TEST_F(SeriesRows, GoOnFromTheSavedOnesAsIfNothingHadBeen) {
  RunSeries whole(scene_, kEvery), first(scene_, kEvery);
  const SimulationState start = simulation_.save_state();
  run(whole, 8, 1);
  run(whole, 16, 4);
  simulation_.restore_state(start);
  run(first, 8, 1);
  run(first, 10, 4);
  RunSeries second(scene_, 1);  // of another interval
  second.go_on_from(first.saved(simulation_.finish().time));
  EXPECT_EQ(second.interval(), kEvery);
  run(second, 16, 4);
  EXPECT_EQ(second.csv(), whole.csv());
  const SavedRows early = whole.saved(4.5 * kEvery);
  EXPECT_EQ(early.rows(), 5u) << "0 to 4";
  EXPECT_EQ(early.every, kEvery);
}

TEST_F(SeriesRows, AreSavedUpToALimitAndEvenlyApart) {
  SavedRows many;
  many.every = kEvery;
  many.columns = {{"time", "s"}, {"step", ""}, {"kinetic_energy", "J"}};
  for (std::uint64_t k = 0; k < 500001; ++k) {
    many.values.insert(many.values.end(), {double(k) * kEvery, double(k), 1});
    many.multiples.push_back(k);
    many.strides.push_back(1);
  }
  ASSERT_GT(many.rows() * SavedRows::row_bytes(3), SavedRows::kMostBytes);
  RunSeries series(scene_, kEvery);
  series.go_on_from(many);
  const SavedRows saved = series.saved(1e9);
  EXPECT_EQ(saved.rows(), 250001u);
  EXPECT_LE(saved.rows() * SavedRows::row_bytes(3), SavedRows::kMostBytes);
  EXPECT_EQ(saved.every, 2 * kEvery);
  EXPECT_EQ(saved.values[3], 2 * kEvery);
  EXPECT_EQ(saved.multiples[250000], 250000u);
  EXPECT_EQ(series.rows(), 500001u) << "those of the run stay";
  RunSeries short_one(scene_, kEvery, 1000);
  short_one.go_on_from(saved);
  EXPECT_LE(short_one.rows(), 1000u);
}

/// A cork that falls, not yet into the water.
class FreeSolidRows : public SeriesRows {
 protected:
  FreeSolidRows()
      : SeriesRows("0.001",
                   "solids:\n  - {name: cork, motion: free, density: 500, angular_velocity: [0, 0, 2], "
                   "box: {min: [0.4, 0.7], max: [0.6, 0.9]}}\n") {}
};

TEST_F(FreeSolidRows, HaveTheEnergyOfFreeSolids) {
  RunSeries series(scene_, kEvery);
  run(series, 10, 1);
  const auto number = [&](const char* name, std::size_t row) {
    return series.row_values(row)[series.column(name).value()];
  };
  const double mass = 500 * 0.2 * 0.2, inertia = mass * 0.08 / 12;
  EXPECT_NEAR(number("solids_kinetic_energy", 0), 0.5 * inertia * 4, 0.01 * inertia);
  EXPECT_NEAR(number("solids_potential_energy", 0), mass * 9.81 * 0.8, 0.01 * mass);
  const std::size_t last = series.rows() - 1;
  const double speed = number("v_y_cork", last);
  ASSERT_LT(speed, -0.9);
  EXPECT_NEAR(number("solids_kinetic_energy", last), 0.5 * mass * speed * speed + 0.5 * inertia * 4, 0.01 * inertia);
  EXPECT_NEAR(number("solids_potential_energy", last), mass * 9.81 * number("y_cork", last), 0.01 * mass);
  EXPECT_NE(series.header().find(",solids_kinetic_energy [J/m],solids_potential_energy [J/m],"), std::string::npos)
      << series.header();
  const scenes::Scene still = scene_of("0.001", "solids:\n  - {box: {min: [0.4, 0.7], max: [0.6, 0.9]}}\n");
  Simulation simulation(still.simulation, Device{});
  RunSeries other(still, kEvery);
  other.sample(simulation);
  EXPECT_FALSE(other.column("solids_kinetic_energy")) << "no solid is free";
}

// Forces are means since the row before; where a solid is, is not.
TEST_F(FreeSolidRows, HaveThePlaceOfTheirMomentWhenOthersAreDropped) {
  RunSeries all(scene_, kEvery), half(scene_, kEvery, 3);
  const SimulationState start = simulation_.save_state();
  run(all, 6, 1);
  simulation_.restore_state(start);
  run(half, 6, 1);
  ASSERT_EQ(rows_of(half), (std::vector<long>{0, 4}));
  for (const char* const name : {"y_cork", "v_y_cork", "tilt_cork"}) {
    const std::size_t column = all.column(name).value();
    EXPECT_NEAR(half.row_values(1)[column], all.row_values(4)[column], 1e-9) << name;
    EXPECT_NE(all.row_values(2)[column], all.row_values(3)[column]) << name << " changes, or nothing is seen";
  }
}

}  // namespace
}  // namespace riffle
