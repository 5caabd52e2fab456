/// Inlets and outlets in simulations: what enters and leaves, ids, limits, going on from a state.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/error.h"
#include "sim/openings/openings.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

class OpeningsOnEachDevice : public OnEachDevice {};

constexpr SolverKind kWithInlets[] = {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph};

/// A box of walls without fluid, 0.6 m wide.
SimulationSetup empty_box(SolverKind solver, int dimension) {
  SimulationSetup setup;
  setup.solver = solver;
  setup.spacing = 0.02f;
  setup.domain.dimension = dimension;
  setup.domain.max = {0.6f, 0.6f, dimension == 2 ? 0.0f : 0.3f};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.fluids = {FluidSetup{}};
  return setup;
}

/// Downwards from below the ceiling.
InletSetup tap(const SimulationSetup& setup, float radius, float speed) {
  InletSetup inlet;
  inlet.name = "tap";
  inlet.center = {0.3f, 0.58f, setup.domain.dimension == 2 ? 0.0f : 0.15f};
  inlet.radius = radius;
  inlet.speed = speed;
  return inlet;
}

OutletSetup outlet_box(Vec3 min, Vec3 max) {
  OutletSetup outlet;
  outlet.min = min;
  outlet.max = max;
  return outlet;
}

std::vector<std::uint32_t> ids_of(const Simulation& simulation) {
  std::vector<std::uint32_t> ids = simulation.particles().get<std::uint32_t>("id").to_host();
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Layers of a nozzle without those that may be late.
int layers_between(const Simulation& simulation, const InletSetup& inlet) {
  const SimulationSetup& setup = simulation.setup();
  return nozzle_layers(setup, inlet) -
         static_cast<int>(std::ceil((kOpeningsLag + 1) * inlet.speed * setup.step.fixed / setup.spacing));
}

void run_to(Simulation& simulation, double time) {
  while (simulation.latest().time < time) simulation.step();
  simulation.finish();
}

TEST_P(OpeningsOnEachDevice, AnInletLetsInWhatItsRateSays) {
  for (const SolverKind solver : kWithInlets)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      SimulationSetup setup = empty_box(solver, dimension);
      setup.gravity = {0, -1, 0};
      setup.inlets = {tap(setup, 0.05f, 0)};
      setup.inlets[0].rate = dimension == 2 ? 0.08f : 0.006f;
      Simulation simulation(setup, device());
      const int at_start = simulation.particle_count();
      run_to(simulation, 0.25);
      const double time = simulation.finish().time;
      const OpeningsReport report = simulation.openings();
      const double layer =
          double(mouth_sites(setup.inlets[0], dimension, setup.spacing).size()) * setup.particle_volume();
      EXPECT_NEAR(report.inlets[0].volume, setup.inlets[0].rate * time, 1.001 * layer);
      EXPECT_GT(report.inlets[0].volume, 5 * layer);
      // A nozzle stays full but for the layers that the host does not know of yet.
      const double made = (simulation.particle_count() - at_start) * setup.particle_volume();
      EXPECT_NEAR(made, report.inlets[0].volume, (kOpeningsLag + 1) * layer);
      const std::vector<std::uint32_t> ids = ids_of(simulation);
      EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
      EXPECT_EQ(ids.back() + 1, simulation.next_id());
    }
}

// Without gravity and pressure a jet goes on as it left the nozzle: a lattice that moves with one velocity.
TEST_P(OpeningsOnEachDevice, AJetIsALattice) {
  SimulationSetup setup = empty_box(SolverKind::Wcsph, 2);
  setup.gravity = {};
  setup.inlets = {tap(setup, 0.05f, 1.0f)};
  setup.inlets[0].direction = {0.3f, -1, 0};
  Simulation simulation(setup, device());
  run_to(simulation, 0.3);
  const Vec3 velocity = 1 / std::sqrt(0.3f * 0.3f + 1) * Vec3{0.3f, -1, 0};
  const auto position = by_id<Vec4>(simulation, "position"), moving = by_id<Vec4>(simulation, "velocity");
  ASSERT_GT(position.size(), 60u);
  const auto sites = static_cast<std::size_t>(5);
  ASSERT_EQ(mouth_sites(setup.inlets[0], 2, setup.spacing).size(), sites);
  for (std::size_t i = 0; i < position.size(); ++i) {
    EXPECT_LT(std::sqrt(length2(xyz(moving[i]) - velocity)), 2e-3f) << i;
    if (i < sites) continue;
    const float gap = std::sqrt(length2(xyz(position[i]) - xyz(position[i - sites])));
    EXPECT_NEAR(gap, setup.spacing, 2e-3f * setup.spacing) << "between layers, particle " << i;
  }
}

