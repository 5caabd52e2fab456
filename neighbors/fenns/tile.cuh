#pragma once
/// Where a tile of `fenns` lies, and which particles it reads: its own and those in its neighbours' borders.

#include "neighbors/grid/grid.h"
#include "neighbors/search_view.h"

namespace riffle {

/// Position of a tile.
struct Tile {
  Int3 cell;                                     ///< coarse
  Vec3 corner;                                   ///< lower corner of its fine grid [m]
  Vec3 middle;                                   ///< centre of its coarse cell, or of the box that is searched [m]
  std::uint32_t own_begin = 0, own_end = 0;      ///< sources of the coarse cell
  std::uint32_t query_begin = 0, query_end = 0;  ///< queries in the coarse cell
};

RIFFLE_INLINE float tile_coordinate(float x, float corner, float middle, float length) {
  if (length == 0) return x - corner;
  const float d = x - middle;  // the image nearest to the tile
  return d - length * rintf(d / length) + (middle - corner);
}

RIFFLE_INLINE Vec3 in_tile(const FineGrid& fine, const Tile& tile, Vec3 x) {
  return {tile_coordinate(x.x, tile.corner.x, tile.middle.x, fine.length.x),
          tile_coordinate(x.y, tile.corner.y, tile.middle.y, fine.length.y),
          tile_coordinate(x.z, tile.corner.z, tile.middle.z, fine.length.z)};
}

/// Coordinate u [cells], relative to `middle`; on a periodic axis that of the nearest image.
RIFFLE_INLINE float from_middle(float u, float middle, int size, bool periodic) {
  const float d = u - middle;
  return periodic ? d - static_cast<float>(size) * rintf(d / static_cast<float>(size)) : d;
}

/// Distance from middle - half .. middle + half to coordinate u, in cells, reduced by the margin.
RIFFLE_INLINE float gap_to_slab(float u, float middle, float half, int size, bool periodic, float margin) {
  return fmaxf(fabsf(from_middle(u, middle, size, periodic)) - half - margin, 0.0f);
}

/// Whether a particle may be within reach of the tile's coarse cell.
RIFFLE_INLINE bool near_tile(const Grid& grid, const Tile& tile, Vec3 x) {
  const Vec3 u = grid.coordinates(x);  // clamped: a point outside the box is as near as its cell at the box's face
  const auto gap = [](float v, int c, int size, bool periodic, float margin) {
    return gap_to_slab(v, static_cast<float>(c) + 0.5f, 0.5f, size, periodic, margin);
  };
  const float dx = grid.cell.x * gap(u.x, tile.cell.x, grid.size.x, grid.periodic_x, grid.margin.x);
  const float dy = grid.cell.y * gap(u.y, tile.cell.y, grid.size.y, grid.periodic_y, grid.margin.y);
  const float dz = grid.cell.z * gap(u.z, tile.cell.z, grid.size.z, grid.periodic_z, grid.margin.z);
  return dx * dx + dy * dy + dz * dz < grid.radius2;
}

/// Coarse cells within a tile's reach.
struct TileNeighborhood {
  CellSpan x, y, z;
  RIFFLE_HD int cells() const { return x.count * y.count * z.count; }
};

RIFFLE_INLINE TileNeighborhood neighborhood(const TileView& view, Int3 cell) {
  const Grid& grid = view.coarse;
  const Vec3 low{static_cast<float>(cell.x), static_cast<float>(cell.y), static_cast<float>(cell.z)};
  return {neighbor_span(low.x, low.x + 1, grid.reach.x, grid.size.x, grid.periodic_x),
          neighbor_span(low.y, low.y + 1, grid.reach.y, grid.size.y, grid.periodic_y),
          neighbor_span(low.z, low.z + 1, grid.reach.z, grid.size.z, grid.periodic_z)};
}

/// Sections first..last of an axis that a tile needs from a cell `offset` cells away.
struct SectionSpan {
  int first = 0, last = 2;
};

RIFFLE_INLINE SectionSpan needed_sections(const CellSpan& span, int offset, float reach) {
  // If both faces are near, or the span has cells on either side of the tile, no section can be left out.
  if (span.whole || reach > 0.5f) return {0, 2};
  return offset == 1 ? SectionSpan{0, 0} : offset == -1 ? SectionSpan{2, 2} : SectionSpan{0, 2};
}

struct SourceRun {
  std::uint32_t begin = 0, end = 0;
};

/// Runs of each neighbouring cell: one for each of 27 sections' rows along x; of 2 sections it is one.
RIFFLE_INLINE int runs_per_cell(const TileView& view) { return view.sections == TileView::kMostSections ? 9 : 1; }

/// Run number r of a tile, 0 <= r < runs_per_cell() * neighborhood cells: each source within reach is in one of them. Many
/// are empty.
RIFFLE_INLINE SourceRun source_run(const TileView& view, const Tile& tile, const TileNeighborhood& near, int r) {
  const Grid& grid = view.coarse;
  const int per_cell = runs_per_cell(view);
  const int n = r / per_cell, row = r % per_cell, sy = row % 3, sz = row / 3;
  const int m = n % near.x.count, l = n / near.x.count % near.y.count, k = n / near.x.count / near.y.count;
  const Int3 c{wrapped(near.x.first + m, grid.size.x), wrapped(near.y.first + l, grid.size.y),
               wrapped(near.z.first + k, grid.size.z)};
  const std::uint32_t cell = grid.index(c), section = view.first_section(cell);
  const bool own = c.x == tile.cell.x && c.y == tile.cell.y && c.z == tile.cell.z;
  if (own || !view.split[cell]) {
    if (row != 0) return {};
    return {view.section_start[section], view.section_start[view.first_section(cell + 1)]};
  }
  if (per_cell == 1) return {view.section_start[section], view.section_start[section + 1]};
  const SectionSpan y = needed_sections(near.y, near.y.first + l - tile.cell.y, grid.reach.y);
  const SectionSpan z = needed_sections(near.z, near.z.first + k - tile.cell.z, grid.reach.z);
  if (sy < y.first || sy > y.last || sz < z.first || sz > z.last) return {};
  const SectionSpan x = needed_sections(near.x, near.x.first + m - tile.cell.x, grid.reach.x);
  const auto begin = section + static_cast<std::uint32_t>(3 * row + x.first);
  return {view.section_start[begin], view.section_start[begin + static_cast<std::uint32_t>(x.last - x.first + 1)]};
}

}  // namespace riffle
