#pragma once
/// Tells a body of fluid from drops, by kernels. assets/shaders/fluid_bulk.frag explains what it does and why.

#include "render/fluid/fluid_filter.h"

namespace riffle::render {

/// @param filter   size, scale and projection of the picture
/// @param spacing  [m] of the particles
/// @param spheres  (height, pitch) eye depth of the nearest sphere [m], 0: no fluid
/// @param bulk     likewise, 0: a drop alone, 1: a body of fluid
/// @param surface  likewise, eye depth [m] without drops in front of a body
void find_bulk(const Device& device, const DepthFilter& filter, float spacing, const float* spheres, float* bulk,
               float* surface);

}  // namespace riffle::render
