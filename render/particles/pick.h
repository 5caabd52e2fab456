#pragma once
/// The particle that is drawn at a place of a picture.

#include <optional>

#include "render/view.h"

namespace riffle::render {

struct PickedParticle {
  int index = 0;       ///< in the view
  Vec3 position{};     ///< [m]
  float distance = 0;  ///< [m] along the ray to its sphere, 0 if the ray starts inside; or from the point
};

/// The first particle whose sphere the ray meets; at equal distances the one with the smallest index. Particles beyond
/// the cut are left out. A sphere that a periodic face cuts is met only on the particle's own side, as it is drawn.
/// Waits.
/// @param direction of any length except 0
/// @throws InputError for a direction of length 0, or one that is not finite
std::optional<PickedParticle> pick_on_ray(const ParticleView& particles, Vec3 origin, Vec3 direction,
                                          const std::optional<CutPlane>& cut = {});

/// The particle nearest to a point [m], at most `within` [m] away; nothing if there is none. As above.
std::optional<PickedParticle> pick_near(const ParticleView& particles, Vec3 point, float within,
                                        const std::optional<CutPlane>& cut = {});

/// Whether any sphere that is not cut away reaches into the picture. Waits.
bool any_in_view(const ParticleView& particles, const Camera& camera, float aspect,
                 const std::optional<CutPlane>& cut = {});

}  // namespace riffle::render
