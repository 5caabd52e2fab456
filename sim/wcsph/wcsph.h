#pragma once
/// Weakly compressible SPH: density summed or carried (sim/wcsph/continuity.h), Tait equation of state, symmetric
/// pressure force, laminar (Morris, Fox and Zhu 1997) and artificial (Monaghan 1992) viscosity, walls of Boundary
/// particles, symplectic Euler steps.
///
/// Densities are number densities delta_i = sum_j W_ij with rho_i = m_i delta_i (Solenthaler and Pajarola 2008), so
/// that fluids of different density may touch.
///
/// All fluids are equally stiff (rho0 c0^2 of the densest), so pressure is a function of the number density alone: it
/// is continuous where two fluids touch, and a light fluid keeps its density under a heavy one's pressure. With one
/// speed of sound for all, a fluid ten times lighter would be compressed ten times as much. The step is no shorter for
/// it: the forces of heavy neighbours accelerate a light particle in any case.
///
/// Refresh points (sim/halo.h): "volume" and "flow" after the densities; those of surface tension
/// (sim/surface/surface_tension.h); "position" and "velocity" at the end of the step. With continuity also "volume" after
/// the sums that tension and shifting need, "flow" after the velocities, "compression" and "compression rate" at the end.
/// "inherited excess" in the first step after a change of the solver.
///
/// The support radius h is the distance at which the kernel ends. Where a source's smoothing length enters (artificial
/// viscosity, step conditions) it is h/2. The kernel is scaled so that its lattice sum is exact (make_kernel); the bare
/// sum is 3 % high for Wendland C2 at h = 2 spacings in 3-D, and a fluid would start under pressure and jump.

#include "sim/kernel.h"
#include "sim/setup.h"
#include "sim/shifting/shifting.h"
#include "sim/solver.h"
#include "sim/surface/surface_tension.h"
#include "sim/viscosity/implicit_viscosity.h"
#include "sim/walls/boundary.h"
#include "sim/walls/face_contact.h"
#include "sim/walls/solid_forces.h"

namespace riffle::wcsph {

/// Per-fluid constants as kernels read them.
struct FluidTable {
  int count = 1;
  float mass[kMaxFluids] = {};               ///< of a particle [kg]
  float inverse_mass[kMaxFluids] = {};       ///< [1/kg]
  float rest_density[kMaxFluids] = {};       ///< [kg/m^3]
  float dynamic_viscosity[kMaxFluids] = {};  ///< rho0 nu over viscosity_bias() [Pa s]
  float stiffness = 0;                       ///< rho0 c0^2 / gamma of the densest fluid, used for all [Pa]
  float rest_volume = 0;                     ///< of every particle, V_0 = spacing^d [m^d]
};

/// 0.01 (h/2)^2 [m^2]: keeps quotients by r^2 finite (Monaghan 1992).
inline float eta2_of(float h) { return 0.01f * 0.25f * h * h; }

/// The Laplacian of Morris et al. 1997 of a quadratic velocity on the lattice, over the exact one: it differs from 1 by
/// up to 0.1 at usual h. The fluids' viscosities are divided by it.
double viscosity_bias(const SmoothingKernel& kernel, int dimension, float spacing);

FluidTable make_fluid_table(const SimulationSetup& setup, float speed_of_sound);

/// [m/s] The given one, or else automatic_signal_speed(). Density then varies by about 1 % (Monaghan 1994).
float speed_of_sound(const SimulationSetup& setup);

/// Bounds of the time step: CFL, force and viscous conditions (Monaghan 1992; Morris et al. 1997), in terms of h/2.
StepBounds step_bounds(const SimulationSetup& setup);

/// Constants of density by continuity as kernels read them.
struct ContinuityTable {
  float diffusion = 0;        ///< 2 delta s c0 V_0 [m^(d+2)/s]
  float damping = 0;          ///< zeta [Pa s]: pressure per rate of compression
  float return_rate = 0;      ///< [1/s] at which compression returns to the summed one
  float inverse_modulus = 0;  ///< 1 / (rho0 c0^2) [1/Pa]
  Vec3 weight{};              ///< g over rho0 c0^2 of the fluids [m^2/kg]: times a density, the gradient of e at rest
};

class WcsphSolver : public Solver {
 public:
  /// Attributes that it adds: "density" [kg/m^3], "acceleration" [m/s^2], both of the last force evaluation; with
  /// continuity "compression", rho / rho0 - 1, and "compression rate" [1/s] by the velocities, and "density" is that of
  /// the step's end.
  /// Uses: "position" [m], "velocity" [m/s], "fluid".
  /// walls: those of another simulation, which are shared if they are the same; or nullptr.
  WcsphSolver(const SimulationSetup& setup, ParticleSet& particles,
              const std::shared_ptr<PlacedWalls>& walls = nullptr);

