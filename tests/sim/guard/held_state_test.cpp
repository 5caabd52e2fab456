/// States that are held on the device, and steps that are shortened after going back to one.

#include "sim/guard/held_state.h"

#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class HeldStates : public OnEachDevice {};

TEST_P(HeldStates, AreGoneOnFromToTheLastBitAndHaveTheBytesThatTheEstimateSays) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation plain(c.setup, device()), simulation(c.setup, device());
    HeldState held;
    EXPECT_TRUE(held.empty());
    held.take(simulation);
    EXPECT_EQ(held.memory_bytes(), held_state_bytes(c.setup, simulation.particle_count()));
    run_steps(plain, 20);
    run_steps(simulation, 20);
    held.take(simulation);
    EXPECT_EQ(held.step(), 20u);
    EXPECT_EQ(hash_after(simulation, 25), hash_after(plain, 25)) << "taking one changes nothing";
    simulation.restore_state(held.state());
    EXPECT_EQ(simulation.latest().step, 20u);
    EXPECT_EQ(hash_after(simulation, 25), hash_of(plain));
    Simulation made(c.setup, device(), held.state());
    EXPECT_EQ(hash_after(made, 25), hash_of(plain));
  }
}

TEST_P(HeldStates, FollowParticlesAndAttributesThatCome) {
  const SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  Simulation simulation(setup, device());
  HeldState held;
  held.take(simulation);
  const int before = simulation.particle_count();
  FluidSamples one;
  one.position = {make_vec4({0.3f, 0.2f, 0})};
  one.velocity = {Vec4{}};
  one.fluid = {0};
  simulation.add_particles(one);
  const std::uint32_t foreign[] = {4};
  simulation.set_foreign(foreign, true);
  run_steps(simulation, 5);
  held.take(simulation);
  const SimulationState state = held.state();
  EXPECT_EQ(state.count, before + 1);
  ASSERT_NE(state.find<std::uint32_t>("foreign"), nullptr);
  EXPECT_EQ(hash_of(simulation), [&] {
    Simulation made(setup, device(), state);
    return hash_of(made);
  }());
  held.clear();
  EXPECT_TRUE(held.empty());
  EXPECT_EQ(held.memory_bytes(), 0u);
}

TEST_P(HeldStates, StepsAreShortenedWhetherTheyAreFixedOrNot) {
  for (const SolverCase& c : solver_cases())
    for (const bool fixed : {false, true}) {
      SimulationSetup setup = c.setup;
      if (fixed) setup.step.fixed = c.setup.solver == SolverKind::Dpd ? 0.01f : 1e-4f;
      SCOPED_TRACE(c.name);
      Simulation simulation(setup, device());
      run_steps(simulation, 3);
      const float before = simulation.finish().dt;
      const SimulationState state = simulation.save_state();
      simulation.step();
      const float next = simulation.finish().dt;
      simulation.restore_state(state);
      simulation.shorten_steps(0.25);
      EXPECT_EQ(simulation.step_share(), 0.25);
      simulation.step();
      EXPECT_NEAR(simulation.finish().dt, 0.25f * next, 1e-4f * before);
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(HeldStates);

}  // namespace
}  // namespace riffle::test
