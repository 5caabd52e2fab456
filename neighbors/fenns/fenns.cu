/// Gross, Koester and Krueger 2019, "Fast and efficient nearest neighbor search for particle simulations", level one: a
/// coarse grid whose counters live in shared memory (up to kMostCoarseCells of them; beyond, in global memory), and
/// particles sorted by its cells into border and inner sections (algorithms 1 and 2). Level two is the traversal
/// (neighbors/fenns/tile_traversal.cuh). Beyond the permutation of 4 bytes per particle a search keeps 117 bytes per coarse
/// cell, or 21 with two sections, however large the box, and has room for the parts of crowded cells (tile_boxes.cuh): 0.4
/// bytes per particle.

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "core/device/algorithms.h"
#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/device/threads.h"
#include "core/error.h"
#include "neighbors/fenns/tile_traversal.cuh"
#include "neighbors/lists/late_count.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

/// Targets per tile: its own particles (two rounds of a block), and the candidates it reads. The second target leaves
/// room in the fine grid for places that are denser than the mean.
constexpr double kOwnAim = 2 * kTileBlock, kCandidateAim = 0.9 * kTileCapacity;
/// Least edge of a coarse cell in support radii. In smaller cells every particle is near both borders, so that
/// neighbours read all particles.
constexpr double kLeastRatio = 2.05;
/// Particles per coarse cell of the box, on average, when there may be more than kMostCoarseCells of them.
constexpr int kLeastPerCell = 64;
/// The particle density is measured again every this many builds; measuring synchronises with the device.
constexpr int kLookEvery = 64;
constexpr int kCountBlock = 1024;
/// Least number of blocks that take the parts of crowded cells: one for each multiprocessor of a large GPU. Without work they
/// cost about a microsecond together.
constexpr std::uint32_t kPartBlocks = 132;
/// The number of parts is asked for in the first builds, and then every this many.
constexpr int kAskedFirst = 3, kAskEvery = 16;

/// A box that is mostly empty needs more coarse cells than the fluid fills: with fewer, the filled cells would overfill
/// their fine grids. The cells then cost up to 1.8 bytes per particle.
double most_coarse_cells(std::int64_t particles) {
  return std::max<double>(kMostCoarseCells, double(particles) / kLeastPerCell);
}

/// 0: near the lower face, 2: near the upper face, 1: near neither, or no cell beyond the face reads this one.
RIFFLE_INLINE std::uint32_t axis_section(float u, int c, int size, bool periodic, float reach) {
  if (u - static_cast<float>(c) < reach && (periodic || c > 0)) return 0;
  if (static_cast<float>(c + 1) - u < reach && (periodic || c < size - 1)) return 2;
  return 1;
}

/// Section of a particle in coarse cell c (TileView), of 27.
RIFFLE_INLINE std::uint32_t section_of(const Grid& grid, Int3 c, Vec3 x) {
  const Vec3 u = grid.coordinates(x);
  return axis_section(u.x, c.x, grid.size.x, grid.periodic_x, grid.reach.x) +
         3 * axis_section(u.y, c.y, grid.size.y, grid.periodic_y, grid.reach.y) +
         9 * axis_section(u.z, c.z, grid.size.z, grid.periodic_z, grid.reach.z);
}

constexpr std::uint32_t kInner = 13;

/// Algorithm 1: a block counts its share of the particles in shared memory, then adds its counts to the totals once.
struct CountCoarseCells {
  Grid grid;
  const Vec4* positions;
  int count;
  int share;  ///< particles per block
  std::uint32_t* cell_count;

  struct Shared {
    std::uint32_t count[kMostCoarseCells];
  };

  RIFFLE_HD void operator()(Block<kCountBlock>& block, Shared& shared) const {
    const auto cells = static_cast<int>(grid.cells());
    block.each_thread([&](int t) {
      for (int c = t; c < cells; c += kCountBlock) shared.count[c] = 0;
    });
    block.each_thread([&](int t) {
      const std::int64_t first = std::int64_t{block.index()} * share;
      const std::int64_t last = first + share < count ? first + share : count;
      for (std::int64_t i = first + t; i < last; i += kCountBlock)
        atomic_add(&shared.count[grid.index(grid.cell_of(xyz(positions[i])))], 1);
    });
    block.each_thread([&](int t) {
      for (int c = t; c < cells; c += kCountBlock)
        if (shared.count[c] > 0) atomic_add(&cell_count[c], shared.count[c]);
    });
  }
};

