// Implicit viscosity: that velocities obey its equations, by sums over all pairs in double precision, and what a fluid
// then does.

#include "sim/viscosity/implicit_viscosity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/by_id.h"
#include "sim/solver_info.h"
#include "sim/viscosity/viscosity_choice.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class ImplicitViscosity : public OnEachDevice {};

SimulationSetup implicit(SimulationSetup setup, float viscosity) {
  setup.wcsph.viscosity = ViscosityScheme::Implicit;
  setup.deterministic = true;
  for (FluidSetup& fluid : setup.fluids) fluid.viscosity = viscosity;
  return setup;
}

/// A box full of two fluids on a jittered lattice that flow past each other.
SimulationSetup two_fluids(int dimension, int across) {
  SimulationSetup setup = by_summation(periodic_setup(dimension, across));
  setup.fluids.push_back({.name = "light", .rest_density = setup.fluids[0].rest_density / 3});
  BodySetup upper = setup.bodies[0];
  setup.bodies[0].max.y = upper.min.y = 0.5f;
  upper.fluid = 1;
  upper.velocity = {-1, 0.25f, 0};
  setup.bodies.push_back(upper);
  setup = implicit(setup, 0.5f);
  setup.fluids[1].viscosity = 0.1f;
  return setup;
}

/// Over all particles: |m a dt - impulses by the velocities at the end| and |m a dt|, summed.
struct Balance {
  double wrong = 0, impulses = 0;
  bool along_pairs = false;
};

Balance balance(const SimulationSetup& setup, const std::vector<Vec4>& x, const std::vector<Vec4>& v,
                const std::vector<Vec4>& viscous, const std::vector<float>& density,
                const std::vector<std::uint32_t>& fluid) {
  const viscosity::Table table = viscosity::make_table(setup);
  const int d = setup.domain.dimension;
  const double h2 = double{setup.support_radius()} * setup.support_radius();
  // Whether a particle is at a free surface.
  bool along_pairs = false;
  for (std::size_t i = 0; i < x.size(); ++i)
    along_pairs |= density[i] < (1 - viscosity::kRoom) * setup.fluids[fluid[i]].rest_density;
  Balance out;
  out.along_pairs = along_pairs;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double m = table.mass[fluid[i]], volume = m / density[i];
    double force[3] = {};
    for (std::size_t j = 0; j < x.size(); ++j) {
      double r[3] = {}, r2 = 0;
      for (int a = 0; a < d; ++a) {
        const double extent = component(setup.domain.extent(), a);
        r[a] = double{component(xyz(x[i]), a)} - component(xyz(x[j]), a);
        r[a] -= extent * std::round(r[a] / extent);
        r2 += r[a] * r[a];
      }
      if (j == i || r2 >= h2) continue;
      const double mu_i = table.dynamic[fluid[i]], mu_j = table.dynamic[fluid[j]];
      const double w = std::pow(1 - (along_pairs ? r2 / h2 : std::sqrt(r2 / h2)), 3);
      const double mu = 2 * mu_i * mu_j / (mu_i + mu_j), volume_j = table.mass[fluid[j]] / double{density[j]};
      const double c = mu * volume * volume_j * double{table.form(along_pairs).strength} * w;
      double change[3] = {}, along = 0;
      for (int a = 0; a < d; ++a) {
        change[a] = double{component(xyz(v[j]), a)} - component(xyz(v[i]), a);
        along += change[a] * r[a];
      }
      for (int a = 0; a < d; ++a) force[a] += c * (along_pairs ? along * r[a] : change[a]);
    }
    double wrong = 0, impulse = 0;
    for (int a = 0; a < d; ++a) {
      const double mine = m * component(xyz(viscous[i]), a);
      wrong += (mine - force[a]) * (mine - force[a]);
      impulse += mine * mine;
    }
    out.wrong += std::sqrt(wrong);
    out.impulses += std::sqrt(impulse);
  }
  return out;
}

