#pragma once
/// The cells around a probe's places, and the particles in them. Of all cells of a grid over the places only these have
/// particles: a sample looks at every particle once and keeps those few.

#include <cstdint>
#include <vector>

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle {

/// For kernels.
struct ProbeCellTable {
  Vec3 origin{};                       ///< [m]
  Vec3 per_cell{};                     ///< [1/m]
  Int3 count{};                        ///< of cells along each axis
  bool wraps[3] = {};                  ///< periodic axes
  const std::int32_t* slot = nullptr;  ///< of each cell; -1: no place is near it

  /// The slot of the cell that x lies in; -1 if no place is near it, or x is not finite.
  RIFFLE_HD std::int32_t operator()(Vec3 x) const {
    int cell[3];
    for (int a = 0; a < 3; ++a) {
      const int n = component(count, a);
      const float at = (component(x, a) - component(origin, a)) * component(per_cell, a);
      // What a step has moved through a periodic face lies less than a cell outside.
      if (!(at >= -1 && at < static_cast<float>(n) + 1)) return -1;
      int k = at < 0 ? -1 : static_cast<int>(at);
      if (wraps[a]) k = k < 0 ? n - 1 : k >= n ? 0 : k;
      if (k < 0 || k >= n) return -1;
      cell[a] = k;
    }
    return slot[(static_cast<std::int64_t>(cell[2]) * count.y + cell[1]) * count.x + cell[0]];
  }
};

/// On the host.
struct ProbeCells {
  ProbeCellTable table;               ///< without `slot`
  std::vector<std::int32_t> slots;    ///< of each cell
  std::int32_t used = 0;              ///< number of slots
  std::vector<std::uint32_t> first;   ///< (places + 1) of each place in `around`
  std::vector<std::uint32_t> around;  ///< slots of the cells within reach of each place, ascending
};

/// @param places  x, y, z [m] @param reach [m]
ProbeCells cells_around(const std::vector<Vec4>& places, const Domain& domain, float reach);

}  // namespace riffle