/// The same without shared memory: for more cells than there are shared counters, and for queries, which may be few.
struct CountInPlace {
  Grid grid;
  const Vec4* positions;
  std::uint32_t* cell_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    atomic_count(cell_count, grid.index(grid.cell_of(xyz(positions[i]))));
  }
};

/// A particle's index and its section share one word until its cell is sorted by sections. Otherwise each particle's
/// position would have to be read again: 32 bytes from a random address.
constexpr int kIndexBits = 27;
constexpr std::uint32_t kIndexMask = (1u << kIndexBits) - 1;
constexpr bool sections_fit(int count) { return static_cast<std::uint32_t>(count) <= kIndexMask + 1; }

/// Writes each particle, or query, into its cell's range. The place within the range depends on thread timing; on the CPU
/// particles are sorted afterwards (sort_within_sections).
struct PlaceInCells {
  Grid grid;
  const Vec4* positions;
  std::uint32_t* cursor;  ///< (cells) next place
  std::uint32_t* order;
  bool with_section = false;  ///< stored in the bits above the index

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(positions[i]);
    const Int3 cell = grid.cell_of(x);
    const std::uint32_t section = with_section ? section_of(grid, cell, x) : 0;
    order[atomic_count(cursor, grid.index(cell))] = static_cast<std::uint32_t>(i) | section << kIndexBits;
  }
};

/// Algorithm 2 as in the paper: fills each cell with border particles from its beginning and with inner ones from its end.
struct PlaceInTwoSections {
  Grid grid;
  const Vec4* positions;
  const std::uint32_t* cell_start;
  std::uint32_t* placed;  ///< (2 cells) border particles, inner particles; all 0 before
  std::uint32_t* order;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(positions[i]);
    const Int3 cell = grid.cell_of(x);
    const std::uint32_t c = grid.index(cell);
    const bool inner = section_of(grid, cell, x) == kInner;
    const std::uint32_t before = atomic_count(placed, 2 * c + (inner ? 1 : 0));
    order[inner ? cell_start[c + 1] - 1 - before : cell_start[c] + before] = static_cast<std::uint32_t>(i);
  }
};

/// Where the two sections of each cell begin, and, after the last, where that cell ends.
struct StartTwoSections {
  const std::uint32_t* cell_start;
  const std::uint32_t* placed;
  std::int64_t cells;
  std::uint32_t* section_start;

  RIFFLE_HD void operator()(std::int64_t c) const {
    section_start[2 * c] = cell_start[c];
    section_start[2 * c + 1] = cell_start[c] + placed[2 * c];
    if (c + 1 == cells) section_start[2 * cells] = cell_start[cells];
  }
};

inline constexpr int kSplitBlock = PartLister::kBlock;
inline constexpr int kSplitCapacity = 4096;

/// Algorithm 2, the sections: one block per cell sorts the cell's own range in shared memory. The paper fills the range
/// with border particles from its beginning and inner ones from its end; 27 sections need their counts first.
struct SplitCells {
  Grid grid;
  const Vec4* positions;
  const std::uint32_t* cell_start;
  bool with_section;             ///< order holds the sections on input
  std::uint32_t* order;          ///< in and out
  std::uint32_t* section_start;  ///< out
  std::uint8_t* split;           ///< out
  PartLister lister;             ///< of crowded cells

  struct Sections {
    std::uint32_t entry[kSplitCapacity];
    std::uint8_t section[kSplitCapacity];
    std::uint32_t next[TileView::kMostSections];
  };
  union Shared {
    Sections sections;
    PartLister::Shared parts;
  };

  RIFFLE_HD void operator()(Block<kSplitBlock>& block, Shared& shared) const {
    split_cell(block, shared.sections);
    const int c = block.index();
    const std::uint32_t begin = cell_start[c], end = cell_start[c + 1];
    if (end - begin > kCrowded) lister.list(block, shared.parts, c, order + begin, static_cast<int>(end - begin));
  }

