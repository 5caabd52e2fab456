/// Position based fluids. Tests assert the properties that the method promises (momentum, positions inside the box, no
/// energy from nothing). Compression, which it does not promise, is compared with 0.22 g dt^2 N^2 / (iterations H) for
/// a column of N particles and height H: a law from measurements, to which results must stay close.

#include "sim/pbf/pbf.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "core/error.h"
#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

SimulationSetup pbf_setup(SimulationSetup setup, float dt) {
  setup.solver = SolverKind::Pbf;
  setup.step.fixed = dt;
  return setup;
}

double energy(const Diagnostics& d) { return d.kinetic_energy + d.potential_energy; }

/// A ball that spins and shears, far from anything.
SimulationSetup spinning_ball(int dimension) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.min = {-2, -2, -2};
  setup.domain.max = {2, 2, 2};
  setup.gravity = {};
  setup.spacing = dimension == 2 ? 0.05f : 0.125f;
  setup.fluids.emplace_back();
  for (int half = 0; half < 2; ++half) {  // two halves that pass each other
    BodySetup body;
    body.min = {-0.5f, half == 0 ? -0.5f : 0.0f, -0.5f};
    body.max = {0.5f, half == 0 ? 0.0f : 0.5f, 0.5f};
    body.velocity = {half == 0 ? 1.0f : -1.0f, 0.1f, 0};
    body.jitter = 0.2f;
    setup.bodies.push_back(body);
  }
  return pbf_setup(setup, 1.0f / 400);
}

double relative_drift(const Diagnostics& before, const Diagnostics& after, int dimension) {
  const double speed = std::sqrt(2 * before.kinetic_energy / before.mass);
  double drift = 0;
  for (int k = 0; k < dimension; ++k) drift = std::max(drift, std::fabs(after.momentum[k] - before.momentum[k]));
  return drift / (before.mass * speed);
}

/// Drift of momentum over this many steps, in M v_rms. cut: out, the number of corrections that were cut off.
double drift(const SimulationSetup& setup, int steps, const Device& device, std::uint64_t* cut = nullptr) {
  Simulation simulation(setup, device);
  const Diagnostics before = simulation.diagnostics();
  run_steps(simulation, steps);
  simulation.finish();
  const Diagnostics after = simulation.diagnostics();
  EXPECT_EQ(after.non_finite, 0);
  if (cut) *cut = after.pbf->cut_corrections;
  return relative_drift(before, after, setup.domain.dimension);
}

class Pbf : public OnEachDevice {};

TEST_P(Pbf, CorrectionsOfAPairCancel) {
  for (const int dimension : {2, 3})
    for (const KernelKind kernel : {KernelKind::WendlandC2, KernelKind::Poly6Spiky}) {
      SimulationSetup setup = spinning_ball(dimension);
      setup.pbf.kernel = kernel;
      EXPECT_LT(drift(setup, 200, device()), 2e-6) << dimension << "-D, " << word_of(kernel);
    }
}

TEST_P(Pbf, CorrectionsOfAPairOfDifferentMassesCancel) {
  for (const float light : {500.0f, 100.0f}) {
    SimulationSetup setup = spinning_ball(3);
    setup.fluids.push_back({.name = "light", .rest_density = light});
    setup.bodies[1].fluid = 1;
    setup.bodies[1].jitter = 0.25f;
    std::uint64_t cut = 0;
    EXPECT_LT(drift(setup, 200, device(), &cut), 2e-6) << "density " << light;
    EXPECT_GT(cut, 0u) << "density " << light;
  }
}

TEST_P(Pbf, MomentumOfAPeriodicBoxDoesNotDrift) {
  for (const bool pulls : {false, true}) {
    SimulationSetup setup = pbf_setup(periodic_setup(3, 12), 1.0f / 400);
    setup.pbf.negative_pressure = pulls;
    std::uint64_t cut = 0;
    EXPECT_LT(drift(setup, 100, device(), &cut), 1e-6) << "negative pressure " << pulls;
    EXPECT_GT(cut, 0u) << "what is cut off a correction is part of the test";
  }
}