// A flow that goes through more than one layer in a step.
TEST_P(OpeningsOnEachDevice, LongStepsBringSeveralLayers) {
  SimulationSetup setup = empty_box(SolverKind::Pbf, 2);
  setup.domain.max = {0.6f, 4, 0};
  setup.gravity = {};
  setup.inlets = {tap(setup, 0.04f, 4)};
  setup.inlets[0].center.y = 4;
  setup.step.fixed = 0.0125f;  // 2.5 spacings
  Simulation simulation(setup, device());
  run_steps(simulation, 60);
  const double volume = 4 * 0.08 * 60 * 0.0125;
  EXPECT_NEAR(simulation.openings().inlets[0].volume, volume, 1.01 * 0.08 * setup.spacing);
  EXPECT_EQ(simulation.openings().inlets[0].paused_steps, 0u);
  const int in_nozzle = simulation.particle_count() - static_cast<int>(simulation.openings().inlets[0].particles);
  EXPECT_GE(in_nozzle, 4 * layers_between(simulation, setup.inlets[0]));
}

TEST_P(OpeningsOnEachDevice, AnOutletTakesWhatComesIntoIt) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = empty_box(solver, 2);
    if (solver == SolverKind::Dpd) {
      setup.spacing = 0.5774f;
      setup.domain.max = {10, 10, 0};
      setup.step.fixed = 0.02f;
      setup.gravity = {};
    }
    const Vec3 size = setup.domain.max;
    BodySetup water;
    water.max = {size.x, 0.5f * size.y, 0};
    setup.bodies = {water};
    setup.outlets = {outlet_box({0, 0, 0}, {0.1f * size.x, 0.1f * size.y, 0})};
    Simulation simulation(setup, device());
    const std::vector<std::uint32_t> before = ids_of(simulation);
    run_steps(simulation, 150);
    const OpeningsReport report = simulation.openings();
    EXPECT_GT(report.outlets[0].particles, 12u);
    const auto gone =
        static_cast<std::uint64_t>(before.size()) - static_cast<std::uint64_t>(simulation.particle_count());
    EXPECT_LE(gone, report.outlets[0].particles);
    EXPECT_GT(gone, report.outlets[0].particles / 2);
    const std::vector<std::uint32_t> after = ids_of(simulation);
    EXPECT_TRUE(std::includes(before.begin(), before.end(), after.begin(), after.end()));
    EXPECT_EQ(std::set(after.begin(), after.end()).size(), after.size());
    // Nobody is in the outlet but those that came in during the last steps.
    int inside = 0;
    for (const Vec4& x : simulation.particles().get<Vec4>("position").to_host())
      inside += contains(setup.outlets[0], xyz(x), 2) ? 1 : 0;
    EXPECT_LE(inside, static_cast<int>(report.outlets[0].particles - gone));
    EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  }
}

TEST_P(OpeningsOnEachDevice, AnOutletWithARateTakesNoMore) {
  SimulationSetup setup = empty_box(SolverKind::Wcsph, 2);
  BodySetup water;
  water.max = {0.6f, 0.4f, 0};
  setup.bodies = {water};
  setup.outlets = {outlet_box({0, 0, 0}, {0.2f, 0.2f, 0})};
  setup.outlets[0].rate = 0.1f;
  setup.outlets[0].from = 0.1f;
  setup.outlets[0].until = 0.4f;
  Simulation simulation(setup, device());
  run_to(simulation, 0.1);
  EXPECT_LE(simulation.openings().outlets[0].particles, 1u);
  run_to(simulation, 0.25);
  EXPECT_NEAR(simulation.openings().outlets[0].volume, 0.1 * 0.15, 6 * setup.particle_volume());
  run_to(simulation, 0.5);
  EXPECT_NEAR(simulation.openings().outlets[0].volume, 0.1 * 0.3, 6 * setup.particle_volume());
}

