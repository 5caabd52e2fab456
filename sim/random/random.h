#pragma once
/// Random numbers of particles and of pairs of particles, as functions of a seed, of ids that do not change when
/// particles are sorted, and of the step. They have no state, may be drawn in any order, and are the same bits on every
/// device.

#include <cstdint>

#include "core/math/vec.h"
#include "core/platform.h"
#include "neighbors/separation.h"
#include "sim/random/karpinski.h"
#include "sim/random/philox.h"
#include "sim/random/random_kind.h"

namespace riffle {

/// theta_ij = theta_ji of pairs i != j of particle ids: mean 0, variance 1, uniform in (-sqrt(3), sqrt(3)).
///
///   const PhiloxPair random(seed);                      // once, on the host
///   const auto theta = random.begin_step(step);         // once per step
///   theta(id[i], id[j])                                 // in the kernel
///
/// One Philox block per pair: counter (smaller id, larger id, step low, step high), key the seed.
class PhiloxPair {
 public:
  explicit PhiloxPair(std::uint64_t seed) : keys_(seed) {}

  struct Step {
    PhiloxSchedule keys;
    std::uint32_t low = 0, high = 0;  ///< halves of the step's number

    RIFFLE_INLINE float operator()(std::uint32_t id_i, std::uint32_t id_j) const {
      const std::uint32_t a = id_i < id_j ? id_i : id_j;
      const std::uint32_t b = id_i < id_j ? id_j : id_i;
      const std::uint32_t bits = philox4x32_10({a, b, low, high}, keys).x;
      // k = 0 .. 2^24 - 1 in the middle of its interval: 2k + 1 - 2^24 is odd, exact as a float, and there is one of
      // either sign, so that the mean is 0 exactly. The factor is sqrt(12) 2^-25.
      const auto odd = static_cast<std::int32_t>((bits >> 8) * 2 + 1) - (1 << 24);
      return rounded_product(static_cast<float>(odd), 3.46410161513775459f * 0x1p-25f);
    }

    /// theta[k] = theta(id_i, id_j[k]), k in 0..n-1: eight at a time with AVX2. The arrays do not overlap.
    void fill(std::uint32_t id_i, const std::uint32_t* id_j, int n, float* theta) const;
  };

  RIFFLE_HD Step begin_step(std::uint64_t step) const {
    return {keys_, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32)};
  }
  RIFFLE_HD float operator()(std::uint32_t id_i, std::uint32_t id_j, std::uint64_t step) const {
    return begin_step(step)(id_i, id_j);
  }

 private:
  PhiloxSchedule keys_;
};

/// Mean and standard deviation of the number after kKarpinskiIterations of karpinski_next(), over all 2^24 starts that
/// are multiples of 2^-24 in [0, 1). They are exact sums, which a test repeats.
inline constexpr int kKarpinskiIterations = 4;
inline constexpr double kKarpinskiMean = 0.49987508144511139;
inline constexpr double kKarpinskiDeviation = 0.28911450310875242;

/// The paper's generator made sound: theta_ij = theta_ji with the interface of PhiloxPair. A hash of both ids, the step
/// and the seed is the start of a few iterations. Mean 0 and variance 1, between -1.73 and 1.73. One fault remains: the
/// density is uneven by about 1 %.
class KarpinskiPair {
 public:
  explicit KarpinskiPair(std::uint64_t seed) : keys_(seed) {}

  struct Step {
    std::uint32_t first = 0, second = 0;  ///< random bits of step and seed

    /// The number itself, [0, 1), before its mean and deviation are taken out.
    RIFFLE_INLINE float raw(std::uint32_t id_i, std::uint32_t id_j) const {
      const std::uint32_t a = id_i < id_j ? id_i : id_j;
      const std::uint32_t b = id_i < id_j ? id_j : id_i;
      const std::uint32_t bits = mixed(mixed(a ^ first) + (b ^ second));
      float r = rounded_product(static_cast<float>(static_cast<std::int32_t>(bits >> 8)), 0x1p-24f);
      RIFFLE_UNROLL
      for (int k = 0; k < kKarpinskiIterations; ++k) r = karpinski_next(r);
      return r;
    }

