#include "neighbors/order/morton_order.h"

#include <algorithm>
#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "neighbors/order/morton.h"
#include "neighbors/search_memory.h"
#include "neighbors/separation.h"

namespace riffle {

namespace {

/// Maps floats to positive numbers of the same order.
RIFFLE_INLINE std::uint32_t ordered_bits(float x) {
  const std::uint32_t bits = float_bits(x);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
RIFFLE_INLINE float from_ordered_bits(std::uint32_t bits) {
  return float_from_bits((bits & 0x80000000u) != 0 ? bits & 0x7fffffffu : ~bits);
}

/// The box round all particles: extent[0..2] of the highest coordinates, extent[3..5] of the negated lowest; 0: none.
struct FindExtent {
  static constexpr int kBlock = 128, kItems = 32;
  const Vec4* positions;
  std::int64_t count;
  BoundingBox frame;
  std::uint32_t* extent;

  struct Shared {
    std::uint32_t largest[6];
  };

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      if (t < 6) shared.largest[t] = 0;
    });
    block.each_thread([&](int t) {
      std::uint32_t largest[6] = {};
      const std::int64_t first = std::int64_t{block.index()} * kBlock * kItems + t;
      for (int k = 0; k < kItems; ++k) {
        const std::int64_t i = first + std::int64_t{k} * kBlock;
        if (i >= count) break;
        Vec3 x = xyz(positions[i]);
        if (!is_finite(x)) continue;
        x = least(most(x, frame.low), frame.high);
        const float value[6] = {x.x, x.y, x.z, -x.x, -x.y, -x.z};
        RIFFLE_UNROLL
        for (int a = 0; a < 6; ++a)
          if (ordered_bits(value[a]) > largest[a]) largest[a] = ordered_bits(value[a]);
      }
      RIFFLE_UNROLL
      for (int a = 0; a < 6; ++a) atomic_max(&shared.largest[a], largest[a]);
    });
    block.each_thread([&](int t) {
      if (t < 6) atomic_max(&extent[t], shared.largest[t]);
    });
  }
};

RIFFLE_INLINE BoundingBox box_of(const std::uint32_t* extent) {
  BoundingBox box;
  if (extent[0] == 0) return box;
  box.high = {from_ordered_bits(extent[0]), from_ordered_bits(extent[1]), from_ordered_bits(extent[2])};
  box.low = {-from_ordered_bits(extent[3]), -from_ordered_bits(extent[4]), -from_ordered_bits(extent[5])};
  return box;
}

/// The code of no cell, after all others.
RIFFLE_INLINE MortonCode no_cell(int dimension) { return {0, 1u << (dimension * kMortonBits - 32)}; }
int high_bits(int dimension) { return dimension * kMortonBits - 32 + 1; }

struct FindCodes {
  const Vec4* positions;
  const std::uint32_t* extent;
  int dimension;
  std::uint32_t *low, *high, *index;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(positions[i]);
    MortonCode code = no_cell(dimension);
    if (is_finite(x)) {
      const BoundingBox box = box_of(extent);
      code = MortonFrame::around(box.low, box.high, dimension).code(x);
    }
    low[i] = code.low;
    high[i] = code.high;
    index[i] = static_cast<std::uint32_t>(i);
  }
};

/// The runs of particles that share a cube, in the order of their codes.
struct CubeRuns {
  const std::uint32_t *low, *high, *order;
  std::int64_t count;
  int shift;  ///< number of low bits to ignore

