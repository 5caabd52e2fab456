#pragma once
/// The distance grids of meshes on a device.

#include <memory>
#include <vector>

#include "core/device/buffer.h"
#include "sim/shapes/distance.h"

namespace riffle {

/// On the CPU the grids are those of the regions, which all simulations of the same solids share. A GPU gets copies.
class DeviceGrids {
 public:
  DeviceGrids() = default;
  /// @param regions  its shapes get views that are valid on the device, as long as this lives
  DeviceGrids(const Device& device, FlatRegions& regions);

  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::shared_ptr<const DistanceGrid>> shared_;
  std::vector<Buffer<float>> numbers_;
  std::vector<Buffer<std::uint32_t>> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace riffle