// The kernel's bare sum over a lattice is 3 % too high: a fluid at rest would spring apart.
TEST_P(Pbf, LatticeHasItsRestDensityAndStaysAtRest) {
  for (const int dimension : {2, 3})
    for (const KernelKind kernel : {KernelKind::WendlandC2, KernelKind::CubicSpline, KernelKind::Poly6Spiky}) {
      SimulationSetup setup = pbf_setup(periodic_setup(dimension, 12), 1.0f / 120);
      setup.bodies[0].jitter = 0;
      setup.bodies[0].velocity = {};
      setup.pbf.kernel = kernel;
      setup.pbf.artificial_pressure = 0;
      Simulation simulation(setup, device());
      EXPECT_LT(simulation.diagnostics().compression->all.mean_absolute, 1e-5);
      run_steps(simulation, 20);
      EXPECT_LT(simulation.finish().max_speed * setup.step.fixed, 1e-4 * setup.spacing);
    }
}

TEST_P(Pbf, NoParticleLeavesTheBoxWithLongStepsAndFewIterations) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = pbf_setup(column_setup(dimension, dimension == 2 ? 20 : 10, 0.5f), 1.0f / 60);
    setup.pbf.iterations = 2;
    Simulation simulation(setup, device());
    for (int k = 0; k < 6; ++k) {
      run_steps(simulation, 20);
      const Diagnostics d = simulation.diagnostics();
      EXPECT_EQ(d.non_finite, 0);
      EXPECT_EQ(d.outside, 0);
      EXPECT_LT(d.max_speed, 20) << "free fall from the top of the column gives 4.4 m/s";
    }
  }
}

TEST_P(Pbf, EnergyOfACollapsingColumnNeverRises) {
  for (const int iterations : {2, 4, 10}) {
    SimulationSetup setup = column_setup(2, 16, 0.25f);
    setup.solver = SolverKind::Pbf;
    setup.pbf.iterations = iterations;
    setup.pbf.artificial_pressure = 0;
    setup.step.fixed = stable_dt(setup);
    Simulation simulation(setup, device());
    const double start = energy(simulation.diagnostics());
    double before = start;
    for (int k = 0; k < 40; ++k) {
      run_steps(simulation, 10);
      const double now = energy(simulation.diagnostics());
      EXPECT_LT(now, before + 1e-3 * start) << iterations << " iterations, step " << 10 * (k + 1);
      before = std::min(before, now);
    }
    EXPECT_LT(before, 0.9 * start);
  }
}

// The next step undoes the compression that the iterations leave. In a step cut to a thousandth, so that the run ends
// in time, this would come out a thousand times as fast.
TEST_P(Pbf, AStepCutShortAtTheEndIsNoBurstOfSpeed) {
  SimulationSetup setup = pbf_setup(column_setup(2, 20, 0.5f), 0.01f);
  setup.deterministic = true;  // on a GPU two splashes differ by 8 % in the end
  double energies[2];
  for (const bool cut : {false, true}) {
    Simulation simulation(setup, device());
    run_until(simulation, cut ? 0.3001 : 0.3);
    energies[cut] = simulation.diagnostics().kinetic_energy;
  }
  EXPECT_NEAR(energies[1], energies[0], 0.05 * energies[0]);
}

TEST_P(Pbf, AParticleThatStartsOutsideAWallIsPutOnItNotShotInward) {
  SimulationSetup setup = pbf_setup(column_setup(2, 10, 0.5f), 1.0f / 240);
  setup.gravity = {};
  setup.bodies = {body_of_places({{-1.5f * setup.spacing, 1 + 0.5f * setup.spacing, 0}})};
  Simulation simulation(setup, device());
  simulation.set_time_limit(0);
  simulation.step();
  EXPECT_EQ(simulation.finish().contained, 0u) << "no time passes at the limit";
  EXPECT_EQ(simulation.diagnostics().outside, 1) << "no time passes at the limit";
  simulation.set_time_limit(1);
  run_steps(simulation, 2);
  EXPECT_EQ(simulation.diagnostics().outside, 0);
  EXPECT_EQ(simulation.finish().contained, 1u);
  // The wall still pushes it off by part of a spacing; from where it was it would have come two in one step.
  EXPECT_LT(simulation.finish().max_speed, setup.spacing / setup.step.fixed);
}

