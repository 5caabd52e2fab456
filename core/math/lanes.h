#pragma once
/// Eight numbers at once, on a processor with AVX2. A function that is a template over Real computes one number with Real =
/// float and eight with Real = Lanes, by the same text: operators and the functions of core/math/math.h and
/// core/math/extremes.h take either. Each lane has the value that a float would have, bit for bit.

#include <array>
#include <bit>
#include <cstdint>

#include "core/math/extremes.h"
#include "core/math/math.h"
#include "core/math/vec.h"
#include "core/platform.h"

#if defined(__AVX2__) && defined(__FMA__) && !RIFFLE_ON_GPU
#include <immintrin.h>
#define RIFFLE_AVX2 1
#else
#define RIFFLE_AVX2 0
#endif

namespace riffle {

/// The types that belong to a Real: vectors, and what an array is read by.
template <class Real>
struct TypesOf;

template <>
struct TypesOf<float> {
  using Three = Vec3;
  using Four = Vec4;
  using Index = int;
  using Number = std::uint32_t;  ///< of a fluid
};

template <class Real>
using Vec3Of = typename TypesOf<Real>::Three;
template <class Real>
using Vec4Of = typename TypesOf<Real>::Four;
template <class Real>
using IndexOf = typename TypesOf<Real>::Index;
template <class Real>
using NumberOf = typename TypesOf<Real>::Number;

RIFFLE_INLINE float read(const float* p, int j) { return p[j]; }
RIFFLE_INLINE Vec4 read(const Vec4* p, int j) { return p[j]; }
RIFFLE_INLINE std::uint32_t read(const std::uint32_t* p, int j) { return p[j]; }
/// For a pair whose kernel is 0 from h on. A single number takes it as it is: a test would cost a GPU more than it is worth.
RIFFLE_INLINE float within(float, float, float x) { return x; }

/// An entry of a short table, such as that of the fluids.
RIFFLE_INLINE float entry(const float* table, std::uint32_t number) { return table[number]; }

#if RIFFLE_AVX2

inline constexpr int kLanes = 8;

struct Lanes {
  __m256 v;

  RIFFLE_INLINE Lanes() : v(_mm256_setzero_ps()) {}
  RIFFLE_INLINE Lanes(float x) : v(_mm256_set1_ps(x)) {}  // not explicit: a number may stand beside lanes
  RIFFLE_INLINE explicit Lanes(__m256 x) : v(x) {}
  RIFFLE_INLINE static Lanes from(const float* aligned) { return Lanes(_mm256_load_ps(aligned)); }

  friend RIFFLE_INLINE Lanes operator+(Lanes a, Lanes b) { return Lanes(_mm256_add_ps(a.v, b.v)); }
  friend RIFFLE_INLINE Lanes operator-(Lanes a, Lanes b) { return Lanes(_mm256_sub_ps(a.v, b.v)); }
  friend RIFFLE_INLINE Lanes operator-(Lanes a) { return Lanes(_mm256_xor_ps(a.v, _mm256_set1_ps(-0.0f))); }
  friend RIFFLE_INLINE Lanes operator*(Lanes a, Lanes b) { return Lanes(_mm256_mul_ps(a.v, b.v)); }
  friend RIFFLE_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(_mm256_div_ps(a.v, b.v)); }
  RIFFLE_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  RIFFLE_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
};

/// As of a < b ? a : b, which is what vminps does, NaN included.
RIFFLE_INLINE Lanes smaller_of(Lanes a, Lanes b) { return Lanes(_mm256_min_ps(a.v, b.v)); }
RIFFLE_INLINE Lanes larger_of(Lanes a, Lanes b) { return Lanes(_mm256_max_ps(a.v, b.v)); }
RIFFLE_INLINE Lanes quick_sqrt(Lanes a) { return Lanes(_mm256_sqrt_ps(a.v)); }
RIFFLE_INLINE Lanes quick_divide(Lanes a, Lanes b) { return a / b; }
RIFFLE_INLINE Lanes quick_divide_by_normal(Lanes a, Lanes b) { return a / b; }
/// In each lane: a < b ? yes : no
RIFFLE_INLINE Lanes where_less(Lanes a, Lanes b, Lanes yes, Lanes no) {
  return Lanes(_mm256_blendv_ps(no.v, yes.v, _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)));
}

/// Each lane of x whose distance is below h, and 0 for the others: x may have overflowed there, where 0 times it is none.
RIFFLE_INLINE Lanes within(Lanes distance, float h, Lanes x) { return where_less(distance, h, x, 0.0f); }

/// The sum over lanes.
RIFFLE_INLINE float total(Lanes a) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

