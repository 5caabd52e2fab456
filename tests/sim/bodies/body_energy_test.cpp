/// The energy of free solids.

#include "sim/bodies/body_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/bodies/mass/body_mass.h"
#include "sim/simulation.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

constexpr double kStep = 4e-4;  // [s]

class BodyEnergyOnEachDevice : public OnEachDevice {};

/// A box of 0.3 x 0.2 x 0.1 m, 500 kg/m^3, high above a puddle, in a room of walls; it turns and flies up at first.
SimulationSetup thrown_box(int dimension) {
  SimulationSetup setup;
  setup.solver = SolverKind::Wcsph;
  setup.spacing = 0.05f;
  setup.domain.dimension = dimension;
  setup.domain.min = {-1, -1, 0};
  setup.domain.max = {1, 2, dimension == 2 ? 0.0f : 0.4f};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.fluids = {FluidSetup{}};
  BodySetup water;
  water.shape = Shape::Box;
  water.min = {-1, -1, 0};
  water.max = {-0.8f, -0.9f, setup.domain.max.z};
  setup.bodies = {water};
  SolidRegion solid;
  solid.name = "thrown";
  solid.shape = Shape::Box;
  solid.min = {-0.15f, 0.9f, dimension == 2 ? 0.0f : 0.15f};
  solid.max = {0.15f, 1.1f, dimension == 2 ? 0.0f : 0.25f};
  solid.free.given = true;
  solid.free.density = 500;
  solid.free.velocity = {0.2f, 1, 0};
  solid.free.angular_velocity = {dimension == 2 ? 0.0f : 1.0f, dimension == 2 ? 0.0f : 2.0f, 3};
  setup.solid_regions = {solid};
  setup.step.fixed = static_cast<float>(kStep);
  return setup;
}

TEST_P(BodyEnergyOnEachDevice, OfABodyThatFliesInVacuumStays) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    const SimulationSetup setup = thrown_box(dimension);
    Simulation simulation(setup, Device{GetParam()});
    const double mass = 500 * 0.3 * 0.2 * (dimension == 2 ? 1 : 0.1), g = 9.81;
    const double about_z = mass * (0.3 * 0.3 + 0.2 * 0.2) / 12;
    double turning = about_z * 3 * 3;
    if (dimension == 3) turning += mass * ((0.2 * 0.2 + 0.1 * 0.1) * 1 * 1 + (0.3 * 0.3 + 0.1 * 0.1) * 2 * 2) / 12;
    const Diagnostics start = simulation.diagnostics();
    const BodiesEnergy at_first = start.bodies_energy;
    EXPECT_NEAR(at_first.kinetic, 0.5 * mass * (0.2 * 0.2 + 1) + 0.5 * turning, 1e-3 * at_first.kinetic);
    EXPECT_NEAR(at_first.potential, mass * g * 2, 1e-3 * at_first.potential) << "above the domain's lower corner";
    EXPECT_EQ(start.kinetic_energy, 0) << "that of the water alone";
    const int steps = 1000;
    for (int k = 0; k < steps; ++k) simulation.step();
    const BodiesEnergy now = simulation.diagnostics().bodies_energy;
    const double time = simulation.finish().time;
    const double fallen = 0.5 * g * time * time - time;
    EXPECT_NEAR(now.potential, at_first.potential - mass * g * fallen, 1e-3 * at_first.potential);
    ASSERT_GT(now.kinetic, 2 * at_first.kinetic);
    const double all = at_first.kinetic + at_first.potential;
    EXPECT_NEAR(now.kinetic + now.potential, all, 1e-3 * all);
    // A step takes the new velocity all along: m g^2 dt^2 / 2 are missing after each.
    EXPECT_NEAR(now.kinetic + now.potential, all - 0.5 * mass * g * g * kStep * time, 2e-5 * all);
  }
}

TEST(BodyEnergy, CountsFreeBodiesAlone) {
  const SimulationSetup setup = thrown_box(3);
  std::vector<BodyMass> masses(3, body_masses(setup).front());
  std::vector<BodyState> bodies(3);
  for (BodyState& body : bodies) body.velocity[0] = 2, body.center[1] = 1;
  EXPECT_EQ(energy_of({}, {}, setup, 0), BodiesEnergy{});
  const BodiesEnergy one = energy_of(std::span(bodies).first(1), masses, setup, 0);
  EXPECT_NEAR(one.kinetic, 0.5 * masses[0].mass * 4, 1e-9 * one.kinetic);
  EXPECT_NEAR(one.potential, masses[0].mass * 9.81 * 2, 1e-6 * one.potential);
  masses[1].mass = 0;
  const BodiesEnergy two = energy_of(bodies, masses, setup, 0);
  EXPECT_NEAR(two.kinetic, 2 * one.kinetic, 1e-9 * one.kinetic) << "a region with a mass of 0 is not free";
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(BodyEnergyOnEachDevice);

}  // namespace
}  // namespace riffle::test
