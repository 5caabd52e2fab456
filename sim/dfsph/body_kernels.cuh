#pragma once
/// The functors of a DFSPH step for free bodies, whose velocities the solves find together with the pressure. Names and index
/// spaces are those of sim/dfsph/dfsph_kernels.cuh.

#include "sim/bodies/coupled_body.h"
#include "sim/dfsph/dfsph_kernels.cuh"

namespace riffle::dfsph {

/// Puts the gains of the diagonal into its inverse.
struct Soften {
  const float* gain;  ///< (particles) of sim/bodies/body_rows.h; not known far from walls
  const float* wall_squares;
  float* inverse;  ///< in and out

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (wall_squares[i] > 0 && gain[i] > 0 && inverse[i] > 0) inverse[i] = 1 / (1 / inverse[i] + gain[i]);
  }
};

struct SoftenWall {
  const float* gain;  ///< (wall particles) of bodies
  CoupledView view;
  WallConstraint* constraint;

  RIFFLE_HD void operator()(std::int64_t b) const {
    float& inverse = constraint[b].inverse;
    if (inverse > 0 && view.of(b) != nullptr) inverse = 1 / (1 / inverse + gain[b]);
  }
};

/// The impulses of an iterate on the bodies' wall particles: as WallImpulse.
struct BodyImpulse {
  SmoothingKernel kernel;
  float volume;  ///< V_0 [m^d]
  const SolveState* state;
  CoupledView view;
  const Vec4* wall;  ///< w: V_b / V_0
  const WallConstraint* constraint;
  Vec4* reaction;  ///< out [N s]

  struct State {
    Vec3 push;
    float impulse;
  };
  using Source = float;  ///< impulse
  RIFFLE_HD bool wants(int b) const { return constraint[b].inverse > 0 && view.of(b) != nullptr; }
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int b) const { return {{0, 0, 0}, constraint[b].present}; }
  RIFFLE_HD Source fetch(int, Vec4 x_j) const { return x_j.w; }
  RIFFLE_HD void neighbor(State& own, int, int, Vec3 r_bj, float r2, Source phi) const {
    own.push += ((own.impulse + phi) * kernel.gradient_over_r(quick_sqrt(r2))) * r_bj;
  }
  RIFFLE_HD void end(State& own, int b) const { reaction[b] = make_vec4(-(volume * volume * wall[b].w) * own.push); }
};

/// sum_b phi_b g_ib, and sum_b v_b g_ib with the present velocities of the walls. Not called far from walls.
struct CoupledWallPush {
  SmoothingKernel kernel;
  float volume;  ///< V_0 [m^d]
  const SolveState* state;
  const WallConstraint* constraint;
  const Vec4* wall_velocity;
  const float* wall_squares;
  Vec4* wall_push;  ///< out

  struct State {
    Vec3 push;
    float way;
  };
  struct Source {
    float weight, phi;
    Vec3 velocity;
  };
  RIFFLE_HD bool wants(int i) const { return wall_squares[i] > 0; }
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}, 0}; }
  RIFFLE_HD Source fetch(int b, Vec4 x_b) const {
    return {x_b.w, x_b.w * constraint[b].present, xyz(wall_velocity[b])};
  }
  RIFFLE_HD void neighbor(State& own, int, int, Vec3 r_ib, float r2, const Source& b) const {
    const float slope = kernel.gradient_over_r(quick_sqrt(r2));
    own.push += (b.phi * slope) * r_ib;
    own.way += b.weight * slope * dot(b.velocity, r_ib);
  }
  RIFFLE_HD void end(State& own, int i) const { wall_push[i] = make_vec4(volume * own.push, volume * own.way); }
};

}  // namespace riffle::dfsph
