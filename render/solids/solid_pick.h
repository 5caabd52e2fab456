#pragma once
/// Where a ray meets the solids of a picture.

#include <optional>

#include "render/view.h"

namespace riffle::render {

/// [m] from the origin to the first surface; nothing if the ray meets none. For surfaces, not for areas of 2-D scenes.
/// @param direction  of any length except 0
std::optional<float> solid_on_ray(const Solids& solids, Vec3 origin, Vec3 direction);

}  // namespace riffle::render
