/// What probes measure, against sums over all particles and flows whose values are known; and when they do.

#include "sim/probes/probe_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/kernel.h"
#include "sim/probes/probe_places.h"
#include "sim/solver_info.h"
#include "support/devices.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/solver_cases.h"
#include "tests/sim/velocity_field.h"

namespace riffle::test {
namespace {

class ProbeMeterTest : public OnEachDevice {};

ProbeSetup point_at(Vec3 at, std::vector<Quantity> quantities = {}, ProbeFit fit = ProbeFit::Shepard) {
  return {.at = at, .quantities = std::move(quantities), .fit = fit};
}

/// The same by a sum over all particles in double precision.
struct Expected {
  double share = 0;
  double velocity[3] = {}, speed = 0, density = 0;
};

Expected expected_at(const Simulation& simulation, Vec3 place) {
  const SimulationSetup& setup = simulation.setup();
  const Domain& domain = setup.domain;
  const auto position = simulation.particles().get<Vec4>("position").to_host();
  const auto velocity = simulation.particles().get<Vec4>("velocity").to_host();
  std::vector<float> density(position.size(), 0);
  if (simulation.particles().has("density")) density = simulation.particles().get<float>("density").to_host();
  const double h = setup.support_radius();
  const SmoothingKernel kernel =
      make_kernel(KernelKind::WendlandC2, domain.dimension, static_cast<float>(h), setup.spacing);
  Expected sum;
  double w_all = 0;
  for (std::size_t j = 0; j < position.size(); ++j) {
    double r2 = 0;
    for (int a = 0; a < domain.dimension; ++a) {
      double d = double{component(xyz(position[j]), a)} - double{component(place, a)};
      const double length = double{component(domain.extent(), a)};
      if (domain.periodic(a)) d -= length * std::round(d / length);
      r2 += d * d;
    }
    if (r2 >= h * h) continue;
    const double w = kernel.value(static_cast<float>(std::sqrt(r2)));
    const Vec3 v = xyz(velocity[j]);
    w_all += w;
    for (int a = 0; a < 3; ++a) sum.velocity[a] += w * double{component(v, a)};
    sum.speed += w * std::sqrt(double{length2(v)});
    sum.density += w * double{density[j]};
  }
  for (double& v : sum.velocity) v /= w_all;
  sum.speed /= w_all;
  sum.density /= w_all;
  sum.share = w_all * setup.particle_volume() / room_around(place, setup);
  return sum;
}

TEST_P(ProbeMeterTest, MeansAreThoseOfASumOverAllParticles) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    const Domain& domain = c.setup.domain;
    const Vec3 size = domain.extent();
    std::vector<ProbeSetup> probes;
    std::vector<Vec3> places;
    for (const Vec3 share : {Vec3{0.11f, 0.07f, 0.3f}, Vec3{0.02f, 0.01f, 0.01f}, Vec3{0.5f, 0.9f, 0.5f},
                             Vec3{0.99f, 0.4f, 0.98f}, Vec3{0.21f, 0.11f, 0.13f}, Vec3{0.15f, 0.02f, 0.11f}}) {
      Vec3 x = domain.min + Vec3{share.x * size.x, share.y * size.y, share.z * size.z};
      if (domain.dimension == 2) x.z = 0;
      std::vector<Quantity> quantities = {Quantity::VelocityX, Quantity::VelocityY, Quantity::Speed};
      if (solver_info(c.setup).has_density) quantities.push_back(Quantity::Density);
      places.push_back(x);
      probes.push_back(point_at(x, quantities));
    }
    ProbeMeter meter(simulation, probes);
    int in_fluid = 0;
    for (const int steps : {0, 4}) {
      for (int k = 0; k < steps; ++k) simulation.step();
      const ProbeSample sample = meter.measure(simulation);
      EXPECT_EQ(sample.time, simulation.finish().time);
      ASSERT_EQ(sample.values.size(), meter.columns().size());
      const std::size_t per_point = sample.values.size() / places.size();
      for (std::size_t p = 0; p < places.size(); ++p) {
        const Expected expected = expected_at(simulation, places[p]);
        const double* const found = &sample.values[p * per_point];
        if (std::fabs(expected.share - 0.5) < 1e-3) continue;
        if (expected.share < 0.5) {
          for (std::size_t k = 0; k < per_point; ++k) EXPECT_TRUE(std::isnan(found[k]));
          continue;
        }
        ++in_fluid;
        const double scale = 1e-5 * (1 + expected.speed);
        EXPECT_NEAR(found[0], expected.velocity[0], scale);
        EXPECT_NEAR(found[1], expected.velocity[1], scale);
        EXPECT_NEAR(found[2], expected.speed, scale);
        if (per_point > 3) {
          EXPECT_TRUE(steps == 0 ? std::isnan(found[3])
                                 : std::fabs(found[3] - expected.density) <= 1e-5 * expected.density)
              << found[3] << " " << expected.density;
        }
      }
    }
    EXPECT_GT(in_fluid, 3);
  }
}

