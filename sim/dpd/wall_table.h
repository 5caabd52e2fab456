#pragma once
/// What a wall does to a DPD particle in front of it, as a function of the gap between them.
///
/// A wall acts as if it were fluid at rest in it: of the same kind as the particle, of the setup's number density, spread
/// around the particle as the fluid is, by its radial distribution function. The forces of a half space of it are summed
/// once, on the host: the mean of the repulsion, the drag along and across the wall, and random forces of the strength that
/// keeps the temperature. (Altenhoff, Walther and Koumoutsakos 2007 replace wall particles likewise.) So a particle beside
/// a wall feels what it feels amid the fluid, and the fluid there is neither thinned nor layered as beside a bare mirror.
///
/// The half space is flat and deep. In a corner the overlap of two half spaces counts twice; a solid that is thinner than
/// r_c, or strongly curved within it, repels and drags more than its volume would. Walls that others hide do not count
/// (NearWalls of wall_kernels.cuh).

#include <vector>

#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/setup.h"

namespace riffle::dpd {

inline constexpr int kWallCells = 64;  ///< intervals of the gap between 0 and r_c

/// At one gap. To be multiplied by a, gamma and sigma of the particle's fluid with itself.
struct WallWeights {
  float repulsion = 0;  ///< the mean force away from the wall, over a
  float across = 0;     ///< drag over gamma times the velocity across the wall
  float along = 0;      ///< the same along it; its root is the random force over sigma / sqrt(dt)
  float virial = 0;     ///< [r_c] half of the sum of r.F over pairs with the wall, over a
};

/// (fluids, kWallCells + 1). A fluid of temperature 0 is taken as spread evenly.
std::vector<WallWeights> wall_weights(const SimulationSetup& setup);

/// For kernels.
struct WallTable {
  const WallWeights* weights = nullptr;  ///< nullptr: walls only reflect
  float cells_per_length = 0;            ///< kWallCells / r_c

  /// Linear between the gaps of the table. gap: [length] below 0 it is taken as 0, from r_c on everything is 0.
  RIFFLE_HD WallWeights at(std::uint32_t fluid, float gap) const {
    const float place = gap > 0 ? gap * cells_per_length : 0.0f;
    if (!(place < kWallCells)) return {};
    const int cell = static_cast<int>(place);
    const float next = place - static_cast<float>(cell), here = 1 - next;
    const WallWeights* const row = weights + fluid * (kWallCells + 1) + cell;
    return {here * row[0].repulsion + next * row[1].repulsion, here * row[0].across + next * row[1].across,
            here * row[0].along + next * row[1].along, here * row[0].virial + next * row[1].virial};
  }
};

}  // namespace riffle::dpd
