#pragma once
/// Divergence-free SPH (Bender and Koschier 2017, "Divergence-Free SPH for Incompressible and Viscous Fluids", IEEE
/// TVCG 23(3)). A step makes the velocities free of divergence, adds the forces, and finds the pressure that keeps the
/// density at its rest value where the particles will be. Steps follow the fluid's own speed, not that of sound.
///
/// Densities are number densities delta_i = sum_j W_ij of equal volumes V_0, as in WCSPH and PBF, so that fluids of
/// different density may touch. The constraint is s_i = V_0 delta_i <= 1. Both solves find impulses phi = p dt:
///   u_i = v_i - 1 / rho_i sum_j (phi_i + phi_j) g_ij,   g_ij = V_0 grad W_ij,   rho the rest density,
///   ds_i / dt = sum_j (u_i - u_j) g_ij,
/// such that phi_i >= 0, r_i <= 0, and one of them is 0. The residual r_i is ds_i / dt, plus (s_i - 1) / dt where s_i < 1:
/// a neighbourhood that is not full may become denser. The density solve adds correction(s_i - 1) / dt
/// where s_i > 1, what the step takes away of an excess: a fifth at rest, all of a small one in a fluid that moves far in a step.
/// With `negative_pressure` phi may have both signs, and r_i = 0. g is the constraint's own gradient, so the matrix is
/// symmetric and momentum is conserved to rounding. The paper leaves out the divergence of particles with less than 20
/// neighbours instead.
///
/// A domain that is full leaves no room: disordered particles have a larger sum than a lattice, and s_i <= 1 cannot hold
/// everywhere. Where the domain is full (particles_without_room()) and no particle is at a free surface (kRoom), the bound is
/// 1 plus the mean excess.
///
/// Wall particles have constraints and impulses of their own, as if they were fluid that cannot be moved
/// (sim/walls/boundary.h). Forces besides the pressure's are those of WCSPH, surface tension among them. Shifting, where
/// it is on, moves particles at the end of the step; what it changes in the density, the next solves take away
/// (kMostDiffusion).
///
/// Free bodies move with the pressure: in each iteration of both solves a body has the velocity that the present impulses of the
/// fluid give it, and the rates of density count that. The density solve begins with what gravity, the scene's force, contact and
/// friction give the body in the step. It moves at the end of the step, by exactly what the fluid has lost. The diagonal beside
/// bodies is larger, since they give way (sim/bodies/body_rows.h): density ratios of 0.02 to 10 take no shorter steps.
///
/// The iteration is Jacobi's with the projection phi >= 0, accelerated as by Nesterov 1983: each iterate is
/// extrapolated along its last change. The extrapolation starts from nothing again when the error has grown
/// (O'Donoghue and Candes 2015), and in a fluid in motion with more than nothing (kFirstWeight). The density solve starts from the mean pressure
/// of the last steps (kNewShare), from which stripes are taken that no force shows (AddToMean).
///
/// The divergence solve starts from no impulses, and its first residuals come with the constraints: where they are
/// within the bound, it costs next to nothing.
///
/// Error of a particle: dt times its residual, as far as its impulse may still change: a share of the rest density. A
/// solve ends when the mean over the particles and the largest error are within their bounds, which the device decides,
/// or after the most iterations: such a step is counted (ClockState::unconverged), and the next one is shorter. The
/// bounds of the density solve are what is taken away of an excess as large as those of the setup: such an excess stays.
/// Errors are summed as integers, so that the sum does not depend on the order of the particles.
///
/// Refresh points (sim/halo.h): "record" after the constraints and whenever impulses change; "pushed" in every
/// iteration; "volume" and "flow" before the forces, then those of surface tension (sim/surface/surface_tension.h),
/// "velocity" after the forces; "position", "velocity" and "pressure" at the end;
/// "inherited excess" in the first step after a change of the solver. Shifting has none of its own: it reads
/// "volume".

#include "sim/dfsph/solve_state.h"
#include "sim/kernel.h"
#include "sim/late_flag.h"
#include "sim/setup.h"
#include "sim/shifting/shifting.h"
#include "sim/solver.h"
#include "sim/surface/surface_tension.h"
#include "sim/viscosity/implicit_viscosity.h"
#include "sim/walls/boundary.h"
#include "sim/walls/coupled_bodies.h"
#include "sim/walls/face_contact.h"
#include "sim/walls/solid_forces.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::dfsph {

/// dt <= cfl h / v, v the larger of |v|max and expected_speed(); viscous and capillary bounds as for WCSPH.
StepBounds step_bounds(const SimulationSetup& setup);

/// Share of the largest step that the rest lattice allows an accelerated iteration. A splash has neighbourhoods that
/// allow less than the lattice.
inline constexpr double kSafety = 0.9;

/// A density solve makes at least that many iterations (Bender and Koschier 2017).
inline constexpr int kLeastIterations = 1;

/// Most diffusion of particles by shifting in one step [h^2]. The steps are as long as the fluid's own speed allows, and a
/// coefficient of 5 would give 1: a shift would overshoot, and the particles would be less even than without. On the rest
/// lattice with h = 2 spacings, 0.08 takes away about 0.9 of what it can see (an estimate, not a measurement).
inline constexpr float kMostDiffusion = 0.08f;

