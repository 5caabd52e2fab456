#pragma once
/// The functors of a DFSPH step for wall particles, and for what walls do to particles near them. Names and index spaces are
/// those of sim/dfsph/dfsph_kernels.cuh.

#include "sim/dfsph/dfsph_kernels.cuh"

namespace riffle::dfsph {

/// The walls' part of a particle's constraint. Not called far from walls, where the sums are 0.
template <class Kernel>
struct WallSumsOf {
  Kernel kernel;
  float volume;               ///< V_0 [m^d]
  const Vec4* wall_velocity;  ///< nullptr: the walls are at rest
  Vec4* wall;                 ///< out
  Vec4* wall_push;            ///< out: w
  float* wall_squares;        ///< out

  template <class Real>
  struct Sums {
    Vec3Of<Real> gradient;
    Real delta, way, squares;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  struct Neighbor {
    Real weight;  ///< V_b / V_0
    Vec3Of<Real> velocity;
  };
  RIFFLE_HD State begin(int) const { return {{{0, 0, 0}, 0, 0, 0}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> b, Real weight) const {
    if (!wall_velocity) return {weight, Vec3Of<Real>{}};
    return {weight, xyz(read(wall_velocity, b))};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real> r_ib, Real r2, const Neighbor<Real>& b) const {
    const Real r = quick_sqrt(r2), slope = kernel.gradient_over_r(r);
    const Vec3Of<Real> gradient = (b.weight * slope) * r_ib;
    sums.squares += b.weight * (slope * slope * r2);
    sums.delta += b.weight * kernel.value(r);
    sums.gradient += gradient;
    if (wall_velocity) sums.way += dot(b.velocity, gradient);
  }
  RIFFLE_HD void end(State& state, int i) const {
    const Sums<float>& sums = state.sums;
    wall[i] = make_vec4(volume * sums.gradient, volume * sums.delta);
    wall_push[i].w = volume * sums.way;
    wall_squares[i] = volume * volume * sums.squares;
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallSumsOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallSums = WallSumsOf<SmoothingKernel>;

/// Sets the walls' part to 0 before WallSums.
struct ClearWallSums {
  Vec4* wall;
  Vec4* wall_push;
  float* wall_squares;
  RIFFLE_HD void operator()(std::int64_t i) const {
    wall[i] = wall_push[i] = {0, 0, 0, 0};
    wall_squares[i] = 0;
  }
};

/// The same for a wall particle, whose diagonal is that of the rest lattice, and the mean pressure of the fluid around it.
template <class Kernel>
struct ConstrainWallOf {
  Kernel kernel;
  float rest_volume;           ///< V_0 [m^d]
  float squares;               ///< sum of g^2 over a lattice [1/m^2]
  const float* solid_density;  ///< [1/m^d]
  const float* pressure;       ///< [Pa] of particles
  const Vec4* wall_velocity;   ///< nullptr: the walls are at rest
  const Vec4* velocity;        ///< of particles
  WallConstraint* constraint;  ///< out

  template <class Real>
  struct Sums {
    Real delta, lightness, pressure, rate;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
  };
  template <class Real>
  struct Neighbor {
    Vec3Of<Real> velocity;
    Real lightness, pressure;
  };
  RIFFLE_HD State begin(int b) const { return {{0, 0, 0, 0}, wall_velocity ? xyz(wall_velocity[b]) : Vec3{0, 0, 0}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> j, Real lightness) const {
    return {xyz(read(velocity, j)), lightness, read(pressure, j)};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_bj, Real r2,
                     const Neighbor<Real>& source) const {
    const Real r = quick_sqrt(r2), w = kernel.value(r);
    sums.delta += w;
    sums.rate += kernel.gradient_over_r(r) * dot(state.velocity - source.velocity, r_bj);
    sums.lightness += w * source.lightness;
    sums.pressure += w * source.pressure;
  }
  RIFFLE_HD void end(State& state, int b) const {
    const Sums<float>& sums = state.sums;
    WallConstraint out;
    if (sums.delta > 0) {
      out.excess = rest_volume * (solid_density[b] + sums.delta) - 1;
      out.inverse = sums.delta / (sums.lightness * squares);
      out.pressure = sums.pressure / sums.delta;
      out.residual = rest_volume * sums.rate;
    }
    constraint[b] = out;
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = ConstrainWallOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using ConstrainWall = ConstrainWallOf<SmoothingKernel>;

/// What wall particles inherit counts no more, see sim/inheritance/inheritance.h: they expect no excess where there is
/// pressure.
struct InheritWall {
  Inherited inherited;
  WallConstraint* constraint;

  RIFFLE_HD void operator()(std::int64_t b) const {
    WallConstraint& c = constraint[b];
    if (inherited.begins) inherited.excess[b] = c.pressure > 0 ? 0 : Inheritance::kNone;
    if (c.inverse > 0 || inherited.begins) c.excess = inherited.left(b, c.excess);
  }
};

struct StartWallSolve {
  const ClockState* clock;
  bool clamped;
  float bias;  ///< as of AddToMean
  SolveKind kind;
  const Fill* fill;
  WallConstraint* constraint;

  RIFFLE_HD void operator()(std::int64_t b) const {
    WallConstraint& c = constraint[b];
    if (kind == SolveKind::Divergence) c.residual += allowance(kind, clamped, c.excess, *fill, clock->dt);
    float phi = kind == SolveKind::Density ? c.pressure * clock->dt / bias : 0.0f;
    if (clamped && !(phi > 0)) phi = 0;
    c.impulse = c.present = c.inverse > 0 ? phi : 0.0f;
  }
};

/// sum_b phi_b g_ib. Not called far from walls, where the sum is 0.
template <class Kernel>
struct WallPushOf {
  Kernel kernel;
  float volume;  ///< V_0 [m^d]
  const SolveState* state;
  const WallConstraint* constraint;
  const float* wall_squares;
  Vec4* wall_push;  ///< out: x, y, z

  struct State {
    Vec3 push;
  };
  using Source = float;
  RIFFLE_HD bool wants(int i) const { return wall_squares[i] > 0; }
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD Source fetch(int b, Vec4 x_b) const { return x_b.w * constraint[b].present; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3 r_ib, float r2, Source phi) const {
    state.push += (phi * kernel.gradient_over_r(quick_sqrt(r2))) * r_ib;
  }
  RIFFLE_HD void end(State& state, int i) const { wall_push[i] = make_vec4(volume * state.push, wall_push[i].w); }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallPushOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallPush = WallPushOf<SmoothingKernel>;

/// The same for wall particles.
template <class Kernel>
struct WallResidualOf {
  Kernel kernel;
  float rest_volume;  ///< V_0 [m^d]
  SolveKind kind;
  bool clamped;
  const ClockState* clock;
  const SolveState* state;
  const Fill* fill;
  const Vec4* wall_velocity;  ///< nullptr: the walls are at rest
  const Vec4* pushed;
  WallConstraint* constraint;  ///< in and out

  template <class Real>
  struct Sums {
    Real rate;
  };
  struct State {
    Sums<float> sums;
    Vec3 velocity;
  };
  template <class Real>
  using Neighbor = Vec4Of<Real>;  ///< u_j
  RIFFLE_HD bool wants(int b) const { return constraint[b].inverse > 0; }
  RIFFLE_HD bool skip() const { return state->done != 0; }
  RIFFLE_HD State begin(int b) const { return {{0}, wall_velocity ? xyz(wall_velocity[b]) : Vec3{0, 0, 0}}; }
  template <class Real>
  RIFFLE_HD Vec4Of<Real> read_neighbor(IndexOf<Real> j, Real) const {
    return read(pushed, j);
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& own, Vec3Of<Real> r_bj, Real r2, const Vec4Of<Real>& u_j) const {
    sums.rate += kernel.gradient_over_r(quick_sqrt(r2)) * dot(own.velocity - xyz(u_j), r_bj);
  }
  RIFFLE_HD void end(State& state, int b) const {
    float r = rest_volume * state.sums.rate;
    constraint[b].residual = r + allowance(kind, clamped, constraint[b].excess, *fill, clock->dt);
  }

  static constexpr bool kBranchless = kIsBranchless<Kernel>;
  using Twin = WallResidualOf<BranchlessWendland>;
  bool has_twin(float h2) const { return BranchlessWendland::replaces(kernel, h2); }
};
using WallResidual = WallResidualOf<SmoothingKernel>;

struct AdvanceWall {
  float relaxation;
  bool clamped;
  const SolveState* state;
  WallConstraint* constraint;

  RIFFLE_HD void operator()(std::int64_t b) const {
    if (state->done != 0) return;
    WallConstraint& c = constraint[b];
    const float next = corrected(c.present, c.residual, c.inverse, relaxation, clamped);
    float present = next + state->extrapolation * (next - c.impulse);
    if (clamped && !(present > 0)) present = 0;
    c.impulse = next;
    c.present = present;
  }
};

/// What the impulses of a solve that has ended took from the fluid: the impulse on each wall particle, pair by pair.
struct WallImpulse {
  SmoothingKernel kernel;
  float volume;     ///< V_0 [m^d]
  bool from_rates;  ///< as of FinishSolve
  const ClockState* clock;
  const SolveState* state;
  const Vec4* wall;  ///< w: V_b / V_0
  const WallConstraint* constraint;
  MeasuredSolids measured;
  Vec4* reaction;  ///< in and out [N s]

  struct State {
    Vec3 push;
    float impulse;
  };
  using Source = float;  ///< impulse
  RIFFLE_HD bool wants(int b) const { return constraint[b].inverse > 0 && measured.has(b); }
  RIFFLE_HD bool skip() const { return !(clock->dt > 0) || (from_rates && state->iterations <= 1); }
  RIFFLE_HD State begin(int b) const { return {{0, 0, 0}, constraint[b].present}; }
  RIFFLE_HD Source fetch(int, Vec4 x_j) const { return x_j.w; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3 r_bj, float r2, Source phi) const {
    if (!measured.counts(j)) return;
    state.push += ((state.impulse + phi) * kernel.gradient_over_r(quick_sqrt(r2))) * r_bj;
  }
  RIFFLE_HD void end(State& state, int b) const {
    reaction[b] = make_vec4(xyz(reaction[b]) - (volume * volume * wall[b].w) * state.push);
  }
};

}  // namespace riffle::dfsph
