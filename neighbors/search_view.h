#pragma once
/// What a traversal needs of a built search: plain structs that kernels take by value.

#include <cstdint>
#include <variant>

#include "neighbors/grid.h"
#include "neighbors/separation.h"

namespace riffle {

/// Particles sorted by cell: those of cell c are cell_start[c] .. cell_start[c+1]-1.
struct GridView {
  Grid grid;
  const std::uint32_t* cell_start = nullptr;  ///< (cells + 1)
  const std::uint8_t* cell_has_neighbors =
      nullptr;  ///< (cells) 0 where no particle is in the 3^d cells around; or nullptr
};

/// Neighbours listed per particle, in slices of 32 particles so that a warp reads them in order: entry k of particle i
/// is entries[(i / 32 * width + k) * 32 + i % 32]. A particle with count[i] > width has no list and is searched for in
/// the grid.
struct ListView {
  GridView grid;
  const std::uint32_t* entries = nullptr;  ///< (slices * width * 32)
  const std::uint32_t* count = nullptr;    ///< (particles)
  int width = 0;

  RIFFLE_HD static std::int64_t entry(int i, int k, int width) {
    return (std::int64_t{i / 32} * width + k) * 32 + i % 32;
  }
};

/// Nothing: every pair is a candidate.
struct BruteForceView {};

using SearchView = std::variant<GridView, ListView, BruteForceView>;

}  // namespace riffle
