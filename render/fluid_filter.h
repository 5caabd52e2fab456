#pragma once
/// The narrow-range filter of the fluid's depth (Truong and Yuksel 2018) by a kernel: assets/shaders/fluid_filter.frag
/// says what it does and why.

#include "core/buffer.h"

namespace riffle {

struct DepthFilter {
  int width = 0, height = 0;   ///< [pixel]
  int pitch = 0;               ///< [pixel] from one row to the next, a multiple of 32
  float deviation = 0;         ///< [m] of the Gaussian; 0: nothing is filtered
  float pixels_per_meter = 0;  ///< at eye depth 1 m, or everywhere in an orthographic view
  float range = 0;             ///< [m]
  float behind = 0;            ///< [m] how far behind the middle the farther depths count, the first time
  bool orthographic = false;
  int passes = 0;  ///< each along x and y; all but the first over few pixels at most
};

/// @param depth (height, pitch) eye depth [m], 0: no fluid; filtered in place
/// @param scratch of its size
void filter_depth(const Device& device, const DepthFilter& filter, float* depth, float* scratch);

}  // namespace riffle
