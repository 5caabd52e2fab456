#pragma once
/// The functors of a step with density by continuity; sim/wcsph/continuity.h has the equations. Index spaces:
/// sim/wcsph/wcsph_kernels.cuh.

#include "core/math/extremes.h"
#include "core/math/lanes.h"
#include "core/math/math.h"
#include "core/math/vec.h"
#include "sim/inheritance/inheritance.h"
#include "sim/kernel.h"
#include "sim/motion/apparent_gravity.h"
#include "sim/step_control.h"
#include "sim/walls/face_contact.h"
#include "sim/walls/wall_motion.h"
#include "sim/wcsph/continuity.h"
#include "sim/wcsph/tait.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

/// Pressure from the compression that the particles carry.
struct StateOfContinuity {
  FluidTable fluids;
  TaitPressure tait;
  float damping;             ///< zeta [Pa s]
  const float* compression;  ///< e
  const float* rate;         ///< of compression, by the velocities alone [1/s]
  const Vec4* position;
  const Vec4* velocity;
  Vec4* volume;  ///< out: position; w 1 / delta
  Vec4* flow;    ///< out: velocity; p / delta^2

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float ratio = 1 + compression[i];
    float p = tait(ratio, fluids.stiffness);
    if (p > 0 || tait.negative_pressure) p += damping * rate[i];
    if (p < 0 && !tait.negative_pressure) p = 0;
    const Vec4 x = position[i], v = velocity[i];
    const float volume_i = fluids.rest_volume / ratio;
    volume[i] = {x.x, x.y, x.z, volume_i};
    flow[i] = {v.x, v.y, v.z, p * volume_i * volume_i};
  }
};

/// Pressure of a wall particle: that of the fluid around it, continued with the fluid's weight. Velocity: WallMotion::mirrored().
template <class Kernel>
struct ContinuedWallStateOf {
  Kernel kernel;
  FluidTable fluids;
  bool negative_pressure;
  Vec3 gravity;
  const ApparentGravity* apparent;  ///< nullptr: gravity is constant
  const Vec4* wall_position;
  const std::uint32_t* fluid;
  WallMotion walls;
  const Vec4* flow;
  Vec4* wall_flow;  ///< out: velocity; w = p_b V_0^2

