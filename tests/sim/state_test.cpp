/// Saving a simulation's state, going back to it, and continuing from it with another setup.

#include "sim/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "outcomes.h"
#include "sim/by_id.h"
#include "sim/measure/quantity_values.h"
#include "solver_cases.h"
#include "support/devices.h"
#include "support/visit_neighbors.h"

namespace riffle::test {
namespace {

class State : public OnEachDevice {};

TEST_P(State, ARunGoesOnFromItToTheLastBit) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 20);
    const SimulationState state = simulation.save_state();
    const std::uint64_t then = hash_of(simulation);
    const std::uint64_t later = hash_after(simulation, 50);
    const StepReport end = simulation.finish();
    ASSERT_NE(then, later);

    const auto expect_same = [&](Simulation& restored, const char* how) {
      EXPECT_EQ(restored.latest().step, 20u) << how;
      EXPECT_EQ(restored.latest().time, state.clock.time) << how;
      EXPECT_EQ(hash_of(restored), then) << how;
      EXPECT_EQ(hash_after(restored, 50), later) << how;
      EXPECT_EQ(restored.finish().step, end.step) << how;
      EXPECT_EQ(restored.finish().time, end.time) << how;
      EXPECT_EQ(restored.finish().dt, end.dt) << how;
    };
    simulation.restore_state(state);
    expect_same(simulation, "in the same simulation");
    Simulation fresh(c.setup, device());
    fresh.restore_state(state);
    expect_same(fresh, "in a fresh one");
    Simulation made(c.setup, device(), state);
    expect_same(made, "in one made from it");
  }
}

TEST_P(State, SavingDoesNotDisturbTheRun) {
  for (const SolverCase& c : solver_cases()) {
    Simulation saved(c.setup, device()), plain(c.setup, device());
    for (int k = 0; k < 5; ++k) {
      run_steps(saved, 4);
      saved.save_state();
    }
    EXPECT_EQ(hash_of(saved), hash_after(plain, 20)) << c.name;
  }
}

TEST_P(State, BeforeTheFirstStepIsAStateToo) {
  for (const SolverCase& c : solver_cases()) {
    Simulation simulation(c.setup, device());
    const SimulationState state = simulation.save_state();
    const std::uint64_t later = hash_after(simulation, 10);
    simulation.restore_state(state);
    EXPECT_EQ(hash_after(simulation, 10), later) << c.name;
    Simulation made(c.setup, device(), state);
    EXPECT_EQ(hash_after(made, 10), later) << c.name;
  }
}

// What a Verlet list or bucket's lists keep from build to build must be the state's after a restore, not belong to other
// particles.
TEST_P(State, NothingOfTheSearchSurvivesARestore) {
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.2f}) {
      SimulationSetup setup = with_solver(column_setup(2, 12), SolverKind::Wcsph);
      setup.neighbors.method = info.method;
      setup.neighbors.skin = skin;
      SCOPED_TRACE(std::string(info.name) + ", skin " + std::to_string(skin));
      Simulation simulation(setup, device());
      run_steps(simulation, 15);
      const SimulationState state = simulation.save_state();
      run_steps(simulation, 33);
      simulation.restore_state(state);
      const std::uint64_t first = hash_after(simulation, 25);
      simulation.restore_state(state);
      EXPECT_EQ(hash_after(simulation, 25), first);
      Simulation made(setup, device(), state);
      EXPECT_EQ(hash_after(made, 25), first);
    }
}

/// A fluid that moves enough for lists to be made again every few steps.
std::vector<SolverCase> moving_cases() {
  std::vector<SolverCase> cases = {
      {"WCSPH", by_continuity(with_solver(column_setup(2, 12), SolverKind::Wcsph))},
      {"WCSPH, summation", by_summation(with_solver(column_setup(2, 12), SolverKind::Wcsph))},
      {"PBF", with_solver(column_setup(2, 12), SolverKind::Pbf)},
      {"DFSPH", with_solver(column_setup(2, 12), SolverKind::Dfsph)},
      {"DPD", dpd_case(DpdIntegrator::VelocityVerlet)},
      {"DPD, leap-frog, streams", dpd_case(DpdIntegrator::LeapFrog, RandomKind::KarpinskiStream)},
  };
  for (SolverCase& c : cases)
    for (BodySetup& body : c.setup.bodies)
      if (c.setup.solver != SolverKind::Dpd) body.velocity = {3, 0, 0};
  return cases;
}

