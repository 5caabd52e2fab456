/// Stirring: its place, its direction, and the momentum that it adds.

#include "sim/start/stirring.h"

#include <algorithm>

#include "core/error.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class StirringTest : public OnEachDevice {};

constexpr SolverKind kSolvers[] = {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dpd};
constexpr StirringKind kKinds[] = {StirringKind::Pull, StirringKind::Push, StirringKind::Drag};

/// A ball that covers the lower corner of a free_block and some of its surroundings.
Stirring at_the_corner(const SimulationSetup& setup, StirringKind kind) {
  const float side = setup.domain.max.x;
  Stirring stirring;
  stirring.kind = kind;
  stirring.center = {0.32f * side, 0.33f * side, setup.domain.dimension == 3 ? 0.31f * side : 0};
  stirring.radius = 0.15f * side;
  stirring.strength = setup.solver == SolverKind::Dpd ? 20 : 50;
  stirring.velocity = Vec3{0.4f, 0.2f, setup.domain.dimension == 3 ? -0.1f : 0};
  return stirring;
}

struct Double3 {
  double v[3] = {0, 0, 0};
};

/// The formula of sim/start/stirring.h without its scale, which the test finds by searching for the maximum.
Double3 expected_acceleration(const Stirring& s, Vec3 x, Vec3 v) {
  const double radius = s.radius;
  double r[3], r2 = 0, lag[3], lag2 = 0;
  for (int a = 0; a < 3; ++a) {
    r[a] = double{component(x, a)} - component(s.center, a);
    lag[a] = double{component(s.velocity, a)} - component(v, a);
    r2 += r[a] * r[a];
    lag2 += lag[a] * lag[a];
  }
  Double3 acceleration;
  if (r2 >= radius * radius) return acceleration;
  const double weight = std::pow(1 - r2 / (radius * radius), 2);
  double largest = 0;
  for (double q = 0; q <= 1; q += 1e-4) largest = std::max(largest, q * std::pow(1 - q * q, 2));
  for (int a = 0; a < 3; ++a) {
    const double along = r[a] / radius / largest;
    if (s.kind == StirringKind::Drag)
      acceleration.v[a] = s.strength * weight * lag[a] / std::max(std::sqrt(lag2), std::sqrt(s.strength * radius));
    else
      acceleration.v[a] = (s.kind == StirringKind::Pull ? -1 : 1) * s.strength * weight * along;
  }
  return acceleration;
}

TEST_P(StirringTest, TheMomentumGivenIsTheSumOfMassAccelerationAndTime) {
  for (const SolverKind solver : kSolvers)
    for (const int dimension : {2, 3})
      for (const StirringKind kind : kKinds) {
        SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D, kind " +
                     std::to_string(static_cast<int>(kind)));
        const SimulationSetup setup = free_block(solver, dimension);
        Simulation simulation(setup, device());
        run_steps(simulation, 3);
        const Stirring stirring = at_the_corner(setup, kind);
        simulation.set_stirring(stirring);
        double expected[3] = {};
        const Diagnostics before = simulation.diagnostics();
        const double mass = before.mass / simulation.particle_count();
        for (int step = 0; step < 5; ++step) {
          const auto position = simulation.particles().get<Vec4>("position").to_host();
          const auto velocity = simulation.particles().get<Vec4>("velocity").to_host();
          simulation.step();
          const double dt = simulation.finish().dt;
          ASSERT_GT(dt, 0);
          for (std::size_t i = 0; i < position.size(); ++i) {
            const Double3 a = expected_acceleration(stirring, xyz(position[i]), xyz(velocity[i]));
            for (int k = 0; k < 3; ++k) expected[k] += mass * a.v[k] * dt;
          }
        }
        const Diagnostics after = simulation.diagnostics();
        const double size = std::hypot(expected[0], expected[1], expected[2]);
        ASSERT_GT(size, 0);
        for (int k = 0; k < dimension; ++k)
          EXPECT_NEAR(after.momentum[k] - before.momentum[k], expected[k],
                      1e-3 * size + 1e-7 * before.mass * after.max_speed)
              << k;
        if (dimension == 2) {
          EXPECT_EQ(after.momentum[2], 0);
        }
      }
}

