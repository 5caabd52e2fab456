#pragma once
/// The kernels of neighbors/points/grid_search.cu: one thread answers one query. Private to neighbors/; include it only
/// from .cu files.

#include "neighbors/points/grid_search.h"
#include "neighbors/points/point_kernels.cuh"

namespace riffle {

/// The place of the highest bit that is not 0, from 0 on; of 0: -1.
RIFFLE_INLINE int highest_bit(std::uint64_t x) {
#if RIFFLE_ON_GPU
  return 63 - __clzll(static_cast<long long>(x));
#else
  return x == 0 ? -1 : 63 - __builtin_clzll(x);
#endif
}

/// Sorted points and the table of one level.
struct PointGridView {
  PointCells cells;
  int level = 0;
  int finite = 0;                 ///< points in cells
  const Vec4* points;             ///< in the order of their codes
  const std::uint64_t* code;      ///< of finest cells
  const std::uint32_t* original;  ///< the caller's index by place in that order
  const PointCellEntry* table;
  std::uint32_t entries = 0;
  bool direct = false;  ///< an entry for every cell of the level

  RIFFLE_HD std::uint32_t direct_entry(Int3 c) const {
    const Int3 n = cells.size_on_level(level);
    return (static_cast<std::uint32_t>(c.z) * static_cast<std::uint32_t>(n.y) + static_cast<std::uint32_t>(c.y)) *
               static_cast<std::uint32_t>(n.x) +
           static_cast<std::uint32_t>(c.x);
  }
  /// Where a code's entry is sought first; `entries` is a power of two.
  RIFFLE_HD std::uint32_t first_entry(std::uint64_t key) const {
    std::uint64_t mixed = key * 0x9e3779b97f4a7c15ull;
    mixed ^= mixed >> 32;
    return static_cast<std::uint32_t>(mixed * 0xd6e8feb86659fd93ull >> 32) & (entries - 1);
  }
  RIFFLE_HD std::uint32_t entry_of(std::uint64_t key) const {
    return direct ? direct_entry(cells.cell_of_code(key)) : first_entry(key);
  }

  /// Cell of the level.
  RIFFLE_HD PointCellEntry find(Int3 c) const {
    if (direct) return table[direct_entry(c)];
    const std::uint64_t key = cells.code(c);
    for (std::uint32_t at = first_entry(key);; at = (at + 1) & (entries - 1)) {
      const PointCellEntry entry = table[at];
      if (entry.begin == entry.end) return entry;
      if (entry.code_low == static_cast<std::uint32_t>(key) && entry.code_high == static_cast<std::uint32_t>(key >> 32))
        return entry;
    }
  }

  /// The first place in from..to whose code is not below the given one; `to` if there is none.
  RIFFLE_HD int place_of(std::uint64_t least_code, int from, int to) const {
    while (from < to) {
      const int middle = from + (to - from) / 2;
      if (code[middle] < least_code)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  }
  /// The same where the place is probably near `from`.
  RIFFLE_HD int place_after(std::uint64_t least_code, int from, int to) const {
    int step = 1;
    while (step < to - from && code[from + step] < least_code) from += step, step *= 2;
    return place_of(least_code, from, step < to - from ? from + step : to);
  }
  /// The same where it is probably near `to`.
  RIFFLE_HD int place_before(std::uint64_t least_code, int from, int to) const {
    int step = 1;
    while (step < to - from && !(code[to - step] < least_code)) to -= step, step *= 2;
    return place_of(least_code, step < to - from ? to - step : from, to);
  }

  /// visit(begin, end) for the points of every cell that is `ring` cells from cell c of the level and nearer to x than
  /// reach2(), while it returns true.
  /// @return whether it always did
  template <class Reach2, class Visit>
  RIFFLE_HD bool visit_ring(Vec3 x, Int3 c, int ring, const Reach2& reach2, const Visit& visit) const {
    const Int3 n = cells.size_on_level(level);
    const auto first = [ring](int k) { return k > ring ? k - ring : 0; };
    const auto last = [ring](int k, int size) { return k + ring < size - 1 ? k + ring : size - 1; };
    for (int kz = first(c.z); kz <= last(c.z, n.z); ++kz) {
      const float gz = cells.gap_z(x.z, kz, level);
      const bool cap = kz == c.z - ring || kz == c.z + ring;
      for (int ky = first(c.y); ky <= last(c.y, n.y); ++ky) {
        const float gy = cells.gap_y(x.y, ky, level);
        if (!(squared_length({0, gy, gz}) < reach2())) continue;
        const bool side = cap || ky == c.y - ring || ky == c.y + ring;
        const int step = side || ring == 0 ? 1 : 2 * ring;  // inside the ring only its two ends
        for (int kx = c.x - ring; kx <= c.x + ring; kx += step) {
          if (kx < 0 || kx >= n.x) continue;
          if (!(squared_length({cells.gap_x(x.x, kx, level), gy, gz}) < reach2())) continue;
          const PointCellEntry entry = find({kx, ky, kz});
          if (entry.begin < entry.end && !visit(static_cast<int>(entry.begin), static_cast<int>(entry.end)))
            return false;
        }
      }
    }
    return true;
  }

  /// visit(begin, end) for the points of every cell of the table's level among the places from..to that is nearer to x
  /// than reach2(), in their order. What is too far away is skipped in cells as wide as possible. The range consists of
  /// whole cells of level `highest`.
  template <class Reach2, class Visit>
  RIFFLE_HD void walk(Vec3 x, int from, int to, int highest, const Reach2& reach2, const Visit& visit) const {
    int at = highest;
    for (int p = from; p < to;) {
      const std::uint64_t here = code[p];
      const Int3 cell = cells.cell_of_code(here);
      bool near;
      for (;; --at) {
        near = cells.gap2(x, cells.on_level(cell, at), at) < reach2();
        if (!near || at <= level) break;
      }
      const int shift = cells.shift(at);
      const int end = place_after(((here >> shift) + 1) << shift, p, to);
      if (near) visit(p, end);
      p = end;
      if (p < to) {  // the widest cell that begins here
        const int parted = highest_bit(here ^ code[p]) / cells.dimension;
        at = parted < highest ? parted : highest;
      }
    }
  }
};

struct GridQueries {
  PointGridView grid;
  const Vec4* queries;
  const std::uint32_t* order;
  int capacity = 1;
  std::int32_t* index;
  float* distance;