void expect_goes_on(const SimulationSetup& setup, const Device& device, const std::vector<int>& moments, int end) {
  Simulation simulation(setup, device);
  std::vector<SimulationState> states;
  for (const int moment : moments) {
    run_steps(simulation, moment - static_cast<int>(simulation.finish().step));
    states.push_back(simulation.save_state());
  }
  const std::uint64_t later = hash_after(simulation, end - moments.back());
  for (const SimulationState& state : states) {
    const int left = end - static_cast<int>(state.clock.step);
    simulation.restore_state(state);
    EXPECT_EQ(hash_after(simulation, left), later) << "from " << state.clock.step << ", in the same simulation";
    Simulation made(setup, device, state);
    EXPECT_EQ(hash_after(made, left), later) << "from " << state.clock.step;
  }
}

template <class Each>
void for_each_search(const SimulationSetup& setup, const Device& device, const Each& each) {
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.1f})
      for (const bool deterministic : {true, false}) {
        if (!deterministic && device.is_cuda()) continue;  // such a run does not repeat at all
        SimulationSetup other = setup;
        other.neighbors.method = info.method;
        other.neighbors.skin = skin;
        other.deterministic = deterministic;
        SCOPED_TRACE(fmt::format("{}, skin {}, {}", info.name, skin, deterministic ? "deterministic" : "free"));
        each(other);
      }
}

// Lists of other positions, or in another order, find the same neighbours and add them in another order.
TEST_P(State, ARunGoesOnToTheLastBitWithWhatItsSearchKeeps) {
  const std::vector<SolverCase> cases = moving_cases();
  for_each_search(cases[0].setup, device(), [&](const SimulationSetup& setup) {
    expect_goes_on(setup, device(), {13, 28}, 40);
  });
  for (const SolverCase& c : cases) {
    SCOPED_TRACE(c.name);
    SimulationSetup setup = c.setup;
    setup.neighbors.skin = 0.1f;
    expect_goes_on(setup, device(), {14}, 24);
    setup.neighbors = {};
    setup.neighbors.method = NeighborMethod::Bucket;
    setup.deterministic = device().is_cuda();
    expect_goes_on(setup, device(), {14}, 24);
  }
}

class LongState : public OnEachDevice {};

TEST_P(LongState, EverySolverGoesOnToTheLastBitWithEverySearch) {
  for (const SolverCase& c : moving_cases()) {
    SCOPED_TRACE(c.name);
    for_each_search(c.setup, device(), [&](const SimulationSetup& setup) {
      expect_goes_on(setup, device(), {1, 13, 26, 41}, 61);
    });
  }
}

TEST_P(State, WhatASearchKeptIsLeftOutByAnotherOne) {
  SimulationSetup setup = with_solver(column_setup(2, 12), SolverKind::Wcsph);
  setup.neighbors.skin = 0.2f;
  Simulation simulation(setup, device());
  run_steps(simulation, 15);
  const SimulationState state = simulation.save_state();
  EXPECT_EQ(state.search.positions.size(), static_cast<std::size_t>(state.count));
  SimulationState without = state;
  without.search = {};
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.1f}) {
      SCOPED_TRACE(std::string(info.name) + ", skin " + std::to_string(skin));
      SimulationSetup other = setup;
      other.neighbors.method = info.method;
      other.neighbors.skin = skin;
      Simulation made(other, device(), state), plain(other, device(), without);
      EXPECT_EQ(hash_after(made, 20), hash_after(plain, 20));
    }
}