TEST_P(ProbeMeterTest, ALinearFitIsExactForALinearFieldAndAtASurfaceToo) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = free_block(SolverKind::Wcsph, dimension);
    setup.bodies[0].jitter = 0.3f;
    Simulation simulation(setup, device());
    const auto field = [&](Vec3 x) {
      return Vec3{1 + 2 * x.x - 3 * x.y + (dimension == 3 ? x.z : 0), 4 * x.y - 5 * x.x, 0};
    };
    set_velocities(simulation, field);
    const float low = setup.bodies[0].min.y;
    std::vector<ProbeSetup> probes;
    std::vector<Vec3> places = {{0.45f, 0.45f, 0.45f}, {0.45f, low + 0.5f * setup.spacing, 0.5f}};
    for (Vec3& x : places) {
      if (dimension == 2) x.z = 0;
      for (const ProbeFit fit : {ProbeFit::Linear, ProbeFit::Shepard})
        probes.push_back(point_at(x, {Quantity::VelocityX, Quantity::VelocityY}, fit));
    }
    ProbeMeter meter(simulation, probes);
    const ProbeSample sample = meter.measure(simulation);
    for (std::size_t p = 0; p < places.size(); ++p) {
      const Vec3 exact = field(places[p]);
      EXPECT_NEAR(sample.values[4 * p], exact.x, 1e-4) << dimension << "-D, " << p;
      EXPECT_NEAR(sample.values[4 * p + 1], exact.y, 1e-4) << dimension << "-D, " << p;
      const double off = std::fabs(sample.values[4 * p + 3] - exact.y);
      if (p == 1) {
        EXPECT_GT(off, 0.02);  // the mean is of a place further inside
      }
    }
  }
}

TEST_P(ProbeMeterTest, TheLevelOfABlockIsItsTop) {
  for (const int dimension : {2, 3})
    for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph}) {
      SimulationSetup setup = with_solver(column_setup(dimension, 10), solver);
      Simulation simulation(setup, device());
      float top = 0, right = 0;
      for (const Vec4& x : simulation.particles().get<Vec4>("position").to_host())
        top = std::max(top, x.y), right = std::max(right, x.x);
      top += 0.5f * setup.spacing, right += 0.5f * setup.spacing;
      const Domain& domain = setup.domain;
      std::vector<ProbeSetup> probes;
      const float z = dimension == 3 ? domain.min.z + 2.3f * setup.spacing : 0;
      for (const float x : {domain.min.x, domain.min.x + 1.7f * setup.spacing, right + 2 * setup.support_radius()})
        probes.push_back({.kind = ProbeKind::Level, .at = {x, domain.min.y, z}, .to = {x, domain.max.y, z}});
      ProbeMeter meter(simulation, probes);
      const ProbeSample sample = meter.measure(simulation);
      ASSERT_EQ(sample.values.size(), 6u);
      for (int k = 0; k < 4; ++k)
        EXPECT_NEAR(sample.values[static_cast<std::size_t>(k)], top - domain.min.y, 0.1f * setup.spacing)
            << dimension << "-D, " << k;
      EXPECT_EQ(sample.values[4], 0);
      EXPECT_EQ(sample.values[5], 0);
    }
}