TEST_P(ImplicitViscosity, ForcesAreThoseOfTheVelocitiesAtTheEndOfTheStep) {
  struct Case {
    int dimension, across;
    SolverKind solver;
    float jitter;
  };
  int forms[2] = {};
  for (const Case c : {Case{2, 24, SolverKind::Wcsph, 0.05f}, Case{3, 10, SolverKind::Wcsph, 0.3f},
                       Case{2, 24, SolverKind::Dfsph, 0.3f}, Case{3, 10, SolverKind::Dfsph, 0.05f}}) {
    SCOPED_TRACE(std::to_string(c.dimension) + "-D, " + to_string(c.solver));
    SimulationSetup setup = with_solver(two_fluids(c.dimension, c.across), c.solver);
    for (BodySetup& body : setup.bodies) body.jitter = c.jitter;
    setup.wcsph.viscosity_error = 1e-4f;
    setup.step.fixed = 50 * viscosity::explicit_step(setup);
    Simulation simulation(setup, device());
    const std::vector<Vec4> before = by_id<Vec4>(simulation, "position");
    simulation.step();
    const double dt = simulation.finish().dt;
    ASSERT_GT(dt, 0);
    const std::vector<Vec4> viscous = by_id<Vec4>(simulation, "viscous acceleration");
    std::vector<Vec4> velocity = by_id<Vec4>(simulation, "velocity");
    if (c.solver == SolverKind::Dfsph) {  // pressures act after viscosity
      const std::vector<Vec4> pressure = by_id<Vec4>(simulation, "pressure acceleration");
      for (std::size_t i = 0; i < velocity.size(); ++i)
        velocity[i] = make_vec4(xyz(velocity[i]) - static_cast<float>(dt) * xyz(pressure[i]));
    }
    const Balance found = balance(setup, before, velocity, viscous, by_id<float>(simulation, "density"),
                                  by_id<std::uint32_t>(simulation, "fluid"));
    ++forms[found.along_pairs ? 1 : 0];
    EXPECT_LT(found.wrong, 2e-3 * found.impulses);
    const Diagnostics d = simulation.diagnostics();
    ASSERT_TRUE(d.viscous_solve.has_value());
    EXPECT_LE(d.viscous_solve->mean_error, setup.wcsph.viscosity_error);
    EXPECT_GE(d.viscous_solve->iterations, 5u);
    EXPECT_EQ(d.viscous_unconverged, 0u);
  }
  EXPECT_EQ(forms[0], 2);
  EXPECT_EQ(forms[1], 2);
}

TEST_P(ImplicitViscosity, KeepsMomentum) {
  SimulationSetup setup = two_fluids(3, 10);
  for (FluidSetup& fluid : setup.fluids) fluid.viscosity *= 100;  // sound limits the step
  setup.step.fixed = 20 * viscosity::explicit_step(setup);
  Simulation simulation(setup, device());
  const Diagnostics start = simulation.diagnostics();
  run_steps(simulation, 100);
  const Diagnostics end = simulation.diagnostics();
  const double scale = std::sqrt(2 * start.kinetic_energy * start.mass);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(end.momentum[a], start.momentum[a], 1e-5 * scale);
  EXPECT_LT(end.kinetic_energy, start.kinetic_energy);
}

TEST_P(ImplicitViscosity, DoesNotSlowABallThatTurnsAsAWhole) {
  struct Case {
    int dimension;
    SolverKind solver;
  };
  for (const auto [dimension, solver] : {Case{2, SolverKind::Dfsph}, Case{3, SolverKind::Dfsph},
                                         Case{2, SolverKind::Wcsph}, Case{3, SolverKind::Wcsph}}) {
    SimulationSetup setup = implicit(free_block(solver, dimension), 10);
    setup.bodies[0].velocity = {};
    setup.bodies[0].flow = {.flow = Flow::Rotation, .center = {0.5f, 0.5f, 0.5f}, .rate = 3};
    Simulation simulation(setup, device());
    simulation.step();
    const double dt = simulation.finish().dt;
    const std::vector<Vec4> v = by_id<Vec4>(simulation, "velocity"),
                            a = by_id<Vec4>(simulation, "viscous acceleration");
    double fastest = 0, strongest = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      fastest = std::max(fastest, double{length2(xyz(v[i]))});
      strongest = std::max(strongest, double{length2(xyz(a[i]))});
    }
    EXPECT_GT(fastest, 0);
    EXPECT_LT(std::sqrt(strongest) * dt, 1e-3 * std::sqrt(fastest)) << dimension << ", " << to_string(solver);
  }
}

/// A channel across y, periodic along the flow.
SimulationSetup channel(SolverKind solver, int across, float viscosity) {
  SimulationSetup setup = with_solver(periodic_setup(2, across), solver);
  setup.domain.max = {12 * setup.spacing, 1, 1};
  setup.domain.axis[1] = Axis::Walled;
  setup.bodies[0] = BodySetup{};
  setup.bodies[0].max = setup.domain.max;
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.speed_of_sound = 10;
  return implicit(setup, viscosity);
}

