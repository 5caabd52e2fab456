#pragma once
/// The user's hand in the fluid, and on a free solid.

#include <cstddef>

#include "core/math/vec.h"

namespace riffle::desktop {

/// Where a hand takes hold of a solid.
struct HeldPoint {
  std::size_t solid = 0;  ///< in the scene
  Vec3 at{};              ///< [m] where the scene puts that point
  Vec3 place{};           ///< [m] where it is now
};

/// How a hand stirs.
struct HandSetup {
  float size = 0.1f;      ///< radius, relative to the domain's largest extent
  float strength = 1.0f;  ///< relative to usual_stirring()
};

}  // namespace riffle::desktop