struct LaneVec3 {
  Lanes x, y, z;

  RIFFLE_INLINE LaneVec3() = default;
  RIFFLE_INLINE LaneVec3(Lanes x_, Lanes y_, Lanes z_) : x(x_), y(y_), z(z_) {}
  RIFFLE_INLINE LaneVec3(Vec3 a) : x(a.x), y(a.y), z(a.z) {}

  friend RIFFLE_INLINE LaneVec3 operator+(LaneVec3 a, LaneVec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend RIFFLE_INLINE LaneVec3 operator-(LaneVec3 a, LaneVec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend RIFFLE_INLINE LaneVec3 operator*(Lanes s, LaneVec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  RIFFLE_INLINE LaneVec3& operator+=(LaneVec3 b) { return *this = *this + b; }
  RIFFLE_INLINE LaneVec3& operator-=(LaneVec3 b) { return *this = *this - b; }
};
RIFFLE_INLINE Lanes dot(LaneVec3 a, LaneVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RIFFLE_INLINE Lanes length2(LaneVec3 a) { return dot(a, a); }

struct LaneVec4 {
  Lanes x, y, z, w;
};
RIFFLE_INLINE LaneVec3 xyz(const LaneVec4& a) { return {a.x, a.y, a.z}; }

/// Eight indices of an array.
struct LaneIndex {
  const std::int32_t* at;  ///< (8) 32-byte aligned
  RIFFLE_INLINE __m256i indices() const { return _mm256_load_si256(reinterpret_cast<const __m256i*>(at)); }
};

struct LaneNumbers {
  __m256i v;
};

template <>
struct TypesOf<Lanes> {
  using Three = LaneVec3;
  using Four = LaneVec4;
  using Index = LaneIndex;
  using Number = LaneNumbers;
};

/// x, y, z, w of eight records; rows: a register per record of two lanes' halves, 0 and 4 in the first.
RIFFLE_INLINE LaneVec4 transposed(__m256 r04, __m256 r15, __m256 r26, __m256 r37) {
  const __m256 xy01 = _mm256_unpacklo_ps(r04, r15), xy23 = _mm256_unpacklo_ps(r26, r37);
  const __m256 zw01 = _mm256_unpackhi_ps(r04, r15), zw23 = _mm256_unpackhi_ps(r26, r37);
  const auto low = [](__m256 a, __m256 b) {
    return Lanes(_mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b))));
  };
  const auto high = [](__m256 a, __m256 b) {
    return Lanes(_mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b))));
  };
  return {low(xy01, xy23), high(xy01, xy23), low(zw01, zw23), high(zw01, zw23)};
}

/// Two records in one register.
RIFFLE_INLINE __m256 two_records(const Vec4& a, const Vec4& b) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&a.x)), _mm_load_ps(&b.x), 1);
}

RIFFLE_INLINE LaneVec4 read(const Vec4* p, LaneIndex j) {
  const auto pair = [&](int a, int b) { return two_records(p[j.at[a]], p[j.at[b]]); };
  return transposed(pair(0, 4), pair(1, 5), pair(2, 6), pair(3, 7));
}

/// Of eight consecutive records.
RIFFLE_INLINE LaneVec4 read(const Vec4* first) {
  const auto pair = [&](int a, int b) { return two_records(first[a], first[b]); };
  return transposed(pair(0, 4), pair(1, 5), pair(2, 6), pair(3, 7));
}

RIFFLE_INLINE Lanes read(const float* p, LaneIndex j) { return Lanes(_mm256_i32gather_ps(p, j.indices(), 4)); }
RIFFLE_INLINE LaneNumbers read(const std::uint32_t* p, LaneIndex j) {
  return {_mm256_i32gather_epi32(reinterpret_cast<const int*>(p), j.indices(), 4)};
}
RIFFLE_INLINE Lanes entry(const float* table, LaneNumbers number) {
  return Lanes(_mm256_i32gather_ps(table, number.v, 4));
}

/// Adds the sums over lanes. Both types have the same members, one of float, the other of Lanes.
template <class OfLanes, class OfFloats>
RIFFLE_INLINE void add_totals(const OfLanes& lanes, OfFloats& sums) {
  constexpr std::size_t count = sizeof(OfLanes) / sizeof(Lanes);
  static_assert(sizeof(OfFloats) == count * sizeof(float));
  const auto from = std::bit_cast<std::array<Lanes, count>>(lanes);
  auto to = std::bit_cast<std::array<float, count>>(sums);
  for (std::size_t k = 0; k < count; ++k) to[k] += total(from[k]);
  sums = std::bit_cast<OfFloats>(to);
}

#endif  // RIFFLE_AVX2

}  // namespace riffle
