#pragma once
/// What wall particles inherit where their densities are sums: sim/inheritance/inheritance.h.

#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/inheritance/inheritance.h"
#include "sim/kernel.h"

namespace riffle {

/// The excess that a wall particle expects when it begins to inherit: the mean of the fluid around it, kNone counting as 0.
struct ExpectedAtWall {
  SmoothingKernel kernel;
  const float* expected;  ///< of particles
  float* expected_at_wall;

  struct State {
    float sum, weight;
  };
  using Source = float;  ///< expected
  RIFFLE_HD State begin(int) const { return {0, 0}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return expected[j]; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2, Source e) const {
    const float w = kernel.value(quick_sqrt(r2));
    state.weight += w;
    state.sum += e == Inheritance::kNone ? 0.0f : w * e;
  }
  RIFFLE_HD void end(State& state, int b) const {
    expected_at_wall[b] = state.sum > 0 ? state.sum / state.weight : Inheritance::kNone;
  }
};

}  // namespace riffle
