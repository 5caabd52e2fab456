#pragma once
/// Vectors and places in double precision, for contact.

#include <cmath>

#include "core/math/vec.h"

namespace riffle::bodies {

struct D3 {
  double x = 0, y = 0, z = 0;

  double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

inline D3 operator+(D3 a, D3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline D3 operator-(D3 a, D3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline D3 operator-(D3 a) { return {-a.x, -a.y, -a.z}; }
inline D3 operator*(double s, D3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline D3& operator+=(D3& a, D3 b) { return a = a + b; }
inline double dot(D3 a, D3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline D3 cross(D3 a, D3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(D3 a) { return std::sqrt(dot(a, a)); }
/// Of length 1; 0 stays 0.
inline D3 unit(D3 a) {
  const double l = length(a);
  return l > 0 ? (1 / l) * a : a;
}
inline D3 d3(Vec3 a) { return {a.x, a.y, a.z}; }
inline D3 d3(const double* a) { return {a[0], a[1], a[2]}; }
/// At right angles to the unit vector u, of length 1.
inline D3 aside(D3 u) { return unit(std::fabs(u.x) + std::fabs(u.y) > 0.5 ? D3{-u.y, u.x, 0} : D3{0, -u.z, u.y}); }

/// x = turn X + shift
struct Place {
  double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< rows
  D3 shift;

  D3 turned(D3 a) const {
    return {turn[0] * a.x + turn[1] * a.y + turn[2] * a.z, turn[3] * a.x + turn[4] * a.y + turn[5] * a.z,
            turn[6] * a.x + turn[7] * a.y + turn[8] * a.z};
  }
  D3 turned_back(D3 a) const {
    return {turn[0] * a.x + turn[3] * a.y + turn[6] * a.z, turn[1] * a.x + turn[4] * a.y + turn[7] * a.z,
            turn[2] * a.x + turn[5] * a.y + turn[8] * a.z};
  }
  D3 out(D3 x) const { return turned(x) + shift; }
  D3 into(D3 x) const { return turned_back(x - shift); }
};

struct Bounds3 {
  D3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

  void add(D3 x) {
    for (int a = 0; a < 3; ++a) {
      if (x[a] < low[a]) low[a] = x[a];
      if (x[a] > high[a]) high[a] = x[a];
    }
  }
  bool meets(const Bounds3& b, double reach) const {
    for (int a = 0; a < 3; ++a)
      if (low[a] > b.high[a] + reach || b.low[a] > high[a] + reach) return false;
    return true;
  }
};

}  // namespace riffle::bodies