// Iterations that use positions which others have already corrected, or that overshoot, do not get closer each time.
TEST_P(Pbf, EachIterationLeavesLessCompression) {
  SimulationSetup setup = pbf_setup(column_setup(2, 10, 0.5f), 1.0f / 120);
  setup.pbf.iterations = 10;
  setup.pbf.artificial_pressure = 0;
  setup.deterministic = true;
  Simulation simulation(setup, device());
  std::vector<double> e(11, 0);
  for (int k = 0; k < 20; ++k) {             // one moment of so few particles is a matter of rounding
    run_until(simulation, 0.55 + 0.01 * k);  // the front has hit the far wall and climbs it
    const std::vector<double> here = simulation.diagnostics().pbf->residual;
    ASSERT_EQ(here.size(), e.size());
    for (std::size_t i = 0; i < e.size(); ++i) e[i] += here[i] / 20;
  }
  for (std::size_t k = 1; k < e.size(); ++k) EXPECT_LT(e[k], e[k - 1]) << k;
  EXPECT_LT(e[10], 0.5 * e[1]);
}

TEST_P(Pbf, CompressionFollowsTheLaw) {
  struct Case {
    KernelKind kernel;
    int iterations;
  };
  for (const auto& [kernel, iterations] : {Case{KernelKind::WendlandC2, 4}, Case{KernelKind::WendlandC2, 10},
                                           Case{KernelKind::Poly6Spiky, 4}, Case{KernelKind::Poly6Spiky, 10}}) {
    SimulationSetup setup = pbf_setup(column_setup(2, 10, 1), 1.0f / 120);
    setup.pbf.iterations = iterations;
    setup.pbf.kernel = kernel;
    Simulation simulation(setup, device());
    const double law = pbf::expected_compression(setup, setup.step.fixed);
    double worst = 0;
    for (int k = 0; k < 12; ++k) {
      run_until(simulation, 0.1 * (k + 1));
      worst = std::max(worst, simulation.diagnostics().compression->interior.mean);
    }
    printf("%s, %d iterations: mean compression of the interior at most %.4f, the law has %.4f\n",
           word_of(kernel).data(), iterations, worst, law);
    EXPECT_LT(worst, 3 * law);
    EXPECT_GT(worst, 0.1 * law);
  }
}

TEST_P(Pbf, ResultDoesNotDependOnTheSearch) {
  SimulationSetup setup = pbf_setup(column_setup(3, 6, 0.25f), 1.0f / 240);
  setup.fluids.push_back({.name = "oil", .rest_density = 800});
  setup.bodies.push_back(setup.bodies[0]);
  setup.bodies[1].min.y = setup.bodies[0].max.y = 0.25f;
  setup.bodies[1].fluid = 1;
  std::vector<Vec4> expected;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.1f}) {
      setup.neighbors.method = info.method;
      setup.neighbors.skin = skin;
      Simulation simulation(setup, device());
      run_steps(simulation, 10);
      const std::vector<Vec4> x = by_id<Vec4>(simulation, "position");
      if (expected.empty()) expected = x;
      double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, std::sqrt(double(length2(xyz(x[i]) - xyz(expected[i])))));
      EXPECT_LT(worst, 1e-4 * setup.spacing) << info.name << " with skin " << skin;
    }
}

TEST_P(Pbf, DeterministicRunsAreEqualToTheLastBit) {
  for (const NeighborMethod method : {NeighborMethod::Green, NeighborMethod::Hoetzlein, NeighborMethod::Fenns}) {
    SimulationSetup setup = pbf_setup(column_setup(3, 8, 0.25f), 1.0f / 240);
    setup.deterministic = true;
    setup.neighbors.method = method;
    setup.pbf.vorticity = 0.1f;
    std::uint64_t hash[2];
    for (std::uint64_t& h : hash) {
      Simulation simulation(setup, device());
      run_steps(simulation, 40);
      h = simulation.diagnostics().state_hash;
    }
    EXPECT_EQ(hash[0], hash[1]) << to_string(method);
  }
}

TEST_P(Pbf, StepsBeyondTheTimeLimitMoveNothing) {
  SimulationSetup setup = pbf_setup(column_setup(2, 10), 1.0f / 240);
  setup.pbf.vorticity = 0.1f;
  Simulation simulation(setup, device());
  run_until(simulation, 0.02);
  const std::uint64_t hash = simulation.diagnostics().state_hash;
  run_steps(simulation, 3);
  EXPECT_EQ(simulation.diagnostics().state_hash, hash);
}