TEST_P(OpeningsOnEachDevice, TheLastParticleStays) {
  SimulationSetup setup = empty_box(SolverKind::Wcsph, 2);
  BodySetup water;
  water.max = {0.2f, 0.2f, 0};
  setup.bodies = {water};
  setup.outlets = {outlet_box({-1, -1, 0}, {2, 2, 0})};
  Simulation simulation(setup, device());
  run_steps(simulation, 20);
  EXPECT_EQ(simulation.particle_count(), 1);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  EXPECT_EQ(simulation.openings().outlets[0].particles, 100u);
}

TEST_P(OpeningsOnEachDevice, AnInletPausesAtTheLimitAndGoesOnOnceThereIsRoom) {
  SimulationSetup setup = empty_box(SolverKind::Wcsph, 2);
  setup.inlets = {tap(setup, 0.05f, 1.5f)};
  setup.outlets = {outlet_box({0, 0, 0}, {0.6f, 0.05f, 0})};
  setup.outlets[0].from = 0.4f;
  setup.most_particles = 80;
  Simulation simulation(setup, device());
  int most = 0;
  while (simulation.latest().time < 0.39) {  // the outlet makes room from 0.4 on
    simulation.step();
    most = std::max(most, simulation.particle_count());
  }
  const InletReport paused = simulation.openings().inlets[0];
  EXPECT_LE(most, 80);
  EXPECT_GT(most, 70);
  EXPECT_GT(paused.paused_steps, 100u);
  EXPECT_NE(paused.why_paused.find("particles.limit is 80"), std::string::npos) << paused.why_paused;
  run_to(simulation, 1.0);
  const InletReport on = simulation.openings().inlets[0];
  EXPECT_GT(on.particles, paused.particles + 50);
  EXPECT_LE(simulation.particle_count(), 80);
}

/// Water, a tap, an outlet with a rate and one without.
SimulationSetup tank_with_openings(SolverKind solver) {
  SimulationSetup setup = empty_box(solver, 2);
  BodySetup water;
  water.max = {0.6f, 0.2f, 0};
  setup.bodies = {water};
  setup.inlets = {tap(setup, 0.04f, 1)};
  setup.outlets = {outlet_box({0, 0, 0}, {0.1f, 0.1f, 0}), outlet_box({0.5f, 0, 0}, {0.6f, 0.1f, 0})};
  setup.outlets[1].rate = 0.2f;
  setup.deterministic = true;
  return setup;
}

TEST_P(OpeningsOnEachDevice, ARunFromAStateRepeats) {
  for (const SolverKind solver : kWithInlets) {
    SCOPED_TRACE(to_string(solver));
    const SimulationSetup setup = tank_with_openings(solver);
    Simulation whole(setup, device());
    run_steps(whole, 61);
    const SimulationState state = whole.save_state();
    const OpeningsReport then = whole.openings();
    run_steps(whole, 90);
    const std::uint64_t expected = whole.diagnostics().state_hash;
    const OpeningsReport end = whole.openings();
    EXPECT_GT(end.inlets[0].particles, then.inlets[0].particles);
    EXPECT_GT(end.outlets[0].particles, then.outlets[0].particles);
    EXPECT_GT(end.outlets[1].particles, then.outlets[1].particles);

    Simulation other(setup, device(), state);
    run_steps(other, 90);
    EXPECT_EQ(other.diagnostics().state_hash, expected) << "a new simulation";
    whole.restore_state(state);
    EXPECT_EQ(whole.openings().inlets[0].particles, then.inlets[0].particles);
    run_steps(whole, 90);
    EXPECT_EQ(whole.diagnostics().state_hash, expected) << "the same simulation";
    EXPECT_EQ(whole.openings().inlets[0].particles, end.inlets[0].particles);
    EXPECT_EQ(whole.openings().outlets[1].particles, end.outlets[1].particles);

    Simulation again(setup, device());
    run_steps(again, 151);
    EXPECT_EQ(again.diagnostics().state_hash, expected) << "from the start";
  }
}

