#include "sim/start/start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "support/devices.h"
#include "tests/sim/dpd/dpd_setups.h"

namespace riffle::test {
namespace {

TEST(Start, AnInterfaceGivesTheFluidsOutByHeightWhateverTheBodiesSay) {
  SimulationSetup setup = dpd_box(3, 8, Filling::Random);
  setup.domain.min.x = setup.bodies[0].min.x = -2;  // the wave is counted from the domain's corner
  setup.fluids.resize(3, setup.fluids[0]);
  setup.bodies[0].fluid = 1;
  setup.start.has_interface = true;
  setup.start.upper = 0;
  setup.start.lower = 2;
  setup.start.height = 3;
  setup.start.amplitude = 1;
  setup.start.wavelength = 5;
  FluidSamples samples = sample_bodies(setup);
  assign_fluids(setup, samples);
  std::map<std::uint32_t, double> count;
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    const Vec4 x = samples.position[i];
    const double surface = 3 + std::cos(6.28318530717958648 * (double{x.x} + 2) / 5);
    if (std::fabs(double{x.y} - surface) < 1e-4) continue;
    ASSERT_EQ(samples.fluid[i], x.y > surface ? 0u : 2u) << x.x << " " << x.y;
    ++count[samples.fluid[i]];
  }
  const double n = double(samples.position.size());
  EXPECT_NEAR(count[2] / n, 3.0 / 8, 5 * std::sqrt(0.24 / n));
}

TEST(Start, AnEquilibrationSaysHowFarItIsAndCanBeGivenUp) {
  SimulationSetup setup = dpd_box(3, 8, Filling::Random);
  setup.start.equilibration = 200 * setup.step.fixed;
  std::vector<std::uint64_t> told;
  const FluidSamples whole = start_samples(setup, Device{}, [&](const StartPoint& point) {
    if (point.stage != StartStage::Equilibration) return true;
    EXPECT_NEAR(double(point.all), 200, 1) << "the last step may be shorter";
    told.push_back(point.done);
    return true;
  });
  EXPECT_EQ(whole.position.size(), sample_bodies(setup).position.size());
  ASSERT_GE(told.size(), 4u);
  EXPECT_EQ(told.front(), 0u);
  EXPECT_GE(told.back(), 200u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  const auto soon = [](const StartPoint& point) { return point.stage != StartStage::Equilibration || point.done < 64; };
  EXPECT_THROW(start_samples(setup, Device{}, soon), StartGivenUp);
}

// A million particles without a solid: nothing but their number takes long.
TEST(Start, SamplingSaysHowFarItIsAndCanBeGivenUp) {
  SimulationSetup setup;
  setup.spacing = 0.01f;
  setup.domain.max = {1, 1, 1};
  setup.fluids = {FluidSetup{}};
  BodySetup ball;
  ball.shape = Shape::Sphere;
  ball.center = {0.5f, 0.5f, 0.5f};
  ball.radius = 0.5f;
  for (const Filling filling : {Filling::Lattice, Filling::Random}) {
    SCOPED_TRACE(filling == Filling::Lattice ? "lattice" : "random");
    ball.filling = filling;
    setup.bodies = {ball};
    const double all = 1e6 * 3.14159265358979 / 6;
    std::vector<std::uint64_t> told;
    std::size_t counting = 0;
    const FluidSamples whole = sample_bodies(setup, [&](const StartPoint& point) {
      counting += point.stage == StartStage::Counting;
      if (point.stage != StartStage::Particles) return true;
      EXPECT_NEAR(double(point.all), all, 0.01 * all);
      told.push_back(point.done);
      return true;
    });
    EXPECT_GE(counting, 1u);
    ASSERT_GE(told.size(), 100u);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_GT(double(told.back()), 0.95 * double(whole.position.size()));
    EXPECT_LE(told.back(), whole.position.size());
    std::size_t asked = 0;
    const auto no = [&](const StartPoint& point) { return point.stage != StartStage::Particles || ++asked < 10; };
    EXPECT_THROW(sample_bodies(setup, no), StartGivenUp);
    EXPECT_EQ(asked, 10u) << "at once";
  }
  std::size_t counting = 0;
  setup.bodies[0].filling = Filling::Lattice;
  const auto no = [&](const StartPoint& point) { return point.stage != StartStage::Counting || ++counting < 10; };
  EXPECT_THROW(count_particles(setup, no), StartGivenUp) << "counting walks all sites of a ball";
}

TEST(Start, ASimulationIsGivenUpBeforeItsMemoryIsTaken) {
  const SimulationSetup setup = dpd_box(3, 8, Filling::Random);
  std::vector<StartStage> stages;
  const auto no = [&](const StartPoint& point) {
    stages.push_back(point.stage);
    return point.stage != StartStage::Simulation;
  };
  EXPECT_THROW(Simulation(setup, Device{}, no), StartGivenUp);
  EXPECT_EQ(stages.back(), StartStage::Simulation);
  EXPECT_EQ(stages.front(), StartStage::Counting);
}

// Particles, the search, the solver with its walls and what is left: each takes seconds with millions of particles.
TEST(Start, ASimulationIsGivenUpBetweenItsPartsToo) {
  const SimulationSetup setup = column_setup(3, 6);
  for (int last = 1; last <= 4; ++last) {
    int looks = 0;
    const auto until = [&](const StartPoint& point) { return point.stage != StartStage::Simulation || ++looks < last; };
    EXPECT_THROW(Simulation(setup, Device{}, until), StartGivenUp) << last;
    EXPECT_EQ(looks, last);
  }
}

TEST(Start, MixedFluidsHaveEqualSharesEverywhere) {
  SimulationSetup setup = dpd_box(3, 8, Filling::Lattice);
  setup.fluids.resize(3, setup.fluids[0]);
  setup.start.mixed = true;
  FluidSamples samples = sample_bodies(setup);
  assign_fluids(setup, samples);
  double all[3] = {}, left[3] = {}, halves = 0;
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    ++all[samples.fluid[i]];
    if (samples.position[i].x < 4) ++left[samples.fluid[i]], ++halves;
  }
  for (int f = 0; f < 3; ++f) {
    EXPECT_NEAR(all[f], double(samples.position.size()) / 3, 1);
    EXPECT_NEAR(left[f], halves / 3, 5 * std::sqrt(halves * 2 / 9));
    EXPECT_NE(left[f], all[f]);
  }
  setup.seed = 2;
  FluidSamples others = sample_bodies(setup);
  assign_fluids(setup, others);
  EXPECT_NE(samples.fluid, others.fluid);
}

TEST(Start, MixedFluidsHaveTheirOwnSharesAndPartsOfTheRest) {
  SimulationSetup setup = dpd_box(3, 8, Filling::Lattice);
  setup.fluids.resize(4, setup.fluids[0]);
  setup.start.mixed = true;
  setup.fluids[1].share = 0.1f;
  setup.fluids[3].share = 0.3f;
  const double expected[] = {0.3, 0.1, 0.3, 0.3};
  FluidSamples samples = sample_bodies(setup);
  assign_fluids(setup, samples);
  double all[4] = {}, left[4] = {}, halves = 0;
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    ++all[samples.fluid[i]];
    if (samples.position[i].x < 4) ++left[samples.fluid[i]], ++halves;
  }
  for (int f = 0; f < 4; ++f) {
    EXPECT_NEAR(all[f], expected[f] * double(samples.position.size()), 1) << f;
    EXPECT_NEAR(left[f], expected[f] * halves, 5 * std::sqrt(halves * expected[f])) << "everywhere, fluid " << f;
  }
}