 private:
  RIFFLE_HD void split_cell(Block<kSplitBlock>& block, Sections& shared) const {
    const int c = block.index();
    const std::uint32_t begin = cell_start[c], end = cell_start[c + 1];
    const auto count = static_cast<int>(end - begin);
    const bool fits = end - begin <= kSplitCapacity;
    std::uint32_t* const start = section_start + std::int64_t{TileView::kMostSections} * c;
    block.each_thread([&](int t) {
      if (t == 0) split[c] = fits ? 1 : 0;
      if (t < TileView::kMostSections) {
        shared.next[t] = 0;
        if (!fits) start[t] = t == 0 ? begin : end;
      }
      if (c + 1 == grid.cells() && t == 0) start[TileView::kMostSections] = end;
    });
    if (!fits) {
      if (with_section)
        block.each_thread([&](int t) {
          for (std::uint32_t k = begin + static_cast<std::uint32_t>(t); k < end; k += kSplitBlock)
            order[k] &= kIndexMask;
        });
      return;
    }
    const Int3 cell = grid.cell_at(c);
    block.each_thread([&](int t) {
      for (int k = t; k < count; k += kSplitBlock) {
        const std::uint32_t entry = order[begin + static_cast<std::uint32_t>(k)];
        const std::uint32_t i = with_section ? entry & kIndexMask : entry;
        const std::uint32_t s = with_section ? entry >> kIndexBits : section_of(grid, cell, xyz(positions[i]));
        shared.entry[k] = i;
        shared.section[k] = static_cast<std::uint8_t>(s);
        atomic_add(&shared.next[s], 1);
      }
    });
    block.each_thread([&](int t) {
      if (t != 0) return;
      std::uint32_t sum = begin;
      for (int s = 0; s < TileView::kMostSections; ++s) {
        const std::uint32_t n = shared.next[s];
        shared.next[s] = start[s] = sum;
        sum += n;
      }
    });
    block.each_thread([&](int t) {
      for (int k = t; k < count; k += kSplitBlock)
        order[atomic_add(&shared.next[shared.section[k]], 1)] = shared.entry[k];
    });
  }
};

struct Crowding {
  double particles = 0, pairs = 0;
};

/// How many particles share a cell, on average over the particles: most of a box may be empty.
struct SumCrowding {
  const std::uint32_t* cell_count;

  RIFFLE_HD static Crowding identity() { return {}; }
  RIFFLE_HD static Crowding combine(Crowding a, const Crowding& b) {
    return {a.particles + b.particles, a.pairs + b.pairs};
  }
  RIFFLE_HD Crowding operator()(std::int64_t c) const {
    const double n = cell_count[c];
    return {n, n * (n - 1)};
  }
};

struct FindSections {
  Grid grid;
  int sections;
  const Vec4* positions;
  std::uint32_t* section;
  std::uint32_t* section_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(positions[i]);
    const Int3 c = grid.cell_of(x);
    const std::uint32_t of_27 = section_of(grid, c, x);
    const std::uint32_t within = sections == TileView::kMostSections ? of_27 : of_27 == kInner ? 1 : 0;
    const std::uint32_t s = static_cast<std::uint32_t>(sections) * grid.index(c) + within;
    section[i] = s;
    atomic_add(&section_count[s], 1);
  }
};

struct SectionSums {
  OccupancyStats occupancy;
  double border = 0;
};

struct SumSections {
  TileView view;

  RIFFLE_HD static SectionSums identity() { return {}; }
  RIFFLE_HD static SectionSums combine(SectionSums a, const SectionSums& b) {
    a.occupancy.occupied += b.occupancy.occupied;
    a.occupancy.max = a.occupancy.max > b.occupancy.max ? a.occupancy.max : b.occupancy.max;
    a.border += b.border;
    return a;
  }
  RIFFLE_HD SectionSums operator()(std::int64_t c) const {
    SectionSums sums;
    const std::uint32_t* start = view.section_start + view.sections * c;
    const std::uint32_t n = start[view.sections] - start[0];
    const int inner = view.inner_section();
    sums.occupancy.occupied = n > 0 ? 1 : 0;
    sums.occupancy.max = n;
    sums.border = view.split[c] ? n - (start[inner + 1] - start[inner]) : n;
    return sums;
  }
};

/// Candidates that a tile reads for its queries: its own particles and its neighbours' borders.
struct SumLoads {
  TileView view;

  RIFFLE_HD static double identity() { return 0; }
  RIFFLE_HD static double combine(double a, double b) { return a + b; }
  RIFFLE_HD double operator()(std::int64_t c) const {
    Tile tile;
    tile.cell = view.coarse.cell_at(c);
    tile.own_begin = view.section_start[view.sections * c];
    tile.own_end = view.section_start[view.sections * (c + 1)];
    if (tile.own_begin == tile.own_end) return 0;
    const TileNeighborhood near = neighborhood(view, tile.cell);
    double sum = 0;
    for (int r = 0; r < runs_per_cell(view) * near.cells(); ++r) {
      const SourceRun run = source_run(view, tile, near, r);
      sum += run.end - run.begin;
    }
    return sum;
  }
};