TEST_P(State, EverySearchFindsTheSameNeighborsAfterARestore) {
  const SimulationSetup setup = with_solver(column_setup(2, 12), SolverKind::Wcsph);
  Simulation simulation(setup, device());
  run_steps(simulation, 30);
  const SimulationState state = simulation.save_state();
  const auto positions = by_id<Vec4>(simulation, "position");
  const NeighborSets expected = expected_neighbors(positions, setup.domain, setup.support_radius());
  for (const NeighborMethodInfo& info : neighbor_methods()) {
    SCOPED_TRACE(info.name);
    run_steps(simulation, 7);
    simulation.restore_state(state);
    NeighborSetup neighbors;
    neighbors.method = info.method;
    simulation.set_neighbors(neighbors);
    simulation.set_time_limit(state.clock.time);  // the step searches, and does not move
    simulation.step();
    EXPECT_EQ(simulation.finish().dt, 0);
    EXPECT_EQ(simulation.finish().last_dt, state.clock.last_dt) << "that of the last step that was one";
    const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
    const Visits visits = visit_neighbors(simulation.neighbor_search(),
                                          simulation.particles().get<Vec4>("position").data(), setup.support_radius());
    NeighborSets found(id.size());
    for (std::size_t p = 0; p < id.size(); ++p)
      for (const Neighbor& n : visits.of[p]) found[id[p]].push_back({id[n.j], n.r_ij, n.r2});
    EXPECT_TRUE(same_neighbors(expected, found));
    simulation.set_time_limit(INFINITY);
  }
}

TEST_P(State, DiagnosticsAndWhatIsShownAreThoseOfTheSavedStep) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 20);
    const SimulationState state = simulation.save_state();
    const Diagnostics before = simulation.diagnostics();
    run_steps(simulation, 20);
    simulation.restore_state(state);
    const Diagnostics after = simulation.diagnostics();
    EXPECT_EQ(after.kinetic_energy, before.kinetic_energy);
    EXPECT_EQ(after.max_acceleration, before.max_acceleration);
    if (c.setup.solver == SolverKind::Wcsph) {
      EXPECT_EQ(after.density_error_mean, before.density_error_mean);
      EXPECT_EQ(after.internal_energy, before.internal_energy);
    }
    if (before.thermal) {
      EXPECT_NEAR(after.thermal->pressure, before.thermal->pressure, 1e-4 * before.thermal->pressure);
      EXPECT_NEAR(after.thermal->half_step_temperature, before.thermal->half_step_temperature, 1e-12);
      if (c.setup.dpd.random != RandomKind::KarpinskiStream) {  // its numbers have moved on
        EXPECT_NEAR(after.thermal->thermostat_pressure, before.thermal->thermostat_pressure,
                    1e-4 * std::fabs(before.thermal->thermostat_pressure));
      }
    }
    for (const AttributeValues& attribute : state.attributes)
      EXPECT_TRUE(simulation.particles().has(attribute.name)) << attribute.name;
  }
}

TEST_P(State, SaysHowManyBytesItHas) {
  Simulation simulation(with_solver(column_setup(2, 8), SolverKind::Wcsph), device());
  const SimulationState state = simulation.save_state();
  ASSERT_EQ(state.count, simulation.particle_count());
  // position, velocity and acceleration of 16 bytes; id, fluid, density, compression and its rate of 4
  EXPECT_EQ(state.bytes(), sizeof(SimulationState) + static_cast<std::size_t>(state.count) * (3 * 16 + 5 * 4));
  EXPECT_NE(state.find<float>("density"), nullptr);
  EXPECT_EQ(state.find<Vec4>("density"), nullptr);
  EXPECT_EQ(state.find<float>("colour"), nullptr);
}

TEST_P(State, TheTimeLimitIsTheSimulationsAndIsReachedAgain) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph}) {
    Simulation simulation(with_solver(column_setup(2, 10), solver), device());
    run_steps(simulation, 10);
    const SimulationState state = simulation.save_state();
    const double end = state.clock.time + 12.5 * state.clock.last_dt;
    run_until(simulation, end);
    const std::uint64_t hash = hash_of(simulation);
    const std::uint64_t steps = simulation.finish().step;
    simulation.restore_state(state);
    run_steps(simulation, 30);
    EXPECT_EQ(simulation.finish().time, end);
    EXPECT_EQ(simulation.finish().step, steps);
    EXPECT_EQ(hash_of(simulation), hash);
  }
}

TEST_P(State, WhatAutoHasMeasuredStays) {
  SimulationSetup setup = column_setup(2, 12);
  setup.neighbors.automatic = true;
  Simulation simulation(setup, device());
  for (int k = 0; k < 1000 && simulation.tuning()->measuring; ++k) simulation.step();
  ASSERT_FALSE(simulation.tuning()->measuring);
  const SimulationState state = simulation.save_state();
  run_steps(simulation, 10);
  simulation.restore_state(state);
  run_steps(simulation, 10);
  ASSERT_NE(simulation.tuning(), nullptr);
  EXPECT_EQ(simulation.tuning()->times_measured, 1);
  EXPECT_EQ(simulation.latest().step > 0, true);
  EXPECT_EQ(simulation.finish().step, state.clock.step + 10);
}

