#pragma once
/// Signed distances to a surface of triangles, on a grid that is fine near the surface.

#include <cstddef>
#include <vector>

#include "sim/meshes/distance_grid_view.h"
#include "sim/meshes/triangle_tree.h"

namespace riffle {

struct GridWish {
  Vec3 low, high;  ///< [m] the box that the grid covers
  float cell = 0;  ///< [m]
  float band = 0;  ///< [m] how far from the surface the grid is fine
  friend bool operator==(const GridWish&, const GridWish&) = default;
};

inline constexpr std::size_t kMostGridBytes = std::size_t{256} << 20;  ///< of one grid

class DistanceGrid {
 public:
  /// The distance at each corner is exact but for rounding. Inside is where the surface winds around a place more than
  /// half a time. A grid that would be larger than `most_bytes` gets wider cells.
  DistanceGrid(const TriangleTree& tree, const GridWish& wish, std::size_t most_bytes = kMostGridBytes);

  float cell() const { return width_ / kBlockCells; }
  std::size_t bytes() const {
    return (corners_.size() + values_.size()) * sizeof(float) + block_.size() * sizeof(std::uint32_t);
  }
  /// With pointers into this grid.
  DistanceGridView view() const { return {corners_.data(), block_.data(), values_.data(), origin_, width_, blocks_}; }

  const std::vector<float>& corners() const { return corners_; }
  const std::vector<std::uint32_t>& block() const { return block_; }
  const std::vector<float>& values() const { return values_; }

 private:
  void measure_corners(const TriangleTree& tree);
  std::size_t choose_blocks(const TriangleTree& tree, float band);
  void measure_blocks(const TriangleTree& tree);

  Vec3 origin_;
  float width_ = 0;
  Int3 blocks_;
  std::vector<float> corners_, values_;
  std::vector<std::uint32_t> block_;
};

}  // namespace riffle
