#pragma once
/// Velocity fields that bodies start with. All but the shear between walls are solutions of the inviscid equations; every
/// one is free of divergence.

#include "core/math/vec.h"
#include "sim/shapes/shape.h"

namespace riffle {

/// With x along `along`, y along `across`, both from `center`, and k = 2 pi / wavelength:
enum class Flow {
  None,
  Shear,        ///< u = rate y
  Rotation,     ///< u = -rate y, v = rate x
  Strain,       ///< u = rate x, v = -rate y
  TaylorGreen,  ///< u = -speed cos(k x) sin(k y), v = speed sin(k x) cos(k y)
  /// u = -speed sin(k x) cosh(k (y + depth)) / sinh(k depth), v = speed cos(k x) sinh(k (y + depth)) / sinh(k depth):
  /// water of this depth, whose surface y = 0 is flat and moves fastest, upwards at x = 0
  StandingWave
};

struct FlowSetup {
  Flow flow = Flow::None;
  int along = 0, across = 1;  ///< axes, 0 to 2, not the same
  Vec3 center{};              ///< [m]
  float rate = 0;             ///< [1/s]
  float speed = 0;            ///< [m/s]
  float wavelength = 1;       ///< [m]
  float depth = 1;            ///< [m]
};

/// [m/s]
Vec3 flow_velocity(const FlowSetup& flow, Vec3 place);

/// [m/s] An upper bound of the speed within the bounds; 0 without a flow.
float fastest_flow(const FlowSetup& flow, const Bounds& bounds);

}  // namespace riffle
