/// Inlets and outlets in simulations: what enters and leaves, ids, limits, going on from a state.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/error.h"
#include "sim/openings/face_mouth.h"
#include "sim/openings/openings.h"
#include "sim/probes/probe_meter.h"
#include "sim/simulation.h"
#include "sim/solver.h"
#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

class OpeningsOnEachDevice : public OnEachDevice {};

constexpr SolverKind kWithInlets[] = {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph};

/// A channel along x with open ends, whose water of depth `depth` flows at `speed`.
SimulationSetup channel(SolverKind solver, int dimension, float length, float depth, float speed) {
  SimulationSetup setup;
  setup.solver = solver;
  setup.spacing = 0.02f;
  setup.domain.dimension = dimension;
  setup.domain.max = {length, 2 * depth, dimension == 2 ? 0.0f : 0.16f};
  setup.domain.axis[0] = Axis::Open;
  setup.domain.axis[1] = Axis::Walled;
  setup.domain.axis[2] = Axis::Periodic;
  setup.fluids = {FluidSetup{}};
  BodySetup water;
  water.max = {length, depth, setup.domain.max.z};
  water.velocity = {speed, 0, 0};
  setup.bodies = {water};
  InletSetup inlet;
  inlet.mouth = Mouth::Face;
  inlet.face = 0;
  inlet.level = depth;
  inlet.speed = speed;
  setup.inlets = {inlet};
  OutletSetup outlet;
  outlet.face = 1;
  outlet.speed = speed;
  setup.outlets = {outlet};
  return setup;
}

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
          double(mouth_sites(setup.inlets[0], setup.domain, setup.spacing).size()) * setup.particle_volume();
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
  ASSERT_EQ(mouth_sites(setup.inlets[0], setup.domain, setup.spacing).size(), sites);
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

// The sites of a face fill it from the floor to the level, and all of a face without one.
TEST(FaceMouths, FillTheFace) {
  SimulationSetup setup = channel(SolverKind::Wcsph, 3, 1, 0.2f, 1);
  setup.domain.max.z = 0.11f;  // 5.5 spacings of a periodic axis: six sites that fit
  const NozzleFrame frame = nozzle_frame(setup.inlets[0], setup.domain);
  std::set<float> heights, depths;
  for (const auto& [x, y] : mouth_sites(setup.inlets[0], setup.domain, setup.spacing)) {
    const Vec3 place = frame.at(0, x, y);
    EXPECT_EQ(place.x, 0);
    heights.insert(std::round(place.y / 0.0025f) * 0.0025f);
    depths.insert(std::round(place.z / 1e-4f) * 1e-4f);
  }
  EXPECT_EQ(heights.size(), 10u);
  EXPECT_NEAR(*heights.begin(), 0.01, 1e-6);
  EXPECT_NEAR(*heights.rbegin(), 0.19, 1e-6);
  EXPECT_EQ(depths.size(), 6u);
  EXPECT_NEAR(*depths.begin() + 0.11f - *depths.rbegin(), 0.11 / 6, 2e-4) << "across the periodic faces";
  EXPECT_NEAR(mouth_area(setup.inlets[0], setup.domain, setup.spacing), 60 * 0.02 * 0.02, 1e-6);
  setup.inlets[0].level = 0.23f;  // 11.5 spacings
  EXPECT_EQ(mouth_sites(setup.inlets[0], setup.domain, setup.spacing).size(), 12u * 6);
  setup.inlets[0].level = INFINITY;
  EXPECT_EQ(mouth_sites(setup.inlets[0], setup.domain, setup.spacing).size(), 20u * 6);
  for (int face = 0; face < 6; ++face) {
    SCOPED_TRACE(face_word(face));
    setup.inlets[0].face = face;
    const NozzleFrame now = nozzle_frame(setup.inlets[0], setup.domain);
    const double face_at = component(face % 2 == 1 ? setup.domain.max : setup.domain.min, face / 2);
    EXPECT_FLOAT_EQ(static_cast<float>(now.origin[face / 2]), static_cast<float>(face_at));
    EXPECT_EQ(now.along[face / 2], face % 2 == 1 ? -1 : 1);
    std::size_t expected = 1;
    for (int a = 0; a < 3; ++a)
      if (a != face / 2) expected *= a == 0 ? 50u : a == 1 ? 20u : 6u;
    EXPECT_EQ(mouth_sites(setup.inlets[0], setup.domain, setup.spacing).size(), expected);
  }
}