class FennsSearch : public SearchMethod, private QueryBinner {
 public:
  FennsSearch(const Device& device, const SearchSettings& settings) : device_(device), settings_(settings) {}

  void build(const BuildInput& input) override {
    count_ = input.count;
    choose_grids(input);
    const auto cells = static_cast<std::size_t>(view_.coarse.cells());
    order_.resize(static_cast<std::size_t>(count_));
    cell_start_.resize(cells + 2);  // the last one counts parts
    view_.sections = settings_.sections == TileSections::Two ? 2 : TileView::kMostSections;
    const std::size_t sections = static_cast<std::size_t>(view_.sections) * cells;
    section_start_.resize(sections + 2);
    split_.resize(cells);
    parts_.resize(most_parts(count_));
    PartLister lister{view_.coarse, halving_, input.positions, parts_.data(), nullptr};
    if (settings_.deterministic) {
      lister.count = section_start_.data() + sections + 1;
      build_by_stable_sort(input, sections);
    } else {
      lister.count = cell_start_.data() + cells + 1;
      if (view_.sections == 2)
        build_in_two_sections(input, cells);
      else
        build_by_counting(input, cells, lister);
      if (device_.is_cpu()) sort_within_sections(sections);
    }
    view_.section_start = section_start_.data();
    view_.split = split_.data();
    if (settings_.deterministic || view_.sections == 2)
      list_parts(lister, count_, section_start_.data(), order_.data(), view_.sections);
    part_list_ = part_list(lister, count_, late_parts_);
  }

  void forget() override { late_parts_.count.forget(); }

  KeptBuilds kept() const override {
    if (settings_.deterministic || !(density_ > 0)) return {};
    return {{}, {density_, double(builds_since_look_), double(looked_at_.second)}};
  }

  bool restore(const BuildInput& input, const KeptBuilds& kept, bool listed) override {
    if (settings_.deterministic || kept.numbers.size() != 3 || !(kept.numbers[0] > 0)) return false;
    if (!(kept.numbers[1] >= 0 && kept.numbers[1] < kLookEvery)) return false;
    density_ = kept.numbers[0];
    builds_since_look_ = static_cast<int>(kept.numbers[1]);
    looked_at_ = {input.count, static_cast<float>(kept.numbers[2])};
    if (!listed) return true;
    // The last build is done again, which counts it again, or looks again.
    builds_since_look_ = builds_since_look_ == 0 ? kLookEvery : builds_since_look_ - 1;
    build(input);
    return true;
  }

  SearchView view() override { return TiledView{view_, part_list_, halving_, this}; }
  const std::uint32_t* order() const override { return order_.data(); }

  QueryBins bin(const Vec4* queries, int count) override {
    const auto cells = static_cast<std::size_t>(view_.coarse.cells());
    bin_start_.resize(cells + 2);  // the last one counts parts
    bin_cursor_.resize(cells);
    bin_index_.resize(static_cast<std::size_t>(count));
    bin_start_.fill_zero();
    parallel_for(device_, "count queries", count, CountInPlace{view_.coarse, queries, bin_start_.data()});
    exclusive_scan(device_, bin_start_.data(), bin_start_.data(), cells + 1, scratch_);
    copy_on_device(device_, bin_cursor_.data(), bin_start_.data(), cells * sizeof(std::uint32_t));
    parallel_for(device_, "bin queries", count,
                 PlaceInCells{view_.coarse, queries, bin_cursor_.data(), bin_index_.data()});
    bin_parts_.resize(most_parts(count));
    const PartLister lister{view_.coarse, halving_, queries, bin_parts_.data(), bin_start_.data() + cells + 1};
    list_parts(lister, count, bin_start_.data(), bin_index_.data(), 1);
    return {bin_start_.data(), bin_index_.data(), part_list(lister, count, late_bin_parts_)};
  }

  OccupancyStats occupancy() const override { return sum_sections().occupancy; }