// The last fluid must not get what rounding leaves.
TEST(Start, AFluidWithAShareOfNothingHasNoParticle) {
  SimulationSetup setup = dpd_box(3, 8, Filling::Lattice);
  setup.fluids.resize(4, setup.fluids[0]);
  setup.start.mixed = true;
  for (const std::size_t f : {0u, 1u, 2u}) setup.fluids[f].share = f == 2 ? 0.3334f : 0.3333f;
  setup.fluids[3].share = 0;
  FluidSamples samples = sample_bodies(setup);
  assign_fluids(setup, samples);
  EXPECT_EQ(std::count(samples.fluid.begin(), samples.fluid.end(), 3u), 0);
  EXPECT_NEAR(double(std::count(samples.fluid.begin(), samples.fluid.end(), 0u)), double(samples.fluid.size()) / 3, 2);
}

TEST(Start, ThermalVelocitiesHaveTheTemperatureOfEachMassAndNoMomentum) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = dpd_box(dimension, dimension == 2 ? 40 : 12);
    setup.dpd.temperature = 2;
    setup.fluids.resize(2, setup.fluids[0]);
    setup.fluids[1].mass = 3;
    setup.start.mixed = true;
    setup.bodies[0].velocity = {0.5f, 0, 0};
    FluidSamples samples = sample_bodies(setup);
    assign_fluids(setup, samples);
    add_thermal_velocities(setup, samples);
    double kinetic[2] = {}, count[2] = {}, momentum[3] = {}, mass = 0, fourth = 0;
    for (std::size_t i = 0; i < samples.velocity.size(); ++i) {
      const std::uint32_t f = samples.fluid[i];
      const double m = setup.fluids[f].mass;
      const Vec3 v = xyz(samples.velocity[i]) - Vec3{0.5f, 0, 0};
      for (int a = 0; a < 3; ++a) momentum[a] += m * double{component(v, a)};
      mass += m;
      ++count[f];
      kinetic[f] += m * double{length2(v)};
      fourth += std::pow(double{v.x} * std::sqrt(m / 2), 4);
      ASSERT_TRUE(dimension == 3 || v.z == 0);
    }
    for (int f = 0; f < 2; ++f) {
      const double degrees = dimension * count[f];
      EXPECT_NEAR(kinetic[f] / degrees, 2, 2 * 4 * std::sqrt(2 / degrees)) << dimension << "-D, fluid " << f;
    }
    for (const double p : momentum) EXPECT_LT(std::fabs(p) / mass, 1e-7) << dimension << "-D";
    const double n = double(samples.velocity.size());
    EXPECT_NEAR(fourth / n, 3, 4 * std::sqrt(96 / n)) << "no normal distribution";
  }
}