std::vector<std::array<float, 3>> xyz_of(const std::vector<Vec4>& values) {
  std::vector<std::array<float, 3>> out;
  for (const Vec4& v : values) out.push_back({v.x, v.y, v.z});
  return out;
}

TEST_P(State, AnotherSolverGoesOnWithTheSameParticlesAndMomentum) {
  SimulationSetup wcsph = with_solver(periodic_setup(2, 20), SolverKind::Wcsph);
  SimulationSetup pbf = wcsph;
  pbf.solver = SolverKind::Pbf;
  pbf.pbf.margin = 1;  // a correction that is cut off is not the other's any more, and momentum is lost
  pbf.step.fixed = 1.0f / 400;
  auto simulation = std::make_unique<Simulation>(wcsph, device());
  run_steps(*simulation, 30);
  const Diagnostics start = simulation->diagnostics();
  double time = simulation->finish().time;
  std::uint64_t step = 30;
  for (const SimulationSetup* next : {&pbf, &wcsph}) {
    SCOPED_TRACE(to_string(next->solver));
    const SimulationState state = simulation->save_state();
    simulation = std::make_unique<Simulation>(*next, device(), state);
    EXPECT_EQ(simulation->finish().step, step);
    EXPECT_EQ(simulation->finish().time, time);
    EXPECT_EQ(*state.find<std::uint32_t>("id"), simulation->particles().get<std::uint32_t>("id").to_host());
    for (const char* name : {"position", "velocity"})
      EXPECT_EQ(xyz_of(*state.find<Vec4>(name)), xyz_of(simulation->particles().get<Vec4>(name).to_host())) << name;
    run_steps(*simulation, 30);
    step += 30;
    EXPECT_EQ(simulation->finish().step, step);
    EXPECT_GT(simulation->finish().time, time);
    time = simulation->finish().time;
    const Diagnostics now = simulation->diagnostics();
    EXPECT_EQ(now.non_finite, 0);
    EXPECT_EQ(simulation->particle_count(), state.count);
    EXPECT_NEAR(now.mass, start.mass, 1e-6 * start.mass);
    const double scale = start.mass;  // times the speed of about 1 m/s
    for (int a = 0; a < 2; ++a) EXPECT_NEAR(now.momentum[a], start.momentum[a], 1e-5 * scale) << a;
    auto ids = simulation->particles().get<std::uint32_t>("id").to_host();
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], i);
  }
}

TEST_P(State, AStateOfTheCpuGoesOnHere) {
  for (const SolverCase& c : solver_cases()) {
    Simulation on_cpu(c.setup, device_of(DeviceKind::Cpu));
    run_steps(on_cpu, 20);
    Simulation here(c.setup, device(), on_cpu.save_state());
    EXPECT_EQ(hash_of(here), hash_of(on_cpu)) << c.name;
    // A stream hands out its numbers in the order of the neighbours, which differs between devices.
    if (c.setup.dpd.random == RandomKind::KarpinskiStream) continue;
    run_steps(here, 5);
    run_steps(on_cpu, 5);
    const auto expected = by_id<Vec4>(on_cpu, "position"), found = by_id<Vec4>(here, "position");
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_LT(std::sqrt(length2(xyz(expected[i]) - xyz(found[i]))), 1e-2 * c.setup.spacing) << c.name << ", " << i;
  }
}

TEST_P(State, ChangedGravityPullsFromTheNextStepOn) {
  for (const SolverCase& c : solver_cases()) {
    if (c.setup.domain.axis[0] != Axis::Periodic) continue;
    if (c.setup.dpd.random == RandomKind::KarpinskiStream) continue;  // each has its own noise: momentum wanders
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 10);
    const Diagnostics before = simulation.diagnostics();
    SimulationSetup pulled = c.setup;
    pulled.gravity = {3, -5, 0};
    if (c.setup.solver == SolverKind::Pbf) pulled.pbf.margin = 1, pulled.step.fixed = 1.0f / 400;
    Simulation next(pulled, device(), simulation.save_state());
    const double time = next.finish().time;
    for (const int steps : {1, 9}) {
      run_steps(next, steps);
      const Diagnostics after = next.diagnostics();
      const double impulse = after.mass * (next.finish().time - time);
      ASSERT_GT(impulse, 0);
      // Velocities of about 1 are rounded to 6e-8, as often as there are particles and steps.
      const double rounding = 1e-6 * after.mass;
      EXPECT_NEAR(after.momentum[0] - before.momentum[0], 3 * impulse, rounding) << "after " << steps;
      EXPECT_NEAR(after.momentum[1] - before.momentum[1], -5 * impulse, rounding) << "after " << steps;
    }
  }
}

