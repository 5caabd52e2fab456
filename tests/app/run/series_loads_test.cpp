/// Forces on solids in rows of --series and of the window's table: means since the row before, if that is of the same run.

#include <gtest/gtest.h>

#include <cmath>

#include "app/run/run_series.h"
#include "scenes/load.h"

namespace riffle {
namespace {

/// Water that falls onto a ball.
scenes::Scene onto_ball(double at = 0.5) {
  return scenes::parse_scene(
      "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
      "  - box: {min: [0, 0.35], max: [1, 0.8]}\nsolids:\n  - name: ball\n    sphere: {center: [" +
          std::to_string(at) + ", 0.2], radius: 0.12}\nsolver: {type: wcsph}\ntime: {end: 1}\n",
      "s.yaml");
}

void run_to(Simulation& simulation, double time) {
  simulation.set_time_limit(time);
  while (simulation.latest().time < time) simulation.step();
  simulation.finish();
}

constexpr double kUntil = 0.1;

/// The last row has the mean force since the measurement of `simulation` began.
void expect_mean_since_its_start(const RunSeries& series, Simulation& simulation) {
  const SolidLoad load = simulation.diagnostics().solids.at(1);
  ASSERT_GT(load.time, 0);
  const double expected = load.impulse[1] / load.time;
  const std::size_t column = series.column("force_y_ball").value();
  EXPECT_NEAR(series.row_values(series.rows() - 1)[column], expected, 1e-9 * std::fabs(expected));
}

TEST(SeriesLoads, GoOnFromTheRowBefore) {
  const scenes::Scene scene = onto_ball();
  Simulation simulation(scene.simulation, Device{});
  RunSeries series(scene, 0.1);
  run_to(simulation, kUntil);
  series.add_present(simulation);
  const SolidLoad first = simulation.diagnostics().solids.at(1);
  run_to(simulation, 2 * kUntil);
  series.add_present(simulation);
  const SolidLoad second = simulation.diagnostics().solids.at(1);
  const double expected = (second.impulse[1] - first.impulse[1]) / (second.time - first.time);
  ASSERT_NE(expected, 0);
  EXPECT_NEAR(series.row_values(1)[series.column("force_y_ball").value()], expected, 1e-9 * std::fabs(expected));
}

TEST(SeriesLoads, AreOfTheFacesToo) {
  const scenes::Scene scene = scenes::parse_scene(
      "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [periodic, walled], face_forces: true}\n"
      "particles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [1, 0.4]}\ntime: {end: 1}\n",
      "s.yaml");
  Simulation simulation(scene.simulation, Device{});
  RunSeries series(scene, 0.1);
  run_to(simulation, kUntil);
  series.add_present(simulation);
  const SolidLoad floor = simulation.diagnostics().faces.at(2);
  ASSERT_GT(floor.time, 0);
  EXPECT_LT(floor.impulse[1], 0);
  EXPECT_NEAR(series.row_values(0)[series.column("force_y_face_y_min").value()], floor.impulse[1] / floor.time,
              1e-9 * std::fabs(floor.impulse[1]));
  EXPECT_TRUE(series.column("torque_z_face_y_max"));
  EXPECT_FALSE(series.column("force_x_face_x_min")) << "a periodic face is none";
  EXPECT_FALSE(series.column("force_z_face_y_min")) << "2-D";
}

// After as long a time again as the row before had: by times alone it looked like the same run.
TEST(SeriesLoads, BeginAgainAfterARewind) {
  const scenes::Scene scene = onto_ball();
  Simulation simulation(scene.simulation, Device{});
  RunSeries series(scene, 0.1);
  run_to(simulation, kUntil);
  series.add_present(simulation);
  const SimulationState state = simulation.save_state();
  run_to(simulation, 1.5 * kUntil);
  simulation.restore_state(state);
  EXPECT_FALSE(series.cut_after(simulation.finish().time)) << "the row is of the state that is gone back to";
  run_to(simulation, 2.2 * kUntil);
  series.add_present(simulation);
  ASSERT_EQ(series.rows(), 2u);
  expect_mean_since_its_start(series, simulation);
}

TEST(SeriesLoads, BeginAgainWithASimulationThatStartsAgain) {
  const scenes::Scene scene = onto_ball();
  RunSeries series(scene, 0.1);
  Simulation first(scene.simulation, Device{}), again(scene.simulation, Device{});
  run_to(first, kUntil);
  series.add_present(first);
  run_to(again, 2 * kUntil);
  series.add_present(again);
  ASSERT_EQ(series.rows(), 2u);
  expect_mean_since_its_start(series, again);
}

TEST(SeriesLoads, BeginAgainWithAnotherScene) {
  const scenes::Scene scene = onto_ball(), other = onto_ball(0.4);
  RunSeries series(scene, 0.1);
  Simulation first(scene.simulation, Device{}), second(other.simulation, Device{});
  run_to(first, kUntil);
  series.add_present(first);
  run_to(second, 2 * kUntil);
  series.add_present(second);
  ASSERT_EQ(series.rows(), 2u);
  expect_mean_since_its_start(series, second);
}

}  // namespace
}  // namespace riffle
