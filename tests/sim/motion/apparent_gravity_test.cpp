/// Gravity over time and moving tanks: the formula, and what every solver makes of it.

#include "sim/motion/apparent_gravity.h"

#include <array>
#include <cmath>
#include <numbers>

#include "sim/motion/gravity_bounds.h"
#include "sim/motion/gravity_field.h"
#include "sim/solver.h"
#include "sim/wcsph/tait.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr SolverKind kSolvers[] = {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph, SolverKind::Dpd};

/// Everything at once, with a ramp.
SolidDrive busy_drive() {
  SolidDrive drive;
  drive.given = true;
  drive.velocity = {0.3f, -0.2f, 0.1f};
  drive.sway_amplitude = {0.05f, 0.1f, -0.07f};
  drive.sway = {0.9f, 40};
  drive.rotates = true;
  drive.about = {0.4f, 0.3f, 0.2f};
  drive.axis = {1, 2, -2};
  drive.rate = 0.7f;
  drive.swing_angle = 20;
  drive.swing = {1.3f, -25};
  drive.from = 0.1f;
  drive.ramp = 0.5f;
  return drive;
}

TEST(DrivenPlaces, HaveTheAccelerationsOfTheirVelocities) {
  const SolidDrive drive = busy_drive();
  for (const double time : {0.2, 0.45, 0.59, 0.8, 2.3}) {
    constexpr double kStep = 1e-5;
    const DrivenPlace before = place_of(drive, time - kStep), now = place_of(drive, time),
                      after = place_of(drive, time + kStep);
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(now.velocity[a], (after.center[a] - before.center[a]) / (2 * kStep), 1e-7) << time;
      EXPECT_NEAR(now.acceleration[a], (after.velocity[a] - before.velocity[a]) / (2 * kStep), 1e-6) << time;
      EXPECT_NEAR(now.angular_acceleration[a], (after.angular_velocity[a] - before.angular_velocity[a]) / (2 * kStep),
                  1e-6)
          << time;
    }
  }
  EXPECT_EQ(place_of(drive, 0.05).acceleration[0], 0);
}

TEST(ApparentGravityFormula, MovesAFreeBodyStraightInTheWorld) {
  GravitySources sources;
  sources.gravity = {};
  sources.tank = busy_drive();
  // In the world: x + v t. In the tank: the numbers of that place and of its velocity, whose acceleration is asked for.
  const double start[3] = {0.9, -0.4, 0.6}, speed[3] = {0.5, 1.1, -0.8};
  const auto in_tank = [&](double time) {
    const DrivenPlace place = place_of(sources.tank, time);
    std::array<double, 3> x{};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) x[a] += place.turn[3 * b + a] * (start[b] + speed[b] * time - place.shift[b]);
    return x;
  };
  for (const double time : {0.05, 0.3, 0.7, 1.9}) {
    constexpr double kStep = 1e-4;
    const auto before = in_tank(time - kStep), now = in_tank(time), after = in_tank(time + kStep);
    Vec3 x, v;
    for (int a = 0; a < 3; ++a) {
      const auto set = [&](Vec3& to, double value) {
        (a == 0 ? to.x : a == 1 ? to.y : to.z) = static_cast<float>(value);
      };
      set(x, now[a]);
      set(v, (after[a] - before[a]) / (2 * kStep));
    }
    const ApparentGravity apparent = apparent_gravity_at(sources, time);
    const Vec3 a = apparent.at(x) + apparent.of_velocity(v);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(component(a, k), (after[k] - 2 * now[k] + before[k]) / (kStep * kStep), 2e-5) << time << " " << k;
  }
}

TEST(ApparentGravityFormula, TurnsVelocitiesWithoutChangingTheirLength) {
  ApparentGravity apparent;
  apparent.spin = {0.3f, -1.2f, 2};
  const Vec3 v{1, 2, -0.5f};
  for (const float dt : {1e-3f, 0.1f, 10.0f}) EXPECT_NEAR(length2(apparent.turned(v, dt)), length2(v), 1e-5f) << dt;
  const Vec3 change = (1 / 1e-3f) * (apparent.turned(v, 1e-3f) - v), expected = apparent.of_velocity(v);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(component(change, k), component(expected, k), 0.02f);
}

