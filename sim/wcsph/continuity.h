#pragma once
/// Density by the continuity equation with diffusion (delta-SPH): d delta_i / dt = sum_j v_ij . grad W_ij + D_i.
///
/// The state is the compression e = rho / rho0 - 1, which every particle carries from step to step. Nothing is summed
/// where the kernel is cut off, so a free surface and the fluid at a wall have their own density.
///
/// D_i = 2 delta s c0 sum_j V_0 (e_j - e_i - e^H_ij) (r_ji . grad W_ij) / r^2 with s = h/2 and delta = 0.1 (Molteni and
/// Colagrossi 2009). e^H_ij is the difference that the weight of the fluid between i and j makes (Fourtakas, Vacondio,
/// Dominguez and Rogers 2019): nothing diffuses in a fluid at rest, up to its surface. It is at most the larger of the
/// two compressions, as it is in a fluid at rest, and so vanishes in a free fall. What one particle of a pair gains the
/// other one loses.
///
/// Without more, e drifts from the density of the particles' places by several percent: diffusion spreads the compression
/// of an impact, and surfaces that meet keep a gap. So e returns to the summed density at return_rate, within hundreds of
/// steps. Where the sum is lower than e by more than kSurfaceGap, particles are missing (a free surface, a gap): only
/// what e has above kSurfaceGap is then taken back.
///
/// Sound is damped by a bulk viscosity, a pressure of -zeta div v where the fluid is under pressure (Sun, Pilloton,
/// Antuono and Colagrossi 2023). It vanishes where a flow keeps its volume.
///
/// A wall particle has the pressure of the fluid around it, with the weight of the fluid between them (Adami, Hu and
/// Adams 2012, eq. 27).
///
/// The gradients of pressure and of velocity take a kernel whose lattice sum of x dW/dx is exact: with Wendland C2 at
/// h = 2 spacings the bare sum is 6 % low in 2-D, and a column would be under 6 % too much pressure.

#include <vector>

#include "sim/kernel.h"
#include "sim/setup.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

inline constexpr float kSurfaceGap = 0.04f;  ///< of the density, relative

/// The kernel with another scale of the gradient: - V_0 sum_j x dW/dx over the lattice is 1.
SmoothingKernel with_exact_gradient(const SmoothingKernel& kernel, int dimension, float spacing);

ContinuityTable make_continuity_table(const SimulationSetup& setup, const FluidTable& fluids, float speed_of_sound);

/// (count) compression of particles under the weight of the fluid above them; 0 where the fluid is not at rest in its
/// vessel. It is at rest if gravity points along an axis that is not periodic, the connected fluid stands on a wall or a
/// solid and has no side without fluid, wall or solid, and the square of no particle's speed is above a tenth of gravity
/// times the height of that fluid.
std::vector<float> compression_at_rest(const SimulationSetup& setup, const FluidTable& fluids,
                                       const std::vector<Vec4>& position, const std::vector<Vec4>& velocity,
                                       const std::vector<std::uint32_t>& fluid);

}  // namespace riffle::wcsph