/// Water at rest, 0.8 m deep.
SimulationSetup tank_at_rest() {
  SimulationSetup tank;
  tank.domain.dimension = 2;
  tank.domain.max = {0.5f, 1, 1};
  for (Axis& axis : tank.domain.axis) axis = Axis::Walled;
  tank.spacing = 0.05f;
  tank.fluids.emplace_back();
  BodySetup water;
  water.max = {0.5f, 0.8f, 1};
  tank.bodies.push_back(water);
  tank.wcsph.density = DensityScheme::Continuity;
  return tank;
}

std::vector<float> pressures(const Simulation& simulation) {
  QuantityValues values;
  std::vector<float> found(static_cast<std::size_t>(simulation.particle_count()));
  copy_to_host(simulation.device(), found.data(), values.compute(simulation, Quantity::Pressure),
               found.size() * sizeof(float));
  return in_order_of_ids(simulation, found);
}

// With gravity an automatic speed of sound changes too.
TEST_P(State, WaterAtRestStaysAtRestWhenGravityChanges) {
  for (const float given : {0.0f, 60.0f}) {
    SimulationSetup tank = tank_at_rest();
    tank.wcsph.speed_of_sound = given;
    Simulation simulation(tank, device());
    run_steps(simulation, 20);
    const std::vector<float> before = pressures(simulation);
    const SimulationState state = simulation.save_state();
    for (const float times : {0.1f, 0.5f, 2.0f}) {
      SimulationSetup other = tank;
      other.gravity.y *= times;
      Simulation next(other, device(), state);
      for (int look = 0; look < 3; ++look) {
        const std::vector<float> now = pressures(next);
        for (std::size_t i = 0; i < now.size(); ++i)
          EXPECT_NEAR(now[i], times * before[i], (0.06f * times + 0.01f) * 7850)  // the sound that there was stays
              << "speed of sound " << given << ", gravity " << times << " times, look " << look << ", particle " << i;
        run_steps(next, 10);
      }
      // Back again: what was there.
      Simulation back(tank, device(), Simulation(other, device(), state).save_state());
      const std::vector<float> again = pressures(back);
      for (std::size_t i = 0; i < again.size(); ++i) EXPECT_NEAR(again[i], before[i], 0.01f * 7850) << times;
    }
    SimulationSetup weightless = tank;
    weightless.gravity = {};
    Simulation floating(weightless, device(), state);
    Simulation back(tank, device(), floating.save_state());
    const std::vector<float> again = pressures(back);
    for (std::size_t i = 0; i < again.size(); ++i) EXPECT_NEAR(again[i], before[i], 0.01f * 7850) << "from 0";
  }
}