TEST(ApparentGravityFormula, HasTheWholeOfASuddenStart) {
  GravitySources sources;
  sources.tank.given = true;
  sources.tank.velocity = {2, 0, 0};
  sources.tank.from = 0.5f;
  EXPECT_EQ(mean_apparent_gravity(sources, 0.3, 0.4).uniform.x, 0);
  EXPECT_NEAR(mean_apparent_gravity(sources, 0.49, 0.51).uniform.x * 0.02f, -2, 1e-5);
  EXPECT_EQ(mean_apparent_gravity(sources, 0.51, 0.52).uniform.x, 0);
}

TEST(AddedGravity, GrowsOverItsRampAndEnds) {
  GravityChange change;
  change.given = true;
  change.amplitude = {1, -2, 0.5f};
  change.oscillation = {0.8f, 90};
  change.from = 1;
  change.until = 5;
  change.ramp = 2;
  EXPECT_EQ(added_gravity(change, 0.99).value[0], 0);
  EXPECT_NEAR(added_gravity(change, 2).value[0], 0.5 * std::cos(kTurn / 0.8), 1e-6);
  EXPECT_NEAR(added_gravity(change, 4.8 + 1e-9).value[1], -2 * std::cos(kTurn * 3.8 / 0.8), 1e-5);
  EXPECT_EQ(added_gravity(change, 5).value[1], 0);
  EXPECT_EQ(added_gravity(GravityChange{}, 1).value[1], 0);
}

TEST(GravityBounds, OfConstantGravityAreThoseOfItself) {
  const SimulationSetup setup = column_setup(3, 5);
  EXPECT_NEAR(most_gravity(setup), 9.81, 1e-6);
  EXPECT_EQ(most_gravity_change(setup), 0);
  const double top = setup.bodies[0].max.y;
  EXPECT_NEAR(fastest_fall(setup), std::sqrt(2 * 9.81 * top), 1e-6);
  EXPECT_EQ(gravity_at_start(setup), setup.gravity);
}

TEST(GravityBounds, FindTheLargestOfASwayAndOfARotation) {
  SimulationSetup setup = column_setup(3, 5);
  setup.tank.given = true;
  setup.tank.sway_amplitude = {0.2f, 0, 0};
  setup.tank.sway = {0.5f, 0};
  const double sway = 0.2 * (kTurn / 0.5) * (kTurn / 0.5);
  EXPECT_NEAR(most_gravity_change(setup), sway, 1e-3 * sway);
  EXPECT_NEAR(most_gravity(setup), std::hypot(sway, 9.81), 1e-2);
  EXPECT_EQ(gravity_at_start(setup), setup.gravity);  // the sway begins without acceleration

  setup.tank = {};
  setup.tank.given = setup.tank.rotates = true;
  setup.tank.rate = 5;
  setup.tank.axis = {0, 1, 0};  // through the domain's lower corner
  const Vec3 size = setup.domain.extent();
  EXPECT_NEAR(most_gravity_change(setup), 25 * std::hypot(size.x, size.z), 1e-3);
}

class MovingTank : public OnEachDevice {};

SimulationSetup walled_column(SolverKind solver) {
  if (solver == SolverKind::Dpd) {
    SimulationSetup setup = with_solver(dpd_box(3, 4), solver);
    for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
    setup.gravity = {0, -0.5f, 0};
    setup.step.fixed = 0.02f;
    setup.dpd.noise.fill(0);  // rounding errors grow fast enough without it
    return setup;
  }
  SimulationSetup setup = with_solver(column_setup(3, 6), solver);
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.step.fixed = 2e-4f;
  return setup;
}

/// [spacings] The largest distance of a particle from itself in the other run.
double farthest(const Simulation& a, const Simulation& b) {
  const auto by_number = [](const Simulation& simulation) {
    const auto position = simulation.particles().get<Vec4>("position").to_host();
    const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
    std::vector<Vec3> places(position.size());
    for (std::size_t i = 0; i < id.size(); ++i) places[id[i]] = xyz(position[i]);
    return places;
  };
  const std::vector<Vec3> first = by_number(a), second = by_number(b);
  double most = 0;
  for (std::size_t i = 0; i < first.size(); ++i) most = std::max(most, double{length2(first[i] - second[i])});
  return std::sqrt(most) / a.setup().spacing;
}