class StartOnDevice : public OnEachDevice {};

TEST_P(StartOnDevice, EquilibrationMovesOneFluidWithoutGravity) {
  SimulationSetup plain = dpd_box(3, 5, Filling::Random);
  plain.start.equilibration = 0.5f;
  plain.deterministic = true;
  SimulationSetup two = plain;
  two.fluids.resize(2, two.fluids[0]);
  two.fluids[1].mass = 3;
  two.bodies[0].fluid = 1;
  two.dpd.repulsion.value[0][1] = two.dpd.repulsion.value[1][0] = two.dpd.repulsion.value[1][1] = 60;
  two.gravity = {0, -10, 0};
  two.start.has_interface = true;
  two.start.height = 2;
  const FluidSamples expected = start_samples(plain, device()), found = start_samples(two, device());
  const FluidSamples unmoved = sample_bodies(plain);
  ASSERT_EQ(expected.position.size(), 375u);
  ASSERT_EQ(found.position.size(), 375u);
  double farthest = 0;
  for (std::size_t i = 0; i < expected.position.size(); ++i) {
    ASSERT_EQ(xyz(expected.position[i]), xyz(found.position[i]));
    ASSERT_EQ(found.fluid[i], found.position[i].y > 2 ? 1u : 0u);
    farthest = std::max(farthest, double{length2(xyz(expected.position[i]) - xyz(unmoved.position[i]))});
  }
  EXPECT_GT(farthest, 0.01);
}

TEST_P(StartOnDevice, AfterAnEquilibrationFluidAndVelocityAreThoseOfTheBodyInWhichAParticleLies) {
  SimulationSetup setup = dpd_box(3, 5, Filling::Random);
  setup.fluids.resize(2, setup.fluids[0]);
  BodySetup lower = setup.bodies[0], upper = lower;
  lower.max.y = upper.min.y = 2;
  lower.velocity = {40, 0, 0};
  upper.velocity = {-40, 0, 0};
  upper.fluid = 1;
  setup.bodies = {lower, upper};
  setup.start.equilibration = 2;  // particles have diffused over half a cut-off radius by then
  const FluidSamples samples = start_samples(setup, device()), unmoved = sample_bodies(setup);
  ASSERT_EQ(samples.position.size(), unmoved.position.size());
  int crossed = 0;
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    const bool is_upper = samples.position[i].y > 2;
    ASSERT_EQ(samples.fluid[i], is_upper ? 1u : 0u) << samples.position[i].y;
    ASSERT_EQ(samples.velocity[i].x < 0, is_upper) << samples.position[i].y;
    crossed += is_upper != (unmoved.position[i].y > 2);
  }
  EXPECT_GT(crossed, 10);
}

