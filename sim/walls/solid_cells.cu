#include "sim/walls/solid_cells.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/device/atomic.h"
#include "core/device/memory.h"
#include "core/device/parallel.cuh"
#include "core/error.h"

namespace riffle {

namespace {

constexpr std::int64_t kMostCells = 32768;
constexpr std::int64_t kMostCellsOfMoving = 1024;  // of a moving solid; one that covers more is listed for all cells
constexpr std::int64_t kSolidThreads = 32;         // threads that mark the cells of one solid
constexpr float kSlack = 0.01f;                    // [cells] more than coordinates are rounded by

struct CellSpanOfSolid {
  int first, count;
};

/// The cells of an axis that bounds cover.
RIFFLE_INLINE CellSpanOfSolid cells_between(const SolidCellsView& view, int a, float low, float high) {
  const int size = view.size[a];
  const float cell = 1 / component(view.per_cell, a);
  low -= kSlack * cell;
  high += kSlack * cell;
  if (!(high >= low)) return {0, size};  // NaN: a body that has blown up may be anywhere
  if (view.wraps[a] && !(high - low < static_cast<float>(size - 1) * cell)) return {0, size};
  const int first = view.along(a, low), last = view.along(a, high);
  return {first, last - first + 1 + (last < first ? size : 0)};  // on a periodic axis through the face
}

struct CellBlock {
  CellSpanOfSolid span[3];

  RIFFLE_HD std::int64_t count() const { return std::int64_t{span[0].count} * span[1].count * span[2].count; }
  /// The k-th one.
  RIFFLE_HD int cell(const SolidCellsView& view, std::int64_t k) const {
    int at[3];
    for (int a = 0; a < 3; ++a) {
      const int c = span[a].first + static_cast<int>(k % span[a].count);
      at[a] = c >= view.size[a] ? c - view.size[a] : c;
      k /= span[a].count;
    }
    return at[0] + view.size[0] * (at[1] + view.size[1] * at[2]);
  }
};

RIFFLE_INLINE CellBlock block_of(const SolidCellsView& view, Vec3 low, Vec3 high) {
  return {{cells_between(view, 0, low.x, high.x), cells_between(view, 1, low.y, high.y),
           cells_between(view, 2, low.z, high.z)}};
}

RIFFLE_INLINE void set_bit(std::uint64_t* bits, const SolidCellsView& view, int row, std::uint32_t solid) {
  std::uint64_t* words = bits + static_cast<std::ptrdiff_t>(row) * view.stride();
  const std::uint32_t word = solid / 64;
  if (view.words > 1) atomic_or(words++, std::uint64_t{1} << word);
  atomic_or(words + word, std::uint64_t{1} << (solid % 64));
}

struct MarkMoving {
  SolidCellsView view;
  const SurfaceFrame* frames;
  const std::uint32_t* moving;
  const Vec3* half;
  std::uint64_t* bits;

  RIFFLE_HD static float along(Vec3 row, Vec3 h) {
    return fabsf(row.x) * h.x + fabsf(row.y) * h.y + fabsf(row.z) * h.z;
  }