TEST_P(ProbeMeterTest, AFlowIsTheVelocityTimesTheAreaBetweenWallsToo) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = with_solver(periodic_setup(dimension, dimension == 2 ? 24 : 12), SolverKind::Wcsph);
    setup.domain.axis[1] = Axis::Walled;
    setup.bodies[0].jitter = 0;
    Simulation simulation(setup, device());
    const Vec3 low = setup.domain.min, size = setup.domain.extent();
    set_velocities(simulation, [](Vec3) { return Vec3{0.3f, 0.05f, 0}; });
    const auto across = [&](float from, float to) {
      ProbeSetup flow{.kind = ProbeKind::Flow};
      flow.at = {low.x + 0.37f * size.x, low.y + from * size.y, low.z};
      flow.side = {0, (to - from) * size.y, 0};
      flow.other_side = {0, 0, size.z};
      if (dimension == 2) flow.at.z = 0, flow.other_side = {0, 0, 0};
      return flow;
    };
    ProbeSetup turned = across(0, 1);  // through its other side
    turned.at = turned.at + turned.side, turned.side = -turned.side;
    const std::vector<ProbeSetup> probes = {across(0, 1), across(0, 0.5f), across(0.25f, 0.75f), turned};
    ProbeMeter meter(simulation, probes);
    const ProbeSample sample = meter.measure(simulation);
    const double whole = 0.3 * double{size.y} * (dimension == 3 ? double{size.z} : 1);
    EXPECT_NEAR(sample.values[0], whole, 0.01 * whole);
    EXPECT_NEAR(sample.values[1], 0.5 * whole, 0.01 * whole);
    EXPECT_NEAR(sample.values[2], 0.5 * whole, 0.01 * whole);
    EXPECT_NEAR(sample.values[3], -sample.values[0], 1e-5 * whole);
  }
}

// Rows of particles pass the planes, so the mean over a spacing is what a run measures.
TEST_P(ProbeMeterTest, AFlowIsOnAverageThatOfTheParticlesThatPass) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph})
    for (const int dimension : {2, 3}) {
      SimulationSetup setup = with_solver(periodic_setup(dimension, 12), solver);
      setup.bodies[0].jitter = 0;
      constexpr int kPlanes = 8;
      std::vector<ProbeSetup> probes;
      for (int k = 0; k < kPlanes; ++k) {
        ProbeSetup flow{.kind = ProbeKind::Flow};
        flow.at = {0.4f + setup.spacing * static_cast<float>(k) / kPlanes, 0, 0};
        flow.side = {0, 1, 0};
        if (dimension == 3) flow.other_side = {0, 0, 1};
        probes.push_back(flow);
      }
      Simulation simulation(setup, device());
      set_velocities(simulation, [](Vec3) { return Vec3{0.3f, 0.05f, 0}; });
      ProbeMeter meter(simulation, probes);
      double mean = 0;
      for (const double flow : meter.measure(simulation).values) mean += flow / kPlanes;
      EXPECT_NEAR(mean, 0.3, 0.003 * 0.3) << to_string(solver) << ", " << dimension << "-D";
    }
}

// Particles of DPD lie on no lattice, and near a place there are often half as many as on average.
TEST_P(ProbeMeterTest, OfDpdHaveTheWholeFlowAndAValueEverywhere) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = with_solver(dpd_box(dimension, dimension == 2 ? 16 : 8), SolverKind::Dpd);
    setup.bodies[0].velocity = {1, 0, 0};
    const Vec3 size = setup.domain.extent();
    std::vector<ProbeSetup> probes(2);
    probes[0].kind = ProbeKind::Flow;
    probes[0].at = {0.4f * size.x, 0, 0};
    probes[0].side = {0, size.y, 0};
    probes[0].other_side = {0, 0, size.z};
    probes[1].kind = ProbeKind::Line;
    probes[1].at = {0, 0.3f * size.y, dimension == 3 ? 0.3f * size.z : 0};
    probes[1].to = {size.x, 0.7f * size.y, dimension == 3 ? 0.6f * size.z : 0};
    probes[1].points[0] = 40;
    probes[1].quantities = {Quantity::VelocityX};
    Simulation simulation(setup, device());
    ProbeMeter meter(simulation, probes);
    run_steps(simulation, 50);  // off the lattice of the start
    double flow = 0, along = 0, values = 0;
    constexpr int kSamples = 40;
    for (int k = 0; k < kSamples; ++k) {
      run_steps(simulation, 10);
      const ProbeSample sample = meter.measure(simulation);
      flow += sample.values[0] / kSamples;
      for (std::size_t p = 1; p < sample.values.size(); ++p) {
        ASSERT_FALSE(std::isnan(sample.values[p])) << p;
        along += sample.values[p], ++values;
      }
    }
    const double area = dimension == 2 ? size.y : double{size.y} * size.z;
    EXPECT_NEAR(flow, area, 0.03 * area);
    EXPECT_NEAR(along / values, 1, 0.12) << "the thermal speed is 1, and a few particles are near a place";
  }
}

