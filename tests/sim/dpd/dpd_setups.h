#pragma once
/// Small DPD fluids, in reduced units, and averages over their states.

#include <functional>
#include <string>
#include <vector>

#include "sim/dpd/dpd.h"
#include "tests/sim/setups.h"

namespace riffle::test {

/// A periodic box full of fluid at number density 3: a = 25, gamma = 4.5, sigma = 3, kT = 1. Its side is about the
/// given one, a whole number of spacings. It starts from a lattice, where pairs store less energy than in the fluid, or
/// from random places, where pairs store more.
inline SimulationSetup dpd_box(int dimension, float side, Filling filling = Filling::Lattice) {
  SimulationSetup setup;
  setup.solver = SolverKind::Dpd;
  setup.domain.dimension = dimension;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.gravity = {};
  setup.spacing = static_cast<float>(std::pow(3.0, -1.0 / dimension));
  if (filling == Filling::Lattice) side = setup.spacing * std::round(side / setup.spacing);
  setup.domain.max = {side, side, dimension == 3 ? side : 0};
  setup.fluids.emplace_back();
  BodySetup all;
  all.max = setup.domain.max;
  all.filling = filling;
  if (filling == Filling::Lattice) all.jitter = 0.1f;
  setup.bodies.push_back(all);
  setup.step.fixed = 0.01f;
  return setup;
}

/// The same box with a second fluid of three times the mass, well mixed, a = 40 between the two.
inline SimulationSetup two_fluid_box(float side, Filling filling = Filling::Lattice) {
  SimulationSetup setup = dpd_box(3, side, filling);
  setup.fluids.push_back(setup.fluids[0]);
  setup.fluids[1].mass = 3;
  setup.dpd.repulsion.value[0][1] = setup.dpd.repulsion.value[1][0] = 40;
  setup.start.mixed = true;
  return setup;
}

/// No forces at all, except those that the test switches on again.
inline void switch_forces_off(DpdSetup& dpd) { dpd.repulsion.fill(0), dpd.friction.fill(0), dpd.noise.fill(0); }

/// Two particles of the first and the last fluid at distance r, off every axis, in a box of side 5 or so.
inline SimulationSetup two_particles(int dimension, float r) {
  SimulationSetup setup = dpd_box(dimension, 5);
  BodySetup one;
  const Vec3 edge{setup.spacing, setup.spacing, dimension == 3 ? setup.spacing : 0};
  const Vec3 apart = dimension == 3 ? Vec3{r / 3, 2 * r / 3, -2 * r / 3} : Vec3{0.6f * r, -0.8f * r, 0};
  one.min = {2, 2, dimension == 3 ? 2.0f : 0};
  one.max = one.min + edge;
  BodySetup other = one;
  other.min = one.min + apart;
  other.max = other.min + edge;
  setup.bodies = {one, other};
  return setup;
}

struct IntegratorCase {
  const char* name;
  DpdIntegrator integrator;
  float lambda;
};

inline const std::vector<IntegratorCase>& integrator_cases() {
  static const std::vector<IntegratorCase> cases = {
      {"velocity-Verlet, lambda 0.5", DpdIntegrator::VelocityVerlet, 0.5f},
      {"velocity-Verlet, lambda 0.65", DpdIntegrator::VelocityVerlet, 0.65f},
      {"leap-frog", DpdIntegrator::LeapFrog, 0.65f}};
  return cases;
}

inline void use(DpdSetup& dpd, const IntegratorCase& c) { dpd.integrator = c.integrator, dpd.lambda = c.lambda; }

/// Means over states `apart` steps from each other, after `settling` steps.
struct ThermalMeans {
  double temperature = 0, half_step_temperature = 0, pair_energy = 0, pressure = 0, mean_neighbors = 0;
  std::vector<double> fluid_temperature;
};

inline ThermalMeans thermal_means(Simulation& simulation, int settling, int states, int apart) {
  run_steps(simulation, settling);
  ThermalMeans means;
  for (int s = 0; s < states; ++s) {
    run_steps(simulation, apart);
    const ThermalDiagnostics now = *simulation.diagnostics().thermal;
    means.temperature += now.temperature / states;
    means.half_step_temperature += now.half_step_temperature / states;
    means.pair_energy += now.pair_energy / states;
    means.pressure += now.pressure / states;
    means.mean_neighbors += now.mean_neighbors / states;
    means.fluid_temperature.resize(now.fluid_temperature.size(), 0.0);
    for (std::size_t f = 0; f < now.fluid_temperature.size(); ++f)
      means.fluid_temperature[f] += now.fluid_temperature[f] / states;
  }
  return means;
}

}  // namespace riffle::test
