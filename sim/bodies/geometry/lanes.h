#pragma once
/// Four numbers in double precision that one instruction handles at once, and vectors of them.

#include <algorithm>
#include <cmath>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "sim/bodies/geometry/vector3.h"

namespace riffle::bodies {

inline constexpr int kLanes = 4;

using Lanes = double __attribute__((vector_size(32)));
using LaneMask = long long __attribute__((vector_size(32)));  ///< -1 or 0

inline Lanes lanes(double x) { return Lanes{x, x, x, x}; }
inline Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
inline Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }
inline Lanes magnitude(Lanes a) { return a < 0 ? -a : a; }
inline double largest_of(Lanes a) { return std::max(std::max(a[0], a[1]), std::max(a[2], a[3])); }

inline bool any(LaneMask mask) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

inline Lanes root(Lanes a) {
#if defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  for (int l = 0; l < kLanes; ++l) a[l] = std::sqrt(a[l]);
  return a;
#endif
}

/// 1 / a, of 0 and less 0.
inline Lanes inverse_of(Lanes a) {
  const LaneMask is = a > 0;
  return is ? 1 / (is ? a : lanes(1)) : lanes(0);
}

struct Lanes3 {
  Lanes x{}, y{}, z{};

  void set(int lane, D3 v) { x[lane] = v.x, y[lane] = v.y, z[lane] = v.z; }
  D3 at(int lane) const { return {x[lane], y[lane], z[lane]}; }
};

inline Lanes3 operator+(const Lanes3& a, const Lanes3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Lanes3 operator-(const Lanes3& a, const Lanes3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Lanes3 operator*(Lanes s, const Lanes3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Lanes dot(const Lanes3& a, const Lanes3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Lanes3 cross(const Lanes3& a, const Lanes3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A symmetric matrix of each lane.
struct LaneMatrix {
  Lanes xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  void set(int lane, const double (&rows)[9]) {
    xx[lane] = rows[0], xy[lane] = rows[1], xz[lane] = rows[2];
    yy[lane] = rows[4], yz[lane] = rows[5], zz[lane] = rows[8];
  }
};

inline Lanes3 operator*(const LaneMatrix& m, const Lanes3& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

}  // namespace riffle::bodies