  RIFFLE_HD std::uint64_t cube(std::int64_t p) const {
    const std::uint64_t code = std::uint64_t{high[order[p]]} << 32 | low[order[p]];
    return shift < 64 ? code >> shift : 0;
  }
  /// The first particle from p on that is in another cube.
  RIFFLE_HD std::int64_t end(std::int64_t p) const {
    const std::uint64_t mine = cube(p);
    std::int64_t inside = p, outside = count;
    while (outside - inside > 1) {
      const std::int64_t middle = inside + (outside - inside) / 2;
      if (cube(middle) == mine)
        inside = middle;
      else
        outside = middle;
    }
    return outside;
  }
  RIFFLE_HD std::int64_t begin(std::int64_t p) const {
    const std::uint64_t mine = cube(p);
    std::int64_t outside = -1, inside = p;
    while (inside - outside > 1) {
      const std::int64_t middle = outside + (inside - outside) / 2;
      if (cube(middle) == mine)
        inside = middle;
      else
        outside = middle;
    }
    return inside;
  }
};

/// Counts how many particles share a cube, at the first particle of each.
struct CountCrowds {
  CubeRuns runs;

  RIFFLE_HD static CrowdStats identity() { return {}; }
  RIFFLE_HD static CrowdStats combine(CrowdStats a, const CrowdStats& b) {
    a.occupied += b.occupied;
    a.max = a.max > b.max ? a.max : b.max;
    return a;
  }
  RIFFLE_HD CrowdStats operator()(std::int64_t p) const {
    if (p > 0 && runs.cube(p - 1) == runs.cube(p)) return {};
    return {0, 1, static_cast<std::uint32_t>(runs.end(p) - p)};
  }
};

RIFFLE_INLINE double extent_along(const BoundingBox& box, int axis) {
  return axis == 0   ? double{box.high.x} - double{box.low.x}
         : axis == 1 ? double{box.high.y} - double{box.low.y}
                     : double{box.high.z} - double{box.low.z};
}

RIFFLE_INLINE double longest_edge(const BoundingBox& box) {
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (extent_along(box, axis) > longest) longest = extent_along(box, axis);
  return longest;
}

/// For cubes with an edge of `edge` to twice that: how often the longest edge has been halved.
RIFFLE_INLINE int level_of_cubes(const BoundingBox& box, float edge) {
  const double longest = longest_edge(box);
  if (!(longest > edge)) return 0;
  const int level = ilogb(longest / double{edge});
  return level < kMortonBits ? level : kMortonBits;
}

RIFFLE_INLINE int bits_below_level(int level, int dimension) { return dimension * (kMortonBits - level); }

/// Estimates how many particles of its cube are within h of a particle, from members evenly spread along the run.
struct EstimateNeighborsInCube {
  static constexpr std::int64_t kMembers = 256;
  CubeRuns runs;  ///< its shift is found here, from the extent
  const std::uint32_t* extent;
  int dimension;
  const Vec4* sorted;
  float h;
  std::int64_t stride;  ///< distance between sampled particles
  double factor;        ///< particles per sampled one

  RIFFLE_HD static double identity() { return 0; }
  RIFFLE_HD static double combine(double a, double b) { return a + b; }
  RIFFLE_HD double operator()(std::int64_t k) const {
    CubeRuns cubes = runs;
    cubes.shift = bits_below_level(level_of_cubes(box_of(extent), h), dimension);
    const std::int64_t p = k * stride, first = cubes.begin(p), all = cubes.end(p) - first;
    const std::int64_t members = all < kMembers ? all : kMembers;
    std::int64_t asked = 0, near = 0;
    for (std::int64_t m = 0; m < members; ++m) {
      const std::int64_t q = first + m * all / members;
      if (q == p) continue;
      ++asked;
      if (test_pair(xyz(sorted[p]), xyz(sorted[q]), {}, h * h).near()) ++near;
    }
    if (asked == 0) return 0;
    return factor * static_cast<double>(all - 1) * static_cast<double>(near) / static_cast<double>(asked);
  }
};

}  // namespace

