#pragma once
/// The functors of particle shifting; sim/shifting/shifting.h has the formulas. Index spaces: i, j are fluid particles in
/// the search's order. The w of neighbour records is the particle's volume, for walls V_b / V_0.

#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/kernel.h"
#include "sim/step_control.h"

namespace riffle::shifting {

/// A particle with less than this fraction of the rest density is at a free surface: the first layer of a lattice has
/// 0.88, and weakly compressible fluid inside is within a few hundredths of 1.
inline constexpr float kSurfaceCompression = 0.94f;

/// out: h grad C_i = h sum_j V_0 grad W_ij; w is 1 if a particle at a free surface is within h, else 0.
struct Concentration {
  SmoothingKernel kernel;
  float rest_volume;  ///< V_0 [m^d]
  const Vec4* volume;
  Vec4* shift;

  struct State {
    Vec3 gradient;
    float largest;  ///< volume
  };
  using Source = float;
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, volume[i].w}; }
  RIFFLE_HD Source fetch(int, Vec4 x_j) const { return x_j.w; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, Source volume_j) const {
    state.gradient += kernel.gradient_over_r(quick_sqrt(r2)) * r_ij;
    if (volume_j > state.largest) state.largest = volume_j;
  }
  RIFFLE_HD void end(State& state, int i) const {
    shift[i] = make_vec4(kernel.h * rest_volume * state.gradient,
                         state.largest * kSurfaceCompression > rest_volume ? 1.0f : 0.0f);
  }
};

/// Adds the walls' part, as if they were full of fluid.
struct WallConcentration {
  SmoothingKernel kernel;
  float rest_volume;  ///< V_0 [m^d]
  Vec4* shift;        ///< in and out

  struct State {
    Vec3 gradient;
  };
  using Source = float;  ///< V_b / V_0
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD Source fetch(int, Vec4 x_b) const { return x_b.w; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ib, float r2, Source weight) const {
    state.gradient += weight * kernel.gradient_over_r(quick_sqrt(r2)) * r_ib;
  }
  RIFFLE_HD void end(State& state, int i) const {
    const Vec4 s = shift[i];
    shift[i] = make_vec4(xyz(s) + kernel.h * rest_volume * state.gradient, s.w);
  }
};

/// out: the step's displacement [m].
struct ShiftLength {
  float coefficient;  ///< A
  float h;            ///< support radius [m]
  float most;         ///< [m]
  float most_drift;   ///< upper bound of D / h [m]
  const ClockState* clock;
  Vec4* shift;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec4 s = shift[i];
    Vec3 displacement{0, 0, 0};
    if (s.w == 0) {
      float drift = coefficient * clock->max_speed * clock->dt;
      if (drift > most_drift) drift = most_drift;
      displacement = -drift * xyz(s);
      const float length = sqrtf(length2(displacement));
      if (length > most) displacement = (most / length) * displacement;
    }
    shift[i] = make_vec4(displacement);
  }
};

}  // namespace riffle::shifting
