#pragma once
/// The random force that holds DPD's temperature against the drag.

#include <cmath>

#include "sim/setup.h"

namespace riffle::dpd {

/// sigma, with sigma^2 = 2 gamma kT after the fluctuation-dissipation theorem: what `solver.noise: auto` is.
inline float balanced_noise(float friction, float temperature) {
  return static_cast<float>(std::sqrt(2.0 * friction * temperature));
}

/// Whether all pairs of the scene's fluids have that noise, to the bit.
inline bool has_balanced_noise(const SimulationSetup& setup) {
  const DpdSetup& dpd = setup.dpd;
  for (std::size_t k = 0; k < setup.fluids.size(); ++k)
    for (std::size_t l = 0; l < setup.fluids.size(); ++l)
      if (dpd.noise.value[k][l] != balanced_noise(dpd.friction.value[k][l], dpd.temperature)) return false;
  return true;
}

}  // namespace riffle::dpd