/// L2 of v_x - exact(y) over that of exact(y).
template <class Exact>
double profile_error(const Simulation& simulation, const Exact& exact) {
  const std::vector<Vec4> x = by_id<Vec4>(simulation, "position"), v = by_id<Vec4>(simulation, "velocity");
  double wrong = 0, all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = exact(double{x[i].y});
    wrong += (v[i].x - wanted) * (v[i].x - wanted);
    all += wanted * wanted;
  }
  return std::sqrt(wrong / all);
}

TEST_P(ImplicitViscosity, ChannelFlowsHaveTheirProfilesAtAHundredTimesTheExplicitStep) {
  for (const SolverKind solver : {SolverKind::Dfsph, SolverKind::Wcsph}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup couette = channel(solver, 20, 10);
    // WCSPH resolves sound too, so that its steps cannot be as long.
    if (solver == SolverKind::Dfsph) couette.step.fixed = 100 * viscosity::explicit_step(couette);
    couette.wcsph.wall_velocity[1][1] = {1, 0, 0};
    Simulation belt(couette, device());
    run_until(belt, 0.12);  // 1.2 H^2 / nu
    EXPECT_LT(profile_error(belt, [](double y) { return y; }), 0.01);

    SimulationSetup poiseuille = channel(solver, 20, 10);
    poiseuille.step.fixed = couette.step.fixed;
    poiseuille.gravity = {80, 0, 0};
    Simulation pushed(poiseuille, device());
    run_until(pushed, 0.12);
    EXPECT_LT(profile_error(pushed, [](double y) { return 4 * y * (1 - y); }), 0.02);
    EXPECT_EQ(pushed.diagnostics().viscous_unconverged, 0u);
  }
}

TEST_P(ImplicitViscosity, IsTheExplicitOneWhereStepsAreShort) {
  SimulationSetup setup = channel(SolverKind::Wcsph, 40, 1);
  setup.gravity = {8, 0, 0};
  const auto mean_speed = [&](ViscosityScheme scheme) {
    setup.wcsph.viscosity = scheme;
    Simulation simulation(setup, device());
    run_until(simulation, 0.1);  // 0.1 H^2 / nu: the flow is still speeding up
    double sum = 0;
    for (const Vec4& v : by_id<Vec4>(simulation, "velocity")) sum += v.x;
    return sum / simulation.particle_count();
  };
  const double slow = mean_speed(ViscosityScheme::Explicit);
  EXPECT_NEAR(mean_speed(ViscosityScheme::Implicit), slow, 0.01 * slow);
}

TEST_P(ImplicitViscosity, AllSearchesFindTheSame) {
  SimulationSetup setup = implicit(column_setup(2, 10), 1);
  setup.solver = SolverKind::Dfsph;
  expect_same_with_every_search(setup, 10, device());
}

TEST_P(ImplicitViscosity, AStepThatDoesNotConvergeIsCounted) {
  SimulationSetup setup = two_fluids(2, 16);
  setup.step.fixed = 100 * viscosity::explicit_step(setup);
  setup.wcsph.viscosity_iterations = 2;
  Simulation simulation(setup, device());
  run_steps(simulation, 3);
  const Diagnostics d = simulation.diagnostics();
  EXPECT_EQ(d.viscous_unconverged, 3u);
  EXPECT_EQ(d.viscous_solve->iterations, 2u);
  EXPECT_GT(d.viscous_solve->mean_error, setup.wcsph.viscosity_error);
}

TEST_P(ImplicitViscosity, MeltsNothingThatLiesStill) {
  SimulationSetup setup = implicit(column_setup(2, 10), 1);
  setup.solver = SolverKind::Dfsph;
  setup.bodies[0].max.x = setup.domain.max.x;  // a tank
  Simulation simulation(setup, device());
  run_until(simulation, 0.5);
  const double depth = 0.2, speed = std::sqrt(9.81 * depth);
  EXPECT_LT(simulation.diagnostics().max_speed, 0.01 * speed);
}

TEST_P(ImplicitViscosity, ThePressureOfACollisionThrowsNothing) {
  SimulationSetup setup = implicit(column_setup(2, 10), 1);
  setup.solver = SolverKind::Dfsph;
  Simulation simulation(setup, device());
  run_steps(simulation, 2);
  SimulationState state = simulation.save_state();
  const float expected = expected_speed(setup);
  for (AttributeValues& attribute : state.attributes) {
    if (attribute.name != "pressure acceleration") continue;
    auto& values = std::get<std::vector<Vec4>>(attribute.values);
    values[values.size() / 2] = {0, 100 * expected / state.clock.dt, 0, 0};  // of a much shorter step
  }
  simulation.restore_state(state);
  run_steps(simulation, 2);
  EXPECT_LT(simulation.diagnostics().max_speed, 0.5 * expected);
}

