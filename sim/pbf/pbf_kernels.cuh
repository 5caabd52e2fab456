#pragma once
/// The functors of one step of position based fluids. Index spaces: i, j are fluid particles in the search's order; b
/// are wall particles in theirs. The w of positions is the particle's inverse mass (relative to the lightest fluid), or
/// its lambda, or for walls V_b / V_0.

#include "core/device/atomic.h"
#include "core/math/domain.h"
#include "core/math/lanes.h"
#include "core/math/math.h"
#include "core/math/periodic.h"
#include "core/math/vec.h"
#include "sim/inheritance/inheritance.h"
#include "sim/kernel.h"
#include "sim/step_control.h"
#include "sim/walls/face_contact.h"

namespace riffle::pbf {

/// Constants of the fluids as kernels read them.
struct PbfFluids {
  int count = 1;
  float mass[kMaxFluids] = {};          ///< of a particle [kg]
  float inverse_mass[kMaxFluids] = {};  ///< relative to the lightest: at most 1
};

inline PbfFluids make_fluids(int count, const float (&mass)[kMaxFluids], const float (&inverse_mass)[kMaxFluids]) {
  PbfFluids fluids;
  fluids.count = count;
  for (int f = 0; f < kMaxFluids; ++f) fluids.mass[f] = mass[f], fluids.inverse_mass[f] = inverse_mass[f];
  return fluids;
}

/// v += g dt, x += v dt with contact, by which the velocity becomes the way over dt. Periodic axes wrap. A particle that
/// starts behind a wall is put on it and counted.
struct Predict {
  FaceContact contact;
  Vec3 gravity;
  PbfFluids fluids;
  const std::uint32_t* fluid;
  const float* dt;
  Vec4* position;
  Vec4* velocity;
  const std::uint32_t* foreign = nullptr;  ///< flags of particles that are not moved; nullptr: none
  std::uint32_t* contained = nullptr;      ///< counts particles behind walls; nullptr: nothing is counted

  /// @return whether x was behind a wall
  RIFFLE_HD bool advance(float& x, float& v, float step, int a, float low, float high) const {
    const Axis axis = contact.domain.axis[a];
    const bool behind = axis == Axis::Walled && (x < low || x > high);
    if (behind) x = x < low ? low : high;
    const float way = step * v, shortened = contact.shortened(way, x, a, low, high);
    x += shortened;
    if (shortened != way) v = shortened / step;
    if (axis == Axis::Periodic) x = periodic_image(x, low, high);
    return behind;
  }

  /// @return whether x was inside a solid
  RIFFLE_HD bool slow_beside_solids(std::int64_t i, Vec3& x, Vec3& v, float step) const {
    const bool inside = contact.confine<SurfaceTime::Start>(x, v, i);
    const Vec3 way = step * v, shortened = contact.shortened_by_solids(way, x, i, 1 / step);
    if (!(shortened == way)) v = (1 / step) * shortened;
    return inside;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    Vec4 x4 = position[i];
    x4.w = fluids.inverse_mass[fluids.count == 1 ? 0 : fluid[i]];
    const float step = *dt;
    if (step > 0 && !(foreign && foreign[i] != 0)) {
      const Domain& domain = contact.domain;
      Vec3 x = xyz(x4), v = xyz(velocity[i]) + step * gravity;
      bool behind = contact.solids.count > 0 && slow_beside_solids(i, x, v, step);
      const Vec3 slowed = v;
      behind |= advance(x.x, v.x, step, 0, domain.min.x, domain.max.x);
      behind |= advance(x.y, v.y, step, 1, domain.min.y, domain.max.y);
      if (domain.dimension == 3) behind |= advance(x.z, v.z, step, 2, domain.min.z, domain.max.z);
      contact.impulses.add_face_contact(i, x, v - slowed);
      if (behind && contained) atomic_add(contained, 1);
      velocity[i] = make_vec4(v);
      x4 = make_vec4(x, x4.w);
    }
    position[i] = x4;
  }
};

/// Sums lambdas over the iterations of a step as the pressure that would do the same.
struct LeftPressure {
  float factor = 0;  ///< density of the lightest fluid [kg/m^3], times what the gradient of a lattice lacks
  bool first = false;
  const ClockState* clock = nullptr;
  float* pressure = nullptr;  ///< nullptr: not wanted

  RIFFLE_HD void add(int i, float lambda) const {
    if (!pressure || !(clock->dt > 0)) return;
    const float dt = fmaxf(clock->dt, clock->previous_dt);  // as FinishStep makes velocities
    const float p = -factor * lambda / (dt * dt);
    pressure[i] = first ? p : pressure[i] + p;
  }
};

/// What the denominator of a constraint gains beside free bodies, which give way.
struct Gain {
  float density = 0;            ///< rest density of the lightest fluid [kg/m^3]
  const float* gain = nullptr;  ///< as of sim/bodies/body_rows.h; nullptr: there are none

