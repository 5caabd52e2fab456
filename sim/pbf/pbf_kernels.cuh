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

/// lambda of a wall particle from its own density, as if it were fluid that cannot move; see sim/walls/boundary.h. With
/// lambda_i in place of lambda_b, particles sink to a third of a spacing from the wall if it counts once; if it counts
/// twice, water at rest boils at four times the speed.
template <class Kernel>
struct WallConstraintOf {
  Kernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  float epsilon;          ///< [1/m^2]
  const float* solid_density;
  float stiffness;  ///< over the sum that divides the constraint, what Inherited::left() asks for [m^2]
  Inherited inherited;
  float* lambda;  ///< out

  template <class Real>
  struct Sums {
    Real delta, squares, weighted;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  using Neighbor = Real;  ///< inverse mass
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  template <class Real>
  RIFFLE_HD Real read_neighbor(IndexOf<Real>, Real weight_j) const {
    return weight_j;
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real>, Real r2, Real weight_j) const {
    const Real r = quick_sqrt(r2), w = kernel.value(r), gradient = kernel.gradient_over_r(r);
    sums.delta += w;
    sums.weighted += weight_j * w;
    sums.squares += weight_j * (gradient * gradient * r2);
  }
  RIFFLE_HD void end(State& state, int b) const {
    const Sums<float>& sums = state.sums;
    const bool wet = sums.delta > 0;
    const float squares =
        wet ? particle_volume * particle_volume * sums.squares + epsilon * quick_divide(sums.weighted, sums.delta)
            : 1.0f;
    const float constraint =
        inherited.left(b, particle_volume * (solid_density[b] + sums.delta) - 1, squares * stiffness);
    lambda[b] = wet && constraint > 0 ? -quick_divide(constraint, squares) : 0.0f;
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallConstraintOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallConstraint = WallConstraintOf<SmoothingKernel>;

/// The walls' part: they count as fluid of their own volume. Not called far from walls, where the sums are already 0
/// (Correct leaves them 0).
template <class Kernel>
struct WallSumsOf {
  Kernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  const float* lambda;    ///< of wall particles
  Vec4* wall;             ///< out: gradient [1/m], share of V_0 delta
  Vec4* push;             ///< out: sum of lambda_b times the gradients [m]

  template <class Real>
  struct Sums {
    Vec3Of<Real> gradient, push;
    Real delta;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  struct Neighbor {
    Real weight;  ///< V_b / V_0
    Real lambda;
  };
  RIFFLE_HD State begin(int) const { return {{{0, 0, 0}, {0, 0, 0}, 0}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> b, Real weight) const {
    return {weight, read(lambda, b)};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real> r_ib, Real r2, const Neighbor<Real>& b) const {
    const Real r = quick_sqrt(r2);
    const Vec3Of<Real> gradient = (b.weight * kernel.gradient_over_r(r)) * r_ib;
    sums.delta += b.weight * kernel.value(r);
    sums.gradient += gradient;
    sums.push += b.lambda * gradient;
  }
  RIFFLE_HD void end(State& state, int i) const {
    wall[i] = make_vec4(particle_volume * state.sums.gradient, particle_volume * state.sums.delta);
    push[i] = make_vec4(particle_volume * state.sums.push);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallSumsOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallSums = WallSumsOf<SmoothingKernel>;

/// What the walls' part of an iteration takes from the fluid: the impulse on each wall particle, pair by pair.
struct WallReaction {
  SmoothingKernel kernel;
  float volume_mass;  ///< V_0 times the mass of a particle of inverse mass 1 [m^d kg]
  const ClockState* clock;
  const Vec4* wall;     ///< w: V_b / V_0
  const float* lambda;  ///< of wall particles
  MeasuredSolids measured;
  Vec4* reaction;  ///< in and out [N s]

  struct State {
    Vec3 push;
    float lambda;
  };
  using Source = float;  ///< lambda
  RIFFLE_HD bool wants(int b) const { return measured.has(b); }
  RIFFLE_HD bool skip() const { return !(clock->dt > 0); }
  RIFFLE_HD State begin(int b) const { return {{0, 0, 0}, lambda[b]}; }
  RIFFLE_HD Source fetch(int, Vec4 x_j) const { return x_j.w; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_bj, float r2, Source lambda_j) const {
    if (!measured.counts(j)) return;
    state.push += ((state.lambda + lambda_j) * kernel.gradient_over_r(quick_sqrt(r2))) * r_bj;
  }
  RIFFLE_HD void end(State& state, int b) const {
    const float over_dt = 1 / fmaxf(clock->dt, clock->previous_dt);  // as FinishStep makes velocities
    reaction[b] = make_vec4(xyz(reaction[b]) + (over_dt * volume_mass * wall[b].w) * state.push);
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
    const float squares =
        particle_volume * particle_volume * state.sums.squares + state.weight * (length2(gradient) + epsilon);
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

/// Where corrections may not make a particle as fast as they would.
struct SpeedBound {
  float largest = INFINITY;      ///< [m/s] what is faster before may stay so; infinite: there is no bound
  std::uint32_t* cut = nullptr;  ///< counts speeds that are cut

  RIFFLE_HD void apply(Vec3& v, Vec3 before) const {
    const float speed2 = length2(v);
    if (!(speed2 > largest * largest)) return;
    const float most2 = fmaxf(largest * largest, length2(before));
    if (!(speed2 > most2)) return;
    const float speed = sqrtf(speed2);
    v = speed < INFINITY ? (sqrtf(most2) / speed) * v : before;
    atomic_add(cut, 1);
  }
};

/// v = (x - x_old) / dt: the velocity of the prediction plus the corrections over dt. If the step before was longer,
/// they are divided by its dt instead: they undo the compression that it left, however short the present step is (the
/// last step of a run may be cut to a thousandth to end in time), and would otherwise give a burst of speed. What was
/// cut off becomes momentum in the same way. A particle behind a wall is put back on the wall, loses its velocity
/// towards the wall, and is counted. With dt = 0 nothing moves and nothing is counted.
struct FinishStep {
  Domain domain;
  SurfaceView solids;
  SolidImpulses impulses;
  SpeedBound bound;
  const float* dt;
  const float* previous_dt;
  const Vec4* moved;
  const Vec4* correction;
  const Vec4* predicted_velocity;
  const std::uint32_t* foreign;  ///< flags of particles whose position and predicted velocity stay; nullptr: none
  Vec4* velocity;                ///< out; may be predicted_velocity; w: 1 where cut_off has a value, else 0
  Vec4* position;                ///< in: as predicted; out
  Vec4* cut_off;                 ///< in: of Displace; out: momentum over the lightest mass [m/s]; nullptr: not wanted
  std::uint32_t* contained;      ///< counts particles behind walls

  /// @return whether x was behind a wall
  RIFFLE_HD static bool confine(float& x, float& v, float low, float high, Axis axis) {
    if (axis == Axis::Periodic) x = periodic_image(x, low, high);
    if (axis != Axis::Walled || !(x < low || x > high)) return false;  // NaN is for the diagnostics to find
    if (x < low) {
      x = low;
      v = v > 0 ? v : 0;
    } else {
      x = high;
      v = v < 0 ? v : 0;
    }
    return true;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float step = *dt;
    Vec3 v = xyz(predicted_velocity[i]);
    if (!(step > 0)) {
      if (velocity != predicted_velocity) velocity[i] = make_vec4(v);
      position[i] = make_vec4(xyz(position[i]));
      return;
    }
    const Vec4 dx = correction[i];
    const float over_dt = 1 / fmaxf(step, *previous_dt), lost = cut_off ? dx.w : 0;
    v += over_dt * xyz(dx);
    bound.apply(v, xyz(predicted_velocity[i]));
    if (lost != 0) cut_off[i] = make_vec4(over_dt * xyz(cut_off[i]));
    if (foreign && foreign[i] != 0) {
      if (velocity != predicted_velocity) velocity[i] = make_vec4(v, lost);
      position[i] = make_vec4(xyz(position[i]));
      return;
    }
    Vec3 x = xyz(moved[i]);
    bool behind = confine(x.x, v.x, domain.min.x, domain.max.x, domain.axis[0]);
    behind |= confine(x.y, v.y, domain.min.y, domain.max.y, domain.axis[1]);
    if (domain.dimension == 3) behind |= confine(x.z, v.z, domain.min.z, domain.max.z, domain.axis[2]);
    if (solids.count > 0)
      behind |= solids.confine(
          x, v, [&](std::uint32_t solid, Vec3 at, Vec3 dv) { impulses.add_contact(solid + 1, i, at, dv); });
    if (behind) atomic_add(contained, 1);
    velocity[i] = make_vec4(v, lost);
    position[i] = make_vec4(x);
  }
};

/// omega_i = sum_j V_0 (v_j - v_i) x grad_j W_ij
struct Vorticity {
  SmoothingKernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  const Vec4* velocity;
  Vec4* vorticity;  ///< out: omega, |omega| [1/s]

  struct State {
    Vec3 omega, velocity;
  };
  using Source = Vec4;
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, xyz(velocity[i])}; }
  RIFFLE_HD Source fetch(int j, Vec4) const { return velocity[j]; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ij, float r2, const Source& v_j) const {
    // grad_j W_ij = -W'/r r_ij
    const Vec3 v = xyz(v_j) - state.velocity, g = (-kernel.gradient_over_r(quick_sqrt(r2))) * r_ij;
    state.omega += Vec3{v.y * g.z - v.z * g.y, v.z * g.x - v.x * g.z, v.x * g.y - v.y * g.x};
  }
  RIFFLE_HD void end(State& state, int i) const {
    const Vec3 omega = particle_volume * state.omega;
    vorticity[i] = make_vec4(omega, sqrtf(length2(omega)));
  }
};

/// XSPH, v_i += c sum_j (m_ij / m_i) V_0 (v_j - v_i) W_ij with the harmonic mean m_ij, so that momentum is conserved;
/// vorticity confinement, v_i += dt strength (N x omega_i), N along sum_j |omega_j| grad W_ij (Fedkiw, Stam and Jensen
/// 2001), which does not conserve it; and the momentum p that Correct cut off, of which a neighbour i of j gets
/// sharing V_0 W_ij p_j and j itself the rest, so that the sum is p_j. j would otherwise fly off: its neighbours were
/// pushed too far because it could not move.
struct RefineVelocity {
  SmoothingKernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  float xsph;
  float confinement;  ///< [m]
  float sharing;      ///< with which a particle of the rest lattice keeps nothing
  const float* dt;
  const Vec4* position;   ///< w inverse mass
  const Vec4* velocity;   ///< before; w: 1 where cut_off has a value, else 0
  const Vec4* vorticity;  ///< nullptr: no confinement
  const Vec4* cut_off;    ///< p over the lightest mass [m/s]
  SpeedBound bound;       ///< of what cut_off adds
  Vec4* refined;          ///< out

  struct State {
    Vec3 change, velocity, slope;
    float weight, others;
  };
  struct Source {
    Vec4 velocity;
    float weight, vorticity;
  };
  RIFFLE_HD State begin(int i) const { return {{0, 0, 0}, xyz(velocity[i]), {0, 0, 0}, position[i].w, 0}; }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {velocity[j], x_j.w, vorticity ? vorticity[j].w : 0.0f}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_ij, float r2, const Source& source) const {
    const float r = quick_sqrt(r2), w = kernel.value(r);
    // m_ij / m_i = 2 w_i / (w_i + w_j)
    const float share =
        source.weight == state.weight ? xsph : quick_divide(2 * xsph * state.weight, state.weight + source.weight);
    state.change += (share * w) * (xyz(source.velocity) - state.velocity);
    state.others += w;
    if (source.velocity.w != 0) state.change += (sharing * state.weight * w) * xyz(cut_off[j]);
    if (vorticity) state.slope += (source.vorticity * kernel.gradient_over_r(r)) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const {
    Vec3 v = state.velocity;
    if (*dt > 0) {
      v += particle_volume * state.change;
      if (velocity[i].w != 0) v += (state.weight * (1 - sharing * particle_volume * state.others)) * xyz(cut_off[i]);
      const float steepness = sqrtf(length2(state.slope));
      if (vorticity && steepness > 0) {
        const Vec3 n = (1 / steepness) * state.slope, omega = xyz(vorticity[i]);
        v += (*dt * confinement) *
             Vec3{n.y * omega.z - n.z * omega.y, n.z * omega.x - n.x * omega.z, n.x * omega.y - n.y * omega.x};
      }
      bound.apply(v, state.velocity);
    }
    refined[i] = make_vec4(v);
  }
};

}  // namespace riffle::pbf
