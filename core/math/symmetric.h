#pragma once
/// Symmetric 3x3 matrices.

#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle {

struct Symmetric3 {
  float xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

RIFFLE_INLINE Symmetric3 operator+(const Symmetric3& a, const Symmetric3& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
RIFFLE_INLINE Symmetric3 operator*(float s, const Symmetric3& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}
RIFFLE_INLINE Vec3 operator*(const Symmetric3& a, Vec3 v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

/// a += s v v^T.
RIFFLE_INLINE void add_outer(Symmetric3& a, float s, Vec3 v) {
  const Vec3 w = s * v;
  a.xx += w.x * v.x, a.yy += w.y * v.y, a.zz += w.z * v.z;
  a.xy += w.x * v.y, a.xz += w.x * v.z, a.yz += w.y * v.z;
}

/// Of a positive definite matrix. In double: the products of a block with one large and two small eigenvalues cancel.
RIFFLE_INLINE Symmetric3 inverse(const Symmetric3& a) {
  const double xx = a.xx, yy = a.yy, zz = a.zz, xy = a.xy, xz = a.xz, yz = a.yz;
  const double x = yy * zz - yz * yz, y = xz * yz - xy * zz, z = xy * yz - xz * yy;
  const double scale = 1 / (xx * x + xy * y + xz * z);
  return {static_cast<float>(scale * x),
          static_cast<float>(scale * (xx * zz - xz * xz)),
          static_cast<float>(scale * (xx * yy - xy * xy)),
          static_cast<float>(scale * y),
          static_cast<float>(scale * z),
          static_cast<float>(scale * (xy * xz - xx * yz))};
}

}  // namespace riffle
