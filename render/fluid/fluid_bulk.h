#pragma once
/// Tells a body of fluid from drops, by kernels. assets/shaders/fluid_around.glsl explains what it does and why.

#include "render/fluid/fluid_filter.h"
#include "render/particles/fluid_disc.h"
#include "render/view.h"

namespace riffle::render {

/// @param filter   size, scale and projection of the picture
/// @param spacing  [m] of the particles
/// @param spheres  (height, pitch) eye depth of the nearest sphere [m], 0: no fluid
/// @param bulk     likewise, 0: a drop alone, 1: a body of fluid
void find_bulk(const Device& device, const DepthFilter& filter, float spacing, const float* spheres, float* bulk);

/// Finds drops in front of other fluid.
/// @param frame,size  with which `spheres` was drawn
/// @param layer       (particles.count) kSplatBehindAll for such a drop, 1 for every other particle
void find_drops(const ParticleView& particles, const DepthFilter& filter, float spacing, const SplatFrame& frame,
                const DropSize& size, const float* spheres, float* layer);

}  // namespace riffle::render
