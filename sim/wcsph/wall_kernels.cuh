#pragma once
/// The wall functors of a WCSPH step. Index spaces and the w of neighbour records: sim/wcsph/wcsph_kernels.cuh.

#include "core/math/lanes.h"
#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/bodies/solid_impulses.h"
#include "sim/inheritance/inheritance.h"
#include "sim/kernel.h"
#include "sim/walls/wall_motion.h"
#include "sim/wcsph/tait.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

/// Walls count as fluid of their own volume (Akinci et al. 2012, eq. 6).
template <class Kernel>
struct WallNumberDensityOf {
  Kernel kernel;
  Vec4* volume;  ///< in and out: w delta_i

  template <class Real>
  struct Sums {
    Real delta;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  using Neighbor = Real;  ///< V_b / V_0
  RIFFLE_HD State begin(int) const { return {{0}}; }
  template <class Real>
  RIFFLE_HD Real read_neighbor(IndexOf<Real>, Real weight) const {
    return weight;
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real>, Real r2, Real weight) const {
    sums.delta += weight * kernel.value(quick_sqrt(r2));
  }
  RIFFLE_HD void end(State& state, int i) const { volume[i].w += state.sums.delta; }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallNumberDensityOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallNumberDensity = WallNumberDensityOf<SmoothingKernel>;

/// Pressure and velocity of a wall particle. Its pressure follows from its own density, as if it were fluid that cannot
/// move; see sim/walls/boundary.h. Its velocity is WallMotion::mirrored().
template <class Kernel>
struct WallStateOf {
  Kernel kernel;
  TaitPressure tait;
  float stiffness;    ///< [Pa]
  float rest_volume;  ///< V_0 [m^d]
  const float* solid_density;
  Inherited inherited;
  WallMotion walls;
  const Vec4* flow;
  Vec4* wall_flow;  ///< out: velocity; w = p_b / delta_b^2

  template <class Real>
  struct Sums {
    Vec3Of<Real> velocity, away;  ///< away: from b to the fluid
    Real delta;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  using Neighbor = Vec3Of<Real>;  ///< velocity
  RIFFLE_HD State begin(int) const { return {{{0, 0, 0}, {0, 0, 0}, 0}}; }
  template <class Real>
  RIFFLE_HD Vec3Of<Real> read_neighbor(IndexOf<Real> j, Real) const {
    return xyz(read(flow, j));
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real> r_bj, Real r2, const Vec3Of<Real>& velocity) const {
    const Real w = kernel.value(quick_sqrt(r2));
    sums.delta += w;
    sums.velocity += w * velocity;
    sums.away += (-w) * r_bj;
  }
  RIFFLE_HD void end(State& state, int b) const {
    const Sums<float>& sums = state.sums;
    if (!(sums.delta > 0)) {
      wall_flow[b] = make_vec4(walls.at(b));
      return;
    }
    float delta = solid_density[b] + sums.delta;
    if (inherited.excess) delta = (1 + inherited.left(b, rest_volume * delta - 1)) / rest_volume;
    const float over = 1.0f / sums.delta;
    wall_flow[b] = make_vec4(walls.mirrored(b, over * sums.velocity, over * sums.away),
                             tait(delta * rest_volume, stiffness) / (delta * delta));
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallStateOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallState = WallStateOf<SmoothingKernel>;

/// Force per mass from walls.
template <class Kernel>
struct WallForceOf {
  Kernel kernel;
  FluidTable fluids;
  float friction;  ///< 1: no slip, 0: free slip
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* flow;
  const Vec4* wall_flow;  ///< velocity; p_b / delta_b^2
  float eta2;
  Vec4* acceleration;  ///< in and out

  template <class Real>
  struct Sums {
    Vec3Of<Real> force;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
    float pressure;
    float friction;
  };
  template <class Real>
  struct Neighbor {
    Real weight;  ///< V_b / V_0
    Vec4Of<Real> flow;
  };

  RIFFLE_HD State begin(int i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const Vec4 flow_i = flow[i];
    return {{{0, 0, 0}},
            xyz(flow_i),
            flow_i.w,
            friction * 2 * fluids.dynamic_viscosity[f] * volume[i].w * fluids.rest_volume};
  }

  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> b, Real weight) const {
    return {weight, read(wall_flow, b)};
  }

  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ib, Real r2,
                     const Neighbor<Real>& wall) const {
    const Real weighted = wall.weight * kernel.gradient_over_r(quick_sqrt(r2));
    sums.force += (-(state.pressure + wall.flow.w) * weighted) * r_ib +
                  quick_divide_by_normal(state.friction * weighted * r2, r2 + eta2) * (state.velocity - xyz(wall.flow));
  }

  RIFFLE_HD void end(State& state, int i) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[i];
    const Vec3 a = xyz(acceleration[i]) + fluids.inverse_mass[f] * state.sums.force;
    acceleration[i] = make_vec4(a);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallForceOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallForce = WallForceOf<SmoothingKernel>;

/// What WallForce takes from the fluid: the force on each wall particle, pair by pair.
struct WallReaction {
  SmoothingKernel kernel;
  FluidTable fluids;
  float friction;
  const std::uint32_t* fluid;
  const Vec4* volume;
  const Vec4* flow;
  const Vec4* wall;       ///< w: V_b / V_0
  const Vec4* wall_flow;  ///< velocity; p_b / delta_b^2
  float eta2;
  MeasuredSolids measured;
  Vec4* reaction;  ///< in and out [N]

  struct State {
    Vec3 force;
    Vec4 flow;
  };
  struct Source {
    Vec4 flow;
    float friction;
  };
  RIFFLE_HD bool wants(int b) const { return measured.has(b); }
  RIFFLE_HD State begin(int b) const { return {{0, 0, 0}, wall_flow[b]}; }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const {
    const std::uint32_t f = fluids.count == 1 ? 0 : fluid[j];
    return {flow[j], friction * 2 * fluids.dynamic_viscosity[f] * x_j.w * fluids.rest_volume};
  }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_bj, float r2, const Source& source) const {
    if (!measured.counts(j)) return;
    const float gradient = kernel.gradient_over_r(quick_sqrt(r2));
    state.force +=
        (-(source.flow.w + state.flow.w) * gradient) * r_bj -
        quick_divide_by_normal(source.friction * gradient * r2, r2 + eta2) * (xyz(source.flow) - xyz(state.flow));
  }
  RIFFLE_HD void end(State& state, int b) const { reaction[b] = make_vec4(xyz(reaction[b]) + wall[b].w * state.force); }
};

}  // namespace riffle::wcsph
