#include "sim/random/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/random/random_samples.h"
#include "sim/random/random_statistics.h"
#include "support/devices.h"
#include "support/random.h"

namespace riffle {

using test::built_devices;

namespace {

constexpr std::uint64_t kSeed = 1;

std::vector<std::uint32_t> words(PhiloxWords w) { return {w.x, w.y, w.z, w.w}; }

/// Ids of all sizes, the extremes among them.
std::vector<std::uint32_t> some_ids(int n, std::uint32_t seed) {
  test::Random random(seed);
  std::vector<std::uint32_t> ids{0, 1, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu};
  while (static_cast<int>(ids.size()) < n) ids.push_back(random.bits() >> random.below(32));
  return ids;
}

template <class Pair>
class PairRandom : public testing::Test {};
using Pairs = testing::Types<PhiloxPair, KarpinskiPair>;
TYPED_TEST_SUITE(PairRandom, Pairs);

TEST(Philox, GivesThePublishedNumbers) {
  EXPECT_EQ(words(philox4x32_10({0, 0, 0, 0}, 0)),
            (std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(words(philox4x32_10({~0u, ~0u, ~0u, ~0u}, ~std::uint64_t{0})),
            (std::vector<std::uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(words(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822)),
            (std::vector<std::uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TYPED_TEST(PairRandom, ThetaIsTheSameBothWays) {
  const TypeParam random(kSeed);
  const auto ids = some_ids(60, 1);
  for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}})
    for (const std::uint32_t i : ids)
      for (const std::uint32_t j : ids)
        if (i != j) {
          EXPECT_EQ(random(i, j, step), random(j, i, step)) << i << " " << j;
        }
}

TYPED_TEST(PairRandom, AnotherStepSeedOrPairHasAnotherNumber) {
  const TypeParam random(kSeed);
  std::map<float, int> seen;
  int numbers = 0;
  const auto see = [&](float theta) { ++seen[theta], ++numbers; };
  see(random(5, 9, 0));
  for (int bit = 0; bit < 64; ++bit) {
    see(random(5, 9, std::uint64_t{1} << bit));
    see(TypeParam(kSeed ^ (std::uint64_t{1} << bit))(5, 9, 0));
    if (bit < 32 && (5u ^ (1u << bit)) != 9) see(random(5u ^ (1u << bit), 9, 0));
    if (bit < 32 && (9u ^ (1u << bit)) != 5) see(random(5, 9u ^ (1u << bit), 0));
  }
  // Among some 190 numbers of 20 bits, two agree by chance once in 60 seeds; with this seed none do.
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(numbers));
}

TYPED_TEST(PairRandom, BatchesOfAnyLengthHaveTheSameBits) {
  const auto step = TypeParam(kSeed).begin_step(3000000000000ull);
  const auto ids = some_ids(100, 2);
  for (const std::uint32_t i : {0u, 12345u, 0x80000001u, 0xffffffffu})
    for (int n = 0; n <= 40; ++n) {
      std::vector<float> theta(static_cast<std::size_t>(n) + 1, -7.0f);
      step.fill(i, ids.data() + n, n, theta.data());
      for (int k = 0; k < n; ++k) EXPECT_EQ(theta[k], step(i, ids[n + k])) << i << " " << n << " " << k;
      EXPECT_EQ(theta[n], -7.0f) << "written past the end of " << n;
    }
}

TEST(PhiloxPair, ItsValuesLieEvenlyOnEitherSideOfZero) {
  const auto theta = PhiloxPair(kSeed).begin_step(1);
  const double spacing = std::sqrt(12.0) * 0x1p-25;
  for (std::uint32_t j = 1; j < 100000; ++j) {
    const double odd = double{theta(0, j)} / spacing;
    const auto nearest = std::llround(odd);
    EXPECT_NEAR(odd, double(nearest), 2.0) << "a float in [1, 2) is right to 1.2e-7";
    if (std::abs(nearest) < 1 << 20) {
      EXPECT_EQ(std::abs(nearest) % 2, 1) << "0 would have no partner of the other sign";
    }
    EXPECT_LE(std::abs(theta(0, j)), 1.7320508f);
  }
}

TEST(Karpinski, NoOperationIsFused) {
  int fused_differs = 0;
  for (int k = 0; k < 1 << 20; ++k) {
    const float r = static_cast<float>(k) * 0x1p-20f;
    // A volatile value is rounded to float whatever the compiler thinks of contraction.
    volatile float s = r + 1.73205080756887729f;
    volatile float s2 = s * s;
    volatile float s4 = s2 * s2;
    volatile float s5 = s4 * s;
    volatile float x = s5 * 1.000005f;
    volatile float next = x - std::floor(x);
    ASSERT_EQ(karpinski_next(r), next) << r;
    ASSERT_GE(karpinski_next(r), 0.0f);
    ASSERT_LT(karpinski_next(r), 1.0f);
    fused_differs += std::fma(s5, 1.000005f, -std::floor(x)) != next;
  }
  EXPECT_GT(fused_differs, 1 << 18) << "this test would not notice a fused operation";
}

TEST(Karpinski, TheNumbersAfterZeroRunIntoTheCycleThatIsStated) {
  std::map<float, int> seen;
  KarpinskiStream stream;
  while (seen.emplace(stream.r, static_cast<int>(seen.size())).second) stream.next();
  EXPECT_EQ(seen[stream.r], kKarpinskiTail);
  EXPECT_EQ(static_cast<int>(seen.size()) - kKarpinskiTail, kKarpinskiCycle);
  EXPECT_EQ(kKarpinskiTail, 117);
  EXPECT_EQ(kKarpinskiCycle, 227);
}

TEST(Karpinski, MeanAndDeviationAreThoseOfAllStarts) {
  double sum = 0, squares = 0;
  constexpr int kStarts = 1 << 24;
  for (int k = 0; k < kStarts; ++k) {
    float r = static_cast<float>(k) * 0x1p-24f;
    for (int n = 0; n < kKarpinskiIterations; ++n) r = karpinski_next(r);
    sum += double{r};
    squares += double{r} * double{r};
  }
  const double mean = sum / kStarts;
  EXPECT_NEAR(mean, kKarpinskiMean, 1e-12);
  EXPECT_NEAR(std::sqrt(squares / kStarts - mean * mean), kKarpinskiDeviation, 1e-12);
}

class RandomOnDevice : public test::OnEachDevice {};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(RandomOnDevice);

TEST_P(RandomOnDevice, EveryDeviceMakesTheBitsOfThePlainFunctions) {
  constexpr int n = 20000;
  const auto check = [&](RandomKind kind, const auto& pair) {
    const auto steps = sample_thetas(device(), kind, kSeed, SampleOrder::Steps, n);
    const auto partners = sample_thetas(device(), kind, kSeed, SampleOrder::Partners, n);
    const auto particles = sample_thetas(device(), kind, kSeed, SampleOrder::Particles, n);
    for (int k = n - 1; k >= 0; --k) {  // backwards: earlier requests do not matter
      const auto id = static_cast<std::uint32_t>(k);
      ASSERT_EQ(steps[k], pair(17, 4711, id)) << k;
      ASSERT_EQ(partners[k], pair(n / 2, id < n / 2 ? id : id + 1, 1000)) << k;
      ASSERT_EQ(particles[k], pair(id, id + 1, 1000)) << k;
    }
  };
  check(RandomKind::Philox, PhiloxPair(kSeed));
  check(RandomKind::Karpinski, KarpinskiPair(kSeed));
  const auto stream = sample_thetas(device(), RandomKind::KarpinskiStream, kSeed, SampleOrder::Partners, n);
  const auto streams = sample_thetas(device(), RandomKind::KarpinskiStream, kSeed, SampleOrder::Particles, n);
  KarpinskiStream first;
  for (int k = 0; k < n; ++k) {
    ASSERT_EQ(stream[k], first.next()) << k;
    KarpinskiStream own = karpinski_stream(kSeed, static_cast<std::uint32_t>(k));
    for (int draw = 1; draw < 120; ++draw) own.next();
    ASSERT_EQ(streams[k], own.next()) << k;
  }
}

TEST_P(RandomOnDevice, OnlyTheStreamIsAsymmetric) {
  EXPECT_EQ(asymmetric_pairs(device(), RandomKind::Philox, kSeed, 100000), 0);
  EXPECT_EQ(asymmetric_pairs(device(), RandomKind::Karpinski, kSeed, 100000), 0);
  EXPECT_GT(asymmetric_pairs(device(), RandomKind::KarpinskiStream, kSeed, 100000), 90000);
}

RandomStatistics statistics(const Device& device, RandomKind kind, SampleOrder order, std::int64_t count) {
  return random_statistics(sample_thetas(device, kind, kSeed, order, count), theta_range(kind));
}

void expect_accepted(const Device& device, std::int64_t count) {
  for (const SampleOrder order : kSampleOrders)
    EXPECT_EQ(statistics(device, RandomKind::Philox, order, count).fault(), "") << to_string(order);
}

TEST_P(RandomOnDevice, PhiloxIsUniformAndUncorrelated) { expect_accepted(device(), 1000000); }

class LongRandomOnDevice : public test::OnEachDevice {};
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongRandomOnDevice);

TEST_P(LongRandomOnDevice, PhiloxIsUniformAndUncorrelatedOverTenMillion) { expect_accepted(device(), 10000000); }

TEST_P(RandomOnDevice, NormalisedKarpinskiHasTheMomentsAThermostatNeeds) {
  for (const SampleOrder order : kSampleOrders) {
    const RandomStatistics s = statistics(device(), RandomKind::Karpinski, order, 1000000);
    EXPECT_LT(std::abs(s.mean_z), 4) << to_string(order);
    EXPECT_LT(std::abs(s.variance_z), 4) << to_string(order);
    EXPECT_LT(std::abs(s.largest_lag_z()), 4) << to_string(order);
    EXPECT_EQ(s.cycle, 0) << to_string(order);
    EXPECT_GT(s.bins_z, 5) << "it has become even: what the header says of its density is no longer true";
  }
}

TEST_P(RandomOnDevice, TheStreamIsFoundOut) {
  const RandomStatistics s = statistics(device(), RandomKind::KarpinskiStream, SampleOrder::Partners, 1000000);
  EXPECT_EQ(s.cycle, kKarpinskiCycle);
  EXPECT_EQ(s.before, kKarpinskiTail - 1) << "r = 0 is the first of the tail, and no number of the stream";
  EXPECT_NEAR(s.variance, 0.9, 0.005) << "90 % of a uniform number's";
  EXPECT_NE(s.fault(), "");
}

TEST(RandomStatistics, EachFaultIsSeen) {
  constexpr int n = 100000;
  const auto good = [](std::uint32_t seed) {
    test::Random random(seed);
    std::vector<float> t(n);
    for (float& x : t) x = random.uniform(-1.7320508f, 1.7320508f);
    return t;
  };
  const auto fault_of = [](const std::vector<float>& t) {
    return random_statistics(t, theta_range(RandomKind::Philox)).fault();
  };
  const auto names = [](const std::string& fault, const char* what) {
    return fault.find(what) != std::string::npos ? testing::AssertionSuccess()
                                                 : testing::AssertionFailure() << what << " is not in: " << fault;
  };
  EXPECT_EQ(fault_of(good(3)), "");

  auto shifted = good(3);
  for (float& x : shifted) x += 0.02f;
  EXPECT_TRUE(names(fault_of(shifted), "mean"));
  auto narrow = good(3);
  for (float& x : narrow) x *= 0.98f;
  EXPECT_TRUE(names(fault_of(narrow), "variance"));
  for (int l = 1; l <= kLags; ++l) {
    const auto fresh = good(3);
    auto related = fresh;
    for (int k = l; k < n; ++k)
      if (k % 20 < 1) related[k] = related[k - l];
    EXPECT_TRUE(names(fault_of(related), ("lag " + std::to_string(l) + " ").c_str()));
  }
  auto uneven = good(3);
  for (float& x : uneven)
    if (x > 1.0f && x < 1.01f) x -= 0.02f;
  EXPECT_TRUE(names(fault_of(uneven), "256 bins"));
  auto mirrored = good(3);  // pairs on two lines, uncorrelated
  test::Random sign(4);
  for (int k = 1; k < n; k += 2) mirrored[k] = sign.chance(0.5f) ? mirrored[k - 1] : -mirrored[k - 1];
  EXPECT_TRUE(names(fault_of(mirrored), "256 x 256"));
  auto cyclic = good(3);
  for (int k = 1000; k < n; ++k) cyclic[k] = k < 31000 ? cyclic[k] : cyclic[k - 30000];
  const RandomStatistics s = random_statistics(cyclic, theta_range(RandomKind::Philox));
  EXPECT_EQ(s.cycle, 30000);
  EXPECT_EQ(s.before, 1000);
  EXPECT_TRUE(names(s.fault(), "cycle of 30000"));
  EXPECT_TRUE(names(fault_of(std::vector<float>(n, 0.0f)), "cycle of 1"));
  auto not_a_number = good(3);
  not_a_number[77] = NAN;
  EXPECT_TRUE(names(fault_of(not_a_number), "mean"));
}

TEST(ParticleRandom, UniformNumbersAreUniform) {
  constexpr int n = 1000000;
  std::vector<float> first(n), second(n);
  for (int k = 0; k < n; ++k) {
    const double u = uniform(kSeed, 3, static_cast<std::uint64_t>(k));
    const Vec3 u3 = uniform3(kSeed, 4, static_cast<std::uint64_t>(k));
    ASSERT_TRUE(u >= 0 && u < 1);
    for (const float c : {u3.x, u3.y, u3.z}) ASSERT_TRUE(c >= 0 && c < 1);
    first[k] = static_cast<float>(std::sqrt(12.0) * (u - 0.5));
    second[k] = static_cast<float>(std::sqrt(12.0) * ((k % 3 == 0 ? u3.x : k % 3 == 1 ? u3.y : u3.z) - 0.5));
  }
  EXPECT_EQ(random_statistics(first, theta_range(RandomKind::Philox)).fault(), "");
  EXPECT_EQ(random_statistics(second, theta_range(RandomKind::Philox)).fault(), "");
}

TEST(ParticleRandom, StreamsSeedsAndIndicesAreIndependent) {
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint32_t stream = 0; stream < 10; ++stream)
      for (const std::uint64_t index : {0ull, 1ull, 1ull << 32, ~0ull}) seen.insert(uniform(seed, stream, index));
  EXPECT_EQ(seen.size(), 400u);
  EXPECT_EQ(uniform(1, 2, 3), uniform(1, 2, 3));
}

TEST(ParticleRandom, NormalNumbersAreNormal) {
  constexpr int n = 1000000;
  double sum[3]{}, squares[3]{}, fourth[3]{}, products[3]{}, largest = 0;
  for (int k = 0; k < n; ++k) {
    const Vec3 v = normal3(kSeed, 5, static_cast<std::uint64_t>(k));
    ASSERT_EQ(v.x, static_cast<float>(normal(kSeed, 5, static_cast<std::uint64_t>(k))));
    const double c[3] = {double{v.x}, double{v.y}, double{v.z}};
    for (int a = 0; a < 3; ++a) {
      sum[a] += c[a];
      squares[a] += c[a] * c[a];
      fourth[a] += c[a] * c[a] * c[a] * c[a];
      products[a] += c[a] * c[(a + 1) % 3];
      largest = std::max(largest, std::abs(c[a]));
    }
  }
  for (int a = 0; a < 3; ++a) {  // within 4 standard errors; the fourth power's variance is 105 - 9
    EXPECT_NEAR(sum[a] / n, 0, 4 / std::sqrt(n));
    EXPECT_NEAR(squares[a] / n, 1, 4 * std::sqrt(2.0 / n));
    EXPECT_NEAR(fourth[a] / n, 3, 4 * std::sqrt(96.0 / n));
    EXPECT_NEAR(products[a] / n, 0, 4 / std::sqrt(n));
  }
  EXPECT_GT(largest, 4.5);
  EXPECT_LT(largest, 6.77);
}

}  // namespace

}  // namespace riffle