TEST_P(StirringTest, MovesTheRightWayAndNothingBeyondItsReach) {
  for (const SolverKind solver : kSolvers)
    for (const StirringKind kind : kKinds) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", kind " + std::to_string(static_cast<int>(kind)));
      const SimulationSetup setup = free_block(solver, 2);
      Simulation stirred(setup, device()), plain(setup, device());
      const Stirring stirring = at_the_corner(setup, kind);
      const auto position = by_id<Vec4>(plain, "position"), velocity = by_id<Vec4>(plain, "velocity");
      stirred.set_stirring(stirring);
      stirred.step();
      plain.step();
      // Moved particles pass the motion on within the step: PBF's iterations by h each, DPD's drag, from predicted
      // velocities, once.
      const float h = setup.support_radius();
      const float handed_on = solver == SolverKind::Wcsph ? 0 : solver == SolverKind::Pbf ? 7 * h : 1.1f * h;
      const auto with = by_id<Vec4>(stirred, "velocity"), without = by_id<Vec4>(plain, "velocity");
      int within = 0, beyond = 0;
      double along = 0, across = 0;
      for (std::size_t i = 0; i < position.size(); ++i) {
        const Vec3 r = xyz(position[i]) - stirring.center, dv = xyz(with[i]) - xyz(without[i]);
        const float distance = std::sqrt(length2(r));
        if (distance > stirring.radius + handed_on) {
          ++beyond;
          EXPECT_TRUE(xyz(with[i]) == xyz(without[i])) << i;
        } else if (distance < 0.9f * stirring.radius && distance > 0) {
          ++within;
          const Vec3 way = kind == StirringKind::Drag ? stirring.velocity - xyz(velocity[i])
                                                      : (kind == StirringKind::Pull ? -1.0f : 1.0f) * r;
          const double size = std::sqrt(length2(way)), part = dot(dv, way) / size;
          along += part;
          across += std::sqrt(std::max(0.0, length2(dv) - part * part));
          if (solver == SolverKind::Wcsph) {
            EXPECT_GT(part, 0) << i;
          }
        }
      }
      EXPECT_GT(within, 5);
      EXPECT_GT(beyond, 5);
      EXPECT_GT(along, across);
    }
}

TEST_P(StirringTest, IsADiscInTwoDimensionsWhateverZ) {
  SimulationSetup setup = free_block(SolverKind::Wcsph, 2);
  std::uint64_t hash[2];
  for (const int k : {0, 1}) {
    Simulation simulation(setup, device());
    Stirring stirring = at_the_corner(setup, StirringKind::Drag);
    if (k == 1) stirring.center.z = 7, stirring.velocity.z = 3;
    simulation.set_stirring(stirring);
    run_steps(simulation, 5);
    hash[k] = simulation.diagnostics().state_hash;
    for (const Vec4& v : by_id<Vec4>(simulation, "velocity")) ASSERT_EQ(v.z, 0);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

TEST_P(StirringTest, ReachesThroughAPeriodicFace) {
  SimulationSetup setup = with_solver(periodic_setup(2, 20), SolverKind::Wcsph);
  setup.step.fixed = 1e-4f;
  setup.bodies[0].velocity = {};
  Simulation stirred(setup, device()), plain(setup, device());
  Stirring stirring;
  stirring.center = {0.01f, 0.5f, 0};
  stirring.radius = 0.2f;
  stirring.strength = 100;
  stirring.kind = StirringKind::Push;
  stirred.set_stirring(stirring);
  const auto position = by_id<Vec4>(plain, "position");
  stirred.step();
  plain.step();
  const auto with = by_id<Vec4>(stirred, "velocity"), without = by_id<Vec4>(plain, "velocity");
  int beyond_the_face = 0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (position[i].x < 0.9f || std::fabs(position[i].y - 0.5f) > 0.1f) continue;
    ++beyond_the_face;
    EXPECT_LT(with[i].x, without[i].x) << "pushed away from the image at 1.01";
  }
  EXPECT_GT(beyond_the_face, 4);
}

TEST_P(StirringTest, DragsToItsVelocityAndNotBeyond) {
  SimulationSetup setup = free_block(SolverKind::Dpd, 2);
  switch_forces_off(setup.dpd);
  setup.bodies[0].max = setup.bodies[0].min + Vec3{setup.spacing, setup.spacing, 0};
  setup.start = {};
  setup.dpd.temperature = 0;
  Simulation simulation(setup, device());
  ASSERT_EQ(simulation.particle_count(), 1);
  Stirring stirring;
  stirring.kind = StirringKind::Drag;
  stirring.radius = 1;
  stirring.strength = 40;
  stirring.velocity = {2, -1, 0};
  float fastest = 0;
  for (int step = 0; step < 200; ++step) {
    stirring.center = xyz(by_id<Vec4>(simulation, "position")[0]);
    simulation.set_stirring(stirring);
    simulation.step();
    fastest = std::max(fastest, by_id<Vec4>(simulation, "velocity")[0].x);
  }
  EXPECT_LE(fastest, 2.0001f);
  EXPECT_NEAR(by_id<Vec4>(simulation, "velocity")[0].x, 2, 0.01);
  EXPECT_NEAR(by_id<Vec4>(simulation, "velocity")[0].y, -1, 0.01);
}

TEST_P(StirringTest, AnAdaptiveStepIsShortEnoughForIt) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf}) {
    SimulationSetup setup = free_block(solver, 2);
    setup.step.fixed = 0;
    Simulation simulation(setup, device());
    simulation.step();
    const float before = simulation.finish().dt;
    Stirring stirring = at_the_corner(setup, StirringKind::Pull);
    stirring.strength = 1e6f;
    simulation.set_stirring(stirring);
    simulation.step();
    const float during = simulation.finish().dt;
    EXPECT_LE(during, 0.5f * std::sqrt(stirring.radius / stirring.strength) * 1.0001f);
    EXPECT_LT(during, before);
    if (solver == SolverKind::Wcsph) {
      // Monaghan 1992, section 10, with the smoothing length h/2. The stirring adds to all other forces.
      EXPECT_LE(during, 0.25 * std::sqrt(0.5 * setup.support_radius() / stirring.strength) * 1.0001);
    }
    simulation.set_stirring(std::nullopt);
    Simulation after(setup, device(), simulation.save_state());
    simulation.step();
    after.step();
    EXPECT_EQ(simulation.finish().dt, after.finish().dt) << "nothing of it stays";
  }
}