  SearchStats stats() const override {
    const SectionSums sums = sum_sections();
    SearchStats stats{sums.occupancy, {}};
    if (section_start_.empty() || count_ == 0) return stats;
    stats.counts.emplace_back("border fraction", sums.border / count_);
    const double loads = reduce<double>(device_, "tile loads", view_.coarse.cells(), SumLoads{view_});
    const auto tiles = double(std::max<std::int64_t>(1, sums.occupancy.occupied));
    stats.counts.emplace_back("particles loaded per tile", loads / tiles);
    stats.counts.emplace_back("fine cells per tile", double(view_.fine.grid.cells()));
    std::uint32_t parts = 0;
    if (part_list_.blocks > 0) copy_to_host(device_, &parts, part_list_.count, sizeof parts);
    stats.counts.emplace_back("parts of crowded cells", double(parts));
    return stats;
  }

  std::size_t memory_bytes() const override { return memory_.bytes(); }

 private:
  SectionSums sum_sections() const {
    if (section_start_.empty()) return {};  // never built
    const std::int64_t cells = view_.coarse.cells();
    auto sums = reduce<SectionSums>(device_, "sections", cells, SumSections{view_});
    OccupancyStats& occupancy = sums.occupancy;
    occupancy.cells = cells;
    occupancy.mean = occupancy.occupied > 0 ? double(count_) / double(occupancy.occupied) : 0;
    return sums;
  }

  void choose_grids(const BuildInput& input) {
    Int3 given = settings_.cell_count;
    if (input.domain.dimension == 2) given.z = 0;
    if (double(std::max(1, given.x)) * std::max(1, given.y) * std::max(1, given.z) > kMostCoarseCells)
      throw InputError("fenns: " + std::to_string(given.x) + " x " + std::to_string(given.y) + " x " +
                       std::to_string(given.z) +
                       " coarse cells (neighbors.cell), but its counters live in shared memory: at most " +
                       std::to_string(kMostCoarseCells) + " are possible");
    Grid& coarse = view_.coarse;
    if (given.x > 0 || settings_.cell_ratio > 0) {
      for (float ratio = settings_.cell_ratio;; ratio *= 1.02f) {
        coarse = make_grid(input.domain, input.h, {{ratio, ratio, ratio}, given});
        if (coarse.cell_count() <= most_coarse_cells(input.count)) break;
      }
    } else {
      coarse = grid_for_density(input, density(input));
    }
    view_.fine = fine_grid(input, {1, 1, 1});
    halve_cells(input);  // external queries may crowd a cell although the particles do not
  }

  /// Boxes are halved across their longest edge. The grids of the boxes are kept while the coarse grid is the same.
  void halve_cells(const BuildInput& input) {
    const Grid& coarse = view_.coarse;
    const auto numbers = [](const Grid& g) {
      return std::tuple(g.size.x, g.size.y, g.size.z, g.origin.x, g.origin.y, g.origin.z, g.cell.x, g.cell.y, g.cell.z,
                        g.radius2, g.periodic_x, g.periodic_y, g.periodic_z);
    };
    if (numbers(coarse) == numbers(halved_)) return;
    halved_ = coarse;
    Int3 boxes{1, 1, 1};
    for (int level = 0;; ++level) {
      halving_.fine[level] = fine_grid(input, boxes);
      if (level == TileHalving::kLevels) break;
      const float x = coarse.cell.x / float(boxes.x), y = coarse.cell.y / float(boxes.y),
                  z = coarse.cell.z / float(boxes.z);
      const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
      halving_.axis[level] = static_cast<std::uint8_t>(axis);
      (axis == 0 ? boxes.x : axis == 1 ? boxes.y : boxes.z) *= 2;
    }
  }

  /// The largest coarse cells whose tiles are not overfull at that particle density [1 / m^3, in 2-D 1 / m^2].
  static Grid grid_for_density(const BuildInput& input, double density) {
    const Domain& domain = input.domain;
    const double radius = query_reach(input.h);
    const auto grid_of_ratio = [&](double ratio) {
      const auto r = static_cast<float>(ratio);
      return make_grid(domain, input.h, {{r, r, r}, {}});
    };
    const auto fits = [&](const Grid& grid) {
      double own = density, candidates = density;
      for (int a = 0; a < domain.dimension; ++a) {
        const double edge = component(grid.cell, a);
        own *= edge;
        candidates *= std::min<double>(edge + 2 * radius, component(domain.extent(), a));
      }
      return own <= kOwnAim && candidates <= kCandidateAim;
    };
    double least = kLeastRatio;  // tiles that are overfull even so are searched in rounds
    while (grid_of_ratio(least).cell_count() > most_coarse_cells(input.count)) least *= 1.02;
    double ratio = std::max(1.1 * std::pow(kOwnAim / density, 1.0 / domain.dimension) / radius, least);
    while (ratio > least && !fits(grid_of_ratio(ratio))) ratio = std::max(ratio / 1.02, least);
    return grid_of_ratio(ratio);
  }

