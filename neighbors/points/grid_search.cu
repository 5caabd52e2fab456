#include "neighbors/points/grid_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/device/reduce.cuh"
#include "core/error.h"
#include "neighbors/points/grid_kernels.cuh"
#include "neighbors/points/point_parts.h"

namespace riffle {

struct GridSearch::Request {
  const Vec4* queries;
  int count;
  float radius;
  int capacity;
  const PointSearchSettings& settings;
};

namespace {

constexpr int kLevels = PointCells::kMostBits + 1;

struct FindFinitePoints {
  const Vec4* points;

  RIFFLE_HD static FinitePoints identity() { return {}; }
  RIFFLE_HD static FinitePoints combine(FinitePoints a, const FinitePoints& b) {
    return {{least(a.box.low, b.box.low), most(a.box.high, b.box.high)}, a.count + b.count};
  }
  RIFFLE_HD FinitePoints operator()(std::int64_t i) const {
    const Vec3 x = xyz(points[i]);
    if (!is_finite(x)) return {};
    return {{x, x}, 1};
  }
};

struct FindCellCodes {
  const Vec4* points;
  PointCells cells;
  int level;
  std::uint32_t *low, *high, *index;  ///< high: nullptr if codes have one word

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(points[i]);
    const std::uint64_t code = (is_finite(x) ? cells.code(cells.cell_of(x)) : cells.no_cell()) >> cells.shift(level);
    low[i] = static_cast<std::uint32_t>(code);
    if (high) high[i] = static_cast<std::uint32_t>(code >> 32);
    index[i] = static_cast<std::uint32_t>(i);
  }
};

struct GatherPoints {
  const Vec4* points;
  const std::uint32_t* order;
  PointCells cells;
  Vec4* sorted;
  std::uint64_t* code;

  RIFFLE_HD void operator()(std::int64_t p) const {
    const Vec4 point = points[order[p]];
    sorted[p] = point;
    code[p] = is_finite(xyz(point)) ? cells.code(cells.cell_of(xyz(point))) : cells.no_cell();
  }
};

/// Counts adjacent points by the highest level on which they are in two cells.
struct CountSteps {
  static constexpr int kBlock = 128, kItems = 16;
  const std::uint64_t* code;
  std::int64_t count;
  int dimension;
  std::uint32_t* steps;

  struct Shared {
    std::uint32_t steps[kLevels];
  };

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      if (t < kLevels) shared.steps[t] = 0;
    });
    block.each_thread([&](int t) {
      for (int k = 0; k < kItems; ++k) {
        const std::int64_t p = (std::int64_t{block.index()} * kItems + k) * kBlock + t;
        if (p < 1 || p >= count) continue;
        if (const std::uint64_t parted = code[p - 1] ^ code[p]; parted != 0)
          atomic_add(&shared.steps[highest_bit(parted) / dimension], 1);
      }
    });
    block.each_thread([&](int t) {
      if (t < kLevels && shared.steps[t] > 0) atomic_add(&steps[t], shared.steps[t]);
    });
  }
};

/// Puts the first point of each cell, and 1, into an entry. An entry that is taken is exchanged, and the point that was
/// there goes to the next: so none is lost, and where they come to lie changes no search.
struct PlaceCells {
  PointGridView grid;
  PointCellEntry* table;

  RIFFLE_HD void operator()(std::int64_t p) const {
    const int shift = grid.cells.shift(grid.level);
    const std::uint64_t key = grid.code[p] >> shift;
    if (p > 0 && grid.code[p - 1] >> shift == key) return;
    auto moving = static_cast<std::uint32_t>(p + 1);
    for (std::uint32_t at = grid.entry_of(key);; at = (at + 1) & (grid.entries - 1)) {
      moving = atomic_exchange(&table[at].begin, moving);
      if (moving == 0) return;
    }
  }
};

struct FinishCells {
  PointGridView grid;
  PointCellEntry* table;

  RIFFLE_HD void operator()(std::int64_t at) const {
    PointCellEntry entry = table[at];
    if (entry.begin == 0) return;
    const int shift = grid.cells.shift(grid.level);
    --entry.begin;
    const std::uint64_t key = grid.code[entry.begin] >> shift;
    entry.end =
        static_cast<std::uint32_t>(grid.place_after((key + 1) << shift, static_cast<int>(entry.begin), grid.finite));
    entry.code_low = static_cast<std::uint32_t>(key);
    entry.code_high = static_cast<std::uint32_t>(key >> 32);
    table[at] = entry;
  }
};

}  // namespace

