#include "neighbors/grid/cell_sort.h"

#include <bit>

#include "core/device/parallel.cuh"

namespace riffle {

namespace {

/// Marks where the particles of each non-empty cell end. Empty cells stay 0 and take the end of the last cell before
/// them through a maximum scan.
struct MarkCellEnds {
  const std::uint32_t* key;   ///< (count) sorted
  std::uint32_t* cell_start;  ///< (cells + 1): the end of cell c is the start of c + 1
  std::int64_t count;
  std::int64_t cells;

  RIFFLE_HD void operator()(std::int64_t p) const {
    const std::uint32_t c = key[p];
    if (c < cells && (p + 1 == count || key[p + 1] != c))
      cell_start[std::size_t{c} + 1] = static_cast<std::uint32_t>(p + 1);
  }
};

}  // namespace

void sort_by_cell(const Device& device, const CellSort& arrays, CellSortScratch scratch) {
  const auto n = static_cast<std::size_t>(arrays.count), starts = static_cast<std::size_t>(arrays.cells) + 1;
  fill_bytes(device, arrays.cell_start, 0, starts * sizeof(std::uint32_t));
  sort_pairs(device, arrays.key, arrays.sorted_key, arrays.index, arrays.order, n, std::bit_width(arrays.largest_key),
             scratch.sort);
  parallel_for(device, "mark cell ends", arrays.count,
               MarkCellEnds{arrays.sorted_key, arrays.cell_start, arrays.count, arrays.cells});
  inclusive_max_scan(device, arrays.cell_start, arrays.cell_start, starts, scratch.scan);
}

}  // namespace riffle