// Flows through planes that lie evenly along the axis have the mean of all particles, wherever those lie.
TEST_P(ProbeMeterTest, OfDpdMissNoLayerBesideMirrorsAndSolids) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = with_solver(dpd_box(dimension, dimension == 2 ? 16 : 8), SolverKind::Dpd);
    const Vec3 size = setup.domain.extent();
    setup.domain.axis[1] = Axis::Walled;
    setup.bodies[0].velocity = {1, 0, 0};
    setup.bodies[0].min.y = 0.25f * size.y;
    SolidRegion floor;
    floor.max = {size.x, 0.25f * size.y, size.z};
    setup.solid_regions = {floor};
    const float width = kFlowHalfWidth * setup.support_radius();
    const int planes = static_cast<int>(std::ceil(4 * size.x / width));
    std::vector<ProbeSetup> probes;
    for (int k = 0; k < planes; ++k) {
      ProbeSetup flow{.kind = ProbeKind::Flow};
      flow.at = {size.x * (0.3f + static_cast<float>(k)) / static_cast<float>(planes), 0, 0};
      flow.side = {0, size.y, 0};
      if (dimension == 3) flow.other_side = {0, 0, size.z};
      probes.push_back(flow);
    }
    Simulation simulation(setup, device());
    run_steps(simulation, 100);  // particles gather beside mirrors
    ProbeMeter meter(simulation, probes);
    const ProbeSample sample = meter.measure(simulation);
    double mean = 0, expected = 0;
    for (const double flow : sample.values) mean += flow / planes;
    for (const Vec4& v : simulation.particles().get<Vec4>("velocity").to_host())
      expected += setup.particle_volume() * double{v.x} / double{size.x};
    EXPECT_NEAR(mean, expected, 0.004 * expected) << dimension << "-D";
  }
}

TEST_P(ProbeMeterTest, InsideSolidsThereIsNoFluid) {
  SimulationSetup setup = with_solver(periodic_setup(2, 50), SolverKind::Wcsph);
  setup.bodies[0].jitter = 0;
  SolidRegion floor, lid;
  floor.max = {1, 0.2f, 0};
  lid.min = {0, 0.6f, 0};
  lid.max = {1, 1, 0};
  setup.domain.axis[1] = Axis::Walled;
  setup.solid_regions = {floor, lid};
  Simulation simulation(setup, device());
  set_velocities(simulation, [](Vec3) { return Vec3{1, 0, 0}; });
  const std::vector<ProbeSetup> probes = {{.kind = ProbeKind::Flow, .at = {0.5f, 0.2f, 0}, .side = {0, 0.4f, 0}},
                                          {.kind = ProbeKind::Flow, .at = {0.5f, 0, 0}, .side = {0, 0.8f, 0}},
                                          {.kind = ProbeKind::Level, .at = {0.5f, 0, 0}, .to = {0.5f, 0.9f, 0}},
                                          point_at({0.5f, 0.18f, 0}, {Quantity::VelocityX}),
                                          point_at({0.5f, 0.2f, 0}, {Quantity::VelocityX})};
  ProbeMeter meter(simulation, probes);
  const std::vector<double> values = meter.measure(simulation).values;
  EXPECT_NEAR(values[0], 0.4, 0.004);
  EXPECT_NEAR(values[1], 0.4, 0.008);
  EXPECT_NEAR(values[2], 0.6, 0.01) << "half a spacing";
  EXPECT_NEAR(values[3], 0.4, 0.01);
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_NEAR(values[5], 1, 1e-5) << "on its surface";
}

SimulationSetup small_run() {
  SimulationSetup setup = with_solver(column_setup(2, 6), SolverKind::Wcsph);
  setup.step.fixed = 1e-4f;
  return setup;
}

