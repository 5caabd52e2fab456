#pragma once
/// Where a ray meets the solids of a picture.

#include <cstddef>
#include <optional>

#include "render/view.h"

namespace riffle::render {

/// [m] from the origin to the first surface; nothing if the ray meets none. For surfaces, not for areas of 2-D scenes.
/// @param direction  of any length except 0
std::optional<float> solid_on_ray(const Solids& solids, Vec3 origin, Vec3 direction);

struct SolidHit {
  std::size_t solid = 0;  ///< in Solids::meshes
  float distance = 0;     ///< [m] from the origin
};

/// Which of them that is, too.
std::optional<SolidHit> hit_solid(const Solids& solids, Vec3 origin, Vec3 direction);

/// In a 2-D scene: the area that the ray meets in the plane z = 0. Of several the last, which is drawn over the others.
std::optional<SolidHit> hit_area(const Solids& solids, Vec3 origin, Vec3 direction);

}  // namespace riffle::render