  void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) override;
  Diagnostics measure(const ParticleSet& particles, const NeighborSearch& search, const ClockState& clock) override;

  bool started() const override { return started_; }
  void resume(bool started) override;
  void reserve(int capacity) override;
  Boundary* boundary() override { return &boundary_; }
  FreeBodies* bodies() override { return &surfaces_.bodies(); }
  /// Those of which there is a body: stiffness, time step and an automatic speed of sound come from the bodies.
  bool knows_fluid(std::uint32_t fluid) const override;
  std::size_t memory_bytes() const override;

 private:
  bool by_continuity() const { return setup_.wcsph.density == DensityScheme::Continuity; }
  void start_compression(ParticleSet& particles) const;

  // The sums over neighbours, each in a .cu of its own: all in one would take the compiler minutes.
  /// Into the w of volume_: the volumes of the summed densities. Surfaces are found by what is missing in the sum.
  void find_summed_volumes(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer);
  /// Into the w of volume_: delta_i, summed over fluid and walls.
  void sum_densities(const ParticleSet& particles, const NeighborSearch& search, StageTimer& timer);
  /// Takes what is inherited from the w of volume_.
  void inherit(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer);
  void find_pressures(ParticleSet& particles, const NeighborSearch& search, bool inherits, StageTimer& timer);
  void find_accelerations(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer);
  /// Of the accelerations' evaluation, after dt was chosen.
  void measure_solid_forces(const ParticleSet& particles, const NeighborSearch& search, const StepControl& control,
                            StageTimer& timer);
  FaceContact contact(const ParticleSet& particles) const {
    FaceContact contact = contact_;
    contact.impulses = forces_.impulses(particles.get<std::uint32_t>("fluid").data());
    return contact;
  }
  /// With the velocities of the step's end, which it computes.
  void find_compression_rates(ParticleSet& particles, const NeighborSearch& search, const StepControl& control,
                              StageTimer& timer);
  void advance_compression(ParticleSet& particles, bool inherits, const StepControl& control, StageTimer& timer);

  SimulationSetup setup_;
  float speed_of_sound_;
  FluidTable fluids_;
  SmoothingKernel kernel_;
  SmoothingKernel gradient_kernel_;  ///< of the forces; with continuity its gradient is exact on the lattice
  ContinuityTable continuity_;
  SolidSurfaces surfaces_;
  SolidForces forces_;
  FaceContact contact_;
  bool started_ = true;  ///< with continuity, particles have their compression
  Boundary boundary_;
  std::unique_ptr<viscosity::ImplicitViscosity> viscosity_;  ///< nullptr: it is explicit
  Buffer<Vec4> volume_;     ///< (N) and more, like all below: position; w the particle's volume 1 / delta [m^d]
  Buffer<Vec4> flow_;       ///< (N) velocity; w = p / delta^2 [Pa m^2d]
  Buffer<Vec4> wall_flow_;  ///< (most walls) velocity; w = p_b / delta_b^2 [Pa m^2d]
  std::unique_ptr<surface::SurfaceTension> tension_;  ///< nullptr: no fluid has surface tension
  std::unique_ptr<shifting::Shifting> shifting_;      ///< nullptr: no particle is shifted
  Buffer<float> diffusion_;                           ///< (N) of compression in this step [1/s]; with continuity only
  Buffer<float> summed_;  ///< (N) density summed over fluid and walls, over the rest density; likewise
};

/// Bytes that the attributes and buffers above take per fluid particle, and per wall particle.
std::size_t particle_bytes(const SimulationSetup& setup, bool walled);
std::size_t wall_particle_bytes(const SimulationSetup& setup);

}  // namespace riffle::wcsph