  /// Density of the particles where they are. It changes little over a few builds, so it is kept for that long. A
  /// deterministic search measures it each time: its result must not depend on the number of earlier builds.
  double density(const BuildInput& input) {
    const bool known = density_ > 0 && looked_at_ == std::pair(input.count, input.h);
    if (known && !settings_.deterministic && ++builds_since_look_ < kLookEvery) return density_;
    builds_since_look_ = 0;
    looked_at_ = {input.count, input.h};
    double ratio = 1;
    Grid grid = make_grid(input.domain, input.h, {{1, 1, 1}, {}});
    while (grid.cell_count() > kMostCoarseCells) {
      ratio *= std::max(1.02, std::pow(grid.cell_count() / kMostCoarseCells, 1.0 / input.domain.dimension));
      const auto r = static_cast<float>(ratio);
      grid = make_grid(input.domain, input.h, {{r, r, r}, {}});
    }
    double cell = 1, box = 1;
    for (int a = 0; a < input.domain.dimension; ++a) {
      cell *= component(grid.cell, a);
      box *= component(input.domain.extent(), a);
    }
    const auto cells = static_cast<std::size_t>(grid.cells());
    cell_start_.resize(cells + 1);
    count_cells(grid, input);
    const auto sums =
        reduce<Crowding>(device_, "density", static_cast<std::int64_t>(cells), SumCrowding{cell_start_.data()});
    const double evenly = std::max(1, input.count) / box;
    density_ = std::max(evenly, sums.particles > 0 ? sums.pairs / sums.particles / cell : 0.0);
    return density_;
  }

  /// The grid of a tile, or of a box that has 1 / boxes of a coarse cell along each axis: it covers that and the reach around
  /// it. On a periodic axis where that would meet itself, the grid covers the whole axis.
  FineGrid fine_grid(const BuildInput& input, Int3 boxes) const {
    const Grid& coarse = view_.coarse;
    const Domain& domain = input.domain;
    const double radius = query_reach(input.h);
    double extent[3] = {0, 0, 0}, lead[3] = {0, 0, 0}, length[3] = {0, 0, 0};
    GridAxis axes[3];
    int most[3] = {1, 1, 1};
    for (int a = 0; a < domain.dimension; ++a) {
      const double cell = component(coarse.cell, a), whole = component(domain.extent(), a);
      const double edge = cell / component(boxes, a), reach = radius + 2 * component(coarse.margin, a) * cell;
      const bool around = domain.periodic(a) && edge + 2 * reach >= whole * (1 - 1e-4);
      lead[a] = around ? 0 : reach;
      length[a] = domain.periodic(a) && !around ? whole : 0;
      extent[a] = around ? whole : edge + 2 * reach;
      axes[a].periodic = around;
      // Short cells along x: see fastest_cells().
      const double across = boxes.x * boxes.y * boxes.z > 1 ? 0.5 : 1.0;
      most[a] = static_cast<int>(std::clamp(std::floor(extent[a] / (radius * (a == 0 ? 0.25 : across))), 1.0, 1000.0));
    }
    double scale = 1;  // coarsens all axes alike until the cells fit
    for (;; scale *= 1.03) {
      for (int a = 0; a < 3; ++a) axes[a].cells = std::max(1, static_cast<int>(most[a] / scale));
      if (axes[0].cells * axes[1].cells * axes[2].cells <= kTileCells) break;
    }
    for (int a = 0; a < domain.dimension; ++a) {
      axes[a].edge = extent[a] / axes[a].cells;
      // A tile's coordinates are differences of the domain's coordinates, with the same absolute rounding error.
      const double largest =
          std::abs(component(domain.min, a)) + std::abs(component(domain.max, a)) + 8.0 * component(domain.extent(), a);
      axes[a].margin = largest / axes[a].edge * 0x1p-20 + 1e-4;
    }
    FineGrid fine;
    fine.grid = grid_of({}, axes, radius);
    fine.length = {static_cast<float>(length[0]), static_cast<float>(length[1]), static_cast<float>(length[2])};
    fine.lead = {static_cast<float>(lead[0]), static_cast<float>(lead[1]), static_cast<float>(lead[2])};
    return fine;
  }

