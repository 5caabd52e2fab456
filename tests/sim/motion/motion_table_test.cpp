/// Motion by tables: the spline, the files, and that a table of a sine moves what a sway moves.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numbers>

#include "core/error.h"
#include "sim/motion/drive_place.h"
#include "sim/motion/motion_table_file.h"
#include "sim/walls/drive_speed.h"
#include "support/devices.h"
#include "support/scratch.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

using motion_table::kGravityColumns;
using motion_table::kMotionColumns;

constexpr double kWholeTurn = 2 * std::numbers::pi;

/// Files that live as long as the object.
class Tables {
 public:
  std::shared_ptr<const MotionTable> of(const std::string& text,
                                        std::span<const motion_table::Column> columns = kMotionColumns) {
    const std::string file = folder_ / ("table" + std::to_string(++count_) + ".csv");
    std::ofstream(file) << text;
    return motion_table::read(file, columns);
  }

  std::string complaint(const std::string& text, std::span<const motion_table::Column> columns = kMotionColumns) {
    return message_of([&] { of(text, columns); });
  }

  std::string named(const std::string& name) const { return folder_ / name; }

 private:
  Scratch folder_;
  int count_ = 0;
};

/// [m] The largest difference from 0.1 sin(2 pi t) away from the ends, of the value and of its derivatives.
std::array<double, 3> errors_of_sine(Tables& tables, int rows, bool rates) {
  std::string text = rates ? "t,vx\n" : "t,x\n";
  char line[80];
  for (int k = 0; k <= rows; ++k) {
    const double t = 2.0 * k / rows;
    std::snprintf(line, sizeof line, "%.12g,%.12g\n", t,
                  rates ? 0.1 * kWholeTurn * std::cos(kWholeTurn * t) : 0.1 * std::sin(kWholeTurn * t));
    text += line;
  }
  const auto table = tables.of(text);
  std::array<double, 3> most{};
  for (double t = 0.5; t < 1.5; t += 0.0037) {
    const TableValues now = table->view().at(t);
    most[0] = std::max(most[0], std::fabs(now.value[0] - 0.1 * std::sin(kWholeTurn * t)));
    most[1] = std::max(most[1], std::fabs(now.rate[0] - 0.1 * kWholeTurn * std::cos(kWholeTurn * t)));
    most[2] =
        std::max(most[2], std::fabs(now.acceleration[0] + 0.1 * kWholeTurn * kWholeTurn * std::sin(kWholeTurn * t)));
  }
  return most;
}

TEST(MotionTables, OfASineApproachItAndItsDerivatives) {
  Tables tables;
  for (const bool rates : {false, true}) {
    const auto coarse = errors_of_sine(tables, 40, rates), fine = errors_of_sine(tables, 80, rates);
    EXPECT_LT(fine[0], 1e-5) << rates;
    EXPECT_LT(fine[0], coarse[0] / (rates ? 3 : 12)) << rates;
    EXPECT_LT(fine[1], coarse[1] / 3.5) << rates;
    EXPECT_LT(fine[2], coarse[2] / (rates ? 1.8 : 3.5)) << rates;
  }
}

TEST(MotionTables, GoThroughTheirRowsAndStandStillBeyondThem) {
  Tables tables;
  const auto table = tables.of("# a comment\n t [s] ,x [m],angle [degrees]\n0.5,0.1,90\n1,0.3,180\n2,0.2,720\n");
  const MotionTableView view = table->view();
  ASSERT_EQ(view.count, 3);
  EXPECT_NEAR(view.at(1).value[0], 0.3, 1e-12);
  EXPECT_NEAR(view.at(1).value[3], std::numbers::pi, 1e-12);
  EXPECT_NEAR(view.at(2).value[3], 4 * std::numbers::pi, 1e-12);
  EXPECT_EQ(view.at(1).value[1], 0);
  for (const double t : {-1.0, 0.0, 0.499}) {
    EXPECT_EQ(view.at(t).value[0], 0.1);
    EXPECT_EQ(view.at(t).rate[0], 0);
  }
  EXPECT_NE(view.at(0.5).rate[0], 0) << "the table begins in motion";
  for (const double t : {2.0, 7.0}) {
    EXPECT_EQ(view.at(t).value[0], 0.2);
    EXPECT_EQ(view.at(t).rate[0], 0);
  }
  EXPECT_EQ(view.duration(), 1.5);
}

