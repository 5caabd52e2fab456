#pragma once
/// Boxes of crowded coarse cells. A coarse cell with more than kCrowded queries is not the work of one block: it is halved
/// until a box has at most kPartQueries of them, and each box is a part of the work list.
///
/// Boxes are numbered like the nodes of a heap: 1 is the whole cell, 2 n and 2 n + 1 are the halves of box n. A query belongs to
/// the box that its position is in when it is searched; a query that has left the cell belongs to the box that is next to it.
/// So each query belongs to one box of the list wherever it has moved since the list was made.

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/fenns/tile.cuh"

namespace riffle {

inline constexpr int kPartQueries = 288;  ///< of one part: one for each thread of a tile's block
inline constexpr int kCrowded = 864;      ///< a coarse cell with more queries is searched in parts
inline constexpr int kFinestBoxes = 1 << TileHalving::kLevels;

/// Place of a coordinate in its coarse cell, 0 to 1; outside the cell the nearest.
RIFFLE_INLINE float place_in_cell(float u, int c, int size, bool periodic) {
  const float place = from_middle(u, static_cast<float>(c) + 0.5f, size, periodic) + 0.5f;
  return fminf(fmaxf(place, 0.0f), 1.0f);
}

RIFFLE_INLINE Vec3 place_in_cell(const Grid& grid, Int3 c, Vec3 x) {
  const Vec3 u = grid.coordinates(x);
  return {place_in_cell(u.x, c.x, grid.size.x, grid.periodic_x), place_in_cell(u.y, c.y, grid.size.y, grid.periodic_y),
          place_in_cell(u.z, c.z, grid.size.z, grid.periodic_z)};
}

/// Which of `count` slabs of equal width a place is in.
RIFFLE_INLINE int slab_of(float place, int count) {
  const auto s = static_cast<int>(place * static_cast<float>(count));
  return s < count ? s : count - 1;
}

/// A box of a coarse cell: number `at` of `of` slabs, along each axis.
struct TileBox {
  Int3 at{0, 0, 0}, of{1, 1, 1};
  int level = 0;

  RIFFLE_HD bool contains(Vec3 place) const {
    return slab_of(place.x, of.x) == at.x && slab_of(place.y, of.y) == at.y && slab_of(place.z, of.z) == at.z;
  }
};

RIFFLE_INLINE int level_of_box(int number) {
  int level = 0;
  while (number >> (level + 1) != 0) ++level;
  return level;
}

RIFFLE_HD inline TileBox box_numbered(const TileHalving& halving, int number) {
  TileBox box;
  box.level = level_of_box(number);
  for (int l = 0; l < box.level; ++l) {
    const int upper = number >> (box.level - 1 - l) & 1, axis = halving.axis[l];
    const int x = axis == 0 ? 1 : 0, y = axis == 1 ? 1 : 0,
              z = axis == 2 ? 1 : 0;  // the box is halved along one of them
    box.at = {(box.at.x << x) + x * upper, (box.at.y << y) + y * upper, (box.at.z << z) + z * upper};
    box.of = {box.of.x << x, box.of.y << y, box.of.z << z};
  }
  return box;
}

/// Number of a place's box of the finest level, less kFinestBoxes.
RIFFLE_HD inline int finest_box(const TileHalving& halving, Vec3 place) {
  int bits[3] = {0, 0, 0};
  for (const std::uint8_t axis : halving.axis) ++bits[axis];
  const int slab[3] = {slab_of(place.x, 1 << bits[0]), slab_of(place.y, 1 << bits[1]), slab_of(place.z, 1 << bits[2])};
  int number = 0;
  for (const std::uint8_t axis : halving.axis) number = 2 * number + (slab[axis] >> --bits[axis] & 1);
  return number;
}

/// The box in coordinates of the coarse grid.
struct BoxReach {
  Vec3 middle{}, half{};

  BoxReach() = default;
  RIFFLE_HD BoxReach(Int3 cell, const TileBox& box) {
    const auto along = [](int c, int at, int of, float& mid, float& h) {
      h = 0.5f / static_cast<float>(of);
      mid = static_cast<float>(c) + static_cast<float>(2 * at + 1) * h;
    };
    along(cell.x, box.at.x, box.of.x, middle.x, half.x);
    along(cell.y, box.at.y, box.of.y, middle.y, half.y);
    along(cell.z, box.at.z, box.of.z, middle.z, half.z);
  }

  /// Whether a particle may be within reach of the box.
  RIFFLE_HD bool near(const Grid& grid, Vec3 x) const {
    const Vec3 u = grid.coordinates(x);
    const float dx = grid.cell.x * gap_to_slab(u.x, middle.x, half.x, grid.size.x, grid.periodic_x, grid.margin.x);
    const float dy = grid.cell.y * gap_to_slab(u.y, middle.y, half.y, grid.size.y, grid.periodic_y, grid.margin.y);
    const float dz = grid.cell.z * gap_to_slab(u.z, middle.z, half.z, grid.size.z, grid.periodic_z, grid.margin.z);
    return dx * dx + dy * dy + dz * dz < grid.radius2;
  }
};

/// Most parts that so many queries can have. Boxes of one level that are halved have more than kPartQueries each, and each
/// of them adds one part at most; so do full slices.
constexpr std::size_t most_parts(std::int64_t queries) {
  if (queries <= kCrowded) return 0;
  return (TileHalving::kLevels + 1) * (static_cast<std::size_t>(queries) / kPartQueries + 1);
}

/// Appends the parts of one crowded cell to the work list; their order depends on thread timing.
struct PartLister {
  static constexpr int kBlock = 256;
  Grid grid;
  TileHalving halving;
  const Vec4* positions;
  TilePart* part;
  std::uint32_t* count;

