#include "sim/meshes/distance_grid.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace riffle {

namespace {

constexpr double kMostCorners = 1 << 21;  // of blocks
constexpr float kSlack = 1.0001f;         // of a bound from a neighbour's distance

/// Distances along a row of places. A neighbour's distance bounds the next one from above. A surface that passed between
/// both would be no further from both together than the step, so otherwise both are on one side.
class Row {
 public:
  Row(const TriangleTree& tree, float step) : tree_(tree), step_(step) {}

  /// Begins at a place beside one whose distance is known; NAN: none is.
  void begin_at(float known) {
    last_ = known;
    if (std::isnan(known)) guess_ = TriangleTree::kNone;
  }

  float next(Vec3 place) {
    const float bound = std::isnan(last_) ? 1e18f : kSlack * (std::fabs(last_) + step_);
    const TriangleTree::Nearest nearest = tree_.nearest(place, bound * bound, guess_);
    guess_ = nearest.place;
    const float distance = std::sqrt(nearest.distance2);
    const bool one_side = std::fabs(last_) + distance > kSlack * step_;  // never with NAN
    const bool inside = one_side ? last_ < 0 : tree_.winding(place) > 0.5;
    last_ = inside ? -distance : distance;
    return last_;
  }

 private:
  const TriangleTree& tree_;
  float step_;
  float last_ = NAN;
  std::uint32_t guess_ = TriangleTree::kNone;
};

}  // namespace

DistanceGrid::DistanceGrid(const TriangleTree& tree, const GridWish& wish, std::size_t most_bytes) : origin_(wish.low) {
  const Vec3 extent = wish.high - wish.low;
  width_ = wish.cell * kBlockCells;
  float band = wish.band;
  for (;;) {
    const auto count = [&](float length) { return std::max(1.0, std::ceil(double{length} / width_ - 1e-4)); };
    const double x = count(extent.x), y = count(extent.y), z = count(extent.z);
    const double corners = (x + 1) * (y + 1) * (z + 1);
    if (corners > kMostCorners) {
      width_ *= static_cast<float>(std::max(1.02, std::cbrt(corners / kMostCorners)));
      continue;
    }
    blocks_ = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
    measure_corners(tree);
    band = std::max(wish.band, 2 * width_ / kBlockCells);
    const double fine = double(choose_blocks(tree, band)) * kBlockValues * sizeof(float);
    const double all = fine + corners * sizeof(float) + x * y * z * sizeof(std::uint32_t);
    if (all <= double(most_bytes)) break;
    width_ *= static_cast<float>(std::clamp(std::sqrt(all / double(most_bytes)), 1.05, 4.0));
  }
  measure_blocks(tree);
}

void DistanceGrid::measure_corners(const TriangleTree& tree) {
  const auto nx = static_cast<std::size_t>(blocks_.x + 1), ny = static_cast<std::size_t>(blocks_.y + 1),
             nz = static_cast<std::size_t>(blocks_.z + 1);
  corners_.resize(nx * ny * nz);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ny * nz), [&](const auto& range) {
    for (std::size_t row = range.begin(); row != range.end(); ++row) {
      Row along(tree, width_);
      const float y = static_cast<float>(row % ny), z = static_cast<float>(row / ny);
      for (std::size_t i = 0; i < nx; ++i)
        corners_[row * nx + i] = along.next(origin_ + width_ * Vec3{static_cast<float>(i), y, z});
    }
  });
}

std::size_t DistanceGrid::choose_blocks(const TriangleTree& tree, float band) {
  const auto nx = static_cast<std::size_t>(blocks_.x), ny = static_cast<std::size_t>(blocks_.y),
             nz = static_cast<std::size_t>(blocks_.z);
  block_.assign(nx * ny * nz, kFarBlock);
  // No place of a block is further than this from its middle, or from its nearest corner.
  const float within = band + 0.5f * std::sqrt(3.0f) * width_;
  const auto reaches_band = [&](std::size_t i, std::size_t j, std::size_t k) {
    float least = INFINITY;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      const std::size_t x = i + (corner & 1), y = j + (corner >> 1 & 1), z = k + (corner >> 2);
      least = std::min(least, std::fabs(corners_[(z * (ny + 1) + y) * (nx + 1) + x]));
    }
    if (!(least <= within)) return false;
    const Vec3 middle{static_cast<float>(i) + 0.5f, static_cast<float>(j) + 0.5f, static_cast<float>(k) + 0.5f};
    return tree.nearest(origin_ + width_ * middle, within * within).place != TriangleTree::kNone;
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ny * nz), [&](const auto& range) {
    for (std::size_t row = range.begin(); row != range.end(); ++row)
      for (std::size_t i = 0; i < nx; ++i)
        if (reaches_band(i, row % ny, row / ny)) block_[row * nx + i] = 0;
  });
  std::uint32_t fine = 0;
  for (std::uint32_t& block : block_)
    if (block != kFarBlock) block = fine++;
  return fine;
}

void DistanceGrid::measure_blocks(const TriangleTree& tree) {
  const auto nx = static_cast<std::size_t>(blocks_.x), ny = static_cast<std::size_t>(blocks_.y);
  std::vector<std::size_t> fine;
  for (std::size_t b = 0; b < block_.size(); ++b)
    if (block_[b] != kFarBlock) fine.push_back(b);
  values_.resize(fine.size() * kBlockValues);
  const float cell = width_ / kBlockCells;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, fine.size()), [&](const auto& range) {
    for (std::size_t f = range.begin(); f != range.end(); ++f) {
      const std::size_t i = fine[f] % nx, j = fine[f] / nx % ny, k = fine[f] / (nx * ny);
      float* values = values_.data() + f * kBlockValues;
      // Places that blocks share are computed from the same numbers, so that both have the same bits.
      const auto place = [&](int u, int v, int w) {
        const auto along = [&](std::size_t block, int c) {
          return static_cast<float>(block * kBlockCells + static_cast<std::size_t>(c));
        };
        return origin_ + cell * Vec3{along(i, u), along(j, v), along(k, w)};
      };
      const auto value = [&](int u, int v, int w) -> float& { return values[(w * kBlockNodes + v) * kBlockNodes + u]; };
      Row along(tree, cell);
      for (int w = 0; w < kBlockNodes; ++w)
        for (int v = 0; v < kBlockNodes; ++v) {
          along.begin_at(v > 0 ? value(0, v - 1, w) : w > 0 ? value(0, 0, w - 1) : NAN);
          for (int u = 0; u < kBlockNodes; ++u) value(u, v, w) = along.next(place(u, v, w));
        }
    }
  });
}

}  // namespace riffle