TEST_P(MovingTank, WithAChangeThatIsConstantIsConstantGravity) {
  for (const SolverKind solver : kSolvers) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup constant = walled_column(solver);
    const float g = -constant.gravity.y;
    SimulationSetup changing = constant;
    constant.gravity = {0.5f * g, -g, 0.3f * g};
    changing.gravity_change.given = true;
    changing.gravity_change.amplitude = {0.5f * g, 0, 0.3f * g};
    changing.gravity_change.oscillation = {1e6f, 90};
    SimulationSetup other = constant;
    other.gravity = {0, -g, 0};
    if (solver != SolverKind::Dpd)
      constant.wcsph.speed_of_sound = changing.wcsph.speed_of_sound = other.wcsph.speed_of_sound = 20;
    Simulation one(constant, device()), two(changing, device()), three(other, device());
    for (Simulation* simulation : {&one, &two, &three}) run_steps(*simulation, 150);
    const double moved = farthest(one, three);
    EXPECT_GT(moved, 0.1);
    EXPECT_LT(farthest(one, two), 0.01 * moved);
  }
}

TEST_P(MovingTank, ThatSwaysIsATankUnderSwayingGravity) {
  for (const SolverKind solver : kSolvers) {
    SCOPED_TRACE(to_string(solver));
    const SimulationSetup still = walled_column(solver);
    const float period = 400 * still.step.fixed, w = static_cast<float>(kTurn) / period;
    const float amplitude = -0.6f * still.gravity.y / (w * w);
    SimulationSetup sways = still, pulled = still;
    sways.tank.given = true;
    sways.tank.sway_amplitude = {amplitude, 0.25f * amplitude, 0};
    sways.tank.sway = {period, 0};
    pulled.gravity_change.given = true;
    pulled.gravity_change.amplitude = w * w * sways.tank.sway_amplitude;
    pulled.gravity_change.oscillation = {period, 0};
    Simulation one(sways, device()), two(pulled, device()), three(still, device());
    for (Simulation* simulation : {&one, &two, &three}) run_steps(*simulation, solver == SolverKind::Dpd ? 100 : 200);
    const double moved = farthest(two, three);
    EXPECT_GT(moved, 0.1);
    EXPECT_LT(farthest(one, two), 0.01 * moved);
  }
}

/// The centre of mass feels no force between particles: whatever the solver, it moves in the world as one free body.
TEST_P(MovingTank, LetsAFreeBlockFallStraightInTheWorld) {
  for (const SolverKind solver : kSolvers)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + " " + std::to_string(dimension));
      SimulationSetup setup = free_block(solver, dimension);
      const float side = setup.domain.max.x, end = 200 * setup.step.fixed;
      setup.gravity = (0.1f * side / (end * end)) * Vec3{0.3f, -1, dimension == 3 ? 0.5f : 0.0f};
      setup.gravity_change.given = true;
      setup.gravity_change.amplitude = -0.5f * setup.gravity;
      setup.gravity_change.oscillation = {0.7f * end, 30};
      SolidDrive& tank = setup.tank;
      tank.given = tank.rotates = true;
      tank.velocity = (side / end) * Vec3{0.2f, 0.1f, 0};
      tank.sway_amplitude = side * Vec3{0.05f, -0.03f, 0};
      tank.sway = {0.6f * end, 0};
      tank.about = side * Vec3{0.2f, 0.7f, dimension == 3 ? 0.4f : 0.0f};
      tank.axis = dimension == 3 ? Vec3{1, 2, 2} : Vec3{0, 0, 1};
      tank.rate = 0.6f / end;
      tank.ramp = 0.2f * end;
      Simulation simulation(setup, device());
      const auto middle = [&] {
        std::array<double, 3> sum{};
        const auto position = simulation.particles().get<Vec4>("position").to_host();
        for (const Vec4& x : position)
          for (int a = 0; a < 3; ++a) sum[a] += component(xyz(x), a) / static_cast<double>(position.size());
        return sum;
      };
      const std::array<double, 3> before = middle();
      run_steps(simulation, 200);
      const double time = simulation.finish().time;
      const std::array<double, 3> after = middle();
      const DrivenPlace place = place_of(tank, time);
      std::array<double, 3> fall{};  // of a free body, by many short steps
      double speed[3] = {};
      constexpr int kParts = 20000;
      for (int k = 0; k < kParts; ++k) {
        const AddedGravity added = added_gravity(setup.gravity_change, (k + 0.5) * time / kParts);
        for (int a = 0; a < 3; ++a) {
          const double change = (component(setup.gravity, a) + added.value[a]) * time / kParts;
          fall[a] += (speed[a] + 0.5 * change) * time / kParts;
          speed[a] += change;
        }
      }
      double moved = 0;
      for (int a = 0; a < dimension; ++a) moved = std::max(moved, std::fabs(after[a] - before[a]));
      EXPECT_GT(moved, 0.1 * side);
      for (int a = 0; a < dimension; ++a)
        EXPECT_NEAR(place.at(a, after[0], after[1], after[2]), before[a] + fall[a], 0.006 * side) << a;
    }
}

