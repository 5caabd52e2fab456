#pragma once
/// Surface tension, in two models.
///
/// Continuum: the force sigma kappa n per area of surface, spread over the particles at it (Brackbill, Kothe and Zemach
/// 1992; in SPH Morris 2000). Per fluid f and particle i, with the sums over i's own fluid and walls (O) or over fluid g:
///   O_i = sum_j V_0 grad K_ij,   S_i = b_ff O_i + sum_g b_fg sum_{j in g} V_0 grad K_ij,
///   b_ff = -2 sigma_f,   b_fg = sigma_fg - 2 sigma_f.
/// The integral of |O| across the fluid's side of a surface is 1/2, that of S is sigma n at a free surface and
/// sigma_fg n / 2 where f touches g (there the sums over f and over g cancel each other). So |S| / |O| is twice the tension
/// that f's side carries. Walls count as the particle's own fluid, whose surface then meets them at a right angle.
///
/// The direction n_i is that of S_i, smoothed once over f's particles with the weights |O_j| a_ij, and the curvature
/// kappa_i is the change of direction per distance along the surface, fitted to f's particles by least squares.
/// Particles on one side of a surface are enough, however thick their layer is. The force is
///   F_i = -kappa_i n_i |S_i| V_0 / (2 D_i),   D_i = sum_j V_0 |O_j| L(t_ij),
/// with L a kernel over the distance t_ij along the surface, whose integral over the surface is 1: D_i is what the
/// integral of |O| is among the particles as they are. The force per area is then the tension times the curvature for
/// every support_ratio and kernel and however densely the outermost layer packs, and nothing is calibrated. Where few
/// particles make a surface (spray, an edge at a wall), D_i is at least kLeastArea of its value on a lattice.
///
/// All sums take weights of their own, a = 1 - r^2/h^2 with K ~ a^2 and L ~ (1 - t^2/h^2)^2, and not the smoothing kernel:
/// that has fallen to 0.19 of W(0) at the nearest neighbours and to 0.03 at the next ones with support_ratio 2, where
/// one or two particles then decide on a curvature, and drops burst.
///
/// Forces are not pairwise: momentum is conserved only as far as curvatures are exact.
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
/// Other forms were tried on a free drop. A cohesion between all pairs freezes it like a crystal. An area measured by
/// gradients is least when the surface peels off. An energy of missing neighbours weakens as the outermost layer packs.
/// The divergence of a stress along the surface between pairs, sigma (I - n n) |O| / D, conserves momentum, but drops
/// burst with the two support ratios that were tried, 2 and 3.5. A curvature with the sum of the weights below the
/// line, and not that of the squared distances, is right within 8 % on a lattice's staircase where the least squares
/// are 15 % high (h = 2 spacings), but the drop then has 0.90 of its frequency with summed densities, and its amplitude
/// grows.

#include "core/math/math.h"
#include "sim/setup.h"

namespace riffle::surface {

/// c(q): attraction at distance q h, 0 <= q <= 1; negative (repulsion) below q = 0.27, largest 1 at q = 1/2.
RIFFLE_INLINE float cohesion_shape(float q) {
  const float a = q * (1 - q), cubed = 64 * a * a * a;
  return q > 0.5f ? cubed : 2 * cubed - 1;
}

/// Constants as kernels read them.
struct TensionTable {
  int fluid_count = 1;
  float rest_volume = 0;                        ///< of every particle, V_0 = spacing^d [m^d]
  float inverse_mass[kMaxFluids] = {};          ///< of a particle [1/kg]
  float weight[kMaxFluids][kMaxFluids] = {};    ///< b [N/m]
  float least[kMaxFluids] = {};                 ///< lower bound of |S|, far below that of the weakest surface [N/m^2]
  float inverse_h2 = 0;                         ///< 1 / h^2 [1/m^2]
  float gradient = 0;                           ///< V_0 grad K_ij = -gradient a r_ij [1/m^2]
  float noise = 0;                              ///< lower bound of |O| at a surface [1/m]
  float area = 0;                               ///< V_0 L(0) [m]
  float least_area = 0;                         ///< lower bound of D
  float cohesion[kMaxFluids][kMaxFluids] = {};  ///< k [N]
  float normals[kMaxFluids] = {};  ///< coefficient of the difference of normals, for pairs within this fluid [N]
};

/// Whether a fluid or an interface has tension.
bool has_tension(const SimulationSetup& setup);

/// Largest tension of any fluid or pair of fluids [N/m].
float largest_tension(const SimulationSetup& setup);

TensionTable make_tension_table(const SimulationSetup& setup);

}  // namespace riffle::surface