  template <class Real>
  struct Sums {
    Vec3Of<Real> velocity;
    Real sum;
    Real pressure;      ///< p / delta^2
    Vec3Of<Real> arm;   ///< sum of W rho r_bj [kg/m^(2d-1)]
    Vec3Of<Real> away;  ///< sum of W r_jb, of several fluids [1/m^(d-1)]
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  struct Neighbor {
    Vec4Of<Real> flow;
    NumberOf<Real> fluid;
  };
  RIFFLE_HD State begin(int) const { return {{{0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> j, Real) const {
    return {read(flow, j), kIsBranchless<Kernel> || fluids.count == 1 ? NumberOf<Real>{} : read(fluid, j)};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real> r_bj, Real r2, const Neighbor<Real>& source) const {
    const Real w = kernel.value(quick_sqrt(r2));
    const Real density = entry(fluids.rest_density, source.fluid);
    sums.sum += w;
    sums.velocity += w * xyz(source.flow);
    sums.pressure += w * source.flow.w;
    sums.arm += (w * density) * r_bj;
    if (!kIsBranchless<Kernel> && fluids.count > 1) sums.away += (-w) * r_bj;
  }
  RIFFLE_HD void end(State& state, int b) const {
    const Sums<float>& sums = state.sums;
    if (!(sums.sum > 0)) {
      wall_flow[b] = make_vec4(walls.at(b));
      return;
    }
    const float over = 1.0f / sums.sum;
    const Vec3 g = apparent != nullptr ? apparent->at(xyz(wall_position[b])) : gravity;
    float p = over * (sums.pressure + fluids.rest_volume * fluids.rest_volume * dot(g, sums.arm));
    if (p < 0 && !negative_pressure) p = 0;
    const Vec3 away = fluids.count > 1 ? over * sums.away : (-over / fluids.rest_density[0]) * sums.arm;
    wall_flow[b] = make_vec4(walls.mirrored(b, over * sums.velocity, away), p);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = ContinuedWallStateOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2) && fluids.count == 1; }
};
using ContinuedWallState = ContinuedWallStateOf<SmoothingKernel>;

/// v += a dt, with the damping of a start and of contact. out: flow, velocity and compression for the pass that follows.
struct Kick {
  FaceContact contact;
  float damping_rate;   ///< [1/s]
  double damping_time;  ///< [s]
  const Vec4* position;
  const Vec4* acceleration;
  const float* compression;
  const std::uint32_t* foreign;  ///< flags of particles that keep their velocity; nullptr: none
  const ClockState* clock;
  Vec4* velocity;
  Vec4* flow;

  RIFFLE_HD void operator()(std::int64_t i) const {
    Vec3 v = xyz(velocity[i]);
    if (clock->dt > 0 && !(foreign && foreign[i] != 0)) {
      v += clock->dt * xyz(acceleration[i]);
      if (damping_rate > 0 && clock->time <= damping_time) v = (1 / (1 + damping_rate * clock->dt)) * v;
      v = contact.damped(v, xyz(position[i]), clock->dt, i);
      velocity[i] = make_vec4(v);
    }
    flow[i] = make_vec4(v, compression[i]);
  }
};

/// Rates of compression in the course of a step: sums over the pairs half way between their places at its start and at
/// its end, where the rate times dt is the change of the sum of W up to the third order.
template <class Kernel, bool kOneFluid = false>
struct CompressionRateOf {
  Kernel kernel;
  FluidTable fluids;
  ContinuityTable table;
  const std::uint32_t* fluid;
  const Vec4* flow;  ///< velocity; e
  const ClockState* clock;
  const ApparentGravity* apparent;  ///< nullptr: gravity is constant
  const Vec4* position;
  float eta2;
  float* rate;       ///< out: by the velocities [1/s]
  float* diffusion;  ///< out: D V_0 [1/s]
  float* summed;     ///< out: V_0 sum_j W_ij, itself included

  template <class Real>
  struct Sums {
    Real rate;
    Real diffusion;
    Real sum;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
    float compression;
    float density;
    float half_step;
  };
  template <class Real>
  struct Neighbor {
    Vec4Of<Real> flow;
    NumberOf<Real> fluid;
  };
  using Source = Neighbor<float>;
  RIFFLE_HD State begin(int i) const {
    const Vec4 flow_i = flow[i];
    return {{0, 0, kernel.value(0.0f)},
            xyz(flow_i),
            flow_i.w,
            fluids.rest_density[fluids.count == 1 ? 0 : fluid[i]],
            0.5f * clock->dt};
  }
  RIFFLE_HD Source fetch(int j, Vec4) const { return read_neighbor<float>(j, 0.0f); }
  RIFFLE_HD void neighbor(State& state, int i, int, Vec3 r_ij, float r2, const Source& source) const {
    if constexpr (kBranchless) {
      add(state.sums, state, r_ij, r2, source);
    } else {
      Vec3 weight_field = table.weight;
      if (apparent != nullptr) weight_field = table.inverse_modulus * apparent->at(xyz(position[i]) - 0.5f * r_ij);
      add_with<float>(state.sums, state, r_ij, source, weight_field);
    }
  }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> j, Real) const {
    return {read(flow, j), kOneFluid || fluids.count == 1 ? NumberOf<Real>{} : read(fluid, j)};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ij, Real,
                     const Neighbor<Real>& source) const {
    add_with<Real>(sums, state, r_ij, source, table.weight);
  }
  RIFFLE_HD void end(State& state, int i) const {
    if (!(state.half_step > 0)) return;  // the time limit is reached
    rate[i] = fluids.rest_volume * state.sums.rate;
    diffusion[i] = table.diffusion * state.sums.diffusion;
    summed[i] = fluids.rest_volume * state.sums.sum;
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = CompressionRateOf<BranchlessWendland, kBranchless>;
  bool has_twin(float h2) const {
    return kBranchless ? fluids.count == 1 : apparent == nullptr && BranchlessWendland::replaces(kernel, h2);
  }

 private:
  /// weight_field: the compression per length that gravity holds in a fluid at rest, over its density
  template <class Real>
  RIFFLE_HD void add_with(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ij, const Neighbor<Real>& source,
                          Vec3 weight_field) const {
    const Vec3Of<Real> v_ij = state.velocity - xyz(source.flow);
    const Vec3Of<Real> r = r_ij + state.half_step * v_ij;
    const Real r2 = length2(r), distance = quick_sqrt(r2);
    if constexpr (!kBranchless)
      if (distance >= kernel.h) return;
    const Real gradient = kernel.gradient_over_r(distance);
    Real density = state.density;
    if (!kOneFluid && fluids.count > 1) density = 0.5f * (density + entry(fluids.rest_density, source.fluid));
    const Vec4Of<Real>& flow_j = source.flow;
    const Real most = larger_of(larger_of(flow_j.w, Real(state.compression)), Real(0.0f));
    const Real weight = smaller_of(larger_of(density * dot(Vec3Of<Real>(weight_field), r), -most), most);
    // Half a step of a wild run takes a pair so far apart that products overflow.
    sums.rate += within(distance, kernel.h, gradient * dot(v_ij, r));
    sums.sum += within(distance, kernel.h, kernel.value(distance));
    sums.diffusion -= within(
        distance, kernel.h, quick_divide_by_normal(gradient * r2, r2 + eta2) * (flow_j.w - state.compression + weight));
  }
};
using CompressionRate = CompressionRateOf<SmoothingKernel>;

/// Adds the walls' part. Walls take no part in diffusion.
template <class Kernel>
struct WallCompressionRateOf {
  Kernel kernel;
  float rest_volume;  ///< V_0 [m^d]
  const Vec4* flow;
  const Vec4* wall_velocity;  ///< nullptr: the walls are at rest
  const ClockState* clock;
  float* rate;    ///< in and out
  float* summed;  ///< in and out

  template <class Real>
  struct Sums {
    Real rate;
    Real sum;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
    float half_step;
  };
  template <class Real>
  struct Neighbor {
    Real weight;  ///< V_b / V_0
    Vec3Of<Real> velocity;
  };
  RIFFLE_HD State begin(int i) const { return {{0, 0}, xyz(flow[i]), 0.5f * clock->dt}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> b, Real weight) const {
    if (wall_velocity == nullptr) return {weight, Vec3Of<Real>{}};
    return {weight, xyz(read(wall_velocity, b))};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ib, Real, const Neighbor<Real>& wall) const {
    const Vec3Of<Real> v_ib = state.velocity - wall.velocity;
    const Vec3Of<Real> r = r_ib + state.half_step * v_ib;
    const Real distance = quick_sqrt(length2(r));
    if constexpr (!kIsBranchless<Kernel>)
      if (distance >= kernel.h) return;
    sums.rate += within(distance, kernel.h, wall.weight * kernel.gradient_over_r(distance) * dot(v_ib, r));
    sums.sum += within(distance, kernel.h, wall.weight * kernel.value(distance));
  }
  RIFFLE_HD void end(State& state, int i) const {
    if (!(state.half_step > 0)) return;
    rate[i] += rest_volume * state.sums.rate;
    summed[i] += rest_volume * state.sums.sum;
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallCompressionRateOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallCompressionRate = WallCompressionRateOf<SmoothingKernel>;

/// Compression and density at the end of the step.
struct AdvanceCompression {
  FluidTable fluids;
  float return_rate;  ///< [1/s]
  Inherited inherited;
  const std::uint32_t* fluid;
  const float* rate;
  const float* diffusion;
  const float* summed;
  const std::uint32_t* foreign;  ///< flags of particles that keep their compression; nullptr: none
  const ClockState* clock;
  float* compression;
  float* density;  ///< out [kg/m^3]

  RIFFLE_HD void operator()(std::int64_t i) const {
    float e = compression[i];
    if (clock->dt > 0 && !(foreign && foreign[i] != 0)) {
      float missing = inherited.left(i, summed[i] - 1) - e;
      if (missing < -kSurfaceGap) missing = e > kSurfaceGap ? kSurfaceGap - e : 0.0f;
      e += clock->dt * (rate[i] + diffusion[i] + return_rate * missing);
      compression[i] = e;
    }
    density[i] = fluids.rest_density[fluids.count == 1 ? 0 : fluid[i]] * (1 + e);
  }
};

}  // namespace riffle::wcsph
