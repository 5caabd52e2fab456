#include "sim/wcsph/wcsph.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/setups.h"
#include "tests/sim/velocity_field.h"

namespace riffle::test {
namespace {

class Wcsph : public OnEachDevice {};

TEST_P(Wcsph, MomentumOfAPeriodicBoxDoesNotDrift) {
  for (const int dimension : {2, 3})
    for (const KernelKind kind : {KernelKind::WendlandC2, KernelKind::CubicSpline}) {
      SimulationSetup setup = periodic_setup(dimension, dimension == 2 ? 32 : 12);
      setup.wcsph.kernel = kind;
      setup.fluids[0].viscosity = 1e-3f;
      Simulation simulation(setup, device());
      set_velocities(simulation, [&](Vec3 x) {  // without shear, viscous forces would be those of the noise alone
        const float wave = 6.2831853f;
        return Vec3{1 + 0.5f * std::sin(wave * x.y), 0.5f, dimension == 3 ? 0.5f * std::sin(wave * x.x) - 0.25f : 0};
      });
      const Diagnostics before = simulation.diagnostics();
      run_steps(simulation, 300);
      const Diagnostics after = simulation.diagnostics();
      EXPECT_NEAR(after.mass, 1000, 1e-3);
      const double speed = std::sqrt(2 * before.kinetic_energy / before.mass);
      for (int k = 0; k < dimension; ++k)
        EXPECT_LT(std::fabs(after.momentum[k] - before.momentum[k]), 1e-6 * before.mass * speed)
            << dimension << "-D, axis " << k;
    }
}

TEST_P(Wcsph, MomentumOfTwoFluidsDoesNotDrift) {
  SimulationSetup setup = periodic_setup(3, 12);
  setup.fluids.push_back({"light", 500, 2e-3f, {}});
  setup.bodies[0].max.y = 0.5f;
  BodySetup upper = setup.bodies[0];
  upper.min.y = 0.5f;
  upper.max.y = 1;
  upper.fluid = 1;
  upper.velocity = {-1, 0, 0.5f};
  setup.bodies.push_back(upper);
  Simulation simulation(setup, device());
  const Diagnostics before = simulation.diagnostics();
  EXPECT_NEAR(before.mass, 750, 1e-3);
  run_steps(simulation, 1);
  const Diagnostics first = simulation.diagnostics();  // densities are known from here on
  run_steps(simulation, 200);
  const Diagnostics after = simulation.diagnostics();
  const double speed = std::sqrt(2 * before.kinetic_energy / before.mass);
  for (int k = 0; k < 3; ++k) EXPECT_LT(std::fabs(after.momentum[k] - before.momentum[k]), 1e-6 * before.mass * speed);
  EXPECT_LT(after.kinetic_energy + after.internal_energy, first.kinetic_energy + first.internal_energy);
}

// Without viscosity, and with summed densities, the scheme is Hamiltonian; walls that mirror the fluid's pressure fail this within a few hundred
// steps.
TEST_P(Wcsph, WallsDoNoWorkOnAnInviscidFluid) {
  SimulationSetup setup = column_setup(2, 16);
  setup.bodies[0].max.x = 0.4f;  // a full layer: no splash, sloshing under its own settling only
  setup.bodies[0].jitter = 0.1f;
  setup.fluids[0].viscosity = 0;
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.density = DensityScheme::Summation;
  setup.support_ratio = 2;
  setup.step.cfl = 0.1f;
  Simulation simulation(setup, device());
  run_steps(simulation, 10);
  const Diagnostics start = simulation.diagnostics();
  const double energy = start.kinetic_energy + start.potential_energy + start.internal_energy;
  // The scale is the elastic energy, the most that the jittered start can release, and not the large potential energy.
  const double scale = start.internal_energy + start.kinetic_energy;
  for (int block = 0; block < 4; ++block) {
    run_steps(simulation, 500);
    const Diagnostics now = simulation.diagnostics();
    EXPECT_NEAR(now.kinetic_energy + now.potential_energy + now.internal_energy, energy, 0.05 * scale)
        << "after " << 500 * (block + 1);
    EXPECT_EQ(now.non_finite, 0);
  }
}

TEST_P(Wcsph, EnergyOnlyFallsInADamBreak) {
  Simulation simulation(column_setup(3, 10), device());
  double last = 1e30;
  for (int block = 0; block < 8; ++block) {
    const Diagnostics d = simulation.diagnostics();
    const double energy = d.kinetic_energy + d.potential_energy + d.internal_energy;
    EXPECT_LT(energy, last + 1e-3 * d.potential_energy);
    last = energy;
    EXPECT_EQ(d.outside, 0);
    EXPECT_EQ(d.non_finite, 0);
    run_steps(simulation, 100);
  }
  EXPECT_LT(simulation.diagnostics().density_error_mean, 0.01);
}

TEST_P(Wcsph, AFluidBlockFallsFreelyUntilItLands) {
  SimulationSetup setup = column_setup(3, 6);
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  Simulation simulation(setup, device());
  const auto start = by_id<Vec4>(simulation, "position");
  run_until(simulation, 0.05);
  const StepReport report = simulation.finish();
  const auto end = by_id<Vec4>(simulation, "position");
  EXPECT_DOUBLE_EQ(report.time, 0.05);
  // Symplectic Euler falls by g (t^2 + t dt) / 2; dt varies by less than its mean.
  const double fall = 0.5 * 9.81 * 0.05 * 0.05, late = 0.5 * 9.81 * 0.05 * simulation.stable_dt() * 2;
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_NEAR(start[i].y - end[i].y, fall, late);
    EXPECT_NEAR(end[i].x, start[i].x, 1e-5);
  }
}

TEST_P(Wcsph, TheTimeLimitIsReachedExactlyAndLaterStepsDoNothing) {
  Simulation simulation(column_setup(2, 10), device());
  simulation.set_time_limit(0.02);
  while (simulation.latest().time < 0.02) simulation.step();
  const StepReport reached = simulation.finish();
  EXPECT_DOUBLE_EQ(reached.time, 0.02);
  const std::uint64_t hash = simulation.diagnostics().state_hash;
  run_steps(simulation, 5);
  EXPECT_EQ(simulation.finish().step, reached.step);
  EXPECT_EQ(simulation.diagnostics().state_hash, hash);
  simulation.set_time_limit(0.03);
  run_steps(simulation, 1);
  EXPECT_EQ(simulation.finish().step, reached.step + 1);
}

TEST_P(Wcsph, AFixedStepIsTaken) {
  SimulationSetup setup = column_setup(2, 10);
  setup.step.fixed = 1e-5f;
  Simulation simulation(setup, device());
  run_steps(simulation, 7);
  EXPECT_FLOAT_EQ(simulation.finish().dt, 1e-5f);
  EXPECT_NEAR(simulation.finish().time, 7e-5, 1e-10);
}

TEST_P(Wcsph, TheAdaptiveStepShrinksWithSpeedAndViscosity) {
  SimulationSetup setup = column_setup(2, 10);
  setup.wcsph.speed_of_sound = 20;
  const auto first_dt = [&](const SimulationSetup& s) {
    Simulation simulation(s, device());
    simulation.step();
    return simulation.finish().dt;
  };
  const float calm = first_dt(setup);
  EXPECT_NEAR(calm, 0.2 * setup.support_radius() / 20, 0.01 * calm);
  setup.bodies[0].velocity = {20, 0, 0};
  EXPECT_NEAR(first_dt(setup), calm / 2, 0.01 * calm);
  setup.bodies[0].velocity = {};
  setup.fluids[0].viscosity = 0.1f;
  EXPECT_NEAR(first_dt(setup), 0.125 * 0.25 * setup.support_radius() * setup.support_radius() / 0.1, 1e-3 * calm);
}

TEST_P(Wcsph, HalvingTheStepChangesTheFrontByLessThanOnePercent) {
  double front[2], center[2];
  for (const int halved : {0, 1}) {
    SimulationSetup setup = column_setup(2, 24);
    setup.step.cfl = halved ? 0.1f : 0.2f;
    Simulation simulation(setup, device());
    run_until(simulation, 0.12);
    std::vector<float> x;
    for (const Vec4& p : by_id<Vec4>(simulation, "position")) x.push_back(p.x);
    std::sort(x.begin(), x.end());
    front[halved] = x[x.size() * 97 / 100];  // a quantile: the foremost particle is spray
    center[halved] = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
  }
  EXPECT_NEAR(front[0], front[1], 0.01 * front[1]);
  EXPECT_NEAR(center[0], center[1], 0.01 * center[1]);
}

// The light fluid's own viscosity and density would allow steps that the heavy one's forces do not.
TEST_P(Wcsph, FluidsOfVeryDifferentDensityStayCalmSideBySide) {
  for (const float density : {100.0f, 1.0f}) {
    SimulationSetup setup = periodic_setup(2, 24);
    setup.fluids[0].viscosity = 0.01f;
    setup.fluids.push_back({"light", density, 0.01f, {}});
    setup.bodies[0].velocity = {};
    setup.bodies[0].jitter = 0;
    setup.bodies[0].max.x = 0.5f;
    BodySetup other = setup.bodies[0];
    other.min.x = 0.5f;
    other.max.x = 1;
    other.fluid = 1;
    setup.bodies.push_back(other);
    setup.bodies[0].velocity = {0, 0.1f, 0};
    Simulation simulation(setup, device());
    run_steps(simulation, 1000);
    const Diagnostics d = simulation.diagnostics();
    EXPECT_LT(d.max_speed, 0.2) << "density ratio " << 1000 / density;
    EXPECT_LT(d.density_error_max, 0.05);
  }
}

TEST_P(Wcsph, InternalEnergyIsFiniteForEveryTaitExponent) {
  for (const float exponent : {1.0f, 1.001f, 2.0f, 7.0f}) {
    SimulationSetup setup = column_setup(2, 10);
    setup.wcsph.tait_exponent = exponent;
    Simulation simulation(setup, device());
    run_steps(simulation, 100);
    const Diagnostics d = simulation.diagnostics();
    EXPECT_TRUE(std::isfinite(d.internal_energy)) << exponent;
    EXPECT_GT(d.internal_energy, 0) << exponent;
  }
}

TEST_P(Wcsph, AFixedStepThatDividesTheTimeIsTakenThatManyTimes) {
  SimulationSetup setup = column_setup(2, 10);
  setup.step.fixed = 1e-5f;
  Simulation simulation(setup, device());
  run_until(simulation, 0.01);
  EXPECT_EQ(simulation.finish().step, 1000u);
}

TEST_P(Wcsph, AParticleThatCrossesAPeriodicBoxSeveralTimesInAStepStaysInside) {
  SimulationSetup setup = periodic_setup(2, 8);
  setup.bodies[0].velocity = {100, -100, 0};
  setup.step.fixed = 0.0371f;
  Simulation simulation(setup, device());
  run_steps(simulation, 1);
  for (const Vec4& x : by_id<Vec4>(simulation, "position")) EXPECT_TRUE(x.x >= 0 && x.x < 1 && x.y >= 0 && x.y < 1);
}

TEST_P(Wcsph, TwoDeterministicRunsAreBitIdentical) {
  SimulationSetup setup = column_setup(3, 10);
  setup.deterministic = true;
  setup.bodies[0].jitter = 0.2f;
  std::uint64_t hash[2];
  for (std::uint64_t& h : hash) {
    Simulation simulation(setup, device());
    run_steps(simulation, 150);
    h = simulation.diagnostics().state_hash;
  }
  EXPECT_EQ(hash[0], hash[1]);
}

TEST_P(Wcsph, NeitherTheNeighbourMethodNorASkinChangesThePhysics) {
  expect_same_with_every_search(column_setup(3, 8), 50, device());
}

TEST_P(Wcsph, NotANumberShowsInTheClockAndTheDiagnostics) {
  SimulationSetup setup = column_setup(2, 10);
  BodySetup bad = setup.bodies[0];
  bad.min = {0.2f, 0.1f, 0};
  bad.max = {0.21f, 0.11f, 0.1f};
  bad.velocity = {std::nanf(""), 0, 0};
  setup.bodies.push_back(bad);
  setup.wcsph.speed_of_sound = 20;
  Simulation simulation(setup, device());
  EXPECT_EQ(simulation.diagnostics().non_finite, 1);
  run_steps(simulation, 2);
  EXPECT_FALSE(std::isfinite(simulation.finish().max_speed));
}

TEST_P(Wcsph, ParticlesPutBackOnAWallAreCounted) {
  SimulationSetup setup = column_setup(2, 10);
  setup.step.fixed = 0.1f;  // far beyond stable: the first step alone throws fluid through the floor
  Simulation simulation(setup, device());
  run_steps(simulation, 5);
  EXPECT_GT(simulation.finish().contained, 0u);
  EXPECT_EQ(simulation.diagnostics().outside, 0);
}

TEST_P(Wcsph, NothingEscapesThroughAWall) {
  SimulationSetup setup = column_setup(3, 8);
  setup.bodies[0].velocity = {8, -4, 3};
  setup.wcsph.speed_of_sound = 15;  // too soft for that speed on purpose
  Simulation simulation(setup, device());
  run_steps(simulation, 400);
  const Diagnostics d = simulation.diagnostics();
  EXPECT_EQ(d.outside, 0);
  EXPECT_EQ(d.non_finite, 0);
  EXPECT_NEAR(d.mass, 2.0, 1e-5);
}

TEST_P(Wcsph, OneParticleAndNoWallsRun) {
  SimulationSetup setup;
  setup.fluids.emplace_back();
  setup.spacing = 0.1f;
  BodySetup body;
  body.min = {0.4f, 0.4f, 0.4f};
  body.max = {0.5f, 0.5f, 0.5f};
  setup.bodies.push_back(body);
  Simulation simulation(setup, device());
  EXPECT_EQ(simulation.particle_count(), 1);
  EXPECT_EQ(simulation.boundary_count(), 0);
  run_steps(simulation, 3);
  EXPECT_EQ(simulation.finish().step, 3u);
  EXPECT_EQ(simulation.neighbors().max, 0u);
}

TEST_P(Wcsph, ASimulationGivesItsMemoryBack) {
  const std::size_t before = allocated_bytes(GetParam());
  {
    Simulation simulation(column_setup(3, 8), device());
    run_steps(simulation, 3);
    simulation.diagnostics();
    simulation.neighbors();
    EXPECT_GT(allocated_bytes(GetParam()), before);
    const std::size_t estimate = estimate_memory(simulation.setup(), device());
    EXPECT_NEAR(double(simulation.memory_bytes()), double(estimate), 0.2 * double(estimate));
  }
  EXPECT_EQ(allocated_bytes(GetParam()), before);
}

TEST_P(Wcsph, AnEmptySetupIsAnInputErrorAndAHugeOneIsUnavailable) {
  SimulationSetup setup = column_setup(3, 8);
  setup.bodies[0].max = {0.001f, 0.001f, 0.001f};
  EXPECT_THROW(Simulation(setup, device()), InputError);
  setup = column_setup(3, 8);
  setup.spacing = 1e-5f;
  EXPECT_THROW(Simulation(setup, device()), Unavailable);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Wcsph);

// The parameter name carries the gpu label.
class WcsphAgreement : public OnEachDevice {};

TEST_P(WcsphAgreement, OfCpuAndGpuOnADamBreakOf20000Particles) {
  SimulationSetup setup = column_setup(3, 22);
  Simulation cpu(setup, Device{}), gpu(setup, device());
  ASSERT_GT(cpu.particle_count(), 20000);
  run_steps(cpu, 100);
  run_steps(gpu, 100);
  const auto cpu_x = by_id<Vec4>(cpu, "position"), gpu_x = by_id<Vec4>(gpu, "position");
  const auto cpu_rho = by_id<float>(cpu, "density"), gpu_rho = by_id<float>(gpu, "density");
  double worst_position = 0, worst_density = 0;
  for (std::size_t i = 0; i < cpu_x.size(); ++i) {
    worst_position =
        std::max(worst_position, std::sqrt(double(length2(xyz(cpu_x[i]) - xyz(gpu_x[i])))) / setup.spacing);
    worst_density = std::max(worst_density, std::fabs(double(cpu_rho[i]) - gpu_rho[i]) / cpu_rho[i]);
  }
  EXPECT_LT(worst_position, 1e-3) << "spacings";
  EXPECT_LT(worst_density, 1e-4) << "relative";
}

INSTANTIATE_TEST_SUITE_P(OnEachDevice, WcsphAgreement, testing::Values(DeviceKind::Cuda),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST(SpeedOfSound, IsTenTimesTheFastestFall) {
  SimulationSetup setup = column_setup(2, 10, 1.0f);
  EXPECT_NEAR(automatic_signal_speed(setup), 10 * std::sqrt(2 * 9.81 * 2), 1e-3);
  setup.gravity = {0, 9.81f, 0};  // upside down: it falls from its lower face to the ceiling at 3
  EXPECT_NEAR(automatic_signal_speed(setup), 10 * std::sqrt(2 * 9.81 * 3), 1e-3);
  setup.gravity = {};
  setup.bodies[0].velocity = {3, 4, 0};
  EXPECT_NEAR(automatic_signal_speed(setup), 50, 1e-3);
}

TEST(SpeedOfSound, IsTenTimesWhatThePressureOfADropCouldGive) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = column_setup(dimension, 10, 1.0f);
    setup.gravity = {};
    setup.bodies[0].shape = Shape::Sphere;
    setup.bodies[0].center = {1, 1, 0.5f};
    setup.bodies[0].radius = 0.4f;
    setup.fluids[0].surface_tension = 5;
    const double from_pressure = 10 * std::sqrt(2 * (dimension - 1) * 5 / 0.4 / 1000);
    EXPECT_NEAR(automatic_signal_speed(setup), from_pressure, 1e-5);
    setup.fluids.push_back({.name = "heavy", .rest_density = 4000});
    setup.fluids[0].surface_tension = 0;
    setup.wcsph.interface_tension.value[0][1] = setup.wcsph.interface_tension.value[1][0] = 5;
    EXPECT_NEAR(automatic_signal_speed(setup), from_pressure / 2, 1e-5) << "of the heavier fluid";
    setup.bodies[0].velocity = {0.3f, 0, 0};
    EXPECT_NEAR(automatic_signal_speed(setup), std::hypot(from_pressure / 2, 3), 1e-5);
    setup.solver = SolverKind::Pbf;
    EXPECT_NEAR(automatic_signal_speed(setup), 3, 1e-5) << "no tension";
  }
}

}  // namespace
}  // namespace riffle::test
