#pragma once
/// Equation of state of a weakly compressible fluid.

#include <cmath>

#include "core/platform.h"

namespace riffle::wcsph {

/// Tait: p = rho0 c0^2 / gamma ((rho / rho0)^gamma - 1).
struct TaitPressure {
  float exponent;
  bool negative_pressure;

  /// compression: rho / rho0; stiffness: rho0 c0^2 / gamma [Pa]
  RIFFLE_HD float operator()(float compression, float stiffness) const {
    float power;
    if (exponent == 7.0f) {  // water's, and six times as fast as powf
      const float square = compression * compression;
      power = square * square * square * compression;
    } else {
      power = powf(compression, exponent);
    }
    const float p = stiffness * (power - 1);
    return p > 0 || negative_pressure ? p : 0.0f;
  }
};

}  // namespace riffle::wcsph
