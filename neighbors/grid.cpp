#include "neighbors/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace riffle {

namespace {

// (x - origin) * inverse_cell is rounded three times, so a cell coordinate u is off by up to about 2^-22 |u|. Two
// particles just within h must not land two cells apart because of it, so cells are larger than h by that much of the
// longest axis. Eight box lengths are allowed for, so that particles well outside the box are still found.
double cell_margin(double cells) { return 8.0 * cells * 0x1p-21; }

int cells_on_axis(const Domain& domain, int axis, float h) {
  const double extent = component(domain.extent(), axis);
  const double estimate = std::floor(extent / h);
  const double cells = std::floor(extent / (double{h} * (1.0 + cell_margin(estimate))));
  return static_cast<int>(std::clamp(cells, 1.0, 1.0e9));
}

}  // namespace

Grid make_grid(const Domain& domain, float h) {
  if (!(h > 0) || !std::isfinite(h))
    throw InputError(fmt::format("support radius {}: it must be a positive number", h));
  constexpr char axis_name[] = "xyz";
  Grid grid;
  grid.origin = domain.min;
  int size[3] = {1, 1, 1};
  float inverse[3] = {0, 0, 0};
  for (int a = 0; a < domain.dimension; ++a) {
    const float extent = component(domain.extent(), a);
    if (!(extent > 0) || !std::isfinite(extent))
      throw InputError(fmt::format("domain: its extent in {} is {}, it must be positive", axis_name[a], extent));
    if (domain.periodic(a) && extent < 2 * h)
      throw InputError(
          fmt::format("domain: the periodic axis {} is {} long; it must be at least twice the support radius {}, "
                      "or a particle would meet two images of the same neighbour",
                      axis_name[a], extent, h));
    size[a] = cells_on_axis(domain, a, h);
    inverse[a] = static_cast<float>(size[a] / double{extent});
  }
  grid.size = {size[0], size[1], size[2]};
  grid.inverse_cell = {inverse[0], inverse[1], inverse[2]};
  grid.periodic_x = domain.periodic(0);
  grid.periodic_y = domain.periodic(1);
  grid.periodic_z = domain.periodic(2);
  const double cells = double(size[0]) * size[1] * size[2];
  if (cells > 2147483646.0)
    throw Unavailable(
        fmt::format("a grid of {} x {} x {} cells of at least {} would take {:.0f} bytes, more than one grid can hold: "
                    "use a smaller domain or a larger support radius",
                    size[0], size[1], size[2], h, 4 * cells));
  return grid;
}

}  // namespace riffle