// The residual is computed on copies: measuring a run does not change it.
TEST_P(Pbf, MeasuringLeavesTheRunAsItIs) {
  SimulationSetup setup = pbf_setup(column_setup(2, 10), 1.0f / 120);
  setup.deterministic = true;
  Simulation watched(setup, device()), alone(setup, device());
  for (int k = 0; k < 10; ++k) {
    run_steps(watched, 2);
    watched.diagnostics();
    run_steps(alone, 2);
  }
  EXPECT_EQ(watched.diagnostics().state_hash, alone.diagnostics().state_hash);
  EXPECT_EQ(watched.diagnostics().pbf->cut_corrections, alone.diagnostics().pbf->cut_corrections);
}

// The bound holds by construction, even if everything moves as far as it may: the search that a step used is still
// exact for h at the positions at the step's end.
TEST_P(Pbf, NoParticleIsCorrectedFurtherThanTheSearchCovers) {
  SimulationSetup setup = pbf_setup(periodic_setup(3, 10), 1.0f / 60);
  setup.bodies.push_back(setup.bodies[0]);  // twice the particles: each is compressed to half its volume
  setup.seed = 7;
  const FluidSamples samples = sample_bodies(setup);
  ParticleSet particles(device(), static_cast<int>(samples.position.size()));
  particles.add<Vec4>("position", Persistence::Carry).assign(samples.position);
  particles.add<Vec4>("velocity", Persistence::Carry).assign(samples.velocity);
  std::vector<std::uint32_t> id(samples.position.size());
  std::iota(id.begin(), id.end(), 0u);
  particles.add<std::uint32_t>("id", Persistence::Carry).assign(id);
  particles.add<std::uint32_t>("fluid", Persistence::Carry).assign(samples.fluid);
  pbf::PbfSolver solver(setup, particles);
  SearchSettings settings;
  settings.skin = 0.25f;  // such a search keeps the positions that it was built from
  const float h = setup.support_radius(), skin = settings.skin * pbf::search_radius(setup);
  StepControl control(device(), step_bounds(setup));
  StageTimer timer(device());
  std::uint64_t cut_corrections = 0;
  for (int k = 0; k < 5; ++k) {
    NeighborSearch search(device(), settings);
    solver.step(particles, search, control, timer);
    cut_corrections = solver.measure(particles, search, control.finish()).pbf->cut_corrections;
    const Vec4* x = particles.get<Vec4>("position").data();
    EXPECT_FALSE(search.displacement_exceeds(x, h + skin));
    if (k == 0) {
      EXPECT_TRUE(search.displacement_exceeds(x, h * (1 + 0.1f * setup.pbf.margin) + skin));
    }
  }
  EXPECT_GT(cut_corrections, 0u);
}

