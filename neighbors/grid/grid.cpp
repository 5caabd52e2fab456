#include "neighbors/grid/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace riffle {

namespace {

constexpr double kMostCells = 1 << 21;  // per axis: beyond, a float does not distinguish cells

// (x - origin) * inverse_cell is rounded three times, so a coordinate of u cells is off by up to about 2^-22 |u|. The
// margin allows for eight box lengths, so that particles well outside the box are still found, and for twice that, so
// that a cell's faces may be rounded as well.
double coordinate_margin(double cells) { return cells * 0x1p-18 + 1e-4; }

double cells_on_axis(const Domain& domain, int axis, float h, const CellSize& cell_size) {
  if (const int count = component(cell_size.count, axis); count > 0) return count;
  const double extent = component(domain.extent(), axis);
  const double cells = std::floor(extent / (double{h} * component(cell_size.ratio, axis)));
  return std::clamp(cells, 1.0, kMostCells);
}

}  // namespace

Grid grid_of(Vec3 origin, const GridAxis (&axes)[3], double radius) {
  float inverse[3] = {0, 0, 0}, edge[3] = {0, 0, 0}, margin[3] = {0, 0, 0}, reach[3] = {0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (axes[a].edge == 0) continue;
    edge[a] = static_cast<float>(axes[a].edge);
    inverse[a] = static_cast<float>(1 / axes[a].edge);
    margin[a] = static_cast<float>(axes[a].margin);
    reach[a] = static_cast<float>(radius / axes[a].edge + margin[a]);
  }
  Grid grid;
  grid.origin = origin;
  grid.size = {axes[0].cells, axes[1].cells, axes[2].cells};
  grid.inverse_cell = {inverse[0], inverse[1], inverse[2]};
  grid.periodic_x = axes[0].periodic, grid.periodic_y = axes[1].periodic, grid.periodic_z = axes[2].periodic;
  grid.cell = {edge[0], edge[1], edge[2]};
  grid.margin = {margin[0], margin[1], margin[2]};
  grid.reach = {reach[0], reach[1], reach[2]};
  grid.radius2 = static_cast<float>(radius * radius);
  return grid;
}

double count_cells(const Domain& domain, float h, const CellSize& cell_size) {
  double cells = 1;
  for (int a = 0; a < domain.dimension; ++a) cells *= cells_on_axis(domain, a, h, cell_size);
  return cells;
}

Grid make_grid(const Domain& domain, float h, const CellSize& cell_size) {
  if (!(h > 0) || !std::isfinite(h))
    throw InputError(fmt::format("support radius {}: it must be a positive number", h));
  constexpr char axis_name[] = "xyz";
  GridAxis axes[3];
  const double radius = query_reach(h);
  for (int a = 0; a < domain.dimension; ++a) {
    const float extent = component(domain.extent(), a);
    if (!(extent > 0) || !std::isfinite(extent))
      throw InputError(fmt::format("domain: its extent in {} is {}, it must be positive", axis_name[a], extent));
    if (domain.periodic(a) && extent < 2 * h)
      throw InputError(
          fmt::format("domain: the periodic axis {} is {} long; it must be at least twice the support radius {}, "
                      "or a particle would meet two images of the same neighbour",
                      axis_name[a], extent, h));
    const auto size = static_cast<int>(cells_on_axis(domain, a, h, cell_size));
    const double cell = double{extent} / size;
    if (radius > kMostCellsPerRadius * cell && size > 1)
      throw InputError(fmt::format(
          "cells: {} along {} make {:.4g} cells per support radius {}; at most {} are allowed (neighbors.cell)", size,
          axis_name[a], radius / cell, h, kMostCellsPerRadius));
    if (size > kMostCells)
      throw InputError(fmt::format("cells: {} along {}; at most {:.0f} are allowed (neighbors.cell)", size,
                                   axis_name[a], kMostCells));
    axes[a] = {size, cell, coordinate_margin(size), domain.periodic(a)};
  }
  return grid_of(domain.min, axes, radius);
}

}  // namespace riffle
