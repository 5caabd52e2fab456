#include "sim/probes/probe_cells.h"

#include <algorithm>
#include <cmath>

namespace riffle {

namespace {

constexpr double kMostCells = 1 << 24;

void set(Vec3& v, int axis, float value) { (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value; }
void set(Int3& v, int axis, int value) { (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value; }

/// Cells along an axis that a place's reach covers, ascending.
std::vector<int> covered(const ProbeCellTable& table, int axis, float x, float reach) {
  const int n = component(table.count, axis);
  const float origin = component(table.origin, axis), per = component(table.per_cell, axis);
  // A margin of a hundredth of a cell: the kernel's own rounding may put a particle into the next one.
  const int low = static_cast<int>(std::floor((x - reach - origin) * per - 0.01f));
  const int high = static_cast<int>(std::floor((x + reach - origin) * per + 0.01f));
  std::vector<int> cells;
  for (int k = low; k <= high && k - low < n; ++k) {
    if (table.wraps[axis])
      cells.push_back(((k % n) + n) % n);
    else if (k >= 0 && k < n)
      cells.push_back(k);
  }
  std::ranges::sort(cells);
  return cells;
}

}  // namespace

ProbeCells cells_around(const std::vector<Vec4>& places, const Domain& domain, float reach) {
  ProbeCells cells;
  ProbeCellTable& table = cells.table;
  double low[3] = {0, 0, 0}, extent[3] = {1, 1, 1};
  for (int a = 0; a < domain.dimension; ++a) {
    if (domain.periodic(a)) {
      low[a] = double{component(domain.min, a)};
      extent[a] = double{component(domain.max, a)} - low[a];
      table.wraps[a] = true;
      continue;
    }
    double least = 0, most = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double x = double{component(xyz(places[k]), a)};
      least = k == 0 ? x : std::min(least, x);
      most = k == 0 ? x : std::max(most, x);
    }
    low[a] = least - 1.1 * double{reach};
    extent[a] = most - least + 2.2 * double{reach};
  }
  // Cells are as wide as the reach, and wider where there would be too many.
  double width = double{reach}, all = 1;
  for (int a = 0; a < domain.dimension; ++a) all *= std::max(1.0, extent[a] / width);
  if (all > kMostCells) width *= std::pow(all / kMostCells, 1.0 / domain.dimension);
  for (int a = 0; a < 3; ++a) {
    const double n = a < domain.dimension ? std::max(1.0, std::floor(extent[a] / width)) : 1;
    set(table.count, a, static_cast<int>(n));
    set(table.origin, a, a < domain.dimension ? static_cast<float>(low[a]) : -0.5f);
    set(table.per_cell, a, a < domain.dimension ? static_cast<float>(n / extent[a]) : 1.0f);
  }
  cells.slots.assign(static_cast<std::size_t>(table.count.x) * static_cast<std::size_t>(table.count.y) *
                         static_cast<std::size_t>(table.count.z),
                     -1);
  cells.first.push_back(0);
  for (const Vec4& place : places) {
    const std::vector<int> xs = covered(table, 0, place.x, reach), ys = covered(table, 1, place.y, reach);
    const std::vector<int> zs = domain.dimension == 3 ? covered(table, 2, place.z, reach) : std::vector<int>{0};
    const std::size_t begin = cells.around.size();
    for (const int z : zs)
      for (const int y : ys)
        for (const int x : xs) {
          std::int32_t& slot = cells.slots[(static_cast<std::size_t>(z) * static_cast<std::size_t>(table.count.y) +
                                            static_cast<std::size_t>(y)) *
                                               static_cast<std::size_t>(table.count.x) +
                                           static_cast<std::size_t>(x)];
          if (slot < 0) slot = cells.used++;
          cells.around.push_back(static_cast<std::uint32_t>(slot));
        }
    std::sort(cells.around.begin() + static_cast<std::ptrdiff_t>(begin), cells.around.end());
    cells.first.push_back(static_cast<std::uint32_t>(cells.around.size()));
  }
  return cells;
}

}  // namespace riffle
