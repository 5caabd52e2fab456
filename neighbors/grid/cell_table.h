#pragma once
/// Limits on the table of a grid's cells. Private to neighbors/.

#include <cstddef>

#include "core/device/device.h"
#include "neighbors/grid/grid.h"

namespace riffle {

/// For a method with one entry per cell of the box.
/// @throws Unavailable if the cells cannot be numbered in 32 bits, or if their table does not fit the free memory: with
/// the cells, the bytes, and the methods that need no such table.
void require_cell_table(const Device& device, const Grid& grid, std::size_t bytes_per_cell,
                        std::size_t allocated_already);

}  // namespace riffle