TEST_P(StartOnDevice, AfterAnEquilibrationParticlesOutsideOfAllBodiesKeepTheirs) {
  SimulationSetup setup = dpd_box(3, 5, Filling::Random);
  setup.fluids.resize(2, setup.fluids[0]);
  BodySetup lower = setup.bodies[0], upper = lower;
  lower.max.y = 2, upper.min.y = 3;  // with a gap between them
  lower.velocity = {40, 0, 0};
  upper.velocity = {-40, 0, 0};
  upper.fluid = 1;
  setup.bodies = {lower, upper};
  setup.start.equilibration = 1;
  const FluidSamples samples = start_samples(setup, device()), before = sample_bodies(setup);
  int outside[2] = {0, 0};
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    if (!(samples.position[i].y > 2 && samples.position[i].y < 3)) continue;
    ++outside[before.fluid[i]];
    ASSERT_EQ(samples.fluid[i], before.fluid[i]);
    ASSERT_EQ(samples.velocity[i].x < 0, before.fluid[i] == 1u);
  }
  EXPECT_GT(outside[0], 5);
  EXPECT_GT(outside[1], 5);
}

TEST_P(StartOnDevice, AfterAnEquilibrationTheFlowIsThatOfTheNewPlaces) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = dpd_box(dimension, dimension == 2 ? 10 : 5, Filling::Random);
    BodySetup& body = setup.bodies[0];
    body.velocity = {0, 0, 20};
    body.flow.flow = Flow::Shear;
    body.flow.rate = 100;
    setup.start.equilibration = 1;
    const FluidSamples samples = start_samples(setup, device()), before = sample_bodies(setup);
    float farthest = 0;
    for (std::size_t i = 0; i < samples.position.size(); ++i) {
      const Vec4 x = samples.position[i], v = samples.velocity[i];
      ASSERT_NEAR(v.x, 100 * x.y, 8) << "within eight times the thermal speed";
      if (dimension == 2)
        ASSERT_EQ(v.z, 0);
      else
        ASSERT_NEAR(v.z, 20, 8);
      farthest = std::max(farthest, std::fabs(x.y - before.position[i].y));
    }
    EXPECT_GT(farthest, 0.2f) << dimension << "-D: the old places have another flow";
  }
}

TEST_P(StartOnDevice, AfterAnEquilibrationParticlesOfAFileKeepTheirVelocities) {
  SimulationSetup setup = dpd_box(3, 5, Filling::Random);
  const FluidSamples places = sample_bodies(setup);
  const auto file = std::make_shared<FileParticles>();
  for (std::size_t i = 0; i < places.position.size(); ++i) {
    file->position.push_back(xyz(places.position[i]));
    file->velocity.push_back({i % 2 == 0 ? 0.5f : -0.5f, 0.25f, 0});
  }
  file->fastest = 1;
  setup.bodies[0].particles.from = file;
  setup.start.equilibration = 0.5f;
  const FluidSamples samples = start_samples(setup, device());
  ASSERT_EQ(samples.velocity.size(), file->size());
  for (std::size_t i = 0; i < file->size(); ++i) ASSERT_EQ(xyz(samples.velocity[i]), file->velocity[i]);
  EXPECT_NE(xyz(samples.position[0]), file->position[0]);
}

