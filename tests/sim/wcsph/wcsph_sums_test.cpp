/// The sums over pairs, one by one on the host: what two particles exchange, what a wall takes from the fluid, and the twins
/// that lists on a GPU take. A twin must add what the plain functor adds, and nothing for a pair that does not count. GPU
/// tests of the solvers compare lists with searches.

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "neighbors/functor.h"
#include "sim/wcsph/continuity_kernels.cuh"
#include "sim/wcsph/wall_kernels.cuh"
#include "sim/wcsph/wcsph_kernels.cuh"
#include "support/lane_sums.h"

namespace riffle::wcsph::test {
namespace {

constexpr float kLargest = 5e4f;  // [Pa]

/// Particle 0 at the origin and others around it, with records as the passes of a step have them.
struct Neighborhood {
  std::vector<Vec4> position, volume, flow, velocity, wall_flow;
  std::vector<float> r2;
  std::vector<std::uint32_t> fluid;
  FluidTable fluids;
  ClockState clock;
  float h;  // [m]
  SmoothingKernel kernel;

  explicit Neighborhood(int count, float support = 0.05f)
      : h(support), kernel(make_kernel(KernelKind::WendlandC2, 3, h, h / 3)) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> place(-h, h), speed(-2, 2), pressure(0, kLargest), share(0.5f, 1.5f),
        fill(0.999f, 1.001f);
    fluids.rest_volume = h * h * h / 27;
    fluids.rest_density[0] = 1000;
    fluids.mass[0] = 1000 * fluids.rest_volume;
    fluids.inverse_mass[0] = 1 / fluids.mass[0];
    fluids.dynamic_viscosity[0] = 0.3f;
    clock.dt = 2e-3f * h;
    while (static_cast<int>(position.size()) < count) {
      const Vec3 x = position.empty() ? Vec3{0, 0, 0} : Vec3{place(generator), place(generator), place(generator)};
      // Within 0.99 h: half a step moves no pair out of reach.
      if (!(length2(x) < 0.98f * h * h)) continue;
      position.push_back(make_vec4(x, share(generator)));
      // As compressed as water is: means of 1 / rho are means of rho then (Momentum).
      volume.push_back(make_vec4(x, fluids.rest_volume * fill(generator)));
      flow.push_back({speed(generator), speed(generator), speed(generator),
                      fluids.rest_volume * fluids.rest_volume * pressure(generator)});
      velocity.push_back({speed(generator), speed(generator), speed(generator), 0});
      wall_flow.push_back({speed(generator), speed(generator), speed(generator),
                           fluids.rest_volume * fluids.rest_volume * pressure(generator)});
      r2.push_back(length2(x));
      fluid.push_back(0);
    }
  }

  template <class F>
  void visit(const F& f, typename F::State& state, const std::vector<Vec4>& records, int j) const {
    visit_neighbor(f, state, 0, j, -xyz(position[j]), r2[j], fetch_source(f, j, records[j]));
  }

  /// Expects the same sums from the twin within `tolerance`, and no change by a pair that does not count; likewise from the
  /// twin's twin.
  template <class F>
  void expect_the_same(const F& f, const std::vector<Vec4>& records, float tolerance) const {
    ASSERT_TRUE(f.has_twin(h * h));
    const auto twin = std::bit_cast<typename F::Twin>(f);
    static_assert(Branchless<typename F::Twin>);
    expect_alike(f, twin, records, tolerance);
    if constexpr (HasTwin<typename F::Twin>) {
      if (twin.has_twin(h * h)) expect_alike(f, std::bit_cast<typename F::Twin::Twin>(twin), records, tolerance);
    }
  }

  template <class F, class Twin>
  void expect_alike(const F& f, const Twin& twin, const std::vector<Vec4>& records, float tolerance) const {
    auto plain_state = f.begin(0);
    auto state = twin.begin(0);
    static_assert(sizeof(plain_state) == sizeof(state) && sizeof(state) % sizeof(float) == 0);
    constexpr int floats = sizeof(state) / sizeof(float);
    float begun[floats], plain[floats], sums[floats], after[floats];
    std::memcpy(begun, &state, sizeof(state));
    for (int j = 1; j < static_cast<int>(records.size()); ++j) {
      visit(f, plain_state, records, j);
      visit(twin, state, records, j);
      std::memcpy(sums, &state, sizeof(state));
      const float far = kNotNear * h;
      visit_neighbor(twin, state, 0, j, Vec3{far, 0.3f * h, -0.4f * h}, far * far, fetch_source(twin, j, records[j]));
      std::memcpy(after, &state, sizeof(state));
      for (int k = 0; k < floats; ++k) ASSERT_EQ(sums[k], after[k]) << "number " << k << " of the state, pair " << j;
    }
    std::memcpy(plain, &plain_state, sizeof(state));
    float largest_change = 0;
    for (int k = 0; k < floats; ++k) {
      EXPECT_NEAR(sums[k], plain[k], tolerance * std::abs(plain[k]) + 1e-30f) << "number " << k << " of the state";
      largest_change = std::max(largest_change, std::abs(plain[k] - begun[k]));
    }
    EXPECT_GT(largest_change, 0) << "the pairs add nothing";
#if RIFFLE_AVX2
    static_assert(AddsInLanes<Twin>);
    riffle::test::expect_lanes_add_alike(twin, records, h);
#endif
  }