TEST_P(OpeningsOnEachDevice, AFaceLetsInAndOutAsMuch) {
  for (const SolverKind solver : kWithInlets)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      const SimulationSetup setup = channel(solver, dimension, 0.6f, 0.1f, 0.5f);
      Simulation simulation(setup, device());
      const int at_start = simulation.particle_count();
      run_to(simulation, 0.3);
      const double time = simulation.finish().time, volume = setup.particle_volume();
      const double section = mouth_area(setup.inlets[0], setup.domain, setup.spacing), layer = section * setup.spacing;
      const OpeningsReport report = simulation.openings();
      EXPECT_NEAR(report.inlets[0].volume, 0.5 * section * time, 1.001 * layer) << "made = Q t";
      EXPECT_NEAR(report.outlets[0].volume, 0.5 * section * time, 2.5 * layer);
      EXPECT_NEAR((simulation.particle_count() - at_start) * volume, report.inlets[0].volume - report.outlets[0].volume,
                  (kOpeningsLag + 2) * layer);
      EXPECT_EQ(report.inlets[0].paused_steps, 0u);
      EXPECT_EQ(simulation.diagnostics().non_finite, 0);
      // In the stretch before the face all particles go straight to it at the speed of the outlet.
      const auto position = simulation.particles().get<Vec4>("position").to_host(),
                 velocity = simulation.particles().get<Vec4>("velocity").to_host();
      const double begin = 0.6 - outflow_length(search_radius(setup), setup.spacing);
      int held = 0;
      for (std::size_t i = 0; i < position.size(); ++i)
        if (position[i].x >= begin) {
          ++held;
          EXPECT_EQ(xyz(velocity[i]), (Vec3{0.5f, 0, 0}));
          EXPECT_LT(position[i].x, 0.6f + 4 * setup.spacing);
        }
      EXPECT_GT(held, 0.7 * outflow_length(search_radius(setup), setup.spacing) * section / volume);
    }
}

// Without a speed particles come to the face as they do: below the critical speed the water falls over the edge.
TEST_P(OpeningsOnEachDevice, AnOutletAtAFaceTakesAllBeyondIt) {
  SimulationSetup setup = channel(SolverKind::Wcsph, 2, 0.6f, 0.1f, 0.5f);
  setup.inlets.clear();
  setup.outlets[0].speed = -1;
  Simulation simulation(setup, device());
  const int at_start = simulation.particle_count();
  run_to(simulation, 0.5);
  EXPECT_GT(simulation.openings().outlets[0].particles, 50u);
  EXPECT_LT(simulation.particle_count(), at_start - 40);
  int beyond = 0;
  for (const Vec4& x : simulation.particles().get<Vec4>("position").to_host()) beyond += x.x > 0.65f;
  EXPECT_EQ(beyond, 0);
}

TEST_P(OpeningsOnEachDevice, AChannelGoesOnFromAState) {
  for (const SolverKind solver : kWithInlets) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = channel(solver, 2, 0.6f, 0.1f, 0.5f);
    setup.deterministic = true;
    Simulation whole(setup, device());
    run_steps(whole, 200);
    const SimulationState state = whole.save_state();
    run_steps(whole, 200);
    const std::uint64_t expected = whole.diagnostics().state_hash;
    EXPECT_NE(whole.next_id(), state.next_id) << "none came since";
    EXPECT_LT(whole.particle_count() - state.count, static_cast<int>(whole.next_id() - state.next_id)) << "none went";
    Simulation other(setup, device(), state);
    run_steps(other, 200);
    EXPECT_EQ(other.diagnostics().state_hash, expected) << "a new simulation";
    whole.restore_state(state);
    run_steps(whole, 200);
    EXPECT_EQ(whole.diagnostics().state_hash, expected) << "the same simulation";
    SimulationSetup elsewhere = setup;
    elsewhere.inlets[0].level = 0.08f;
    EXPECT_THROW(Simulation(elsewhere, device(), state), InputError);
    // The numbers of its outlets are not those of other ones.
    SimulationSetup both = setup;
    both.inlets.clear();
    both.outlets.insert(both.outlets.begin(), setup.outlets[0]);
    both.outlets[0].face = 0;
    Simulation parted(both, device(), state);
    run_steps(parted, 3);
    const auto position = parted.particles().get<Vec4>("position").to_host(),
               velocity = parted.particles().get<Vec4>("velocity").to_host();
    for (std::size_t i = 0; i < position.size(); ++i)
      if (position[i].x < 0.07f || position[i].x > 0.53f) {
        EXPECT_EQ(velocity[i].x, position[i].x < 0.3f ? -0.5f : 0.5f) << position[i].x;
      }
    SimulationSetup walled = setup;
    walled.domain.axis[0] = Axis::Walled;
    EXPECT_THROW(Simulation(walled, device()), InputError);
  }
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

