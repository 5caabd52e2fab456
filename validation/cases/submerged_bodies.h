#pragma once
/// A ball, a box and a polygon under water in one tank, which several cases measure.

#include "sim/setup.h"

namespace riffle {

inline constexpr float kSubmergedWidth = 0.2f;                    ///< [m] of a body
inline constexpr float kSubmergedDepth = 2.5f * kSubmergedWidth;  ///< [m] of the water, and in 3-D the tank's width

/// Everything else as scenes have it by default. In 3-D the polygon is a prism.
/// @param across  particles across a body
SimulationSetup tank_of_submerged_bodies(int dimension, int across);

}  // namespace riffle