class DfsphSolver : public Solver {
 public:
  /// Attributes that it adds: "density" [kg/m^3] at the start of the last step, "acceleration" [m/s^2] without the
  /// pressure's, "pressure" [Pa], the mean of the last density solves (kNewShare); with implicit viscosity
  /// "pressure acceleration" [m/s^2] by the last density solve.
  /// Uses: "position" [m], "velocity" [m/s], "fluid".
  /// walls: those of another simulation, which are shared if they are the same; or nullptr.
  DfsphSolver(const SimulationSetup& setup, ParticleSet& particles,
              const std::shared_ptr<PlacedWalls>& walls = nullptr);

  void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) override;
  Diagnostics measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) override;

  void adopt(const SimulationSetup& eased) override { setup_.dfsph = eased.dfsph; }
  void reserve(int capacity) override;
  Boundary* boundary() override { return &boundary_; }
  FreeBodies* bodies() override { return &surfaces_.bodies(); }
  bool bodies_bound_step() const override { return true; }
  void resume(bool) override { solid_forces_.restart(); }
  std::size_t memory_bytes() const override;

 private:
  // The sums over neighbours, each in a .cu of its own: all in one would take the compiler minutes.
  /// Excess and inverse diagonal of every particle and wall particle, the walls' part, and how full the domain is.
  void find_constraints(ParticleSet& particles, const NeighborSearch& search, const ClockState* clock, bool inherits);
  void find_accelerations(ParticleSet& particles, const NeighborSearch& search, const StepControl& control);
  /// What a solve took from the fluid at the walls.
  void measure_solid_impulses(SolveKind kind, const ParticleSet& particles, const NeighborSearch& search,
                              const ClockState* clock);
  /// u of the present impulses and the residuals there.
  void find_residuals(SolveKind kind, ParticleSet& particles, const NeighborSearch& search, const ClockState* clock);
  /// Changes velocities to u and the attribute to the pressure that does it.
  void solve(SolveKind kind, ParticleSet& particles, const NeighborSearch& search, StepControl& control);
  // Free bodies, see sim/dfsph/body_kernels.cuh.
  void begin_bodies(BodyStart start, const StepControl& control);
  /// The diagonal beside bodies, which give way.
  void soften_constraints(const NeighborSearch& search);
  /// Velocities of the bodies with the present impulses, and the walls' part with them.
  void push_bodies(const NeighborSearch& search);
  bool couples() const { return coupled_.any() && boundary_.count() > 0; }
  bool has_walls() const { return boundary_.count() > 0; }

  SimulationSetup setup_;
  wcsph::FluidTable fluids_;
  SmoothingKernel kernel_;
  bool viscous_;      ///< a fluid has an explicit viscosity
  float artificial_;  ///< alpha c0 h/2 [m^2/s]
  float relaxation_;  ///< share of a constraint's own correction that an iteration makes
  double full_;       ///< particles_without_room()
  float bias_;        ///< of the gradient of pressure on the rest lattice; 1 for a kernel that is wide enough
  float calm_step_;   ///< of a fluid at rest [s]
  float squares_;     ///< sum of g^2 over a lattice [1/m^2]
  SolidSurfaces surfaces_;
  SolidForces solid_forces_;
  FaceContact contact_;
  Boundary boundary_;
  CoupledBodies coupled_;
  Buffer<float> wall_gain_;        ///< (most walls) of the diagonal, at free bodies; empty: there are none
  Vec4* body_reaction_ = nullptr;  ///< of the present solve

  // (N) and more, in the search's order.
  Buffer<Vec4> record_;         ///< position; w: 1 / rest density, then the impulse [Pa s]
  Buffer<Vec4> pushed_;         ///< u of the present impulses [m/s]
  Buffer<float> excess_;        ///< s - 1
  Buffer<float> inverse_;       ///< 1 / diagonal of the matrix [kg m^2/m^d]; 0: no neighbours
  Buffer<float> residual_;      ///< [1/s]
  Buffer<float> impulse_;       ///< of the last iterate, not extrapolated [Pa s]
  Buffer<Vec4> wall_;           ///< walls' part of sum_j g_ij [1/m], w: of s; 0 far from them
  Buffer<Vec4> wall_push_;      ///< sum_b phi_b g_ib [Pa s/m], w: sum_b v_b g_ib [1/s]; 0 far from them
  Buffer<float> wall_squares_;  ///< walls' sum of g_ib^2 [1/m^2]; 0 far from them
  Buffer<Vec4> volume_;         ///< position; w the volume 1 / delta [m^d]
  Buffer<Vec4> flow_;           ///< velocity; w 0

  // (most walls)
  Buffer<WallConstraint> wall_constraint_;
  Buffer<Vec4> wall_flow_;  ///< velocity of the fluid's mirror image; w 0

  Buffer<SolveState> state_;  ///< (1)
  Buffer<Fill> fill_;         ///< (1)
  Buffer<FillSums> fill_partial_;
  LateFlag done_;

  std::unique_ptr<viscosity::ImplicitViscosity> viscosity_;  ///< nullptr: it is explicit
  std::unique_ptr<surface::SurfaceTension> tension_;         ///< nullptr: no fluid has surface tension
  std::unique_ptr<shifting::Shifting> shifting_;             ///< nullptr: no particle is shifted
};

/// Bytes that the attributes and buffers above take per fluid particle, and per wall particle.
std::size_t particle_bytes(const SimulationSetup& setup, bool walled);
std::size_t wall_particle_bytes(const SimulationSetup& setup);

}  // namespace riffle::dfsph
