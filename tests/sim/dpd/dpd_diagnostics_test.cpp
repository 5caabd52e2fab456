/// Temperature and pressure of two particles, which statistical mechanics gives without any average.

#include "dpd_setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class DpdDiagnostics : public OnEachDevice {};

ThermalDiagnostics measured_thermal(const SimulationSetup& setup, const Device& device) {
  Simulation simulation(setup, device);
  EXPECT_EQ(simulation.particle_count(), 2);
  return *simulation.diagnostics().thermal;
}

// kT is twice the kinetic energy per degree of freedom. Along an axis without walls the centre of mass moves for ever:
// its motion is no heat, and two particles have one degree of freedom there.
TEST_P(DpdDiagnostics, DegreesOfFreedomAreThoseOfTheThermalMotion) {
  for (const int dimension : {2, 3})
    for (int walls = 0; walls <= dimension; ++walls) {
      SimulationSetup setup = two_particles(dimension, 2);
      switch_forces_off(setup.dpd);
      setup.dpd.temperature = 0;  // the velocities are those of the bodies
      for (int a = 0; a < walls; ++a) setup.domain.axis[a] = Axis::Walled;
      const Vec3 v{0.6f, -0.3f, dimension == 3 ? 0.2f : 0};
      setup.bodies[0].velocity = v;
      setup.bodies[1].velocity = -1.0f * v;
      const double kinetic = length2(v);  // of two particles of mass 1
      const int degrees = 2 * dimension - (dimension - walls);
      const ThermalDiagnostics still = measured_thermal(setup, device());
      EXPECT_NEAR(still.temperature, 2 * kinetic / degrees, 1e-6) << dimension << "-D, walls on " << walls << " axes";
      EXPECT_NEAR(still.half_step_temperature, 2 * kinetic / degrees, 1e-6);
      if (walls > 0) continue;
      const Vec3 wind{5, -2, dimension == 3 ? 1.0f : 0};
      setup.bodies[0].velocity = wind + v;
      setup.bodies[1].velocity = wind - v;
      EXPECT_NEAR(measured_thermal(setup, device()).temperature, 2 * kinetic / degrees, 1e-4) << "in a wind";
    }
}

// Clausius: P V = N kT + sum over pairs of r F / d, in d dimensions.
TEST_P(DpdDiagnostics, PressureOfAPairAtRestIsItsVirialOverTheDimension) {
  for (const int dimension : {2, 3})
    for (const float r : {0.3f, 0.8f}) {
      SimulationSetup setup = two_particles(dimension, r);
      setup.dpd.repulsion.fill(25);
      setup.dpd.temperature = 0;  // the particles are at rest
      const Vec3 side = setup.domain.extent();
      const double volume = double{side.x} * side.y * (dimension == 3 ? side.z : 1.0f);
      const ThermalDiagnostics found = measured_thermal(setup, device());
      EXPECT_EQ(found.temperature, 0);
      const double expected = r * 25 * (1 - r) / dimension / volume;
      EXPECT_NEAR(found.pressure, expected, 1e-4 * expected) << dimension << "-D, r " << r;
      EXPECT_NEAR(found.pair_energy, 0.5 * (0.5 * 25 * (1 - r) * (1 - r)), 1e-4) << "per particle";
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DpdDiagnostics);

}  // namespace
}  // namespace riffle::test