TEST_P(State, PressuresStayWhenTheSpeedOfSoundOrTheSolverChanges) {
  SimulationSetup tank = tank_at_rest();
  tank.wcsph.speed_of_sound = 30;
  SimulationSetup stiff = tank;
  stiff.wcsph.speed_of_sound = 45;
  Simulation soft(tank, device());
  run_steps(soft, 20);
  const std::vector<float> before = pressures(soft);
  const float deepest = *std::max_element(before.begin(), before.end());
  ASSERT_GT(deepest, 5000);
  Simulation hard(stiff, device(), soft.save_state());
  EXPECT_TRUE(hard.knows_last_step());
  const std::vector<float> shown = pressures(hard);
  run_steps(hard, 1);
  const std::vector<float> next = pressures(hard);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(shown[i], before[i], 0.01f * deepest) << i;
    EXPECT_NEAR(next[i], before[i], 0.02f * deepest) << i;
  }

  // Fluid that was pulled apart stays as it is, and hardly any stiffness compresses nothing.
  SimulationState apart = soft.save_state();
  for (AttributeValues& attribute : apart.attributes)
    if (attribute.name == "compression") std::get<std::vector<float>>(attribute.values).assign(before.size(), -0.02f);
  SimulationSetup limp = tank;
  limp.wcsph.speed_of_sound = 0.3f;
  for (const SimulationSetup& next_setup : {stiff, limp})
    for (const float c : Simulation(next_setup, device(), apart).particles().get<float>("compression").to_host())
      ASSERT_EQ(c, -0.02f);
  EXPECT_EQ(Simulation(limp, device(), soft.save_state()).particles().get<float>("compression").to_host(),
            soft.particles().get<float>("compression").to_host());

  SimulationSetup incompressible = tank;
  incompressible.solver = SolverKind::Dfsph;
  Simulation young(incompressible, device());
  run_steps(young, 3);  // its pressures are means that begin at 0
  const std::vector<float> early = pressures(Simulation(tank, device(), young.save_state()));
  EXPECT_NEAR(*std::max_element(early.begin(), early.end()), deepest, 0.15f * deepest);
  Simulation dfsph(incompressible, device());
  run_steps(dfsph, 40);
  const std::vector<float> solved = pressures(dfsph);
  Simulation after(tank, device(), dfsph.save_state());
  EXPECT_FALSE(after.knows_last_step()) << "of another solver";
  const std::vector<float> begun = pressures(after);
  for (std::size_t i = 0; i < solved.size(); ++i)
    EXPECT_NEAR(begun[i], std::max(0.0f, solved[i]), 0.02f * deepest) << i;
  EXPECT_FALSE(Simulation(tank, device(), after.save_state()).knows_last_step()) << "nor does a copy";
  run_steps(after, 1);
  EXPECT_TRUE(after.knows_last_step());
}

// The clock counts decimal steps, though a step is a float.
TEST_P(State, TimesOfFixedStepsAreDecimal) {
  for (const SolverCase& c : solver_cases()) {
    SimulationSetup setup = c.setup;
    setup.step.fixed = 0.0007f;
    Simulation simulation(setup, device());
    run_steps(simulation, 10);
    EXPECT_NEAR(simulation.finish().time, 0.007, 1e-15) << c.name;
  }
}

TEST_P(State, ADpdFluidKeepsItsVelocitiesAndTemperatureWhenTheIntegratorChanges) {
  const SimulationSetup leap_frog = dpd_case(DpdIntegrator::LeapFrog);
  const SimulationSetup verlet = dpd_case(DpdIntegrator::VelocityVerlet);
  auto simulation = std::make_unique<Simulation>(leap_frog, device());
  run_steps(*simulation, 200);
  for (const SimulationSetup* next : {&verlet, &leap_frog}) {
    const Diagnostics before = simulation->diagnostics();
    simulation = std::make_unique<Simulation>(*next, device(), simulation->save_state());
    const Diagnostics after = simulation->diagnostics();
    EXPECT_NEAR(after.kinetic_energy, before.kinetic_energy, 1e-6 * before.kinetic_energy);
    simulation->step();
    // One step changes the temperature of 192 particles by some thousandths.
    EXPECT_NEAR(simulation->diagnostics().thermal->temperature, before.thermal->temperature, 0.1);
    run_steps(*simulation, 100);
    EXPECT_NEAR(simulation->diagnostics().thermal->temperature, 1, 0.3);
  }
}

// If every change of a parameter began with the numbers of time 0, all first steps would have the same noise.
TEST_P(State, RandomNumbersAfterAChangeOfParametersAreThoseOfTheStep) {
  SimulationSetup setup = dpd_case(DpdIntegrator::VelocityVerlet);
  Simulation simulation(setup, device());
  run_steps(simulation, 30);
  const SimulationState state = simulation.save_state();
  SimulationSetup changed = setup;
  changed.gravity = {0, -1e-3f, 0};
  changed.step.fixed = setup.step.fixed;
  Simulation next(changed, device(), state);
  next.step();
  simulation.step();
  // The forces that begin the step are computed again, from velocities that are not predicted: the drag differs a
  // little, the noise, of some tens, would differ altogether.
  const auto expected = by_id<Vec4>(simulation, "velocity"), found = by_id<Vec4>(next, "velocity");
  double change = 0, off = 0;
  const auto start = [&] {
    Simulation again(setup, device(), state);
    return by_id<Vec4>(again, "velocity");
  }();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    change += length2(xyz(expected[i]) - xyz(start[i]));
    off += length2(xyz(expected[i]) - xyz(found[i]));
  }
  EXPECT_LT(std::sqrt(off), 0.1 * std::sqrt(change));
}

