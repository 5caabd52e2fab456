#include "neighbors/points/megacells.h"

#include <algorithm>
#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"

namespace riffle {

RIFFLE_HD std::uint32_t MegacellGrid::points_within(Int3 c, int rings) const {
  const auto lower = [&](int k) { return k > rings ? k - rings : 0; };
  const auto upper = [&](int k, int n) { return k + rings + 1 < n ? k + rings + 1 : n; };
  const int x0 = lower(c.x), x1 = upper(c.x, size.x), y0 = lower(c.y), y1 = upper(c.y, size.y), z0 = lower(c.z),
            z1 = upper(c.z, size.z);
  const auto layer = [&](int z) {
    return sum[corner(x1, y1, z)] - sum[corner(x0, y1, z)] - sum[corner(x1, y0, z)] + sum[corner(x0, y0, z)];
  };
  return layer(z1) - layer(z0);
}

namespace {

constexpr double kMostCellsPerAxis = 2048;

struct CountPoints {
  MegacellGrid grid;
  const Vec4* points;
  std::uint32_t* sum;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(points[i]);
    if (!is_finite(x)) return;
    const Int3 c = grid.cell_of(x);
    atomic_add(&sum[grid.corner(c.x + 1, c.y + 1, c.z + 1)], 1);
  }
};

/// Sums along one axis, a thread per line.
struct SumLines {
  std::uint32_t* sum;
  std::int64_t lines_inside, inside_stride, outside_stride;  ///< lines: i % lines_inside, i / lines_inside
  std::int64_t stride;
  int length;

  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint32_t* line = sum + i % lines_inside * inside_stride + i / lines_inside * outside_stride;
    std::uint32_t total = 0;
    for (int k = 0; k < length; ++k) {
      total += line[k * stride];
      line[k * stride] = total;
    }
  }
};

struct FindWidths {
  MegacellGrid grid;
  const Vec4* queries;
  std::uint32_t capacity;
  int widths;
  int rings[kMegacellWidths];
  std::uint32_t* width_of;
  std::uint32_t* histogram;

  RIFFLE_HD bool inside(float x, float low, int size) const {
    const float u = (x - low) * grid.inverse_edge;
    return u >= 0 && u <= static_cast<float>(size);
  }
  RIFFLE_HD void operator()(std::int64_t q) const {
    const Vec3 x = xyz(queries[q]);
    int width = widths;
    if (inside(x.x, grid.low.x, grid.size.x) && inside(x.y, grid.low.y, grid.size.y) &&
        inside(x.z, grid.low.z, grid.size.z)) {
      const Int3 cell = grid.cell_of(x);
      int too_small = -1;  // the largest index known to be too small; `width` is known to be large enough
      while (width - too_small > 1) {
        const int middle = (width + too_small) / 2;
        if (grid.points_within(cell, rings[middle]) >= capacity)
          width = middle;
        else
          too_small = middle;
      }
    }
    width_of[q] = static_cast<std::uint32_t>(width);
    atomic_count(histogram, static_cast<std::uint32_t>(width));
  }
};

struct CountCrowded {
  MegacellGrid grid;
  const Vec4* points;
  std::uint32_t crowd;

  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a + b; }
  RIFFLE_HD int operator()(std::int64_t i) const {
    const Vec3 x = xyz(points[i]);
    return is_finite(x) && grid.points_within(grid.cell_of(x), 0) >= crowd ? 1 : 0;
  }
};

}  // namespace

Megacells::Megacells(const Device& device) : device_(device), sum_(device) {}

void Megacells::build(const Vec4* points, int count, const BoundingBox& bounds, float radius, std::size_t memory,
                      double cells_per_point) {
  double extent[3] = {double{bounds.high.x} - bounds.low.x, double{bounds.high.y} - bounds.low.y,
                      double{bounds.high.z} - bounds.low.z};
  for (double& e : extent)
    if (!(e > 0)) e = 0;  // no points: 0 too
  const double longest = std::max({extent[0], extent[1], extent[2]});
  const double most_cells = std::clamp(double(memory) / sizeof(std::uint32_t), 64.0, 64.0 + cells_per_point * count);
  double edge = std::max(longest / (kMostCellsPerAxis - 1), std::isfinite(radius) ? double{radius} / 64 : 0.0);
  if (!(edge > 0) || !std::isfinite(edge)) edge = 1;
  const auto cells = [&](int a) { return std::min(kMostCellsPerAxis, std::floor(extent[a] / edge) + 1); };
  while ((cells(0) + 1) * (cells(1) + 1) * (cells(2) + 1) > most_cells) edge *= 1.1;
  grid_.low = count > 0 && bounds.low.x <= bounds.high.x ? bounds.low : Vec3{};
  grid_.edge = static_cast<float>(edge);
  grid_.inverse_edge = static_cast<float>(1 / edge);
  grid_.size = {static_cast<int>(cells(0)), static_cast<int>(cells(1)), static_cast<int>(cells(2))};
  const std::int64_t nx = grid_.size.x + 1, ny = grid_.size.y + 1, nz = grid_.size.z + 1;
  sum_.resize(static_cast<std::size_t>(nx * ny * nz));
  sum_.fill_zero();
  grid_.sum = sum_.data();
  parallel_for(device_, "count points in cells", count, CountPoints{grid_, points, sum_.data()});
  parallel_for(device_, "sum cells along x", ny * nz, SumLines{sum_.data(), ny * nz, nx, 0, 1, static_cast<int>(nx)});
  parallel_for(device_, "sum cells along y", nx * nz, SumLines{sum_.data(), nx, 1, nx * ny, nx, static_cast<int>(ny)});
  parallel_for(device_, "sum cells along z", nx * ny,
               SumLines{sum_.data(), nx * ny, 1, 0, nx * ny, static_cast<int>(nz)});
}

void Megacells::find(const Vec4* queries, int query_count, int capacity, int widths, std::uint32_t* width_of,
                     std::uint32_t* histogram) const {
  fill_bytes(device_, histogram, 0, static_cast<std::size_t>(widths + 1) * sizeof(std::uint32_t));
  FindWidths kernel{grid_, queries, static_cast<std::uint32_t>(capacity), widths, {}, width_of, histogram};
  std::copy_n(kMegacellRings, kMegacellWidths, kernel.rings);
  parallel_for(device_, "find megacells", query_count, kernel);
}

int Megacells::crowded(const Vec4* points, int count, std::uint32_t crowd) const {
  return reduce<int>(device_, "crowded cells", count, CountCrowded{grid_, points, crowd});
}

}  // namespace riffle
