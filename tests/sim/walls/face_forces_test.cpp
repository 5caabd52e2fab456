/// Forces on the domain's faces: what the fluid loses, and what fluid at rest must give to each.

#include <cmath>

#include "support/devices.h"
#include "tests/sim/solver_cases.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

class FaceForces : public OnEachDevice {};

/// Water over the whole floor of a box with walls.
SimulationSetup filled_tank(SolverKind solver, int dimension) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.max = {0.4f, 0.5f, 0.3f};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = 0.02f;
  setup.fluids.emplace_back();
  setup.bodies.emplace_back().max = {0.4f, 0.3f, 0.3f};
  setup.face_forces = true;
  return with_solver(setup, solver);
}

TEST_P(FaceForces, OfWaterAtRestAreItsWeightAndItsPressure) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = filled_tank(solver, 2);
    Simulation simulation(setup, device());
    EXPECT_EQ(simulation.diagnostics().solids.size(), 1u) << "the faces together";
    run_until(simulation, 1.0);
    const std::vector<SolidLoad> before = simulation.diagnostics().faces;
    ASSERT_EQ(before.size(), 6u);
    run_until(simulation, 2.0);
    const Diagnostics end = simulation.diagnostics();
    const auto force = [&](int face, int k) {
      const auto f = static_cast<std::size_t>(face);
      return (end.faces[f].impulse[k] - before[f].impulse[k]) / (end.faces[f].time - before[f].time);
    };
    const double weight = 9.81 * end.mass, side = 0.5 * 1000 * 9.81 * 0.3 * 0.3;
    EXPECT_NEAR(force(2, 1), -weight, 0.01 * weight);
    EXPECT_NEAR(force(0, 0), -side, 0.06 * side);
    EXPECT_NEAR(force(1, 0), side, 0.06 * side);
    EXPECT_NEAR(force(0, 0) + force(1, 0), 0, 0.01 * side);
    EXPECT_NEAR(force(2, 0), 0, 0.01 * side) << "the floor is not drawn along by what pushes on the corners";
    EXPECT_NEAR(force(0, 1), 0, 0.01 * weight);
    for (const int k : {0, 1}) EXPECT_NEAR(force(3, k), 0, 1e-6 * weight) << "no water is at the ceiling";
  }
}

TEST_P(FaceForces, TogetherAreTheMomentumThatTheFluidLoses) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf, SolverKind::Dpd})
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + " " + std::to_string(dimension));
      SimulationSetup setup = filled_tank(solver, dimension);
      double end_time = 0.15;
      if (solver == SolverKind::Dpd) {
        setup = with_solver(dpd_box(dimension, 6), solver);
        for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
        setup.face_forces = true;
        setup.gravity = {0, -0.5f, 0};
        setup.step.fixed = 0.02f;
        end_time = 2;
      } else {
        setup.bodies[0].max = {0.2f, 0.3f, 0.2f};
        setup.fluids[0].viscosity = 1e-3f;  // so that walls drag
      }
      Simulation simulation(setup, device());
      run_steps(simulation, 2);  // the kick that DPD's start leaves to the first step lies behind
      const auto momentum = [&](const Diagnostics& d, int k) { return d.momentum[k]; };
      const Diagnostics start = simulation.diagnostics();
      const double begin = simulation.finish().time;
      run_until(simulation, end_time);
      const Diagnostics end = simulation.diagnostics();
      ASSERT_EQ(simulation.latest().contained, 0u) << "what is put back is not measured";
      const double g = -setup.gravity.y, scale = end.mass * g * end_time;
      for (int k = 0; k < dimension; ++k) {
        double got = 0;
        for (std::size_t f = 0; f < 6; ++f) got += end.faces[f].impulse[k] - start.faces[f].impulse[k];
        const double weight = k == 1 ? -g * end.mass * (end_time - begin) : 0;
        EXPECT_NEAR(got, momentum(start, k) + weight - momentum(end, k), 2e-5 * scale) << "xyz"[k];
        EXPECT_NEAR(end.solids[0].impulse[k] - start.solids[0].impulse[k], got, 1e-9 * scale);
      }
    }
}

/// Mirrors: all that a face feels is the pressure of a gas of soft particles.
TEST_P(FaceForces, OfDpdAreItsPressureOnEachFace) {
  SimulationSetup setup = with_solver(dpd_box(3, 8), SolverKind::Dpd);
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.face_forces = true;
  Simulation simulation(setup, device());
  run_until(simulation, 3);
  const std::vector<SolidLoad> before = simulation.diagnostics().faces;
  double pressure = 0;
  constexpr int kSamples = 10;
  for (int k = 1; k <= kSamples; ++k) {
    run_until(simulation, 3 + 0.5 * k);
    pressure += simulation.diagnostics().thermal->pressure / kSamples;
  }
  const std::vector<SolidLoad> after = simulation.diagnostics().faces;
  const Vec3 size = setup.domain.extent();
  const double area[3] = {double{size.y} * size.z, double{size.x} * size.z, double{size.x} * size.y};
  for (int face = 0; face < 6; ++face) {
    const auto f = static_cast<std::size_t>(face);
    for (int k = 0; k < 3; ++k) {
      const double force = (after[f].impulse[k] - before[f].impulse[k]) / (after[f].time - before[f].time);
      const double expected = k != face / 2 ? 0 : (face % 2 == 0 ? -1 : 1) * pressure * area[k];
      EXPECT_NEAR(force, expected, 0.1 * pressure * area[k]) << face << " " << k;
    }
  }
}

/// Beside a wall a particle is pushed against it. A reflection that reversed the push heated the fluid by 7 % here.
TEST_P(FaceForces, OfDpdDoNotHeatTheFluid) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = with_solver(dpd_box(3, 6), SolverKind::Dpd);
    for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
    setup.dpd.integrator = integrator;
    setup.step.fixed = integrator == DpdIntegrator::LeapFrog ? 0.02f : 0.04f;
    Simulation simulation(setup, device());
    run_until(simulation, 4);
    double temperature = 0;
    constexpr int kSamples = 60;
    for (int k = 1; k <= kSamples; ++k) {
      run_until(simulation, 4 + 0.4 * k);
      temperature += simulation.diagnostics().thermal->temperature / kSamples;
    }
    EXPECT_NEAR(temperature, 1, 0.045) << word_of(integrator);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FaceForces);

}  // namespace
}  // namespace riffle::test