// Steps that a time limit makes empty are none: how many of them the host begins must not matter.
TEST_P(OpeningsOnEachDevice, EmptyStepsChangeNothing) {
  const SimulationSetup setup = tank_with_openings(SolverKind::Pbf);
  const auto run = [&](int empty) {
    Simulation simulation(setup, device());
    for (const double time : {0.05, 0.11, 0.2}) {
      simulation.set_time_limit(time);
      while (simulation.latest().time < time) simulation.step();
      run_steps(simulation, empty);
    }
    return simulation.diagnostics().state_hash;
  };
  EXPECT_EQ(run(0), run(5));
}

TEST_P(OpeningsOnEachDevice, EverySearchFindsTheSame) {
  SimulationSetup setup = tank_with_openings(SolverKind::Wcsph);
  setup.deterministic = false;
  expect_same_with_every_search(setup, 60, device());
}

TEST_P(OpeningsOnEachDevice, AnotherSolverGoesOnWithTheSameNozzle) {
  const SimulationSetup setup = tank_with_openings(SolverKind::Wcsph);
  Simulation before(setup, device());
  run_to(before, 0.1);
  SimulationSetup with_pbf = setup;
  with_pbf.solver = SolverKind::Pbf;
  with_pbf.inlets[0].speed = 2;  // of the flow, not of the nozzle
  Simulation after(with_pbf, device(), before.save_state());
  const std::uint64_t then = after.openings().inlets[0].particles;
  run_to(after, 0.2);
  EXPECT_NEAR(double(after.openings().inlets[0].particles - then),
              2 * (after.finish().time - before.finish().time) * 0.08 / setup.particle_volume(), 4);
  EXPECT_LT(after.diagnostics().density_error_mean, 0.05);

  SimulationSetup elsewhere = setup;
  elsewhere.inlets[0].center.x += 0.1f;
  EXPECT_THROW(Simulation(elsewhere, device(), before.save_state()), InputError);
  SimulationSetup without = setup;
  without.inlets.clear();
  without.outlets.clear();
  Simulation free(without, device(), before.save_state());
  run_steps(free, 20);
  EXPECT_EQ(free.particle_count(), before.particle_count());
}

TEST_P(OpeningsOnEachDevice, FluidMakesRoomForANozzle) {
  SimulationSetup setup = empty_box(SolverKind::Wcsph, 3);
  BodySetup water;
  water.max = {0.6f, 0.4f, 0.3f};
  setup.bodies = {water};
  setup.inlets = {tap(setup, 0.045f, 1)};
  setup.inlets[0].center = {0.013f, 0.21f, 0.151f};
  setup.inlets[0].direction = {1, 0.2f, 0.1f};
  Simulation simulation(setup, device());
  const auto position = simulation.particles().get<Vec4>("position").to_host();
  float nearest2 = 1;
  for (std::size_t i = 0; i < position.size(); ++i)
    for (std::size_t k = i + 1; k < position.size(); ++k)
      nearest2 = std::min(nearest2, length2(xyz(position[i]) - xyz(position[k])));
  EXPECT_GT(std::sqrt(nearest2), 0.84f * setup.spacing);
  EXPECT_EQ(static_cast<std::size_t>(simulation.particle_count()),
            static_cast<std::size_t>(count_particles(setup)) + FilledNozzles(setup).count());
}

TEST_P(OpeningsOnEachDevice, SeveralFluidsFlow) {
  SimulationSetup setup = empty_box(SolverKind::Wcsph, 2);
  setup.fluids.emplace_back();
  setup.fluids[1].name = "oil";
  setup.fluids[1].rest_density = 800;
  setup.inlets = {tap(setup, 0.04f, 1), tap(setup, 0.04f, 0.5f)};
  setup.inlets[0].center.x = 0.15f;
  setup.inlets[1].center.x = 0.45f;
  setup.inlets[1].name = "oil";
  setup.inlets[1].fluid = 1;
  Simulation simulation(setup, device());
  run_to(simulation, 0.3);
  const auto position = simulation.particles().get<Vec4>("position").to_host();
  const auto fluid = simulation.particles().get<std::uint32_t>("fluid").to_host();
  std::size_t of[2] = {0, 0};
  for (std::size_t i = 0; i < position.size(); ++i) {
    ASSERT_LT(fluid[i], 2u);
    ++of[fluid[i]];
    if (position[i].y > 0.3f) {
      EXPECT_EQ(fluid[i], position[i].x > 0.3f ? 1u : 0u);
    }
  }
  EXPECT_GT(of[0], of[1]);
  EXPECT_GT(of[1], 20u);
}