  /// visit(place, r2) for points begin..end, while it returns true. @return whether it always did
  template <class Visit>
  RIFFLE_HD bool visit_points(int begin, int end, Vec3 x, const Visit& visit) const {
    for (int p = begin; p < end; ++p)
      if (!visit(p, squared_length(separation(x, xyz(grid.points[p]), PeriodicWrap{})))) return false;
    return true;
  }
  RIFFLE_HD void fill_up(std::int64_t row, int found) const {
    fill_up_row(index + row, distance + row, found, capacity);
  }
};

/// Finds any `capacity` points in range.
struct GridRangeSearch {
  GridQueries on;
  float radius2;
  std::uint32_t* count;  ///< nullptr: the search ends once it has enough

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::int64_t q = on.order[t], row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    int found = 0;
    std::uint32_t total = 0;
    if (is_finite(x) && on.grid.finite > 0) {
      const PointCells& cells = on.grid.cells;
      const Int3 c = cells.on_level(cells.cell_of(x), on.grid.level);
      const auto take = [&](int begin, int end) {
        return on.visit_points(begin, end, x, [&](int p, float r2) {
          if (!(r2 < radius2)) return true;
          ++total;
          if (found < on.capacity) {
            on.index[row + found] = static_cast<std::int32_t>(on.grid.original[p]);
            on.distance[row + found] = rounded_sqrt(r2);
            ++found;
          }
          return count != nullptr || found < on.capacity;
        });
      };
      bool more = squared_length(cells.gap_of_box(x)) < radius2;
      for (int ring = 0; more; ++ring)
        more = on.grid.visit_ring(
                   x, c, ring, [&] { return radius2; }, take) &&
               cells.gap2_beyond(x, c, ring, on.grid.level) < radius2;
    }
    on.fill_up(row, found);
    if (count) count[q] = total;
  }
};

/// Finds the nearest `capacity` points in range for the queries that `rings` rings answer. Nearest: what keeps them, a
/// NearestHeap or a NearestList.
template <class Nearest>
struct GridNearest {
  GridQueries on;
  float radius2;
  int rings;
  std::uint8_t* left;  ///< (places in the order) out: 1 if they do not

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::int64_t q = on.order[t], row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    Nearest nearest{on.index + row, on.distance + row, on.capacity};
    bool more = false;
    if (is_finite(x) && on.grid.finite > 0) {
      const PointCells& cells = on.grid.cells;
      const Int3 c = cells.on_level(cells.cell_of(x), on.grid.level);
      const auto reach2 = [&] { return useful2(nearest, radius2); };
      const auto take = [&](int begin, int end) {
        return on.visit_points(begin, end, x, [&](int p, float r2) {
          if (r2 < radius2) nearest.offer(static_cast<std::int32_t>(on.grid.original[p]), r2);
          return true;
        });
      };
      more = squared_length(cells.gap_of_box(x)) < radius2;
      for (int ring = 0; more && ring <= rings; ++ring) {
        on.grid.visit_ring(x, c, ring, reach2, take);
        more = cells.gap2_beyond(x, c, ring, on.grid.level) < reach2();
      }
    }
    left[t] = more ? 1 : 0;
    if (!more) nearest.finish();
  }
};

/// The same for the queries that are left: from the cell of the query outwards, in cells twice as wide each time.
template <class Nearest>
struct GridNearestByWalk {
  GridQueries on;
  float radius2;
  const std::uint32_t* walkers;  ///< (*walker_count) queries
  const std::uint32_t* walker_count;

  RIFFLE_HD void operator()(std::int64_t t) const {
    if (t >= std::int64_t{*walker_count}) return;
    const std::int64_t q = walkers[t], row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    const PointGridView& grid = on.grid;
    Nearest nearest{on.index + row, on.distance + row, on.capacity};
    const auto reach2 = [&] { return useful2(nearest, radius2); };
    const auto take = [&](int begin, int end) {
      on.visit_points(begin, end, x, [&](int p, float r2) {
        if (r2 < radius2) nearest.offer(static_cast<std::int32_t>(grid.original[p]), r2);
        return true;
      });
    };
    const std::uint64_t here = grid.cells.code(grid.cells.cell_of(x));
    int shift = grid.cells.shift(grid.level);
    int begin = grid.place_of(here >> shift << shift, 0, grid.finite);
    int end = grid.place_after(((here >> shift) + 1) << shift, begin, grid.finite);
    take(begin, end);
    for (int level = grid.level + 1; level <= grid.cells.bits; ++level) {
      shift = grid.cells.shift(level);
      const int lower = grid.place_before(here >> shift << shift, 0, begin);
      const int upper = grid.place_after(((here >> shift) + 1) << shift, end, grid.finite);
      grid.walk(x, lower, begin, level - 1, reach2, take);
      grid.walk(x, end, upper, level - 1, reach2, take);
      begin = lower, end = upper;
    }
    nearest.finish();
  }
};

}  // namespace riffle