TEST_P(State, WallsAreSharedWhileTheyAreTheSameAndOutliveTheirMaker) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = with_solver(column_setup(3, 6), SolverKind::Wcsph);
    setup.support_ratio = 2.5f;  // the same with both solvers
    auto old = std::make_unique<Simulation>(setup, device());
    run_steps(*old, 5);
    const SimulationState state = old->save_state();
    SimulationSetup slower = setup;
    slower.solver = solver;
    slower.gravity.y *= 0.5f;
    const std::size_t before = allocated_bytes(GetParam());
    Simulation own(slower, device(), state);
    const std::size_t with_walls = allocated_bytes(GetParam()) - before;
    Simulation shared(slower, device(), state, old.get());
    const std::size_t without = allocated_bytes(GetParam()) - before - with_walls;
    // On a GPU PBF's walls are searched farther than WCSPH's.
    if (solver == SolverKind::Wcsph || GetParam() == DeviceKind::Cpu) {
      EXPECT_LT(without, with_walls) << "it made walls of its own";
    }
    EXPECT_EQ(shared.boundary_count(), own.boundary_count());
    old.reset();
    EXPECT_EQ(hash_after(shared, 20), hash_after(own, 20));
    SimulationSetup wider = slower;
    wider.domain.max.x *= 1.5f;
    Simulation moved(wider, device(), state, &own);
    EXPECT_NE(moved.boundary_count(), own.boundary_count());
    wider = slower;
    (solver == SolverKind::Pbf ? wider.pbf.kernel : wider.wcsph.kernel) = KernelKind::CubicSpline;
    Simulation spline(wider, device(), state, &own), fresh(wider, device(), state);
    EXPECT_EQ(hash_after(spline, 20), hash_after(fresh, 20));
  }
}

TEST_P(State, OfAnotherNumberOfParticlesIsTaken) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.wcsph.speed_of_sound = 10;
  Simulation large(setup, device());
  setup.bodies[0].max.y *= 0.5f;
  Simulation small(setup, device());
  run_steps(large, 5);
  run_steps(small, 5);
  const SimulationState many = large.save_state(), few = small.save_state();
  ASSERT_EQ(many.count, 2 * few.count);
  large.restore_state(few);
  EXPECT_EQ(large.particle_count(), few.count);
  EXPECT_EQ(hash_after(large, 10), hash_after(small, 10));
  small.restore_state(many);
  large.restore_state(many);
  EXPECT_EQ(small.particle_count(), many.count);
  EXPECT_EQ(hash_after(small, 10), hash_after(large, 10));
}

TEST_P(State, WhatMakesAStateMeaninglessIsRefusedWithItsReason) {
  const SimulationSetup setup = column_setup(2, 10);
  Simulation simulation(setup, device());
  run_steps(simulation, 5);
  const SimulationState state = simulation.save_state();
  const auto refused = [&](const SimulationSetup& other) {
    return message_of([&] { Simulation(other, device(), state); });
  };
  SimulationSetup other = column_setup(3, 10);
  expect_contains(refused(other), {"2-D", "3-D"});
  other = setup;
  other.spacing *= 0.5f;
  expect_contains(refused(other), {"spacing", "0.01", "0.005", "mass"});
  other = setup;
  other.solver = SolverKind::Dpd;
  expect_contains(refused(other), {"wcsph", "dpd", "reduced units"});
  other = setup;
  other.domain.max.y = 0.1f;
  expect_contains(refused(other), {"outside", "100 of", "200"});
  other = setup;
  other.fluids.clear();
  expect_contains(refused(other), {"fluid number 1", "0 fluids"});
  SimulationState damaged = state;
  damaged.count = 199;
  expect_contains(message_of([&] { Simulation(setup, device(), damaged); }), {"200", "199", "position"});
  damaged = state;
  damaged.attributes.erase(damaged.attributes.begin());
  expect_contains(message_of([&] { Simulation(setup, device(), damaged); }), {"no particle attribute", "position"});
  damaged = {};
  expect_contains(message_of([&] { Simulation(setup, device(), damaged); }), {"no particle"});
}

