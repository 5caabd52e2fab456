#pragma once
/// Axis-aligned boxes.

#include <limits>

#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle {

/// Empty by default.
struct BoundingBox {
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Vec3 low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};

  static BoundingBox everything() {
    constexpr float most = std::numeric_limits<float>::max();
    return {{-most, -most, -most}, {most, most, most}};
  }
};

RIFFLE_INLINE float least(float a, float b) { return a < b ? a : b; }
RIFFLE_INLINE float most(float a, float b) { return a > b ? a : b; }
RIFFLE_INLINE Vec3 least(Vec3 a, Vec3 b) { return {least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)}; }
RIFFLE_INLINE Vec3 most(Vec3 a, Vec3 b) { return {most(a.x, b.x), most(a.y, b.y), most(a.z, b.z)}; }

}  // namespace riffle
