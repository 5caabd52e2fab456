#include "sim/random/random.h"

#include <algorithm>
#include <cmath>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace riffle {

ThetaRange theta_range(RandomKind kind) {
  if (kind == RandomKind::Karpinski)
    return {-kKarpinskiMean / kKarpinskiDeviation, (1 - kKarpinskiMean) / kKarpinskiDeviation};
  return {-std::sqrt(3.0), std::sqrt(3.0)};
}

#if defined(__AVX2__)

namespace {

/// Eight at a time, as two vectors of four counters with a word in the lower half of each 64 bits. What is left in the
/// upper halves does no harm: products are of the lower halves, and exclusive or mixes no bits.
struct FourCounters {
  __m256i x, y, z, w;

  void round(__m256i low, __m256i high) {
    const __m256i first = _mm256_mul_epu32(x, _mm256_set1_epi64x(0xd2511f53));
    const __m256i second = _mm256_mul_epu32(z, _mm256_set1_epi64x(0xcd9e8d57));
    x = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(second, 32), y), low);
    z = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(first, 32), w), high);
    y = second;
    w = first;
  }
};

/// PhiloxPair::Step::operator() of eight pairs, operation by operation.
void philox_thetas(const PhiloxPair::Step& step, std::uint32_t id_i, const std::uint32_t* id_j, float* theta) {
  const __m256i i = _mm256_set1_epi32(static_cast<int>(id_i));
  const __m256i j = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(id_j));
  const __m256i a = _mm256_min_epu32(i, j), b = _mm256_max_epu32(i, j);
  const __m256i low = _mm256_set1_epi64x(step.low), high = _mm256_set1_epi64x(step.high);
  FourCounters even{a, b, low, high};
  FourCounters odd{_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32), low, high};
  for (int r = 0; r < PhiloxSchedule::kRounds; ++r) {
    const __m256i key_low = _mm256_set1_epi64x(step.keys.low[r]), key_high = _mm256_set1_epi64x(step.keys.high[r]);
    even.round(key_low, key_high);
    odd.round(key_low, key_high);
  }
  const __m256i bits = _mm256_blend_epi32(even.x, _mm256_slli_epi64(odd.x, 32), 0b10101010);
  const __m256i doubled = _mm256_slli_epi32(_mm256_srli_epi32(bits, 8), 1);
  const __m256i centred = _mm256_sub_epi32(doubled, _mm256_set1_epi32((1 << 24) - 1));
  _mm256_storeu_ps(theta, _mm256_mul_ps(_mm256_cvtepi32_ps(centred), _mm256_set1_ps(3.46410161513775459f * 0x1p-25f)));
}

}  // namespace

void PhiloxPair::Step::fill(std::uint32_t id_i, const std::uint32_t* id_j, int n, float* theta) const {
  int k = 0;
  for (; k + 8 <= n; k += 8) philox_thetas(*this, id_i, id_j + k, theta + k);
  if (k == n) return;
  std::uint32_t ids[8]{};
  float last[8];
  std::copy(id_j + k, id_j + n, ids);
  philox_thetas(*this, id_i, ids, last);
  std::copy(last, last + (n - k), theta + k);
}

#else

void PhiloxPair::Step::fill(std::uint32_t id_i, const std::uint32_t* id_j, int n, float* theta) const {
  for (int k = 0; k < n; ++k) theta[k] = (*this)(id_i, id_j[k]);
}

#endif

// The compiler vectorises this by itself.
void KarpinskiPair::Step::fill(std::uint32_t id_i, const std::uint32_t* id_j, int n, float* theta) const {
  for (int k = 0; k < n; ++k) theta[k] = (*this)(id_i, id_j[k]);
}

namespace {

struct NormalPair {
  double first, second;
};

/// Box and Muller 1958. The first word is taken in the middle of its interval, since the logarithm of 0 is infinite.
NormalPair box_muller(std::uint32_t for_radius, std::uint32_t for_angle) {
  const double radius = std::sqrt(-2 * std::log((for_radius + 0.5) * 0x1p-32));
  const double angle = 6.283185307179586477 * (for_angle * 0x1p-32);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

double normal(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const PhiloxWords bits = random_bits(seed, stream, index);
  return box_muller(bits.x, bits.y).first;
}

Vec3 normal3(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  const PhiloxWords bits = random_bits(seed, stream, index);
  const NormalPair xy = box_muller(bits.x, bits.y), z = box_muller(bits.z, bits.w);
  return {static_cast<float>(xy.first), static_cast<float>(xy.second), static_cast<float>(z.first)};
}

KarpinskiStream karpinski_stream(std::uint64_t seed, std::uint32_t id, StreamStart start) {
  if (start == StreamStart::Zero) return {};
  // A stream that nothing else uses: 0xffffffff is the last.
  return {unit_float(random_bits(seed, 0xffffffffu, id).x)};
}

}  // namespace riffle
