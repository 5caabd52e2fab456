#include "sim/walls/device_grids.h"

#include "sim/meshes/distance_grid.h"

namespace riffle {

DeviceGrids::DeviceGrids(const Device& device, FlatRegions& regions) {
  auto grid = regions.grids.begin();
  for (FlatShape& shape : regions.shapes) {
    if (shape.shape != Shape::Mesh || grid == regions.grids.end()) continue;
    const DistanceGrid& from = **grid;
    bytes_ += from.bytes();
    if (!device.is_cuda()) {
      shared_.push_back(*grid);
    } else {
      shape.grid.corners = numbers_.emplace_back(device, std::span<const float>(from.corners())).data();
      shape.grid.block = blocks_.emplace_back(device, std::span<const std::uint32_t>(from.block())).data();
      if (!from.values().empty())
        shape.grid.values = numbers_.emplace_back(device, std::span<const float>(from.values())).data();
    }
    ++grid;
  }
}

}  // namespace riffle
