#pragma once

#include "core/math/vec.h"

namespace riffle {

RIFFLE_INLINE Vec3 cross_product(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace riffle
