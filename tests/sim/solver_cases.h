#pragma once
/// One small simulation of every solver, for tests of the properties that all solvers need.

#include <string>
#include <vector>

#include "tests/sim/dpd/dpd_setups.h"

namespace riffle::test {

struct SolverCase {
  std::string name;
  SimulationSetup setup;
};

inline SimulationSetup with_solver(SimulationSetup setup, SolverKind solver) {
  setup.solver = solver;
  setup.deterministic = true;
  return setup;
}

inline SimulationSetup by_continuity(SimulationSetup setup) {
  setup.wcsph.density = DensityScheme::Continuity;
  return setup;
}

inline SimulationSetup by_summation(SimulationSetup setup) {
  setup.wcsph.density = DensityScheme::Summation;
  return setup;
}

inline SimulationSetup dpd_case(DpdIntegrator integrator, RandomKind random = RandomKind::Philox) {
  SimulationSetup setup = with_solver(dpd_box(3, 4), SolverKind::Dpd);
  setup.dpd.integrator = integrator;
  setup.dpd.random = random;
  return setup;
}

/// DPD without drag and noise: forces follow from positions alone.
inline SimulationSetup conservative_dpd_case() {
  SimulationSetup setup = dpd_case(DpdIntegrator::VelocityVerlet);
  setup.dpd.noise.fill(0);
  setup.dpd.friction.fill(0);
  return setup;
}

/// A simulation that goes on from the present state and computes all forces again before its first step.
inline Simulation with_forces_again(const Simulation& simulation) {
  SimulationState state = simulation.save_state();
  state.started = false;
  return Simulation(simulation.setup(), simulation.device(), state);
}

/// With walls, without, with two fluids, and with each kind of data that a solver carries from step to step.
inline std::vector<SolverCase> solver_cases() {
  std::vector<SolverCase> cases = {
      {"WCSPH", with_solver(column_setup(3, 5), SolverKind::Wcsph)},
      {"WCSPH, summation", by_summation(with_solver(column_setup(3, 5), SolverKind::Wcsph))},
      {"PBF", with_solver(column_setup(3, 5), SolverKind::Pbf)},
      {"DFSPH", with_solver(column_setup(3, 5), SolverKind::Dfsph)},
      {"WCSPH, periodic", with_solver(periodic_setup(2, 16), SolverKind::Wcsph)},
      {"WCSPH, summation, periodic", by_summation(with_solver(periodic_setup(2, 16), SolverKind::Wcsph))},
      {"PBF, periodic", with_solver(periodic_setup(2, 16), SolverKind::Pbf)},
      {"DFSPH, periodic", with_solver(periodic_setup(2, 16), SolverKind::Dfsph)},
      {"DPD", dpd_case(DpdIntegrator::VelocityVerlet)},
      {"DPD, leap-frog", dpd_case(DpdIntegrator::LeapFrog)},
      {"DPD, streams", dpd_case(DpdIntegrator::VelocityVerlet, RandomKind::KarpinskiStream)},
      {"DPD, two fluids", with_solver(two_fluid_box(4), SolverKind::Dpd)},
  };
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph}) {
    SimulationSetup sticky = with_solver(column_setup(3, 5), solver);
    sticky.wcsph.viscosity = ViscosityScheme::Implicit;
    sticky.fluids[0].viscosity = 0.1f;
    cases.push_back({std::string(to_string(solver)) + ", implicit viscosity", sticky});
  }
  SimulationSetup walled = dpd_case(DpdIntegrator::LeapFrog);
  for (Axis& axis : walled.domain.axis) axis = Axis::Walled;
  cases.push_back({"DPD, leap-frog between walls", walled});
  SimulationSetup tilts = with_solver(column_setup(3, 5), SolverKind::Wcsph);
  tilts.tank.given = tilts.tank.rotates = true;
  tilts.tank.axis = {0, 0, 1};
  tilts.tank.swing_angle = 5;
  tilts.tank.swing = {0.1f, 0};
  tilts.gravity_change.given = true;
  tilts.gravity_change.amplitude = {0, 2, 0};
  tilts.gravity_change.oscillation = {0.07f, 0};
  tilts.body_force.given = true;
  tilts.body_force.acceleration = {0, 1, 0};
  tilts.body_force.across = 0;
  cases.push_back({"WCSPH in a moving tank", tilts});
  return cases;
}

/// A block in the middle of an open box of side 1 (DPD: 10), at rest and without gravity, with steps of a fixed length:
/// the only forces are those between particles.
inline SimulationSetup free_block(SolverKind solver, int dimension) {
  const bool dpd = solver == SolverKind::Dpd;
  SimulationSetup setup =
      with_solver(dpd ? dpd_box(dimension, 5) : periodic_setup(dimension, dimension == 2 ? 40 : 20), solver);
  const float side = dpd ? 10 : 1;
  setup.domain.max = {side, side, side};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  BodySetup block;
  const float low = 0.3f * side, high = dimension == 2 ? 0.95f * side : 0.6f * side;
  block.min = {low, low, dimension == 3 ? low : 0};
  block.max = {high, high, dimension == 3 ? high : 0};
  setup.bodies = {block};
  setup.step.fixed = dpd ? 0.01f : 2e-4f;
  return setup;
}

}  // namespace riffle::test