  RIFFLE_HD float at(int i) const { return gain ? density * gain[i] : 0.0f; }
};

/// lambda_i = -C_i / (sum_k w_k |grad_k C_i|^2 + epsilon w_i), C_i = V_0 delta_i - 1. grad_k C_i is -V_0 grad W_ik for
/// a neighbour k, and minus the sum of those, with walls, for i itself; w are inverse masses.
///
/// A light particle among heavy ones is moved by all their constraints, each of which assumes that it moves the
/// particle alone: the sum of some ten full corrections would throw it out. Neighbours lighter than i therefore count
/// as if `sharing` others moved them too, in proportion to how much lighter they are. Among equal particles nothing
/// changes.
template <class Kernel>
struct ConstrainOf {
  Kernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  float epsilon;          ///< [1/m^2]
  float sharing;
  bool negative_pressure;
  float stiffness;  ///< as of WallConstraint
  Inherited inherited;
  LeftPressure left;
  Gain gain;
  const Vec4* position;  ///< w inverse mass
  const Vec4* wall;      ///< nullptr: no walls
  PbfFluids fluids;
  const std::uint32_t* fluid;
  Vec4* constrained;  ///< out: position, lambda
  float* density;     ///< out [kg/m^3]; nullptr: not wanted

  template <class Real>
  struct Sums {
    Vec3Of<Real> gradient;  ///< of W
    Real delta, squares;
  };
  struct State {
    Sums<float> sums;
    float weight;
  };
  template <class Real>
  using Neighbor = Real;  ///< inverse mass
  RIFFLE_HD State begin(int i) const { return {{{0, 0, 0}, kernel.value(0.0f), 0}, position[i].w}; }
  template <class Real>
  RIFFLE_HD Real read_neighbor(IndexOf<Real>, Real weight_j) const {
    return weight_j;
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ij, Real r2, Real weight_j) const {
    const Real r = quick_sqrt(r2);
    const Real gradient = kernel.gradient_over_r(r);
    const Real lighter = larger_of(weight_j - state.weight, 0.0f);
    sums.delta += kernel.value(r);
    sums.gradient += gradient * r_ij;
    sums.squares += (weight_j + sharing * lighter) * (gradient * gradient * r2);
  }
  RIFFLE_HD void end(State& state, int i) const {
    Vec3 gradient = particle_volume * state.sums.gradient;
    float filled = particle_volume * state.sums.delta;
    if (wall) {
      const Vec4 from_wall = wall[i];
      gradient += xyz(from_wall);
      filled += from_wall.w;
    }
    if (density) density[i] = fluids.mass[fluids.count == 1 ? 0 : fluid[i]] * (filled / particle_volume);
    const float squares = particle_volume * particle_volume * state.sums.squares +
                          state.weight * (length2(gradient) + epsilon) + gain.at(i);
    float constraint = inherited.left(i, filled - 1, squares * stiffness);
    if (constraint < 0 && !negative_pressure) constraint = 0;
    const Vec4 x = position[i];
    // Without relaxation the sum is 0 for an isolated particle.
    const float lambda = squares > 0 ? -quick_divide(constraint, squares) : 0.0f;
    constrained[i] = {x.x, x.y, x.z, lambda};
    left.add(i, lambda);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = ConstrainOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using Constrain = ConstrainOf<SmoothingKernel>;

/// s_corr of the paper, per lambda of a compression of 1.
struct ArtificialPressure {
  float strength = 0;       ///< [m^2]; 0: none
  float inverse_value = 1;  ///< 1 / W(distance)
  int power = 4;

  template <class Real>
  RIFFLE_INLINE Real operator()(Real w) const {
    const Real ratio = w * inverse_value;
    if (power == 4) return strength * (ratio * ratio) * (ratio * ratio);
    Real product = ratio;
    for (int k = 1; k < power; ++k) product = product * ratio;
    return strength * product;
  }
};

/// m_i dx_i = sum_j (lambda_i + lambda_j - s_corr) V_0 grad W_ij: antisymmetric, so that the pair's centre of mass
/// stays. All terms use the positions before the iteration.
template <class Kernel>
struct CorrectOf {
  Kernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  ArtificialPressure artificial;
  const float* inherited;   ///< share that is left of what particles have inherited; nullptr: they have not
  const Vec4* constrained;  ///< position, lambda
  Vec4* wall;               ///< in; 0 afterwards; nullptr: no walls
  Vec4* push;               ///< likewise
  Vec4* pushed;             ///< out: correction of this iteration times the relative mass [m]

  template <class Real>
  struct Sums {
    Vec3Of<Real> push;
  };
  struct State {
    Sums<float> sums;
    float lambda;
  };
  template <class Real>
  using Neighbor = Real;  ///< lambda
  RIFFLE_HD State begin(int i) const { return {{{0, 0, 0}}, constrained[i].w}; }
  template <class Real>
  RIFFLE_HD Real read_neighbor(IndexOf<Real>, Real lambda_j) const {
    return lambda_j;
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_ij, Real r2, Real lambda_j) const {
    const Real r = quick_sqrt(r2);
    Real push = state.lambda + lambda_j;
    if (artificial.strength > 0) push -= (inherited ? 1 - *inherited : 1.0f) * artificial(kernel.value(r));
    sums.push += (push * kernel.gradient_over_r(r)) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const {
    Vec3 step = particle_volume * state.sums.push;
    if (wall) {
      step += state.lambda * xyz(wall[i]) + xyz(push[i]);
      wall[i] = push[i] = Vec4{};
    }
    pushed[i] = make_vec4(step);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = CorrectOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using Correct = CorrectOf<SmoothingKernel>;

/// Adds the iteration's correction to those before it and moves the particle. The sum of the corrections is kept apart
/// from the positions, since velocities from differences of rounded positions would drift.
///
/// A correction is cut off where it is longer than the neighbourhoods allow. Its neighbours' are not, so the pair's
/// centre of mass moves. `cut_off` keeps what the velocities would lose (RefineVelocity), of each iteration at most as
/// much as the correction keeps: more would add energy to a fluid whose steps are too long.
///
/// This is no part of Correct::end(): any line about cut_off there made that pass twice as slow from 300,000 particles on
/// (docs/benchmarks.md).
struct Displace {
  FaceContact contact;  ///< its impulses are those of the velocities that FinishStep makes
  float largest2;       ///< [m^2] square of the largest correction of a step
  bool first;           ///< of the step's iterations
  const float* dt;      ///< nothing moves if it is 0
  const float* previous_dt;
  const Vec4* predicted;         ///< w inverse mass
  Vec4* correction;              ///< in (unless first) and out; w: 1 where cut_off has a value, else 0
  Vec4* moved;                   ///< in: Correct::pushed; out: position, inverse mass
  Vec4* cut_off;                 ///< in and out: what was cut off, times the relative mass [m]; nullptr: not wanted
  std::uint32_t* cut;            ///< counts corrections that are cut off
  const std::uint32_t* foreign;  ///< flags of particles that solids do not count; nullptr: none

  /// x + dx, and dx cut so that the result is no nearer to a face than half of x's gap, or half of the reach of contact.
  RIFFLE_HD float kept_off(float x, float& dx, float low, float high, Axis axis) const {
    const float to = x + dx;
    if (axis != Axis::Walled) return to;
    const float below = x - low, above = high - x;
    const float least = low + 0.5f * (below < contact.reach ? below : contact.reach),
                most = high - 0.5f * (above < contact.reach ? above : contact.reach);
    if (!(to < least || to > most)) return to;  // NaN is for the diagnostics to find
    const float kept = to < least ? least : most;
    dx = kept - x;
    return kept;
  }

  /// The same for solids. from: x4
  RIFFLE_HD Vec3 kept_off_solids(std::int64_t i, Vec3 from, Vec3 to, Vec3& dx, float over_dt) const {
    contact.solids.for_each_near(to, contact.reach, [&](std::uint32_t solid, SurfaceDistance at) {
      const float half_reach = 0.5f * contact.reach;
      if (!(at.distance < half_reach)) return;
      float least = half_reach;
      contact.solids.for_each_near(from, contact.reach, [&](std::uint32_t other, SurfaceDistance gap) {
        if (other == solid && 0.5f * gap.distance < least) least = gap.distance > 0 ? 0.5f * gap.distance : 0;
      });
      if (!(at.distance < least)) return;
      const Vec3 back = (least - at.distance) * at.normal;
      dx += back;
      to += back;
      contact.impulses.add_contact(solid + 1, i, to, over_dt * back);
    });
    return to;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Domain& domain = contact.domain;
    const Vec4 x4 = predicted[i];
    Vec3 dx = x4.w * xyz(moved[i]);
    float lost = 0;
    if (!first) {
      const Vec4 before = correction[i];
      dx += xyz(before);
      lost = before.w;
    }
    if (!(*dt > 0)) dx = {0, 0, 0};
    const float d2 = length2(dx);
    if (d2 > largest2) {
      const float kept = sqrtf(largest2 / d2);
      if (cut_off) {
        Vec3 off = (fminf(1 - kept, kept) / x4.w) * dx;
        if (lost != 0) off += xyz(cut_off[i]);
        cut_off[i] = make_vec4(off);
        lost = 1;
      }
      dx = kept * dx;
      atomic_add(cut, 1);
    }
    const bool counts = *dt > 0 && !(foreign && foreign[i] != 0);
    const float over_dt = counts ? 1 / fmaxf(*dt, *previous_dt) : 0;  // 0: solids get nothing
    const Vec3 wanted = dx;
    Vec3 x;
    x.x = kept_off(x4.x, dx.x, domain.min.x, domain.max.x, domain.axis[0]);
    x.y = kept_off(x4.y, dx.y, domain.min.y, domain.max.y, domain.axis[1]);
    x.z = domain.dimension == 3 ? kept_off(x4.z, dx.z, domain.min.z, domain.max.z, domain.axis[2]) : 0.0f;
    contact.impulses.add_face_contact(i, x, over_dt * (dx - wanted));
    if (contact.solids.count > 0) x = kept_off_solids(i, xyz(x4), x, dx, over_dt);
    correction[i] = make_vec4(dx, lost);
    moved[i] = make_vec4(x, x4.w);
  }
};

}  // namespace riffle::pbf