    RIFFLE_INLINE float operator()(std::uint32_t id_i, std::uint32_t id_j) const {
      return rounded_product(rounded_difference(raw(id_i, id_j), static_cast<float>(kKarpinskiMean)),
                             static_cast<float>(1 / kKarpinskiDeviation));
    }

    /// As in PhiloxPair.
    void fill(std::uint32_t id_i, const std::uint32_t* id_j, int n, float* theta) const;

   private:
    /// A bijection in which every bit in changes every bit out with a chance near one half ("lowbias32" of Wellons's
    /// search for such functions).
    RIFFLE_INLINE static std::uint32_t mixed(std::uint32_t x) {
      x = (x ^ (x >> 16)) * 0x7feb352du;
      x = (x ^ (x >> 15)) * 0x846ca68bu;
      return x ^ (x >> 16);
    }
  };

  RIFFLE_HD Step begin_step(std::uint64_t step) const {
    const PhiloxWords bits = philox4x32_10(
        {0xfffffffeu, 0, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32)}, keys_);
    Step numbers;
    numbers.first = bits.x;
    numbers.second = bits.y;
    return numbers;
  }
  RIFFLE_HD float operator()(std::uint32_t id_i, std::uint32_t id_j, std::uint64_t step) const {
    return begin_step(step)(id_i, id_j);
  }

 private:
  PhiloxSchedule keys_;
};

/// The values that theta can take: a little less than [low, high).
struct ThetaRange {
  double low, high;
};
ThetaRange theta_range(RandomKind kind);

/// 128 random bits of (seed, stream, index), for numbers of a single particle: the index is its id, the stream tells
/// purposes apart. The counter's first word is larger than any smaller id of a pair, so that no pair of the same seed
/// has these bits.
RIFFLE_INLINE PhiloxWords random_bits(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  return philox4x32_10(
      {0xffffffffu, stream, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32)}, seed);
}

/// 24 of the bits as a number in [0, 1).
RIFFLE_INLINE float unit_float(std::uint32_t bits) {
  return rounded_product(static_cast<float>(static_cast<std::int32_t>(bits >> 8)), 0x1p-24f);
}

/// Uniform in [0, 1), 53 bits.
RIFFLE_INLINE double uniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const PhiloxWords bits = random_bits(seed, stream, index);
  return static_cast<double>((std::uint64_t{bits.x} << 32 | bits.y) >> 11) * 0x1p-53;
}

/// Three independent numbers, each uniform in [0, 1) in steps of 2^-24. Its bits are uniform()'s and
/// normal()'s of the same arguments: take another stream for another purpose, but not the last one, 2^32 - 1.
RIFFLE_INLINE Vec3 uniform3(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const PhiloxWords bits = random_bits(seed, stream, index);
  return {unit_float(bits.x), unit_float(bits.y), unit_float(bits.z)};
}

/// Three independent numbers of normal distribution, mean 0 and variance 1, by Box and Muller's transform; times
/// sqrt(kT/m) they are velocities of a Maxwell distribution. At most 6.77 in magnitude. On the host only, in double:
/// the bits of logarithm and cosine differ between devices.
Vec3 normal3(std::uint64_t seed, std::uint32_t stream, std::uint64_t index);

/// The first of them, before rounding to float.
double normal(std::uint64_t seed, std::uint32_t stream, std::uint64_t index);

/// The start of particle `id`'s KarpinskiStream. Hashed: different for every id, from the last stream of random_bits().
/// Zero: 0, as in the paper.
KarpinskiStream karpinski_stream(std::uint64_t seed, std::uint32_t id, StreamStart start = StreamStart::Hashed);

}  // namespace riffle