void PointCellOrder::sort(const Vec4* points, int count, const PointCells& cells, int level) {
  const auto n = static_cast<std::size_t>(count);
  const int bits = cells.shift(cells.bits - level) + 1;  // what is not finite has one more
  const bool two_words = bits > 32;
  for (Buffer<std::uint32_t>* array : {&low_, &sorted_, &index_, &order_}) array->resize(n);
  if (two_words) high_.resize(n);
  parallel_for(device_, "find codes of cells", count,
               FindCellCodes{points, cells, level, low_.data(), two_words ? high_.data() : nullptr, index_.data()});
  sort_pairs(device_, low_.data(), sorted_.data(), index_.data(), order_.data(), n, std::min(bits, 32), scratch_);
  if (!two_words) return;
  const GatherArray high{high_.data(), low_.data(), 4};  // a stable sort: the higher word comes last
  gather(device_, order_.data(), n, &high, 1);
  sort_pairs(device_, low_.data(), sorted_.data(), order_.data(), index_.data(), n, bits - 32, scratch_);
  order_.swap(index_);
}

void PointCellOrder::keep(int count) {
  order_.resize(static_cast<std::size_t>(count));
  fill_iota(device_, order_.data(), static_cast<std::size_t>(count));
}

GridSearch::GridSearch(const Device& device) : device_(device), points_order_(device), query_order_(device) {}

void GridSearch::build(const Vec4* points, int count, int dimension, float cell_edge) {
  if (count < 0) throw InputError("grid search: " + std::to_string(count) + " points; it must be 0 or more");
  if (dimension != 2 && dimension != 3)
    throw InputError("grid search: " + std::to_string(dimension) + " dimensions; they must be 2 or 3");
  if (!(cell_edge >= 0) || !is_finite(cell_edge))
    throw InputError("grid search: cells of " + std::to_string(cell_edge) + "; the edge must be 0 or more, and finite");
  const PointStage stage(timer_, "bvh");
  count_ = count;
  level_ = -1;
  const auto n = static_cast<std::size_t>(count);
  found_.resize(1);
  partial_.resize(reduction_blocks(count));
  reduce_into(device_, "find finite points", count, FindFinitePoints{points}, partial_, found_.data());
  const FinitePoints found = found_.to_host().front();
  finite_ = static_cast<int>(found.count);
  const double edge = cell_edge > 0 ? double{cell_edge} : even_cell_edge(found.box, dimension, found.count);
  cells_ = point_cells(found.box, dimension, edge, cell_edge == 0);
  points_order_.sort(points, count, cells_, 0);
  sorted_.resize(n);
  code_.resize(n);
  parallel_for(device_, "gather points", count,
               GatherPoints{points, points_order_.order(), cells_, sorted_.data(), code_.data()});
  steps_.resize(kLevels);
  steps_.fill_zero();
  constexpr int per_block = CountSteps::kBlock * CountSteps::kItems;
  parallel_blocks<CountSteps::kBlock>(device_, "count cells of levels", (finite_ + per_block - 1) / per_block,
                                      CountSteps{code_.data(), finite_, dimension, steps_.data()});
  occupied_ = steps_.to_host();
  occupied_.resize(static_cast<std::size_t>(cells_.bits) + 1);
  occupied_.back() = finite_ > 0 ? 1 : 0;
  for (std::size_t level = occupied_.size() - 1; level-- > 0;) occupied_[level] += occupied_[level + 1];
}

void GridSearch::check(const Request& request) const {
  const auto refuse = [](const std::string& what) { throw InputError("grid search: " + what); };
  const PointSearchSettings& s = request.settings;
  if (!(request.radius >= 0)) refuse("radius " + std::to_string(request.radius) + "; it must be 0 or more");
  if (request.capacity < 1) refuse("K = " + std::to_string(request.capacity) + "; it must be at least 1");
  if (request.count < 0) refuse(std::to_string(request.count) + " queries; it must be 0 or more");
  if (s.structure != PointStructure::Points) refuse("a structure of boxes; a grid has none");
  if (s.order == QueryOrder::FirstHit) refuse("queries in the order of a tree's leaves; allowed: AsGiven, Morton");
  if (s.partition || s.bundle) refuse("partitions of the queries; a grid has none");
  if (s.approximate()) refuse("an approximation of a tree's; a grid has none");
}

void GridSearch::prepare(const Request& request, PointMatches& matches) const {
  const std::size_t places = static_cast<std::size_t>(request.count) * static_cast<std::size_t>(request.capacity);
  matches.capacity = request.capacity;
  matches.index.resize(places);
  matches.distance.resize(places);
  matches.count.resize(0);
}