TEST_P(StirringTest, AUsualHandLeavesTheFluidWhole) {
  for (const SolverKind solver : kSolvers) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup =
        solver == SolverKind::Dpd ? with_solver(dpd_box(2, 8), solver) : with_solver(column_setup(2, 12), solver);
    Simulation simulation(setup, device());
    Stirring stirring;
    stirring.kind = StirringKind::Push;
    stirring.center = 0.2f * setup.domain.max;
    stirring.radius = 3 * setup.spacing;
    stirring.strength = usual_stirring(setup, stirring.radius);
    EXPECT_GT(stirring.strength, 0);
    simulation.set_stirring(stirring);
    run_steps(simulation, 200);
    const Diagnostics d = simulation.diagnostics();
    EXPECT_EQ(d.non_finite, 0);
    EXPECT_EQ(d.outside, 0);
    EXPECT_LT(d.max_speed, simulation.signal_speed());
  }
}

TEST_P(StirringTest, ChangesNothingWhereItIsNotSet) {
  for (const SolverCase& c : solver_cases()) {
    Simulation never(c.setup, device()), unset(c.setup, device());
    unset.set_stirring(at_the_corner(c.setup, StirringKind::Pull));
    unset.set_stirring(std::nullopt);
    run_steps(never, 10);
    run_steps(unset, 10);
    EXPECT_EQ(never.diagnostics().state_hash, unset.diagnostics().state_hash) << c.name;
    for (const StageStats& stage : unset.timings().stats()) EXPECT_NE(stage.name, "stirring") << c.name;
  }
}

TEST_P(StirringTest, WhatNoStepBearsIsRefused) {
  SimulationSetup setup = free_block(SolverKind::Dpd, 2);
  Simulation simulation(setup, device());
  const Stirring good = at_the_corner(setup, StirringKind::Drag);
  const auto refused = [&](auto change) {
    Stirring s = good;
    change(s);
    try {
      simulation.set_stirring(s);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_NE(refused([](Stirring& s) { s.radius = 0; }).find("radius"), std::string::npos);
  EXPECT_NE(refused([](Stirring& s) { s.radius = NAN; }).find("radius"), std::string::npos);
  EXPECT_NE(refused([](Stirring& s) { s.strength = -1; }).find("strength"), std::string::npos);
  EXPECT_NE(refused([](Stirring& s) { s.strength = INFINITY; }).find("strength"), std::string::npos);
  EXPECT_NE(refused([](Stirring& s) { s.center.y = NAN; }).find("centre"), std::string::npos);
  EXPECT_NE(refused([](Stirring& s) { s.velocity.x = INFINITY; }).find("velocity"), std::string::npos);
  const float most = strongest_stirring(setup, good.radius);
  const std::string text = refused([&](Stirring& s) { s.strength = 1.01f * most; });
  EXPECT_NE(text.find(std::to_string(most)), std::string::npos) << text;
  EXPECT_EQ(refused([&](Stirring& s) { s.strength = most; }), "nothing was refused");
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(StirringTest);

}  // namespace
}  // namespace riffle::test
