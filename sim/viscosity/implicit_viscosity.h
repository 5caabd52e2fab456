#pragma once
/// Laminar viscosity whose forces are those of the velocities at the end of the step (backward Euler), so that no step
/// is too long for it (Weiler, Koschier, Brand and Bender 2018, "A Physically Consistent Implicit Viscosity Solver for
/// SPH Fluids", Computer Graphics Forum 37(2)):
///   m_i (v_i - v*_i) / dt = sum_j mu_ij V_i V_j A w_ij ((v_j - v_i) . r_ij) r_ij + walls,   v* = v + a dt,
/// with the accelerations a of everything else and w = (1 - r^2 / h^2)^3. The pressure of the last step changes v* by at
/// most kMostPush of the expected speed. Forces act along r_ij: momentum and angular momentum are conserved, and fluid
/// that turns as a whole feels none, also at a free surface. With a Laplacian, a thin
/// column could neither bend nor fold.
///
/// Without a free surface, that is in a full domain without open faces (particles_without_room()) where no particle lacks more than kRoom of
/// its density, forces are those of a Laplacian, sum_j mu_ij V_i V_j A w_ij (v_j - v_i) with w = (1 - r / h)^3, which on a
/// lattice is exact in all directions. Forces along r_ij are not: the
/// paper's weights, the slope of the kernel over r, give 0.54 of the viscosity in 2-D (0.57 in 3-D) with h = 2 spacings
/// if the flow is along the lattice, and 1.34 (1.52) across it. w gives 1.12 (1.06) and 0.94 (1.14); with h = 3 spacings
/// 1.00 (1.01) and 1.05 (1.06). A makes the mean exact for rows of particles that slide past each other, as a shear flow
/// arranges them.
///
/// Walls: a pair with a wall particle has mu of the fluid, V_i V_b and the wall's velocity, times a factor: behind
/// the face, the velocity goes on linearly, as if the fluid at the face had the wall's. The factor does so for a plane
/// wall, at the distance at which the sum of the walls' weights is what it is here (viscosity_table.cpp). So the matrix
/// stays symmetric. With free slip, walls have no part.
///
/// Unknown is the change v - v*. The iteration is that of conjugate gradients; D, the 3x3 blocks of the diagonal, is the
/// preconditioner; the first guess is the change of the last step. It ends when the norm of the residual is at most the
/// setup's share of the norm of the impulses that v* would cause, both as r D^-1 r, or after the most iterations: such a
/// step is counted (ClockState::viscous_unconverged). Sums are in double and in a fixed order. Where no wall drags, the
/// mean velocity is taken out of the guess and of every direction (deflation: the matrix maps a uniform velocity to the
/// momenta), so that momentum is kept to rounding however early the iteration ends.
///
/// No step is unstable, but a long one is inexact: backward Euler is wrong by dt/2 times the change of the acceleration in
/// the step. An adaptive step keeps that below a share of the speed (setup: viscosity_step_error). Counted is the part of
/// the change that is along the velocities, as what particles do at random is no error; the speed is the root mean square
/// over the mass, against the walls that drag or else the mean velocity, at least kLeastSpeed of the expected one. A step
/// is never shorter for it than explicit viscosity would allow (least_step()), and begins there.
///
/// Refresh points (sim/halo.h): "start velocity", then "viscous direction" before every product; "viscous acceleration" at
/// the end of the solver's step.

#include <memory>

#include "core/device/buffer.h"
#include "core/math/symmetric.h"
#include "neighbors/neighbor_search.h"
#include "sim/halo.h"
#include "sim/late_flag.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/step_control.h"
#include "sim/viscosity/viscosity_table.h"
#include "sim/viscosity/viscous_state.h"
#include "sim/walls/boundary.h"

namespace riffle::viscosity {

class ImplicitViscosity {
 public:
  /// Adds the attribute "viscous acceleration" [m/s^2]. walled: there are wall particles.
  ImplicitViscosity(const SimulationSetup& setup, ParticleSet& particles, bool walled);

  struct Step {
    ParticleSet& particles;  ///< "velocity", "acceleration" in and out, "fluid"
    const NeighborSearch& search;
    const Boundary& boundary;
    const Vec4* volume;                 ///< position; w: volume [m^d], of foreign particles too
    const Vec4* pressure_acceleration;  ///< nullptr: "acceleration" contains it
    ClockState* clock;
    Halo* halo;  ///< nullptr: none
  };
  /// Adds the acceleration by viscosity to the attribute "acceleration".
  void add_to_acceleration(const Step& step);

  void reserve(int capacity);
  std::size_t memory_bytes() const;
  /// Bytes per fluid particle.
  static std::size_t particle_bytes(const SimulationSetup& setup, bool walled);

 private:
  // The sums over neighbours, each in a .cu of its own: all in one would take the compiler minutes.
  void find_blocks(const Step& step);
  void multiply(const Step& step);

  const Symmetric3* wall_blocks() const { return wall_block_.empty() ? nullptr : wall_block_.data(); }
  template <class F>
  void sum(const Step& step, const char* name, const F& f);

  Table table_;
  float h_;
  float bound_;
  float step_error_;
  float least_step_;   ///< [s]
  float least_speed_;  ///< [m/s]
  float most_push_;    ///< [m/s]
  double full_;        ///< particles_without_room(), infinite with an open face
  std::uint32_t most_iterations_;
  bool walled_;
  // (N) and more, in the search's order.
  Buffer<Vec4> start_;             ///< v* [m/s]; later the matrix times the directions [kg m/s]
  Buffer<Vec4> change_;            ///< [m/s]
  Buffer<Vec4> residual_;          ///< [kg m/s]
  Buffer<Vec4> direction_;         ///< [m/s]
  Buffer<Symmetric3> block_;       ///< inverse of the diagonal's [1/kg]
  Buffer<Symmetric3> wall_block_;  ///< [kg]; 0 far from walls
  Buffer<Sums> partial_;           ///< sums of blocks of particles
  Buffer<ViscousState> state_;     ///< (1)
  Buffer<StepSums> step_partial_;
  Buffer<StepSums> step_sums_;  ///< (1)
  LateFlag done_;
};

}  // namespace riffle::viscosity