TEST_P(StartOnDevice, AnEquilibratedFluidStartsAtTimeZeroAtRestInTheMeanWithItsTemperature) {
  SimulationSetup setup = two_fluid_box(5, Filling::Random);
  const double random_energy = Simulation(setup, device()).diagnostics().thermal->pair_energy;
  setup.start.equilibration = 2;
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  EXPECT_EQ(simulation.finish().step, 0u);
  EXPECT_EQ(simulation.finish().time, 0);
  const Diagnostics d = simulation.diagnostics();
  // In one fluid: pairs of unlike particles store more once the fluids are distinguished, half of 15/25 more.
  EXPECT_GT(random_energy, 8.5);
  EXPECT_NEAR(d.thermal->pair_energy, 4.547 * 1.3, 0.5);
  EXPECT_NEAR(d.thermal->temperature, 1, 0.17);  // 4 standard errors of 375 particles
  for (const double p : d.momentum) EXPECT_LT(std::fabs(p), 1e-6 * d.mass);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(StartOnDevice);

TEST(RandomFilling, HasTheCountOfItsVolumeInsideItsShapeAndEvenly) {
  for (const int dimension : {2, 3})
    for (const Shape shape : {Shape::Box, Shape::Sphere}) {
      SimulationSetup setup = dpd_box(dimension, 20, Filling::Random);
      BodySetup& body = setup.bodies[0];
      body.shape = shape;
      body.min = {2, 3, dimension == 3 ? 4.0f : 0};
      body.max = {10, 11.5f, dimension == 3 ? 9.0f : 0};
      body.center = {9, 10, dimension == 3 ? 8.0f : 0};
      body.radius = 4.5f;
      const double volume = shape == Shape::Box ? 8 * 8.5 * (dimension == 3 ? 5 : 1)
                                                : 3.14159265358979 * 4.5 * 4.5 * (dimension == 3 ? 6 : 1);
      const FluidSamples samples = sample_bodies(setup);
      ASSERT_NEAR(double(samples.position.size()), 3 * volume, 0.51) << dimension << "-D";
      EXPECT_EQ(count_particles(setup), static_cast<std::int64_t>(samples.position.size()));
      const Vec3 middle = shape == Shape::Box ? (body.min + body.max) * 0.5f : body.center;
      double part[8] = {};
      for (const Vec4& x : samples.position) {
        const Vec3 off = xyz(x) - middle;
        if (shape == Shape::Sphere) {
          ASSERT_LE(length2(off), 4.5f * 4.5f * 1.00001f);
        } else {
          for (int a = 0; a < dimension; ++a) {
            ASSERT_GE(component(xyz(x), a), component(body.min, a));
            ASSERT_LE(component(xyz(x), a), component(body.max, a));
          }
        }
        ASSERT_TRUE(dimension == 3 || x.z == 0);
        ++part[(off.x > 0) + 2 * (off.y > 0) + 4 * (dimension == 3 && off.z > 0)];
      }
      const int parts = dimension == 2 ? 4 : 8;
      const double expected = double(samples.position.size()) / parts;
      for (int p = 0; p < parts; ++p) EXPECT_NEAR(part[p], expected, 4.5 * std::sqrt(expected));
    }
}

// As floats 0.1 and 0.2 are a little larger than these numbers.
TEST(Mixture, SharesAreTheDecimalNumbersThatAreGiven) {
  SimulationSetup setup = dpd_box(3, 10, Filling::Random);
  setup.start.mixed = true;
  setup.fluids.push_back(setup.fluids[0]);
  for (const float share : {0.1f, 0.2f, 0.3f, 0.4f, 0.6f, 0.7f, 0.9f}) {
    setup.fluids[0].share = share;
    setup.fluids[1].share = -1;
    FluidSamples samples = sample_bodies(setup);
    assign_fluids(setup, samples);
    ASSERT_EQ(samples.fluid.size(), 3000u);
    EXPECT_EQ(std::count(samples.fluid.begin(), samples.fluid.end(), 0u), std::lround(share * 3000)) << share;
  }
}

TEST(RandomFilling, BodiesAndSeedsHavePlacesOfTheirOwn) {
  SimulationSetup setup = dpd_box(3, 4, Filling::Random);
  setup.bodies.push_back(setup.bodies[0]);
  const auto sorted = [](std::vector<Vec4> places) {
    std::vector<float> x;
    for (const Vec4& p : places) x.push_back(p.x);
    std::sort(x.begin(), x.end());
    return x;
  };
  const std::vector<float> x = sorted(sample_bodies(setup).position);
  EXPECT_EQ(std::adjacent_find(x.begin(), x.end()), x.end());
  EXPECT_EQ(x, sorted(sample_bodies(setup).position));
  setup.seed = 2;
  EXPECT_NE(x, sorted(sample_bodies(setup).position));
}

}  // namespace
}  // namespace riffle::test