void GridSearch::order_queries(const Request& request) {
  if (request.settings.order == QueryOrder::AsGiven) return query_order_.keep(request.count);
  const PointStage stage(timer_, "opt");
  query_order_.sort(request.queries, request.count, cells_, level_);
}

/// Cells between 0.75 and 1.5 radii wide, if there are any: a ball then reaches into one or two rings.
int GridSearch::level_for_radius(float radius) const {
  const double finest = 2 / double{cells_.inverse_half};
  constexpr std::uint32_t most_cells = 1u << 30;  // so that entries are counted in 32 bits
  int level = 0;
  while (level < cells_.bits && (finest * std::ldexp(1.0, level) < 0.75 * double{radius} ||
                                 occupied_[static_cast<std::size_t>(level)] > most_cells))
    ++level;
  return level;
}

/// Cells with so many points that the K nearest lie within two rings where points are spread evenly.
int GridSearch::level_for_nearest(int capacity) const {
  const double per_cell = std::max(2.0, capacity / 10.0);
  for (int level = 0; level < cells_.bits; ++level)
    if (finite_ >= per_cell * occupied_[static_cast<std::size_t>(level)]) return level;
  return cells_.bits;
}

void GridSearch::make_table(int level) {
  if (level == level_) return;
  const PointStage stage(timer_, "bvh");
  const Int3 size = cells_.size_on_level(level);
  const double all = double(size.x) * size.y * size.z;
  direct_ = all <= 64 + 2.0 * finite_;
  const std::uint32_t entries =
      direct_ ? static_cast<std::uint32_t>(all) : std::bit_ceil(2 * occupied_[static_cast<std::size_t>(level)]);
  table_.resize(entries);
  table_.fill_zero();
  level_ = level;
  const PointGridView grid = view();
  parallel_for(device_, "place cells", finite_, PlaceCells{grid, table_.data()});
  parallel_for(device_, "finish cells", entries, FinishCells{grid, table_.data()});
}

void GridSearch::range_search(const Vec4* queries, int query_count, float radius, int capacity,
                              const PointSearchSettings& settings, PointMatches& matches) {
  const Request request{queries, query_count, radius, capacity, settings};
  check(request);
  prepare(request, matches);
  if (settings.count) matches.count.resize(static_cast<std::size_t>(query_count));
  if (query_count == 0) return;
  make_table(level_for_radius(radius));
  order_queries(request);
  const PointStage stage(timer_, "search");
  const GridQueries on{view(), queries, query_order_.order(), capacity, matches.index.data(), matches.distance.data()};
  parallel_for(device_, "grid range search", query_count,
               GridRangeSearch{on, radius * radius, settings.count ? matches.count.data() : nullptr});
}

void GridSearch::knn(const Vec4* queries, int query_count, int capacity, float radius,
                     const PointSearchSettings& settings, PointMatches& matches) {
  const Request request{queries, query_count, radius, capacity, settings};
  check(request);
  prepare(request, matches);
  walker_count_.resize(1);
  walker_count_.fill_zero();
  if (query_count == 0) return;
  make_table(std::min(level_for_nearest(capacity), level_for_radius(radius)));
  order_queries(request);
  const PointStage stage(timer_, "search");
  const auto n = static_cast<std::size_t>(query_count);
  left_.resize(n);
  walkers_.resize(n);
  const GridQueries on{view(), queries, query_order_.order(), capacity, matches.index.data(), matches.distance.data()};
  with_nearest(capacity, [&]<class Nearest>() {
    parallel_for(device_, "nearest points in rings", query_count,
                 GridNearest<Nearest>{on, radius * radius, kMostRings, left_.data()});
    select_flagged(device_, query_order_.order(), left_.data(), walkers_.data(), walker_count_.data(), n, scratch_);
    parallel_for(device_, "nearest points by a walk", query_count,
                 GridNearestByWalk<Nearest>{on, radius * radius, walkers_.data(), walker_count_.data()});
  });
}

PointGridView GridSearch::view() const {
  return {cells_,        level_,
          finite_,       sorted_.data(),
          code_.data(),  points_order_.order(),
          table_.data(), static_cast<std::uint32_t>(table_.size()),
          direct_};
}

double GridSearch::cell_edge() const { return std::ldexp(2 / double{cells_.inverse_half}, std::max(0, level_)); }

std::int64_t GridSearch::walked() const { return walker_count_.empty() ? 0 : walker_count_.to_host().front(); }

std::size_t GridSearch::memory_bytes() const {
  return memory_.bytes() + points_order_.memory_bytes() + query_order_.memory_bytes();
}

}  // namespace riffle