  /// Writes the counts to cell_start_.
  void count_cells(const Grid& grid, const BuildInput& input) {
    cell_start_.fill_zero();
    if (grid.cells() <= kMostCoarseCells) {
      // A block must count several particles per cell, or else adding up the counts costs more than counting.
      const int share = std::max<int>(4 * kCountBlock, (input.count + 263) / 264);
      parallel_blocks<kCountBlock>(device_, "count coarse cells", (input.count + share - 1) / share,
                                   CountCoarseCells{grid, input.positions, input.count, share, cell_start_.data()});
    } else {
      parallel_for(device_, "count coarse cells", input.count, CountInPlace{grid, input.positions, cell_start_.data()});
    }
  }

  void build_by_counting(const BuildInput& input, std::size_t cells, const PartLister& lister) {
    cursor_.resize(cells);
    count_cells(view_.coarse, input);
    exclusive_scan(device_, cell_start_.data(), cell_start_.data(), cells + 1, scratch_);
    copy_on_device(device_, cursor_.data(), cell_start_.data(), cells * sizeof(std::uint32_t));
    const bool with_section = sections_fit(count_);
    parallel_for(device_, "place particles", count_,
                 PlaceInCells{view_.coarse, input.positions, cursor_.data(), order_.data(), with_section});
    parallel_blocks<kSplitBlock>(device_, "split cells", static_cast<int>(cells),
                                 SplitCells{view_.coarse, input.positions, cell_start_.data(), with_section,
                                            order_.data(), section_start_.data(), split_.data(), lister});
  }

  void build_in_two_sections(const BuildInput& input, std::size_t cells) {
    cursor_.resize(2 * cells);
    cursor_.fill_zero();
    count_cells(view_.coarse, input);
    exclusive_scan(device_, cell_start_.data(), cell_start_.data(), cells + 1, scratch_);
    parallel_for(device_, "place particles", count_,
                 PlaceInTwoSections{view_.coarse, input.positions, cell_start_.data(), cursor_.data(), order_.data()});
    const auto number = static_cast<std::int64_t>(cells);
    parallel_for(device_, "start sections", number,
                 StartTwoSections{cell_start_.data(), cursor_.data(), number, section_start_.data()});
    fill_bytes(device_, split_.data(), 1, cells);
  }

