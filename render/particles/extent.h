#pragma once
/// What of the particles a picture shows: how far their values and their places reach.

#include <optional>

#include "core/math/vec.h"
#include "render/view.h"

namespace riffle::render {

struct ParticleExtent {
  bool any = false;                 ///< a particle is shown at all
  float least = 0, most = 0;        ///< smallest and largest finite colour value; both 0 when there is none
  Vec3 min{0, 0, 0}, max{0, 0, 0};  ///< [m] box around the spheres
};

/// Of the particles that are not cut away. Waits for the device: call it once per picture, not per step.
ParticleExtent measure_extent(const ParticleView& particles, const std::optional<CutPlane>& cut = {});

}  // namespace riffle::render