TEST_P(Pbf, SettingsThatMeanNothingAreRefused) {
  const auto message = [&](const SimulationSetup& setup) {
    try {
      Simulation simulation(setup, device());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  SimulationSetup setup = pbf_setup(column_setup(2, 10), 1.0f / 120);
  setup.pbf.iterations = 0;
  EXPECT_NE(message(setup).find("solver.iterations: found 0; allowed: at least 1"), std::string::npos);
  setup = pbf_setup(column_setup(2, 10), 1.0f / 120);
  setup.pbf.margin = 0;
  EXPECT_NE(message(setup).find("solver.margin"), std::string::npos);
  setup = pbf_setup(periodic_setup(2, 10), 1.0f / 120);
  setup.domain.max.x = 2.1f * setup.support_radius();  // enough for h, not with the margin
  EXPECT_NE(message(setup).find("periodic axis"), std::string::npos);
}

TEST_P(Pbf, WaterInATankComesToRest) {
  SimulationSetup setup = column_setup(2, 20, 1);
  setup.bodies[0].max = {4, 1, 1};
  setup = pbf_setup(setup, 1.0f / 120);
  Simulation simulation(setup, device());
  run_until(simulation, 6);
  const Diagnostics d = simulation.diagnostics();
  const double rms = std::sqrt(2 * d.kinetic_energy / d.mass), unit = std::sqrt(9.81);
  const double height = 2 * d.potential_energy / (d.mass * 9.81);  // of a column with that centre of mass
  printf("rms speed %.4f sqrt(gH), height %.4f of 1 m\n", rms / unit, height);
  EXPECT_LT(rms, 0.02 * unit);
  EXPECT_NEAR(height, 1, 0.03);
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Pbf);

// A property of the lattice and the kernel alone.
TEST(PbfLattice, RelaxationDoesNotDependOnTheResolution) {
  for (const int dimension : {2, 3}) {
    const auto at = [&](float spacing) {
      const pbf::LatticeGradients lattice = pbf::lattice_gradients(
          make_kernel(KernelKind::WendlandC2, dimension, 2.2f * spacing, spacing), dimension, spacing);
      return std::pair(lattice.squares * spacing * spacing, pbf::relaxation({}, lattice));
    };
    const auto [coarse_squares, coarse] = at(1.0f);
    const auto [fine_squares, fine] = at(0.01f);
    EXPECT_NEAR(fine_squares, coarse_squares, 1e-4 * coarse_squares);
    EXPECT_NEAR(fine, coarse, 1e-4);
  }
}

TEST(PbfStep, AutomaticStepKeepsTheExpectedCompressionBelowOnePercent) {
  for (const float length : {0.05f, 0.5f, 5.0f}) {
    SimulationSetup setup = column_setup(3, 20, length);
    setup.solver = SolverKind::Pbf;
    EXPECT_LT(pbf::expected_compression(setup, stable_dt(setup)), 0.01);
    EXPECT_LE(stable_dt(setup), 1.0f / 60);
  }
}

class LongPbf : public OnEachDevice {};

TEST_P(LongPbf, MomentumOfASpinningBallAfterAThousandSteps) {
  for (const int dimension : {2, 3}) {
    const double d = drift(spinning_ball(dimension), 1000, device());
    printf("%d-D: momentum drifts by %.2g M v_rms\n", dimension, d);
    EXPECT_LT(d, 1e-5);
  }
}

TEST_P(LongPbf, DamBreakOf64000ParticlesStaysWithinItsCompression) {
  for (const int iterations : {4, 10}) {
    SimulationSetup setup = column_setup(3, 20, 2);
    setup.bodies[0].max = {4, 4, 4};
    setup.domain.max = {8, 6, 4};
    setup.spacing = 0.1f;
    setup = pbf_setup(setup, 1.0f / 120);
    setup.pbf.iterations = iterations;
    Simulation simulation(setup, device());
    ASSERT_EQ(simulation.particle_count(), 64000);
    double mean = 0, p99 = 0;
    for (int k = 1; k <= 20; ++k) {
      run_until(simulation, 0.1 * k);
      const CompressionStats c = simulation.diagnostics().compression->interior;
      mean = std::max(mean, c.mean);
      p99 = std::max(p99, c.p99);
    }
    const Diagnostics d = simulation.diagnostics();
    printf("%d iterations: interior compressed by %.4f on average, 99th percentile %.4f; law %.4f; %llu cut\n",
           iterations, mean, p99, pbf::expected_compression(setup, setup.step.fixed),
           static_cast<unsigned long long>(d.pbf->cut_corrections));
    EXPECT_LT(mean, iterations == 4 ? 0.03 : 0.015);
    if (iterations == 4) {
      EXPECT_LT(p99, 0.10);
    }
    EXPECT_EQ(d.outside + d.non_finite, 0);
  }
}

TEST_P(LongPbf, RateOfConvergenceFallsWithTheDepth) {
  double shallower = 0;
  for (const int deep : {10, 20, 40}) {
    SimulationSetup setup = pbf_setup(column_setup(2, deep / 2, 0.5f), 1.0f / 120);
    setup.pbf.iterations = 10;
    setup.pbf.artificial_pressure = 0;
    Simulation simulation(setup, device());
    run_until(simulation, 0.65);
    const std::vector<double> e = simulation.diagnostics().pbf->residual;
    const double q = std::pow(e[10] / e[3], 1.0 / 7);
    printf("%d deep: q = %.3f, e(0) %.5f, e(1) %.5f, e(10) %.5f\n", deep, q, e[0], e[1], e[10]);
    if (deep == 20) {
      EXPECT_LT(e[10], 0.5 * e[1]);
    }
    EXPECT_LT(q, 1);
    EXPECT_GT(q, shallower - 0.02);
    shallower = q;
  }
}

TEST_P(LongPbf, TankOfEightThousandComesToRest) {
  SimulationSetup setup = column_setup(3, 20, 1);
  setup.domain.max = {1, 1.5f, 1};
  setup.bodies[0].max = {1, 1, 1};
  setup = pbf_setup(setup, 1.0f / 120);
  Simulation simulation(setup, device());
  run_until(simulation, 20);
  const Diagnostics d = simulation.diagnostics();
  const double rms = std::sqrt(2 * d.kinetic_energy / d.mass), unit = std::sqrt(9.81);
  const double height = 2 * d.potential_energy / (d.mass * 9.81);
  double bottom = 0;
  int count = 0;
  const auto position = by_id<Vec4>(simulation, "position");
  const auto density = by_id<float>(simulation, "density");
  for (std::size_t i = 0; i < position.size(); ++i)
    if (position[i].y < setup.spacing) bottom += std::max(0.0, density[i] / 1000.0 - 1), ++count;
  printf("rms speed %.4f sqrt(gH), height %.4f m, layer at the floor compressed by %.4f\n", rms / unit, height,
         bottom / count);
  EXPECT_LT(rms, 0.02 * unit);
  EXPECT_NEAR(height, 1, 0.03);
  EXPECT_LT(bottom / count, 0.05);
}

/// Mean x of the particles [m].
double centre_along_x(const Simulation& simulation) {
  double sum = 0;
  const std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host();
  for (const Vec4& x : position) sum += x.x;
  return sum / double(position.size());
}

// The first mode of a tank of width L and depth H has omega^2 = g k tanh kH, k = pi / L: here a period of 1.18 s, and the
// centre of mass is in the middle after a quarter and after three quarters of it. How fast the mode dies away is numerical
// and has no correct value: the decay is printed for the table of docs/benchmarks.md, and at the end the water is nearly
// level.
TEST_P(LongPbf, SloshingHasThePeriodOfTheTankAndDiesAway) {
  const double period = 2 * 3.14159265 / std::sqrt(9.81 * 3.14159265 * std::tanh(0.5 * 3.14159265));
  for (const int iterations : {2, 4, 10})
    for (const float dt : {1.0f / 120, 1.0f / 240}) {
      SimulationSetup setup = column_setup(2, 20, 0.5f);
      setup.domain.max = {1, 1.5f, 1};
      setup.bodies[0].max = {0.5f, 0.6f, 1};
      BodySetup lower = setup.bodies[0];
      lower.min = {0.5f, 0, 0};
      lower.max = {1, 0.4f, 1};
      setup.bodies.push_back(lower);
      setup = pbf_setup(setup, dt);
      setup.pbf.iterations = iterations;
      Simulation simulation(setup, device());
      std::vector<double> left{energy(simulation.diagnostics())}, tilt{centre_along_x(simulation) - 0.5};
      for (int k = 1; k <= 160; ++k) {
        run_until(simulation, 0.05 * k);
        left.push_back(energy(simulation.diagnostics()));
        tilt.push_back(centre_along_x(simulation) - 0.5);
      }
      std::size_t k = 0;  // energy itself swings between its two kinds; their sum only falls
      while (left[k] - left.back() > (left[0] - left.back()) / std::exp(1.0)) ++k;
      std::vector<double> level;  // [s] when the centre is in the middle
      for (std::size_t i = 1; i < tilt.size(); ++i)
        if ((tilt[i - 1] < 0) != (tilt[i] < 0)) level.push_back(0.05 * (double(i) - tilt[i] / (tilt[i] - tilt[i - 1])));
      double last = 0;
      for (double time = 0; time < period; time += 0.05)
        last = std::max(last, std::fabs(tilt[tilt.size() - 1 - static_cast<std::size_t>(time / 0.05)]));
      printf(
          "%d iterations, dt 1/%.0f s: mechanical energy above its last value falls to 1/e in %.2f s; level at %.3f "
          "and "
          "%.3f of a period; at the end the tilt is %.3f of the first\n",
          iterations, 1 / dt, 0.05 * double(k), level.empty() ? 0 : level[0] / period,
          level.size() < 2 ? 0 : level[1] / period, last / std::fabs(tilt[0]));
      ASSERT_GE(level.size(), 2u) << "it swings";
      EXPECT_NEAR(level[0], 0.25 * period, 0.05 * period);
      EXPECT_NEAR(level[1], 0.75 * period, 0.1 * period);
      EXPECT_LT(last, std::fabs(tilt[0]) / 3);
    }
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongPbf);

}  // namespace
}  // namespace riffle::test
