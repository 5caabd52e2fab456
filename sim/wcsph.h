#pragma once
/// Weakly compressible SPH: summation density, Tait equation of state, symmetric pressure force, laminar (Morris, Fox
/// and Zhu 1997) and artificial (Monaghan 1992) viscosity, walls of Boundary particles, symplectic Euler steps.
///
/// Densities are number densities delta_i = sum_j W_ij with rho_i = m_i delta_i (Solenthaler and Pajarola 2008), so
/// that fluids of different mass may touch.

#include "sim/boundary.h"
#include "sim/kernel.h"
#include "sim/setup.h"
#include "sim/solver.h"

namespace riffle {

/// Per-fluid constants as kernels read them.
inline constexpr int kMaxFluids = 8;
struct FluidTable {
  int count = 1;
  float mass[kMaxFluids] = {};               ///< of a particle [kg]
  float inverse_mass[kMaxFluids] = {};       ///< [1/kg]
  float rest_density[kMaxFluids] = {};       ///< [kg/m^3]
  float stiffness[kMaxFluids] = {};          ///< rho0 c0^2 / gamma [Pa]
  float dynamic_viscosity[kMaxFluids] = {};  ///< rho0 nu [Pa s]
};

FluidTable make_fluid_table(const SimulationSetup& setup, float speed_of_sound);

/// Ten times the largest speed that the setup can reach: from the bodies' own velocities and from falling the height
/// between the highest fluid and the lowest point of the domain. Density then varies by about 1 % (Monaghan 1994).
float automatic_speed_of_sound(const SimulationSetup& setup);

/// Bounds of the time step: CFL, force and viscous conditions (Monaghan 1992; Morris et al. 1997), in terms of h/2.
StepBounds wcsph_step_bounds(const SimulationSetup& setup, float speed_of_sound);

class WcsphSolver : public Solver {
 public:
  /// Attributes it adds: "density" [kg/m^3], "acceleration" [m/s^2], both as of the last force evaluation.
  /// Uses: "position" [m], "velocity" [m/s], "fluid". `boundary` outlives the solver.
  WcsphSolver(const SimulationSetup& setup, float speed_of_sound, const Boundary& boundary, ParticleSet& particles);

  void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) override;

  std::size_t memory_bytes() const { return volume_.bytes() + flow_.bytes() + wall_pressure_.bytes(); }

 private:
  SimulationSetup setup_;
  float speed_of_sound_;
  FluidTable fluids_;
  SmoothingKernel kernel_;
  const Boundary& boundary_;
  Buffer<Vec4> volume_;          ///< (N) position; w the particle's volume 1 / delta [m^d]
  Buffer<Vec4> flow_;            ///< (N) velocity; w = p / delta^2 [Pa m^2d]
  Buffer<float> wall_pressure_;  ///< (walls) p_b / delta_b^2 [Pa m^2d]
};

}  // namespace riffle