TEST_P(ImplicitViscosity, AdaptiveStepsFollowTheFlow) {
  SimulationSetup setup = channel(SolverKind::Wcsph, 20, 1);
  setup.wcsph.wall_velocity[1][1] = {1, 0, 0};
  Simulation simulation(setup, device());
  simulation.step();
  const double first = simulation.finish().dt, longest = 0.9 * viscosity::choose(setup).other_step;
  EXPECT_FLOAT_EQ(static_cast<float>(first), viscosity::explicit_step(setup)) << "the belt starts at once";
  double before = first;
  while (simulation.finish().time < 1) {
    simulation.step();
    const double dt = simulation.finish().dt;
    if (simulation.finish().time < 1) {
      ASSERT_GT(dt, 0.49 * before);
      ASSERT_LT(dt, 1.51 * before);
      before = dt;
    }
  }
  EXPECT_GT(before, longest) << "nothing changes any more";
  // DFSPH does not begin with a step that would drive close particles apart.
  setup.solver = SolverKind::Dfsph;
  setup.fluids[0].viscosity = 1000;
  Simulation thick(setup, device());
  thick.step();
  EXPECT_NEAR(thick.finish().dt, viscosity::choose(setup).other_step / viscosity::kMostSteps, 1e-3 * thick.finish().dt);
}

TEST(Symmetric3, TheInverseOfAStiffBlockIsOne) {
  for (const float stiffness : {1.0f, 1e3f, 1e4f}) {
    Symmetric3 block;
    block.xx = block.yy = block.zz = 1e-9f;
    add_outer(block, 1e-9f * stiffness, {0.6f, 0.48f, 0.64f});
    const Symmetric3 inverted = inverse(block);
    for (const Vec3 v : {Vec3{1, 0, 0}, Vec3{0.8f, -0.36f, -0.48f}, Vec3{0, 0.8f, -0.6f}}) {
      const double share = double{dot(v, inverted * v)} * 1e-9;
      EXPECT_GT(share, 0);
      EXPECT_LT(share, 1.01);
    }
    const Vec3 across{0, 0.8f, -0.6f};  // the block is the mass alone there
    EXPECT_NEAR(dot(across, inverted * across) * 1e-9, 1, 0.01) << stiffness;
  }
}

TEST(ViscosityChoice, TakesTheImplicitOneWhereItMakesStepsMuchLonger) {
  SimulationSetup setup = column_setup(2, 20);
  setup.solver = SolverKind::Dfsph;
  for (const float viscosity : {0.0f, 1e-6f, 1.0f}) {
    setup.fluids[0].viscosity = viscosity;
    const viscosity::Choice choice = viscosity::choose(setup);
    EXPECT_EQ(choice.implicit, viscosity == 1.0f) << viscosity;
    const bool short_steps = step_bounds(setup).constant < choice.other_step;
    EXPECT_FALSE(choice.implicit && short_steps);
  }
  const std::string why = viscosity::text(viscosity::choose(setup), setup);
  EXPECT_EQ(why.rfind("implicit (automatic): explicit viscosity allows steps of ", 0), 0u) << why;
  setup.wcsph.viscosity = ViscosityScheme::Explicit;
  EXPECT_FALSE(viscosity::choose(setup).implicit);
  EXPECT_LE(step_bounds(setup).constant, viscosity::explicit_step(setup));
  // Just where the factor is reached.
  setup.wcsph.viscosity = ViscosityScheme::Automatic;
  setup.fluids[0].viscosity = 1;
  const float other = viscosity::choose(setup).other_step, mine = viscosity::explicit_step(setup);
  setup.fluids[0].viscosity = 0.98f * viscosity::kWorthwhile * mine / other;
  EXPECT_FALSE(viscosity::choose(setup).implicit);
  setup.fluids[0].viscosity = 1.02f * viscosity::kWorthwhile * mine / other;
  EXPECT_TRUE(viscosity::choose(setup).implicit);
  setup.fluids[0].viscosity = 100;
  setup.solver = SolverKind::Pbf;
  EXPECT_FALSE(viscosity::choose(setup).implicit) << "it has no laminar viscosity";
  setup.solver = SolverKind::Wcsph;
  EXPECT_FALSE(viscosity::choose(setup).implicit) << "sound limits its steps";
  setup.wcsph.viscosity = ViscosityScheme::Implicit;
  EXPECT_TRUE(viscosity::choose(setup).implicit);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ImplicitViscosity);

}  // namespace
}  // namespace riffle::test
