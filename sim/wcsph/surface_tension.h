#pragma once
/// Surface tension, in two models.
///
/// Continuum: the force sigma kappa n per area of surface, spread over the particles at it (Brackbill, Kothe and Zemach
/// 1992; in SPH Morris 2000). At a free surface of fluid f the gradient of what is missing, -sum_j V_0 grad W_ij,
/// points outward, and its integral across the fluid's side of the surface is 1/2. Where f touches fluid g the same
/// holds for sum_{j in g} V_0 grad W_ij, on either side. With the weights b of both in one sum,
///   S_i = sum_j b_fg V_0 grad W_ij,   b_ff = -2 sigma_f,   b_fg = sigma_fg - 2 sigma_f,
/// is sigma n per volume, and F_i = -kappa_i S_i V_0. Walls count as the particle's own fluid, whose surface then meets
/// them at a right angle. Forces are not pairwise: momentum is conserved only as far as curvatures are exact.
///
/// Akinci: Akinci, Akinci and Teschner 2013, "Versatile surface tension and adhesion for SPH fluids". A pair of fluids
/// f and g at distance q h pulls with k_fg c(q), c the paper's spline scaled to a largest value of 1, and with the
/// paper's difference of normals. Its k follows from tension: the energy of the pairs that a cut through the fluid
/// separates is twice that of the two surfaces it makes, so that with n = 1 / V_0 (Kirkwood and Buff 1949, for
/// uncorrelated pairs)
///   sigma = n^2 k h^4 / 3 int c q^3 dq  (2-D),  sigma = pi/8 n^2 k h^5 int c q^4 dq  (3-D),
/// and of two fluids in touch sigma_fg = sigma_f + sigma_g - 2 (the same with k_fg). Particles that attract each other
/// this strongly order themselves as in a crystal, which resists shear: a drop does not come back to its shape.
///
/// Four forms were tried on a free drop. A cohesion between all pairs freezes it like a crystal. An area measured by
/// gradients is least when the surface peels off. An energy of missing neighbours weakens as the outermost layer packs.
/// Curvature from directions smoothed once, with pressure that may pull, oscillates at Rayleigh's frequency after one
/// calibration of its strength: the continuum model here.

#include "core/math/math.h"
#include "sim/kernel.h"
#include "sim/setup.h"

namespace riffle::wcsph {

/// c(q): attraction at distance q h, 0 <= q <= 1; negative (repulsion) below q = 0.27, largest 1 at q = 1/2.
RIFFLE_INLINE float cohesion_shape(float q) {
  const float a = q * (1 - q), cubed = 64 * a * a * a;
  return q > 0.5f ? cubed : 2 * cubed - 1;
}

struct TensionTable {
  float weight[kMaxFluids][kMaxFluids] = {};    ///< b [N/m], calibrated on a lattice
  float noise[kMaxFluids] = {};                 ///< lower bound of |S| at a surface [N/m^2]
  float cohesion[kMaxFluids][kMaxFluids] = {};  ///< k [N]
  float normals[kMaxFluids] = {};  ///< coefficient of the difference of normals, for pairs within this fluid [N]
};

/// Whether a fluid or an interface has tension.
bool has_tension(const SimulationSetup& setup);

/// Largest tension of any fluid or pair of fluids [N/m].
float largest_tension(const SimulationSetup& setup);

TensionTable make_tension_table(const SimulationSetup& setup, const SmoothingKernel& kernel);

}  // namespace riffle::wcsph