// A channel that flows through for a minute keeps its level, and what flows through its middle is what comes in.
TEST_P(LongOpenings, AChannelFlowsThroughSteadily) {
  constexpr float kSpeed = 0.5f, kDepth = 0.2f;
  constexpr double kSettled = 5, kEnd = 60, kEvery = 0.05;  // [s]
  for (const SolverKind solver : kWithInlets) {
    SCOPED_TRACE(to_string(solver));
    const SimulationSetup setup = channel(solver, 2, 2, kDepth, kSpeed);
    const double inflow = kSpeed * mouth_area(setup.inlets[0], setup.domain, setup.spacing), layer = kDepth * 0.02;
    Simulation simulation(setup, device());
    std::vector<ProbeSetup> probes;
    for (const float x : {0.4f, 1.0f, 1.6f})
      probes.push_back({.kind = ProbeKind::Level, .at = {x, 0, 0}, .to = {x, 2 * kDepth, 0}});
    probes.push_back({.kind = ProbeKind::Flow, .at = {1, 0, 0}, .side = {0, 2 * kDepth, 0}});
    ProbeMeter meter(simulation, probes, kEvery);
    meter.after_step(simulation);
    double flow = 0, carried = 0;
    int samples = 0, moments = 0;
    const auto collect = [&] {
      for (const ProbeSample& sample : meter.collect()) {
        if (sample.time < kSettled) continue;
        flow += sample.values.back();
        ++samples;
        for (std::size_t k = 0; k < 6; k += 2)
          ASSERT_NEAR(sample.values[k], kDepth, setup.spacing) << "level " << k / 2 << " at " << sample.time << " s";
      }
    };
    for (double second = 1; second <= kEnd; ++second) {
      while (simulation.latest().time < second) {
        simulation.step();
        meter.after_step(simulation);
        if (meter.full()) collect();
      }
      simulation.finish();
      collect();
      if (second < kSettled) continue;
      const auto position = simulation.particles().get<Vec4>("position").to_host(),
                 velocity = simulation.particles().get<Vec4>("velocity").to_host();
      ++moments;
      for (std::size_t i = 0; i < position.size(); ++i)
        if (position[i].x > 0.5f && position[i].x < 1.5f) carried += setup.particle_volume() * velocity[i].x;
    }
    EXPECT_NEAR(carried / moments, inflow, 0.02 * inflow) << "through the middle half of the channel, per length";
    // The probe's kernel is calibrated on a lattice at rest. With the smaller supports of pbf and dfsph it finds 2.5 % too little
    // of one that moves past it as a whole, as this water does.
    const double share = solver == SolverKind::Wcsph ? 0.02 : 0.03;
    EXPECT_NEAR(flow / samples, inflow, share * inflow) << "through the probe in the middle";
    const double time = simulation.finish().time;
    EXPECT_NEAR(simulation.openings().inlets[0].volume, inflow * time, 1.001 * layer) << "made = Q t";
    EXPECT_NEAR(simulation.openings().outlets[0].volume, inflow * time, setup.spacing * 2 + layer);
    EXPECT_EQ(simulation.openings().inlets[0].paused_steps, 0u);
    EXPECT_LT(simulation.diagnostics().density_error_mean, 0.02);
  }
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongOpenings);

}  // namespace
}  // namespace riffle::test