TEST_P(ProbeMeterTest, SamplesAreOfTheFirstStepsAtOrAfterTheirTimes) {
  Simulation simulation(small_run(), device());
  const std::vector<ProbeSetup> probes = {point_at({0.05f, 0.05f, 0}, {Quantity::VelocityY})};
  ProbeMeter meter(simulation, probes, 3.5e-4), idle(simulation, probes);
  meter.after_step(simulation);
  idle.after_step(simulation);
  for (int k = 0; k < 12; ++k) {
    simulation.step();
    meter.after_step(simulation);
    idle.after_step(simulation);
  }
  const std::vector<ProbeSample> samples = meter.collect();
  std::vector<int> steps;
  for (const ProbeSample& sample : samples) steps.push_back(static_cast<int>(std::lround(sample.time / 1e-4)));
  EXPECT_EQ(steps, (std::vector<int>{0, 4, 7, 11}));
  EXPECT_TRUE(meter.collect().empty());
  EXPECT_TRUE(idle.collect().empty());
  EXPECT_EQ(samples.back().values.size(), 1u);
  EXPECT_LT(samples.back().values[0], samples[1].values[0]);  // it falls
}

TEST_P(ProbeMeterTest, KeepsMoreSamplesThanItsMemoryOnTheDeviceHolds) {
  SimulationSetup setup = small_run();
  setup.bodies = {body_of_one_particle(setup, {0.1f, 0.1f, 0})};
  Simulation simulation(setup, device());
  const std::vector<ProbeSetup> probes = {point_at({0.1f, 0.1f, 0}, {Quantity::VelocityY})};
  ProbeMeter meter(simulation, probes, 1e-9);
  constexpr int kSteps = 4500;
  for (int k = 0; k <= kSteps; ++k) {
    if (k > 0) simulation.step();
    meter.after_step(simulation);
  }
  const std::vector<ProbeSample> samples = meter.collect();
  ASSERT_EQ(samples.size(), static_cast<std::size_t>(kSteps + 1));
  for (int k = 0; k <= kSteps; ++k) ASSERT_NEAR(samples[static_cast<std::size_t>(k)].time, k * 1e-4, 1e-6);
}

TEST_P(ProbeMeterTest, DoesNotChangeTheRunAndRepeats) {
  std::vector<ProbeSetup> probes = {point_at({0.05f, 0.05f, 0}), point_at({0.03f, 0.01f, 0}, {}, ProbeFit::Linear)};
  probes.push_back({.kind = ProbeKind::Level, .at = {0.04f, 0, 0}, .to = {0.04f, 0.3f, 0}});
  SimulationSetup setup = small_run();
  setup.deterministic = true;
  Simulation plain(setup, device());
  for (int k = 0; k < 20; ++k) plain.step();
  std::vector<std::vector<double>> rows;
  for (int repeat = 0; repeat < 2; ++repeat) {
    Simulation probed(setup, device());
    ProbeMeter meter(probed, probes, 1e-4);
    for (int k = 0; k < 20; ++k) probed.step(), meter.after_step(probed);
    EXPECT_EQ(hash_of(probed), hash_of(plain));
    std::vector<double> all;
    for (const ProbeSample& sample : meter.collect()) all.insert(all.end(), sample.values.begin(), sample.values.end());
    rows.push_back(all);
  }
  EXPECT_GT(rows[0].size(), 100u);
  for (std::size_t k = 0; k < rows[0].size(); ++k)
    EXPECT_TRUE(rows[0][k] == rows[1][k] || (std::isnan(rows[0][k]) && std::isnan(rows[1][k])));
}

TEST_P(ProbeMeterTest, KnowsWhetherItSuitsASimulation) {
  const std::vector<ProbeSetup> probes = {point_at({0.05f, 0.05f, 0})};
  Simulation first(small_run(), device()), same(small_run(), device());
  SimulationSetup other = small_run();
  other.support_ratio = 2.5f;
  Simulation wider(other, device());
  other = small_run();
  other.solver = SolverKind::Pbf;
  Simulation pbf(other, device());
  const ProbeMeter meter(first, probes);
  EXPECT_TRUE(meter.suits(same));
  EXPECT_FALSE(meter.suits(wider));
  EXPECT_FALSE(meter.suits(pbf));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ProbeMeterTest);

}  // namespace
}  // namespace riffle::test
