#pragma once
/// Sorts particles by the number of their cell and finds where each cell begins. Private to neighbors/.

#include <cstdint>

#include "core/device/algorithms.h"

namespace riffle {

struct CellSort {
  const std::uint32_t* key;    ///< (count) the particle's cell; `cells` or more is sorted behind all cells
  std::uint32_t* sorted_key;   ///< (count) out
  const std::uint32_t* index;  ///< (count) 0, 1, 2, ...
  std::uint32_t* order;        ///< (count) out: position p is particle order[p]'s; within a cell they keep their order
  std::uint32_t* cell_start;   ///< (cells + 1) out
  std::int64_t count;
  std::int64_t cells;
  std::uint64_t largest_key;  ///< upper limit: the sort takes its number of bits
};

/// Both may be the same.
struct CellSortScratch {
  ScratchMemory& sort;
  ScratchMemory& scan;
};

/// Asynchronous on CUDA.
void sort_by_cell(const Device& device, const CellSort& arrays, CellSortScratch scratch);

}  // namespace riffle
