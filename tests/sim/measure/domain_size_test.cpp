/// The size of the domains of two fluids against sums over all particles, and where it is known.

#include "sim/measure/domain_size.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "sim/measure/pair_mixing.h"
#include "support/devices.h"
#include "tests/sim/dpd/dpd_setups.h"

namespace riffle::test {
namespace {

class DomainSize : public OnEachDevice {};

SimulationSetup parting(int dimension, Vec3 edges, bool mixed) {
  SimulationSetup setup = dpd_box(dimension, 6, Filling::Random);
  setup.domain.max = setup.bodies[0].max = dimension == 3 ? edges : Vec3{edges.x, edges.y, 0};
  setup.fluids.push_back(setup.fluids[0]);
  setup.fluids[1].name = "other";
  if (mixed) {
    setup.start.mixed = true;
  } else {
    setup.bodies.push_back(setup.bodies[0]);
    setup.bodies[0].max.x = setup.bodies[1].min.x = 0.5f * setup.domain.max.x;
    setup.bodies[1].fluid = 1;
  }
  return setup;
}

/// Every wave k and -k, every particle; places are rounded down to the grid's.
double size_by_sums(const Simulation& simulation, const int (&grid)[3]) {
  const SimulationSetup& setup = simulation.setup();
  const auto position = by_id<Vec4>(simulation, "position");
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  const double longest = std::max({double{setup.domain.max.x}, double{setup.domain.max.y}, double{setup.domain.max.z}});
  const double most = std::min(1 / 2.2, 16 / longest);
  double sum = 0, weighted = 0;
  constexpr int reach = 17;
  const int reach_z = setup.domain.dimension == 3 ? reach : 0;
  for (int a = -reach; a <= reach; ++a)
    for (int b = -reach; b <= reach; ++b)
      for (int c = -reach_z; c <= reach_z; ++c) {
        const int m[3] = {a, b, c};
        double k2 = 0;
        for (int axis = 0; axis < setup.domain.dimension; ++axis)
          k2 += std::pow(m[axis] / double{component(setup.domain.max, axis)}, 2);
        const double k = std::sqrt(k2);
        if (k2 == 0 || k > most * (1 + 1e-9)) continue;
        std::complex<double> amplitude = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
          double phase = 0;
          for (int axis = 0; axis < setup.domain.dimension; ++axis) {
            const double share =
                double{component(xyz(position[i]), axis)} * (1 / double{component(setup.domain.max, axis)});
            phase += m[axis] * std::floor(share * grid[axis]) / grid[axis];
          }
          amplitude += (fluid[i] == 0 ? 1.0 : -1.0) * std::polar(1.0, -2 * std::numbers::pi * phase);
        }
        sum += std::norm(amplitude);
        weighted += std::norm(amplitude) * k;
      }
  return sum / weighted;
}

TEST_P(DomainSize, IsThatOfSumsOverAllParticles) {
  struct Case {
    int dimension;
    Vec3 edges;
    int grid[3];
  };
  // Waves of at least 2.2: 2, 3 and 4 along edges of 6, 8 and 9.
  for (const Case& c :
       {Case{3, {6, 6, 6}, {16, 16, 16}}, Case{3, {6, 9, 8}, {16, 32, 32}}, Case{2, {9, 6, 0}, {32, 16, 1}}})
    for (const bool mixed : {false, true}) {
      Simulation simulation(parting(c.dimension, c.edges, mixed), device());
      run_steps(simulation, 5);
      const double expected = size_by_sums(simulation, c.grid);
      EXPECT_NEAR(domain_size(simulation), expected, 1e-9 * expected) << c.dimension << "-D, mixed " << mixed;
      EXPECT_EQ(pair_mixing(simulation).domain_size, domain_size(simulation));
    }
}

// A stripe that fills half of the box has the amplitudes 2 / (pi m) for odd m along x, and particles at random places
// add white noise: every wave has S = 1 besides.
TEST_P(DomainSize, OfTwoHalvesAndOfAMixtureIsKnown) {
  constexpr double edge = 31;
  constexpr int most = 14;  // waves of at least 2.2
  const Simulation halves(parting(2, {31, 31, 0}, false), device()), mixed(parting(2, {31, 31, 0}, true), device());
  double noise = 0, weighted_noise = 0;
  for (int a = -most; a <= most; ++a)
    for (int b = -most; b <= most; ++b) {
      const double m = std::hypot(a, b);
      if (m == 0 || m > edge / 2.2) continue;
      noise += 1, weighted_noise += m;
    }
  double sum = noise, weighted = weighted_noise;
  for (int m = 1; m <= most; m += 2) {
    const double s = 2 * halves.particle_count() * std::pow(2 / (std::numbers::pi * m), 2);  // of m and -m
    sum += s, weighted += s * m;
  }
  EXPECT_NEAR(domain_size(mixed), edge * noise / weighted_noise, 0.05 * edge * noise / weighted_noise);
  EXPECT_NEAR(domain_size(halves), edge * sum / weighted, 0.05 * edge * sum / weighted);
  EXPECT_GT(domain_size(halves), 2 * domain_size(mixed));
}

TEST_P(DomainSize, OfWavesThatTheBoxIsTooShortForIsNoNumber) {
  SimulationSetup setup = parting(2, {2.1f, 2.1f, 0}, true);
  setup.dpd.cutoff = 1;
  EXPECT_TRUE(std::isnan(domain_size(Simulation(setup, device()))));
}

// With `few` particles of the second fluid.
TEST_P(DomainSize, OfTooFewParticlesOfAFluidIsNoNumber) {
  for (const int few : {0, 31, 32}) {
    SimulationSetup setup = parting(3, {6, 6, 6}, false);
    setup.bodies.pop_back();
    setup.bodies[0].max = setup.domain.max;
    std::vector<Vec3> places;
    for (int k = 0; k < few; ++k) places.push_back({0.1f + 0.1f * static_cast<float>(k), 3, 3});
    if (few > 0) {
      setup.bodies.push_back(body_of_places(places));
      setup.bodies[1].fluid = 1;
    }
    EXPECT_EQ(std::isnan(domain_size(Simulation(setup, device()))), few < 32) << few;
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DomainSize);

TEST(DomainSizes, AreThoseOfTwoFluidsInAPeriodicBox) {
  SimulationSetup setup = parting(3, {6, 6, 6}, true);
  EXPECT_TRUE(has_domain_size(setup));
  setup.domain.axis[2] = Axis::Walled;
  EXPECT_FALSE(has_domain_size(setup));
  setup.domain.dimension = 2;
  EXPECT_TRUE(has_domain_size(setup)) << "a flat box has no third axis";
  setup.fluids.pop_back();
  EXPECT_FALSE(has_domain_size(setup));
  setup.fluids.resize(3);
  EXPECT_FALSE(has_domain_size(setup));
}

TEST(DomainSizes, CountTheWavesOfTheReferenceRunAndNoMoreThanSixteenAlongAnEdge) {
  EXPECT_EQ(std::floor(largest_wave_number(parting(3, {17.610708f, 17.610708f, 17.610708f}, true)) * 17.610708), 8);
  EXPECT_DOUBLE_EQ(largest_wave_number(parting(3, {100, 50, 50}, true)), 0.16);
}

}  // namespace
}  // namespace riffle::test