  RIFFLE_HD void operator()(std::int64_t index) const {
    const std::int64_t m = index / kSolidThreads, lane = index % kSolidThreads;
    const std::uint32_t solid = moving[m];
    const SurfaceFrame& frame = frames[solid];
    const Rotation& turn = frame.start.rotation;
    const Vec3 h = half[m];
    const float around = view.reach + frame.travel;  // covers the end of the step too
    const Vec3 reach{along(turn.x, h) + around, along(turn.y, h) + around, along(turn.z, h) + around};
    const CellBlock block = block_of(view, frame.middle_at_start - reach, frame.middle_at_start + reach);
    const std::int64_t count = block.count();
    if (count > kMostCellsOfMoving) {
      if (lane == 0) set_bit(bits, view, view.cells, solid);
      return;
    }
    for (std::int64_t k = lane; k < count; k += kSolidThreads) set_bit(bits, view, block.cell(view, k), solid);
  }
};

bool has_end(const Bounds& bounds, int dimension) {
  for (int a = 0; a < dimension; ++a)
    if (!std::isfinite(component(bounds.min, a)) || !std::isfinite(component(bounds.max, a))) return false;
  return true;
}

/// The grid, without bits.
SolidCellsView grid_for(const Domain& domain, const FlatRegions& flat, float reach) {
  SolidCellsView view;
  std::vector<double> widths;
  const auto extent_of_domain = [&](int a) { return double{component(domain.max, a)} - component(domain.min, a); };
  for (std::size_t k = 0; k < flat.shapes.size(); ++k) {
    if (!flat.shapes[k].begins()) continue;
    const Bounds bounds = bounds_of(flat.shapes, k);
    double mean = 0;
    for (int a = 0; a < domain.dimension; ++a)
      mean += std::min(double{component(bounds.max, a)} - component(bounds.min, a), extent_of_domain(a));
    widths.push_back(mean / domain.dimension);
  }
  const std::size_t solids = widths.size();
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(solids / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  // Half as wide as what is listed of a usual solid: that covers some thirty cells, and a cell lists few solids.
  double edge = 0.5 * ((solids > 0 ? *middle : 0) + 2 * double{reach});
  const auto cells_of = [&](double e) {
    double cells = 1;
    for (int a = 0; a < domain.dimension; ++a) cells *= std::max(1.0, std::floor(extent_of_domain(a) / e));
    return cells;
  };
  while (cells_of(edge) > kMostCells) edge *= 1.1;
  view.reach = reach;
  view.words = static_cast<int>((solids + 63) / 64);
  view.low = domain.min;
  view.cells = 1;
  for (int a = 0; a < 3; ++a) {
    if (a < domain.dimension) {
      view.size[a] = static_cast<int>(std::max(1.0, std::floor(extent_of_domain(a) / edge)));
      view.wraps[a] = domain.periodic(a);
    }
    const double cell = a < domain.dimension ? extent_of_domain(a) / view.size[a] : 1;
    (a == 0 ? view.per_cell.x : a == 1 ? view.per_cell.y : view.per_cell.z) = static_cast<float>(1 / cell);
    view.cells *= view.size[a];
  }
  return view;
}

std::size_t words_in(const SolidCellsView& view) {
  return (static_cast<std::size_t>(view.cells) + 1) * static_cast<std::size_t>(view.stride());
}

}  // namespace

SolidCells::SolidCells(const Device& device, const Domain& domain, const FlatRegions& flat,
                       std::span<const std::uint8_t> moving, float reach)
    : view_(grid_for(domain, flat, reach)), bits_(device), still_(device), moving_(device), half_(device) {
  if (view_.words > kMostSolids / 64)
    throw InputError("solids: found more than " + std::to_string(kMostSolids) +
                     "; allowed: as many as cells have bits for");
  std::vector<std::uint64_t> still(words_in(view_));
  std::vector<std::uint32_t> going;  // solids that move and have ends
  std::vector<Vec3> half;
  const Vec3 around{reach, reach, reach};
  for (std::size_t first = 0; first < flat.shapes.size(); ++first) {
    const FlatShape& shape = flat.shapes[first];
    if (!shape.begins()) continue;
    const Bounds bounds = bounds_of(flat.shapes, first);
    const bool moves = !moving.empty() && moving[shape.solid] != 0;
    if (moves && has_end(bounds, domain.dimension)) {
      going.push_back(shape.solid);
      half.push_back(0.5f * (bounds.max - bounds.min));
      if (domain.dimension == 2) half.back().z = 0;
      continue;
    }
    if (moves) {
      set_bit(still.data(), view_, view_.cells, shape.solid);
      continue;
    }
    const CellBlock block = block_of(view_, bounds.min - around, bounds.max + around);
    for (std::int64_t k = 0; k < block.count(); ++k) set_bit(still.data(), view_, block.cell(view_, k), shape.solid);
  }
  std::vector<std::uint64_t> all = still;
  for (const std::uint32_t solid : going) set_bit(all.data(), view_, view_.cells, solid);
  bits_.assign(all);
  view_.bits = bits_.data();
  if (going.empty()) return;
  still_.assign(still);
  moving_.assign(going);
  half_.assign(half);
}

std::size_t SolidCells::bytes_of(const Domain& domain, const FlatRegions& flat, std::size_t moving, float reach) {
  return words_in(grid_for(domain, flat, reach)) * sizeof(std::uint64_t) * (moving > 0 ? 2 : 1) +
         moving * (sizeof(std::uint32_t) + sizeof(Vec3));
}

void SolidCells::mark(const SurfaceFrame* frames) {
  if (moving_.empty()) return;
  copy_on_device(bits_.device(), bits_.data(), still_.data(), bits_.size() * sizeof(std::uint64_t));
  parallel_for(bits_.device(), "cells of moving solids", kSolidThreads * static_cast<std::int64_t>(moving_.size()),
               MarkMoving{view_, frames, moving_.data(), half_.data(), bits_.data()});
}

}  // namespace riffle