TEST_P(OpeningsOnEachDevice, AFlowFollowsItsTimesAndItsTable) {
  SimulationSetup setup = empty_box(SolverKind::Pbf, 2);
  setup.inlets = {tap(setup, 0.05f, 1)};
  setup.inlets[0].from = 0.1f;
  setup.inlets[0].until = 0.3f;
  setup.inlets[0].ramp = 0.1f;  // half of the flow is missing while it grows
  Simulation ramped(setup, device());
  run_to(ramped, 0.1);
  EXPECT_EQ(ramped.openings().inlets[0].particles, 0u);
  run_to(ramped, 0.5);
  EXPECT_NEAR(ramped.openings().inlets[0].volume, 0.1 * 0.15, 1.01 * 0.1 * setup.spacing);

  std::vector<MotionKnot> knots(2);
  knots[1].time = 0.4;
  knots[1].value[1] = 0.016;  // [m^2] in 0.4 s, speeding up
  knots[1].slope[1] = 0.08;
  setup.inlets[0] = tap(setup, 0.05f, 0);
  setup.inlets[0].follow(std::make_shared<const MotionTable>(knots));
  Simulation by_table(setup, device());
  run_to(by_table, 0.2);
  EXPECT_NEAR(by_table.openings().inlets[0].volume, 0.004, 1.01 * 0.1 * setup.spacing);
  run_to(by_table, 0.45);
  EXPECT_NEAR(by_table.openings().inlets[0].volume, 0.016, 1.01 * 0.1 * setup.spacing);
}

TEST_P(OpeningsOnEachDevice, AreRefusedWhereTheyCannotBe) {
  SimulationSetup setup = empty_box(SolverKind::Dpd, 2);
  setup.step.fixed = 0.01f;
  setup.inlets = {tap(setup, 0.05f, 1)};
  EXPECT_THROW(Simulation(setup, device()), InputError);
  setup.inlets.clear();
  setup.solver = SolverKind::Wcsph;
  EXPECT_THROW(Simulation(setup, device()), InputError) << "no particle at all";
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(OpeningsOnEachDevice);

class LongOpenings : public OnEachDevice {};

// What a tap brings a drain takes: the water's volume, and with it the level, stays for a minute.
TEST_P(LongOpenings, ATankWithEqualRatesKeepsItsLevel) {
  for (const SolverKind solver : kWithInlets) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = empty_box(solver, 2);
    BodySetup water;
    water.max = {0.6f, 0.2f, 0};
    setup.bodies = {water};
    setup.inlets = {tap(setup, 0.04f, 0)};
    setup.inlets[0].rate = 0.05f;
    setup.outlets = {outlet_box({0.4f, 0, 0}, {0.6f, 0.06f, 0})};
    setup.outlets[0].rate = 0.05f;
    Simulation simulation(setup, device());
    const double area = 0.6, volume = setup.particle_volume();
    const int at_start = simulation.particle_count();
    for (int second = 1; second <= 60; ++second) {
      run_to(simulation, second);
      const double risen = (simulation.particle_count() - at_start) * volume / area;
      ASSERT_LT(std::fabs(risen), setup.spacing) << "after " << second << " s";
    }
    const OpeningsReport report = simulation.openings();
    EXPECT_NEAR(report.inlets[0].volume, 0.05 * 60, 2 * 4 * volume);
    EXPECT_NEAR(report.outlets[0].volume, 0.05 * 60, 10 * volume);
    const Diagnostics end = simulation.diagnostics();
    EXPECT_EQ(end.non_finite, 0);
    EXPECT_LT(end.density_error_mean, 0.02);
  }
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongOpenings);

}  // namespace
}  // namespace riffle::test