  struct Shared {
    std::uint32_t before[kFinestBoxes + 1];  ///< queries in the finest boxes before this one; until then, in this one
    /// Queries in each thread's share of the boxes. Aligned, so that four are read at once, and that none shares 16 bytes with
    /// the last of `before`, which a thread writes while others read these.
    alignas(16) std::uint32_t sum[kBlock];
  };

  /// index: the cell's queries, `queries` of them.
  RIFFLE_HD void list(Block<kBlock>& block, Shared& shared, int c, const std::uint32_t* index, int queries) const {
    const Int3 cell = grid.cell_at(c);
    block.each_thread([&](int t) {
      for (int b = t; b <= kFinestBoxes; b += kBlock) shared.before[b] = 0;
    });
    block.each_thread([&](int t) {
      for (int k = t; k < queries; k += kBlock)
        atomic_add(&shared.before[finest_box(halving, place_in_cell(grid, cell, xyz(positions[index[k]])))], 1);
    });
    sum_before(block, shared);
    const auto number = static_cast<std::uint32_t>(c);
    block.each_thread([&](int t) {
      for (int box = t; box < 2 * kFinestBoxes; box += kBlock)
        if (box >= 2) list_box(shared, number, box);
    });
  }

 private:
  RIFFLE_HD static void sum_before(Block<kBlock>& block, Shared& shared) {
    static_assert(kFinestBoxes % kBlock == 0);
    constexpr int share = kFinestBoxes / kBlock;
    block.each_thread([&](int t) {
      std::uint32_t sum = 0;
      for (int b = t * share; b < (t + 1) * share; ++b) sum += shared.before[b];
      shared.sum[t] = sum;
    });
    block.each_thread([&](int t) {
      std::uint32_t sum = 0;
      for (int k = 0; k < t; ++k) sum += shared.sum[k];
      // All counts are read before the first is replaced: a loop that does both may read ahead into the next thread's.
      std::uint32_t here[share];
      RIFFLE_UNROLL
      for (int b = 0; b < share; ++b) here[b] = shared.before[t * share + b];
      RIFFLE_UNROLL
      for (int b = 0; b < share; ++b) {
        shared.before[t * share + b] = sum;
        sum += here[b];
      }
      if (t + 1 == kBlock) shared.before[kFinestBoxes] = sum;
    });
  }

  RIFFLE_HD static std::uint32_t queries_in(const Shared& shared, int box, int level) {
    const int width = kFinestBoxes >> level, first = (box - (1 << level)) * width;
    return shared.before[first + width] - shared.before[first];
  }

  RIFFLE_HD void list_box(const Shared& shared, std::uint32_t cell, int box) const {
    const int level = level_of_box(box);
    const std::uint32_t here = queries_in(shared, box, level);
    if (queries_in(shared, box / 2, level - 1) <= kPartQueries) return;
    if (here > kPartQueries && level < TileHalving::kLevels) return;
    constexpr std::uint32_t most_slices = 1 << 16;
    const std::uint32_t wanted = (here + kPartQueries - 1) / kPartQueries;
    // An empty box is a part as well: queries may have moved into it when it is searched.
    const std::uint32_t slices = wanted == 0 ? 1 : wanted < most_slices ? wanted : most_slices;
    const std::uint32_t first = atomic_add(count, slices);
    for (std::uint32_t s = 0; s < slices; ++s)
      part[first + s] = {cell, static_cast<std::uint16_t>(box | (s + 1 == slices ? TilePart::kLast : 0)),
                         static_cast<std::uint16_t>(s)};
  }
};

/// Finds the crowded ones among some cells, and lists their parts.
struct ListParts {
  static constexpr int kBlock = PartLister::kBlock, kCellsPerBlock = 64;
  PartLister lister;
  const std::uint32_t* start;  ///< (cells + 1) where each cell's queries begin in `index`
  const std::uint32_t* index;
  int stride = 1;  ///< entries of `start` per cell

  struct Shared : PartLister::Shared {
    int crowded[kCellsPerBlock];
    std::uint32_t count;
  };

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared& shared) const {
    const int first = block.index() * kCellsPerBlock;
    const auto cells = static_cast<int>(lister.grid.cells());
    block.each_thread([&](int t) {
      if (t == 0) shared.count = 0;
    });
    block.each_thread([&](int t) {
      const int c = first + t;
      if (t >= kCellsPerBlock || c >= cells) return;
      if (start[std::int64_t{stride} * (c + 1)] - start[std::int64_t{stride} * c] > kCrowded)
        shared.crowded[atomic_add(&shared.count, 1)] = c;
    });
    for (std::uint32_t k = 0; k < shared.count; ++k) {
      const int c = shared.crowded[k];
      const std::uint32_t begin = start[std::int64_t{stride} * c], end = start[std::int64_t{stride} * (c + 1)];
      lister.list(block, shared, c, index + begin, static_cast<int>(end - begin));
    }
  }
};

}  // namespace riffle