TEST(MotionTables, AreSmoothFromPieceToPiece) {
  Tables tables;
  const auto table = tables.of("t,x\n0,0\n0.3,0.1\n0.5,-0.2\n1.4,0.4\n2,0.1\n");
  const MotionTableView view = table->view();
  double fastest = 0;
  for (double t = 0.001; t < 2; t += 0.0001) fastest = std::max(fastest, std::fabs(view.at(t).rate[0]));
  EXPECT_NEAR(view.fastest(0), fastest, 1e-3 * fastest);
  EXPECT_EQ(view.fastest(1), 0);
  for (const double knot : {0.3, 0.5, 1.4}) {
    const TableValues before = view.at(knot - 1e-9), after = view.at(knot + 1e-9);
    EXPECT_NEAR(before.value[0], after.value[0], 1e-7);
    EXPECT_NEAR(before.rate[0], after.rate[0], 1e-6);
    EXPECT_NEAR(before.acceleration[0], after.acceleration[0], 1e-5);
  }
}

TEST(MotionTables, OfTheSameFileAreReadOnce) {
  Tables tables;
  const auto table = tables.of("t,x\n0,0\n1,1\n");
  EXPECT_EQ(motion_table::read(tables.named("table1.csv"), kMotionColumns), table);
  EXPECT_NE(motion_table::read(tables.named("table1.csv"), kGravityColumns), table) << "read as something else";
  std::ofstream(tables.named("table1.csv")) << "t,x\n0,0\n1,2\n3,4\n";
  EXPECT_EQ(motion_table::read(tables.named("table1.csv"), kMotionColumns)->view().count, 3);
}

TEST(MotionTables, WhatCannotBeIsRefused) {
  Tables tables;
  const auto says = [&](const std::string& text, const std::string& part) {
    const std::string complaint = tables.complaint(text);
    EXPECT_NE(complaint.find(part), std::string::npos) << text << "\n" << complaint;
  };
  says("", "has no row");
  says("t,x\n", "has no row");
  says("t,x\n0,0\n", "found one row; allowed: at least two");
  says("t,x\n0,0\n0,1\n", "found t = 0 after t = 0; allowed: times that ascend");
  says("t,x\n-1,0\n0,1\n", "found t = -1; allowed: from 0 on");
  says("t,x\n0,0\n1,nan\n", ":3: x: 'nan' is not a number");
  says("t,x\n0,0\n1,inf\n", ":3: x: 'inf' is not a number");
  says("t,x\n0,0\n1,1e9\n", "found 1e+09 for x at t = 1; allowed: -1e6 to 1e6");
  says("t,x\n0,0\n1\n", ":3: 1 fields, but 2 column names");
  says("t,w\n0,0\n1,1\n", "found a column 'w'; allowed: t, x, y, z, angle, vx, vy, vz, rate");
  says("x,y\n0,0\n1,1\n", "found no column t; allowed: t, x");
  says("t\n0\n1\n", "found no column beside t");
  says("t,x,vx\n0,0,0\n1,1,1\n", "found both x and vx; allowed: one of them");
  says("t,t,x\n0,0,0\n1,1,1\n", "found two columns t");
  EXPECT_NE(message_of([&] { motion_table::read(tables.named("none.csv"), kMotionColumns); }).find("no such file"),
            std::string::npos);
  EXPECT_NE(message_of([&] { motion_table::read(tables.named("."), kMotionColumns); }).find("found no regular file"),
            std::string::npos);
  EXPECT_NE(tables.complaint("t,vx\n0,0\n1,1\n", kGravityColumns).find("allowed: t, x, y, z"), std::string::npos);
}

TEST(MotionTables, JumpsAreFound) {
  Tables tables;
  const double least[kTableValues] = {0.01, 0.01, 0.01, 0.5};
  const auto jump = [&](const std::string& text) {
    const auto table = tables.of(text);
    return motion_table::find_jump(table->knots(), least);
  };
  EXPECT_FALSE(jump("t,x\n0,0\n1,0\n2,1\n3,2\n")) << "a start";
  EXPECT_FALSE(jump("t,x\n0,0\n1,7\n")) << "a constant velocity";
  EXPECT_FALSE(jump("t,x\n0,0\n1,0.009\n2,0.009\n")) << "small";
  EXPECT_FALSE(jump("t,angle\n0,0\n1,300\n2,650\n3,1000\n")) << "several turns";
  const auto step = jump("t,x,y\n0,0,0\n1,0,0\n2,0,0.5\n3,0,0.5\n");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->value, 1);
  EXPECT_EQ(step->from, 1);
  EXPECT_EQ(step->to, 2);
  EXPECT_EQ(step->change, 0.5);
  const auto wrapped = jump("t,angle\n0,340\n0.1,350\n0.2,360\n0.3,10\n0.4,20\n");
  ASSERT_TRUE(wrapped) << "angles that begin again";
  EXPECT_EQ(wrapped->value, 3);
}

