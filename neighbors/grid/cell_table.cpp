#include "neighbors/grid/cell_table.h"

#include <fmt/format.h>

#include "core/device/memory.h"
#include "core/error.h"

namespace riffle {

void require_cell_table(const Device& device, const Grid& grid, std::size_t bytes_per_cell,
                        std::size_t allocated_already) {
  const double cells = grid.cell_count();
  const double bytes = cells * double(bytes_per_cell);
  const bool numbered = cells <= 2147483646.0;
  if (numbered && bytes <= double(allocated_already)) return;
  const std::size_t free = free_memory(device) + allocated_already;
  if (numbered && bytes <= double(free)) return;
  throw Unavailable(
      fmt::format("a grid of {} x {} x {} cells takes {:.0f} bytes{}; use a smaller domain, a larger support radius, "
                  "larger cells where they were given (neighbors.cell), or a "
                  "method whose memory does not grow with the box: green with a folded table, fenns, brute_force",
                  grid.size.x, grid.size.y, grid.size.z, bytes,
                  numbered ? fmt::format(", {} are free on the {}", free, to_string(device.kind))
                           : ", and more cells than can be numbered"));
}

}  // namespace riffle