TEST_P(State, OfOtherSolidsIsRefused) {
  SimulationSetup setup = column_setup(2, 10);
  const auto with_box_at = [&](float x) {
    SolidRegion box;
    box.min = {x, 0.02f, 0};
    box.max = {x + 0.05f, 0.06f, 1};
    SimulationSetup result = setup;
    result.solid_regions = {box};
    return result;
  };
  const float right = 0.5f * (setup.bodies[0].max.x + setup.domain.max.x);
  const SimulationSetup there = with_box_at(right), elsewhere = with_box_at(right + 0.02f),
                        in_fluid = with_box_at(0.01f);
  Simulation simulation(there, device());
  run_steps(simulation, 3);
  const SimulationState state = simulation.save_state();
  Simulation other(elsewhere, device());
  expect_contains(message_of([&] { other.restore_state(state); }), {"other solids", "new simulation"});
  SimulationSetup renamed = there;
  renamed.solid_regions[0].name = "post";
  Simulation same(renamed, device());
  EXPECT_NO_THROW(same.restore_state(state));
  EXPECT_NO_THROW(Simulation(elsewhere, device(), state)) << "no particle is there";
  expect_contains(message_of([&] { Simulation(in_fluid, device(), state); }), {"of the state's", "solids"});
}

TEST_P(State, OfAnotherSolverTakesANewSimulation) {
  SimulationSetup setup = column_setup(2, 10);
  Simulation wcsph(setup, device());
  setup.solver = SolverKind::Pbf;
  Simulation pbf(setup, device());
  const std::uint64_t hash = hash_of(pbf);
  expect_contains(message_of([&] { pbf.restore_state(wcsph.save_state()); }), {"wcsph", "pbf", "new simulation"});
  EXPECT_EQ(hash_of(pbf), hash);
  Simulation philox(dpd_case(DpdIntegrator::LeapFrog), device());
  Simulation stream(dpd_case(DpdIntegrator::LeapFrog, RandomKind::KarpinskiStream), device());
  expect_contains(message_of([&] { stream.restore_state(philox.save_state()); }), {"random numbers"});
  SimulationSetup two = two_fluid_box(4);
  two.deterministic = true;
  Simulation mixed(two, device());
  two.start.mixed = false;
  Simulation plain(two, device());
  plain.restore_state(mixed.save_state());
  Simulation made(two, device(), mixed.save_state());
  EXPECT_EQ(hash_of(made), hash_of(mixed));
  run_steps(made, 5);
  EXPECT_EQ(made.diagnostics().mass, mixed.diagnostics().mass);
  EXPECT_EQ(hash_after(plain, 5), hash_of(made));
}

TEST_P(State, ASetupThatDoesNotFitIsUnavailableAndTheOldSimulationGoesOn) {
  const SimulationSetup setup = with_solver(column_setup(3, 6), SolverKind::Wcsph);
  Simulation simulation(setup, device()), twin(setup, device());
  run_steps(simulation, 5);
  SimulationSetup vast = setup;
  vast.domain.max = {400, 300, 100};
  try {
    Simulation(vast, device(), simulation.save_state());
    ADD_FAILURE() << "walls of billions of particles were made";
  } catch (const Unavailable& lack) {
    expect_contains(lack.what(), {std::to_string(simulation.particle_count())});
  }
  run_steps(simulation, 5);
  run_steps(twin, 10);
  EXPECT_EQ(hash_of(simulation), hash_of(twin));
}

TEST_P(State, ABodyOfOneFluidAmongTwoKeepsItsFluids) {
  SimulationSetup setup = with_solver(two_fluid_box(4), SolverKind::Dpd);
  Simulation simulation(setup, device());
  run_steps(simulation, 10);
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  ASSERT_EQ(std::count(fluid.begin(), fluid.end(), 1u) > 0, true);
  Simulation made(setup, device(), simulation.save_state());
  run_steps(made, 30);  // searches have changed the order
  EXPECT_EQ(by_id<std::uint32_t>(made, "fluid"), fluid);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(State);
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongState);

}  // namespace
}  // namespace riffle::test