class TableDrives : public OnEachDevice {};

/// 0.02 m sin(2 pi t / 0.05 s), from 0.01 s on, as a table.
std::string sine_table(const char* columns, double amplitude, double period) {
  std::string text = std::string("t,") + columns + "\n";
  char line[80];
  for (int k = 0; k <= 400; ++k) {
    const double t = 4 * period * k / 400;
    std::snprintf(line, sizeof line, "%.9g,%.12g\n", t, amplitude * std::sin(kWholeTurn * t / period));
    text += line;
  }
  return text;
}

TEST_P(TableDrives, ThatAreASineMoveWhatASwayMoves) {
  Tables tables;
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup still = free_block(solver, 2);
    const float side = still.domain.max.x, period = 200 * still.step.fixed;
    still.solid_regions.emplace_back();
    SolidRegion& solid = still.solid_regions[0];
    solid.min = {0.1f * side, 0.2f * side, 0};
    solid.max = {0.27f * side, 0.9f * side, 0};
    SimulationSetup sways = still, follows = still;
    SolidDrive& sway = sways.solid_regions[0].drive;
    sway.given = true;
    sway.sway_amplitude = {0.06f * side, 0, 0};
    sway.sway = {period, 0};
    SolidDrive& follow = follows.solid_regions[0].drive;
    follow.given = true;
    follow.follow(tables.of(sine_table("x", 0.06 * side, period)));
    EXPECT_NEAR(fastest_point(follows, 0), fastest_point(sways, 0), 1e-3 * fastest_point(sways, 0));
    follow.from = 0;
    for (SimulationSetup* setup : {&sways, &follows, &still})
      if (solver != SolverKind::Dpd) setup->wcsph.speed_of_sound = 200;
    Simulation one(sways, device()), two(follows, device()), three(still, device());
    for (Simulation* simulation : {&one, &two, &three}) run_steps(*simulation, 60);
    const double pushed = one.diagnostics().momentum[0] - three.diagnostics().momentum[0];
    EXPECT_GT(std::fabs(pushed), 1e-3 * one.diagnostics().mass * fastest_point(sways, 0));
    EXPECT_NEAR(two.diagnostics().momentum[0], one.diagnostics().momentum[0], 0.02 * std::fabs(pushed));
  }
}

TEST_P(TableDrives, OfATankAndOfGravityActAsTheirFormulas) {
  Tables tables;
  SimulationSetup sways = with_solver(column_setup(3, 6), SolverKind::Wcsph);
  for (Axis& axis : sways.domain.axis) axis = Axis::Walled;
  sways.step.fixed = 2e-4f;
  sways.wcsph.speed_of_sound = 20;
  const float period = 0.08f;
  SimulationSetup follows = sways, still = sways;
  sways.tank.given = true;
  sways.tank.sway_amplitude = {0.001f, 0, 0};
  sways.tank.sway.period = period;
  sways.gravity_change.given = true;
  sways.gravity_change.amplitude = {0, 0, 3};
  sways.gravity_change.oscillation.period = period;
  follows.tank.given = true;
  follows.tank.follow(tables.of(sine_table("x", 0.001, period)));
  follows.gravity_change.given = true;
  follows.gravity_change.follow(tables.of(sine_table("z", 3, period), kGravityColumns));
  Simulation one(sways, device()), two(follows, device()), three(still, device());
  for (Simulation* simulation : {&one, &two, &three}) run_steps(*simulation, 150);
  for (const int axis : {0, 2}) {
    const double moved = one.diagnostics().momentum[axis] - three.diagnostics().momentum[axis];
    EXPECT_GT(std::fabs(moved), 1e-3 * one.diagnostics().mass) << axis;
    EXPECT_NEAR(two.diagnostics().momentum[axis], one.diagnostics().momentum[axis], 0.01 * std::fabs(moved)) << axis;
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(TableDrives);

}  // namespace
}  // namespace riffle::test
