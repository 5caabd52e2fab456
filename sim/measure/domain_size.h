#pragma once
/// How large the domains of two fluids are that part in a periodic box: R = 2 pi sum S(k) / sum |k| S(k), with the
/// structure factor S(k) = |sum_j s_j exp(-i k.r_j)|^2, s = +1 for the first fluid and -1 for the second.
///
/// The sums are over the waves k of the box that are long enough. So R hardly depends on the size of the box. In the box
/// of the reference run, 17.61 cut-off radii, they are the waves with up to 8 periods along an edge.
/// Particles are counted on a grid of at least 8 points per shortest wave, which is transformed axis by axis.

#include <cstdint>

#include "sim/simulation.h"

namespace riffle {

inline constexpr double kShortestWave = 2.2;  ///< in support radii
inline constexpr int kMostWaves = 16;         ///< along the longest edge

/// Particles that each fluid has at least. The waves of fewer say nothing but where single particles are.
inline constexpr std::int64_t kLeastOfAFluid = 32;

/// Whether there are exactly two fluids and every axis is periodic.
bool has_domain_size(const SimulationSetup& setup);

/// Largest |k| that counts, in waves per unit length [1/m].
double largest_wave_number(const SimulationSetup& setup);

/// R of the state as it is now [m]; NaN where no wave of the box is long enough, and where one fluid has fewer than
/// kLeastOfAFluid particles. Particles with
/// places that are not finite do not count. Waits.
/// @throws Unavailable where the device has no memory for the grid
double domain_size(const Simulation& simulation);

}  // namespace riffle