  // Thread timing decides which of two particles comes first in a section, and with it the rounding of every sum. On the CPU
  // sorting costs little, so it is always done. A cell that is not split has all its particles in its first section.
  void sort_within_sections(std::size_t sections) {
    constexpr std::int64_t grain = 512;
    const std::uint32_t* const start = section_start_.data();
    std::uint32_t* const order = order_.data();
    parallel_ranges(static_cast<std::int64_t>(sections), grain, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t s = begin; s != end; ++s)
        if (start[s + 1] - start[s] > 1) std::sort(order + start[s], order + start[s + 1]);
    });
  }

  // The same order whatever the thread timing, at the cost of three more arrays.
  void build_by_stable_sort(const BuildInput& input, std::size_t sections) {
    const auto n = static_cast<std::size_t>(count_);
    section_.resize(n);
    sorted_section_.resize(n);
    index_.resize(n);
    fill_iota(device_, index_.data(), n);
    section_start_.fill_zero();
    fill_bytes(device_, split_.data(), 1, split_.size());
    parallel_for(device_, "find sections", count_,
                 FindSections{view_.coarse, view_.sections, input.positions, section_.data(), section_start_.data()});
    exclusive_scan(device_, section_start_.data(), section_start_.data(), sections + 1, scratch_);
    sort_pairs(device_, section_.data(), sorted_section_.data(), index_.data(), order_.data(), n,
               std::bit_width(sections - 1), scratch_);
  }

  /// start, stride: of the cells' queries in `index` (ListParts).
  void list_parts(const PartLister& lister, int queries, const std::uint32_t* start, const std::uint32_t* index,
                  int stride) {
    if (queries <= kCrowded) return;
    const auto cells = static_cast<int>(lister.grid.cells());
    parallel_blocks<ListParts::kBlock>(device_, "list parts",
                                       (cells + ListParts::kCellsPerBlock - 1) / ListParts::kCellsPerBlock,
                                       ListParts{lister, start, index, stride});
  }

  /// A number of parts that arrives late, and how often there was one.
  struct LateParts {
    LateCount count;
    int lists = 0;
  };

  /// Blocks are launched before the number of parts is known: as many as there were parts in an earlier list.
  static TileParts part_list(const PartLister& lister, int queries, LateParts& late) {
    const std::size_t most = most_parts(queries);
    if (most == 0) return {};
    if (late.lists < kAskedFirst || late.lists % kAskEvery == 0) late.count.request(lister.count);
    ++late.lists;
    const std::size_t blocks = std::max(late.count.latest(), kPartBlocks);
    return {lister.part, lister.count, static_cast<int>(std::min(blocks, most))};
  }

  Device device_;
  SearchSettings settings_;
  TileView view_;
  TileHalving halving_;
  Grid halved_;          ///< the coarse grid of halving_
  TileParts part_list_;  ///< of the particles
  LateParts late_parts_{LateCount(device_)}, late_bin_parts_{LateCount(device_)};
  int count_ = 0;
  double density_ = 0;               ///< [1 / m^3], in 2-D [1 / m^2]; 0: not known
  std::pair<int, float> looked_at_;  ///< count and h at that measurement
  int builds_since_look_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& order_ = memory_.make();       ///< (count) by sorted index
  Buffer<std::uint32_t>& cell_start_ = memory_.make();  ///< (coarse cells + 1), then the number of parts
  Buffer<std::uint32_t>& cursor_ = memory_.make();      ///< (coarse cells), with two sections (2 coarse cells)
  Buffer<std::uint32_t>& section_start_ =
      memory_.make();                                ///< (sections + 1), then the number of parts if deterministic
  Buffer<std::uint8_t>& split_ = memory_.make();     ///< (coarse cells)
  Buffer<std::uint32_t>& section_ = memory_.make();  ///< (count) deterministic builds only
  Buffer<std::uint32_t>& sorted_section_ = memory_.make();  ///< (count) deterministic builds only
  Buffer<std::uint32_t>& index_ = memory_.make();           ///< (count) deterministic builds only
  Buffer<std::uint32_t>& bin_start_ = memory_.make();       ///< of the last external queries
  Buffer<std::uint32_t>& bin_cursor_ = memory_.make();      ///< of the last external queries
  Buffer<std::uint32_t>& bin_index_ = memory_.make();       ///< of the last external queries
  Buffer<TilePart>& parts_ = memory_.make();                ///< (most_parts)
  Buffer<TilePart>& bin_parts_ = memory_.make();            ///< of the last external queries
  ScratchMemory& scratch_ = memory_.make();
};

SearchMemory fenns_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const bool two = settings.sections == TileSections::Two;
  const std::size_t sections = two ? 2 : TileView::kMostSections;
  const std::size_t cursors = settings.deterministic ? 0 : two ? 2 : 1;
  const std::size_t per_cell = (1 + cursors + sections) * word + 1;  // start, cursors, sections, split
  // Edge, in support radii, of a tile that holds the target number of particles.
  const bool flat = load.domain.dimension == 2;
  const double ball = flat ? 3.14 : 4.19;  // [h^d]
  const double edge = std::pow(kOwnAim * ball / std::max(1e-3, load.neighbors), flat ? 1.0 / 2 : 1.0 / 3);
  const float ratio = settings.cell_ratio > 0 ? settings.cell_ratio : static_cast<float>(std::max(kLeastRatio, edge));
  const double cells = std::min(count_cells(load.domain, load.h, {{ratio, ratio, ratio}, settings.cell_count}),
                                most_coarse_cells(load.particles));
  const double n = double(load.particles);
  const int key_bits = std::bit_width(static_cast<std::uint64_t>(cells * double(sections)) - 1);
  const double sorted = settings.deterministic ? 3 * word * n + sort_memory(load.device, load.particles, key_bits) : 0;
  return {word * n + sorted + double(per_cell) * cells + double(most_parts(load.particles) * sizeof(TilePart))};
}

constexpr MethodOption kFennsOptions[] = {
    {"two sections", [](SearchSettings& settings) { settings.sections = TileSections::Two; }}};

}  // namespace

NeighborMethodInfo fenns_method() {
  return {
      .method = NeighborMethod::Fenns,
      .name = "fenns",
      .summary = "two levels: coarse cells, and fine grids built in shared memory; little memory (Gross et al. 2019)",
      .color = "#d62728",
      .options = kFennsOptions,
      .make = make_search<FennsSearch>,
      .memory = fenns_memory};
}

}  // namespace riffle
