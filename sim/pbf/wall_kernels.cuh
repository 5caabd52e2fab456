#pragma once
/// The functors of a step of position based fluids for wall particles, and for what walls do to particles near them. Names and
/// index spaces are those of sim/pbf/pbf_kernels.cuh.

#include "sim/pbf/pbf_kernels.cuh"

namespace riffle::pbf {

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
  const Vec4* way;  ///< of wall particles in this step's iterations so far [m]; nullptr: they have none
  Gain gain;
  float* lambda;  ///< out

  template <class Real>
  struct Sums {
    Real delta, squares, weighted, moved;
  };
  struct State {
    Sums<float> sums;
    Vec3 way;
  };
  template <class Real>
  using Neighbor = Real;  ///< inverse mass
  RIFFLE_HD State begin(int b) const { return {{0, 0, 0, 0}, way ? xyz(way[b]) : Vec3{0, 0, 0}}; }
  template <class Real>
  RIFFLE_HD Real read_neighbor(IndexOf<Real>, Real weight_j) const {
    return weight_j;
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State& state, Vec3Of<Real> r_bj, Real r2, Real weight_j) const {
    const Real r = quick_sqrt(r2), w = kernel.value(r), gradient = kernel.gradient_over_r(r);
    sums.delta += w;
    sums.weighted += weight_j * w;
    sums.squares += weight_j * (gradient * gradient * r2);
    if (way) sums.moved += gradient * dot(state.way, r_bj);
  }
  RIFFLE_HD void end(State& state, int b) const {
    const Sums<float>& sums = state.sums;
    const bool wet = sums.delta > 0;
    const float squares = wet ? particle_volume * particle_volume * sums.squares +
                                    epsilon * quick_divide(sums.weighted, sums.delta) + gain.at(b)
                              : 1.0f;
    const float constraint =
        inherited.left(b, particle_volume * (solid_density[b] + sums.delta + sums.moved) - 1, squares * stiffness);
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
  const Vec4* way;        ///< as of WallConstraint
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
    Vec3Of<Real> way;
  };
  RIFFLE_HD State begin(int) const { return {{{0, 0, 0}, {0, 0, 0}, 0}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> b, Real weight) const {
    if (!way) return {weight, read(lambda, b), Vec3Of<Real>{}};
    return {weight, read(lambda, b), xyz(read(way, b))};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real> r_ib, Real r2, const Neighbor<Real>& b) const {
    const Real r = quick_sqrt(r2);
    const Vec3Of<Real> gradient = (b.weight * kernel.gradient_over_r(r)) * r_ib;
    sums.delta += b.weight * kernel.value(r);
    sums.gradient += gradient;
    sums.push += b.lambda * gradient;
    if (way) sums.delta -= dot(b.way, gradient);
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

}  // namespace riffle::pbf