BoundingBox morton_frame(const Domain& domain) {
  const Vec3 room = 64 * domain.extent();
  BoundingBox frame{domain.min - room, domain.max + room};
  const BoundingBox most = BoundingBox::everything();
  const auto within = [](Vec3 x, const BoundingBox& b) {
    return Vec3{std::clamp(x.x, b.low.x, b.high.x), std::clamp(x.y, b.low.y, b.high.y),
                std::clamp(x.z, b.low.z, b.high.z)};
  };
  return {within(frame.low, most), within(frame.high, most)};
}

MortonOrder::MortonOrder(const Device& device) : device_(device) {}

void MortonOrder::sort(const Vec4* positions, int count, int dimension, const BoundingBox& frame) {
  count_ = count;
  dimension_ = dimension;
  const auto n = static_cast<std::size_t>(count_);
  for (Buffer<std::uint32_t>* array : {&low_, &high_, &key_, &sorted_key_, &index_, &order_}) array->resize(n);
  extent_.resize(6);
  extent_.fill_zero();
  const int blocks =
      static_cast<int>((n + FindExtent::kBlock * FindExtent::kItems - 1) / (FindExtent::kBlock * FindExtent::kItems));
  parallel_blocks<FindExtent::kBlock>(device_, "find extent", blocks,
                                      FindExtent{positions, count_, frame, extent_.data()});
  parallel_for(device_, "find codes", count_,
               FindCodes{positions, extent_.data(), dimension_, low_.data(), high_.data(), index_.data()});
  // Stable sort: the higher word comes last.
  sort_pairs(device_, low_.data(), key_.data(), index_.data(), order_.data(), n, 32, scratch_);
  const GatherArray high{high_.data(), key_.data(), 4};
  gather(device_, order_.data(), n, &high, 1);
  sort_pairs(device_, key_.data(), sorted_key_.data(), order_.data(), index_.data(), n, high_bits(dimension_),
             scratch_);
  order_.swap(index_);
}

BoundingBox MortonOrder::bounds() const {
  if (count_ == 0) return {};
  const std::vector<std::uint32_t> extent = extent_.to_host();
  return box_of(extent.data());
}

int MortonOrder::bits_below(int level) const { return bits_below_level(level, dimension_); }

CrowdStats MortonOrder::crowds(float edge) const {
  if (count_ == 0) return {1, 0, 0};
  const BoundingBox box = bounds();
  const int level = level_of_cubes(box, edge);
  CrowdStats stats =
      reduce<CrowdStats>(device_, "count crowds", count_,
                         CountCrowds{{low_.data(), high_.data(), order_.data(), count_, bits_below(level)}});
  const double cube = std::ldexp(longest_edge(box), -level);
  stats.cubes = 1;
  for (int a = 0; a < dimension_; ++a)
    if (const double extent = extent_along(box, a); extent > 0) stats.cubes *= std::max(1.0, std::ceil(extent / cube));
  return stats;
}

void MortonOrder::estimate_pairs(const Vec4* sorted, float h, Buffer<double>& partial, double* pairs) const {
  if (count_ == 0) return;
  constexpr std::int64_t most = 1024;
  const std::int64_t sample = std::min<std::int64_t>(count_, most);
  partial.resize(reduction_blocks(sample));
  reduce_into(device_, "estimate pairs", sample,
              EstimateNeighborsInCube{{low_.data(), high_.data(), order_.data(), count_, 0},
                                      extent_.data(),
                                      dimension_,
                                      sorted,
                                      h,
                                      count_ / sample,
                                      double(count_) / double(sample)},
              partial, pairs);
}

double MortonOrder::pairs_within_cubes(const Vec4* sorted, float h) const {
  Buffer<double> partial(device_), pairs(device_, 1);
  pairs.fill_zero();
  estimate_pairs(sorted, h, partial, pairs.data());
  return pairs.to_host().front();
}

double MortonOrder::estimate(const Device& device, std::int64_t count) {
  constexpr std::size_t per_particle = 6 * sizeof(std::uint32_t);  // both words of a code, both keys, index, order
  return per_particle * double(count) + sort_memory(device, count);
}

}  // namespace riffle