TEST_P(MovingTank, KeepsTheFluidsVelocityInTheWorldWhenItStops) {
  for (const SolverKind solver : kSolvers) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = free_block(solver, 2);
    setup.gravity = {};
    const float speed = 0.1f * setup.domain.max.x / (100 * setup.step.fixed);
    setup.tank.given = true;
    setup.tank.velocity = {speed, 0, 0};
    setup.tank.until = 10.5f * setup.step.fixed;
    Simulation simulation(setup, device());
    run_steps(simulation, 8);
    const Diagnostics before = simulation.diagnostics();
    EXPECT_NEAR(before.momentum[0], 0, 1e-3 * speed * before.mass);
    run_steps(simulation, 8);
    const Diagnostics after = simulation.diagnostics();
    EXPECT_NEAR(after.momentum[0], speed * after.mass, 1e-3 * speed * after.mass);
  }
}

/// A column beside the axis, pressed outwards: p = rho w^2 (r^2 - r0^2) / 2 below the surface at r0.
TEST_P(MovingTank, ThatTurnsPressesWaterOutwards) {
  SimulationSetup setup = by_continuity(with_solver(column_setup(2, 10), SolverKind::Wcsph));
  const float spacing = setup.spacing;
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.domain.min = {0, 0, 0};
  setup.domain.max = {40 * spacing, 10 * spacing, 0};
  setup.bodies[0].min = {10 * spacing, 0, 0};
  setup.bodies[0].max = {40 * spacing, 10 * spacing, 0};
  setup.gravity = {};
  setup.tank.given = setup.tank.rotates = true;
  setup.tank.about = {-20 * spacing, 5 * spacing, 0};
  setup.tank.rate = 10;
  const double r0 = 30 * spacing, r1 = 60 * spacing;
  const double wall = 0.5 * setup.fluids[0].rest_density * 100 * (r1 * r1 - r0 * r0);
  setup.wcsph.damping_rate = static_cast<float>(10 * std::sqrt(wall / 1000) / r0);
  setup.wcsph.damping_time = 1000;
  Simulation simulation(setup, device());
  for (int k = 0; k < 5000; ++k) simulation.step();
  const double time = simulation.finish().time;
  EXPECT_GT(time, 5 * (r1 - r0) / std::sqrt(wall / 1000));
  const auto position = simulation.particles().get<Vec4>("position").to_host();
  const std::vector<float> density = simulation.particles().get<float>("density").to_host();
  const double c0 = simulation.signal_speed(), stiffness = setup.fluids[0].rest_density * c0 * c0 / 7;
  double difference2 = 0, sum2 = 0, layer = 0;
  int in_layer = 0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double r = std::hypot(position[i].x + 20 * spacing, position[i].y - 5 * spacing);
    const double exact = 0.5 * setup.fluids[0].rest_density * 100 * (r * r - r0 * r0);
    const double p = stiffness * (std::pow(density[i] / setup.fluids[0].rest_density, 7) - 1);
    difference2 += (p - exact) * (p - exact);
    sum2 += exact * exact;
    if (position[i].x > 39 * spacing) layer += p / exact, ++in_layer;
  }
  EXPECT_LT(std::sqrt(difference2 / sum2), 0.05);
  EXPECT_NEAR(layer / in_layer, 1, 0.05);
}

TEST_P(MovingTank, TakesNoTimeWhereThereIsNone) {
  for (const SolverCase& c : solver_cases()) {
    if (gravity_sources(c.setup).changing()) continue;
    Simulation simulation(c.setup, device());
    run_steps(simulation, 3);
    simulation.finish();
    for (const StageStats& stage : simulation.timings().stats()) EXPECT_NE(stage.name, "apparent gravity") << c.name;
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(MovingTank);

}  // namespace
}  // namespace riffle::test
