#pragma once
/// The narrow-range filter of the fluid's depth (Truong and Yuksel 2018) by kernels. assets/shaders/narrow_range.glsl,
/// fluid_filter.frag and fluid_smooth.frag explain what it does and why.

#include "core/device/buffer.h"

namespace riffle::render {

struct DepthFilter {
  int width = 0, height = 0;   ///< [pixel]
  int pitch = 0;               ///< [pixel] from one row to the next, a multiple of 32
  float deviation = 0;         ///< [m] of the Gaussian; 0: no filter
  float pixels_per_meter = 0;  ///< at eye depth 1 m, or everywhere in an orthographic view
  float range = 0;             ///< [m]
  bool orthographic = false;
};

/// A Gaussian along x and along y.
/// @param share (height, pitch) share of the deviation for each pixel, 0..1
/// @param depth (height, pitch) eye depth [m], 0: no fluid; filtered in place
/// @param scratch as large as depth
void filter_depth(const Device& device, const DepthFilter& filter, const float* share, float* depth, float* scratch);

/// The passes that follow: pixels of both dimensions at once, kSmoothSteps apart (render/fluid/fluid_fields.h).
/// Parameters as above.
void smooth_depth(const Device& device, const DepthFilter& filter, const float* share, float* depth, float* scratch);

}  // namespace riffle::render