  /// Every other particle becomes oil, of another mass and viscosity.
  void add_oil() {
    fluids.count = 2;
    fluids.rest_density[1] = 300;
    fluids.mass[1] = 300 * fluids.rest_volume;
    fluids.inverse_mass[1] = 1 / fluids.mass[1];
    fluids.dynamic_viscosity[1] = 0.02f;
    for (std::size_t j = 0; j < fluid.size(); ++j) fluid[j] = j % 2;
  }

  Momentum momentum() {
    return {kernel, fluids, fluid.data(), volume.data(), flow.data(), {0, -9.81f, 0}, 0.2f, eta2_of(h), nullptr};
  }
  CompressionRate compression_rate() {
    ContinuityTable table;
    table.inverse_modulus = 1e-6f;
    table.weight = (0.05f / h) * Vec3{0, -9.81e-3f, 1e-3f};
    // Compressions of the same size as their differences by weight, so that each bound of the weight is met.
    for (Vec4& f : flow) f.w = 0.1f * f.w / (kLargest * fluids.rest_volume * fluids.rest_volume) - 0.03f;
    return {kernel,  fluids,          table,      fluid.data(), flow.data(), &clock,
            nullptr, position.data(), eta2_of(h), nullptr,      nullptr,     nullptr};
  }
};

// From particles of 30 um to particles of 20 m: no product may overflow or underflow.
class WcsphSumsAt : public testing::TestWithParam<float> {};
INSTANTIATE_TEST_SUITE_P(Supports, WcsphSumsAt, testing::Values(1e-4f, 0.05f, 60.0f));

TEST_P(WcsphSumsAt, TwinsAddWhatThePlainFunctorsAdd) {
  Neighborhood near(150, GetParam());
  const float h = near.h;
  near.expect_the_same(NumberDensity{near.kernel, near.position.data(), nullptr}, near.position, 1e-5f);
  near.expect_the_same(near.momentum(), near.volume, 1e-4f);
  near.expect_the_same(WallNumberDensity{near.kernel, nullptr}, near.position, 1e-5f);
  near.expect_the_same(
      WallState{near.kernel, {}, 1e5f, near.fluids.rest_volume, nullptr, {}, {}, near.flow.data(), nullptr},
      near.position, 1e-4f);
  near.expect_the_same(WallForce{near.kernel, near.fluids, 1, nullptr, near.volume.data(), near.flow.data(),
                                 near.wall_flow.data(), eta2_of(h), nullptr},
                       near.position, 1e-4f);
  near.expect_the_same(ContinuedWallState{near.kernel,
                                          near.fluids,
                                          false,
                                          {0, -9.81f, 0},
                                          nullptr,
                                          near.position.data(),
                                          nullptr,
                                          {},
                                          near.flow.data(),
                                          nullptr},
                       near.position, 1e-4f);
  near.expect_the_same(WallCompressionRate{near.kernel, near.fluids.rest_volume, near.flow.data(), near.velocity.data(),
                                           &near.clock, nullptr, nullptr},
                       near.position, 1e-4f);
  near.expect_the_same(near.compression_rate(), near.position, 1e-4f);
}

TEST_P(WcsphSumsAt, TwinsOfTwoFluidsAddWhatThePlainFunctorsAdd) {
  Neighborhood near(150, GetParam());
  near.add_oil();
  near.expect_the_same(near.momentum(), near.volume, 1e-4f);
  near.expect_the_same(near.compression_rate(), near.position, 1e-4f);
  // Neither fluid viscous: the harmonic mean of two zeros is 0.
  near.fluids.dynamic_viscosity[0] = near.fluids.dynamic_viscosity[1] = 0;
  near.expect_the_same(near.momentum(), near.volume, 1e-4f);
}

template <class F>
typename F::State pair_sum(const Neighborhood& near, const F& f, const std::vector<Vec4>& records, int i, int j) {
  auto state = f.begin(i);
  const Vec3 r_ij = xyz(near.position[i]) - xyz(near.position[j]);
  visit_neighbor(f, state, i, j, r_ij, length2(r_ij), fetch_source(f, j, records[j]));
  return state;
}

/// What one particle of a pair gains the other one loses, also where two fluids touch.
template <class F, class G>
void expect_exchange(const Neighborhood& near, const F& force, const G& rate) {
  int far = 0;
  for (int j = 1; j < 100; ++j) {
    const Vec3 one = pair_sum(near, force, near.volume, 0, j).sums.force,
               other = pair_sum(near, force, near.volume, j, 0).sums.force;
    EXPECT_LT(length2(one + other), 1e-10f * length2(one)) << j;
    const float gain = pair_sum(near, rate, near.position, 0, j).sums.diffusion,
                loss = pair_sum(near, rate, near.position, j, 0).sums.diffusion;
    EXPECT_NEAR(gain, -loss, 1e-4f * std::abs(gain)) << j;
    far += gain != 0;
  }
  EXPECT_GT(far, 50) << "hardly a pair diffuses";
}

TEST(WcsphSums, TwoFluidsGiveEachOtherWhatTheyTake) {
  Neighborhood near(100);
  near.add_oil();
  const Momentum force = near.momentum();
  const CompressionRate rate = near.compression_rate();
  expect_exchange(near, force, rate);
  expect_exchange(near, std::bit_cast<Momentum::Twin>(force), std::bit_cast<CompressionRate::Twin>(rate));
}

// Each particle has the pressure that its own fluid would have at rest, so every one continues the same pressure to the wall.
TEST(WcsphSums, AWallHasThePressureThatEachFluidContinuesToIt) {
  constexpr float at_wall = 500;  // [Pa]
  const Vec3 gravity{0.5f, -9.81f, 0.2f};
  for (const bool oil : {false, true}) {
    Neighborhood near(100);
    if (oil) near.add_oil();
    const float volume2 = near.fluids.rest_volume * near.fluids.rest_volume;
    for (std::size_t j = 1; j < near.flow.size(); ++j)
      near.flow[j].w =
          volume2 * (at_wall + near.fluids.rest_density[near.fluid[j]] * dot(gravity, xyz(near.position[j])));
    std::vector<Vec4> wall(1);
    const ContinuedWallState f{near.kernel,          near.fluids,       true, gravity,          nullptr,
                               near.position.data(), near.fluid.data(), {},   near.flow.data(), wall.data()};
    auto state = f.begin(0);
    for (int j = 1; j < 100; ++j) near.visit(f, state, near.position, j);
    f.end(state, 0);
    EXPECT_NEAR(wall[0].w / volume2, at_wall, 1e-3f * at_wall) << (oil ? "water and oil" : "water");
  }
}

TEST(WcsphSums, TwinsAreOnlyForWhatTheyTakeForGranted) {
  Neighborhood near(10);
  const float h = near.h, h2 = h * h;
  EXPECT_FALSE(near.momentum().has_twin(0.9f * h2)) << "pairs beyond the query's radius must not count";

  Momentum spline = near.momentum();
  spline.kernel = make_kernel(KernelKind::CubicSpline, 3, h, h / 3);
  EXPECT_FALSE(spline.has_twin(h2));

  // The twins of one fluid are not for two.
  const auto one = std::bit_cast<Momentum::Twin>(near.momentum());
  EXPECT_TRUE(one.has_twin(h2));
  CompressionRate rate = near.compression_rate();
  EXPECT_TRUE(std::bit_cast<CompressionRate::Twin>(rate).has_twin(h2));
  near.add_oil();
  EXPECT_FALSE(std::bit_cast<Momentum::Twin>(near.momentum()).has_twin(h2));
  EXPECT_FALSE(std::bit_cast<CompressionRate::Twin>(near.compression_rate()).has_twin(h2));
  const ContinuedWallState continued{near.kernel, near.fluids, false, {},      nullptr,
                                     nullptr,     nullptr,     {},    nullptr, nullptr};
  EXPECT_FALSE(continued.has_twin(h2));

  EXPECT_TRUE(rate.has_twin(h2));
  const ApparentGravity apparent{};
  rate.apparent = &apparent;
  EXPECT_FALSE(rate.has_twin(h2));
}

}  // namespace
}  // namespace riffle::wcsph::test
