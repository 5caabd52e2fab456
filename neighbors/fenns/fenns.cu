/// Gross, Koester and Krueger 2019, "Fast and efficient nearest neighbor search for particle simulations", level one: a
/// coarse grid whose counters live in shared memory (up to kMostCoarseCells of them; beyond, in global memory), and
/// particles sorted by its cells into border and inner sections (algorithms 1 and 2). Level two is the traversal
/// (neighbors/fenns/tile_traversal.cuh). A search keeps 117 bytes per coarse cell beyond the permutation of 4 bytes per
/// particle, however large the box.

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "core/device/algorithms.h"
#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "neighbors/fenns/tile_traversal.cuh"
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

/// Section of a particle in coarse cell c (TileView).
RIFFLE_INLINE std::uint32_t section_of(const Grid& grid, Int3 c, Vec3 x) {
  const Vec3 u = grid.coordinates(x);
  return axis_section(u.x, c.x, grid.size.x, grid.periodic_x, grid.reach.x) +
         3 * axis_section(u.y, c.y, grid.size.y, grid.periodic_y, grid.reach.y) +
         9 * axis_section(u.z, c.z, grid.size.z, grid.periodic_z, grid.reach.z);
}

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

/// Writes each particle, or query, into its cell's range. The place within the range depends on thread timing.
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

inline constexpr int kSplitBlock = 256;
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

  struct Shared {
    std::uint32_t entry[kSplitCapacity];
    std::uint8_t section[kSplitCapacity];
    std::uint32_t next[TileView::kSections];
  };

  RIFFLE_HD void operator()(Block<kSplitBlock>& block, Shared& shared) const {
    const int c = block.index();
    const std::uint32_t begin = cell_start[c], end = cell_start[c + 1];
    const auto count = static_cast<int>(end - begin);
    const bool fits = end - begin <= kSplitCapacity;
    std::uint32_t* const start = section_start + std::int64_t{TileView::kSections} * c;
    block.each_thread([&](int t) {
      if (t == 0) split[c] = fits ? 1 : 0;
      if (t < TileView::kSections) {
        shared.next[t] = 0;
        if (!fits) start[t] = t == 0 ? begin : end;
      }
      if (c + 1 == grid.cells() && t == 0) start[TileView::kSections] = end;
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
      for (int s = 0; s < TileView::kSections; ++s) {
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
  const Vec4* positions;
  std::uint32_t* section;
  std::uint32_t* section_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(positions[i]);
    const Int3 c = grid.cell_of(x);
    const std::uint32_t s = TileView::kSections * grid.index(c) + section_of(grid, c, x);
    section[i] = s;
    atomic_add(&section_count[s], 1);
  }
};

struct SectionSums {
  OccupancyStats occupancy;
  double border = 0;
};

struct SumSections {
  const std::uint32_t* section_start;
  const std::uint8_t* split;

  RIFFLE_HD static SectionSums identity() { return {}; }
  RIFFLE_HD static SectionSums combine(SectionSums a, const SectionSums& b) {
    a.occupancy.occupied += b.occupancy.occupied;
    a.occupancy.max = a.occupancy.max > b.occupancy.max ? a.occupancy.max : b.occupancy.max;
    a.border += b.border;
    return a;
  }
  RIFFLE_HD SectionSums operator()(std::int64_t c) const {
    SectionSums sums;
    const std::uint32_t* start = section_start + TileView::kSections * c;
    const std::uint32_t n = start[TileView::kSections] - start[0];
    constexpr int inner = 13;
    sums.occupancy.occupied = n > 0 ? 1 : 0;
    sums.occupancy.max = n;
    sums.border = split[c] ? n - (start[inner + 1] - start[inner]) : n;
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
    tile.own_begin = view.section_start[TileView::kSections * c];
    tile.own_end = view.section_start[TileView::kSections * (c + 1)];
    if (tile.own_begin == tile.own_end) return 0;
    const TileNeighborhood near = neighborhood(view, tile.cell);
    double sum = 0;
    for (int r = 0; r < kRunsPerCell * near.cells(); ++r) {
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
    cell_start_.resize(cells + 1);
    section_start_.resize(TileView::kSections * cells + 1);
    split_.resize(cells);
    if (settings_.deterministic)
      build_by_stable_sort(input, cells);
    else
      build_by_counting(input, cells);
    view_.section_start = section_start_.data();
    view_.split = split_.data();
  }

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

  SearchView view() override { return TiledView{view_, this}; }
  const std::uint32_t* order() const override { return order_.data(); }

  QueryBins bin(const Vec4* queries, int count) override {
    const auto cells = static_cast<std::size_t>(view_.coarse.cells());
    bin_start_.resize(cells + 1);
    bin_cursor_.resize(cells);
    bin_index_.resize(static_cast<std::size_t>(count));
    bin_start_.fill_zero();
    parallel_for(device_, "count queries", count, CountInPlace{view_.coarse, queries, bin_start_.data()});
    exclusive_scan(device_, bin_start_.data(), bin_start_.data(), cells + 1, scratch_);
    copy_on_device(device_, bin_cursor_.data(), bin_start_.data(), cells * sizeof(std::uint32_t));
    parallel_for(device_, "bin queries", count,
                 PlaceInCells{view_.coarse, queries, bin_cursor_.data(), bin_index_.data()});
    return {bin_start_.data(), bin_index_.data()};
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
    stats.counts.emplace_back("fine cells per tile", double(view_.fine.cells()));
    return stats;
  }

  std::size_t memory_bytes() const override { return memory_.bytes(); }

 private:
  SectionSums sum_sections() const {
    if (section_start_.empty()) return {};  // never built
    const std::int64_t cells = view_.coarse.cells();
    auto sums = reduce<SectionSums>(device_, "sections", cells, SumSections{section_start_.data(), split_.data()});
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
    make_fine_grid(input);
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

  /// A tile's grid covers its coarse cell and the reach around it. On a periodic axis where that would meet itself, the
  /// grid covers the whole axis.
  void make_fine_grid(const BuildInput& input) {
    const Grid& coarse = view_.coarse;
    const Domain& domain = input.domain;
    const double radius = query_reach(input.h);
    double extent[3] = {0, 0, 0}, lead[3] = {0, 0, 0}, length[3] = {0, 0, 0};
    GridAxis axes[3];
    int most[3] = {1, 1, 1};
    for (int a = 0; a < domain.dimension; ++a) {
      const double edge = component(coarse.cell, a), whole = component(domain.extent(), a);
      const double reach = radius + 2 * component(coarse.margin, a) * edge;
      const bool around = domain.periodic(a) && edge + 2 * reach >= whole * (1 - 1e-4);
      lead[a] = around ? 0 : reach;
      length[a] = domain.periodic(a) && !around ? whole : 0;
      extent[a] = around ? whole : edge + 2 * reach;
      axes[a].periodic = around;
      // Short cells along x: see fastest_cells().
      most[a] = static_cast<int>(std::clamp(std::floor(extent[a] / (radius * (a == 0 ? 0.25 : 1.0))), 1.0, 1000.0));
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
    view_.fine = grid_of({}, axes, radius);
    view_.length = {static_cast<float>(length[0]), static_cast<float>(length[1]), static_cast<float>(length[2])};
    view_.lead = {static_cast<float>(lead[0]), static_cast<float>(lead[1]), static_cast<float>(lead[2])};
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

  void build_by_counting(const BuildInput& input, std::size_t cells) {
    cursor_.resize(cells);
    count_cells(view_.coarse, input);
    exclusive_scan(device_, cell_start_.data(), cell_start_.data(), cells + 1, scratch_);
    copy_on_device(device_, cursor_.data(), cell_start_.data(), cells * sizeof(std::uint32_t));
    const bool with_section = sections_fit(count_);
    parallel_for(device_, "place particles", count_,
                 PlaceInCells{view_.coarse, input.positions, cursor_.data(), order_.data(), with_section});
    parallel_blocks<kSplitBlock>(device_, "split cells", static_cast<int>(cells),
                                 SplitCells{view_.coarse, input.positions, cell_start_.data(), with_section,
                                            order_.data(), section_start_.data(), split_.data()});
  }

  // The same order whatever the thread timing, at the cost of three more arrays.
  void build_by_stable_sort(const BuildInput& input, std::size_t cells) {
    const auto n = static_cast<std::size_t>(count_);
    section_.resize(n);
    sorted_section_.resize(n);
    index_.resize(n);
    fill_iota(device_, index_.data(), n);
    section_start_.fill_zero();
    fill_bytes(device_, split_.data(), 1, cells);
    parallel_for(device_, "find sections", count_,
                 FindSections{view_.coarse, input.positions, section_.data(), section_start_.data()});
    exclusive_scan(device_, section_start_.data(), section_start_.data(), TileView::kSections * cells + 1, scratch_);
    sort_pairs(device_, section_.data(), sorted_section_.data(), index_.data(), order_.data(), n,
               std::bit_width(TileView::kSections * cells - 1), scratch_);
  }

  Device device_;
  SearchSettings settings_;
  TileView view_;
  int count_ = 0;
  double density_ = 0;               ///< [1 / m^3], in 2-D [1 / m^2]; 0: not known
  std::pair<int, float> looked_at_;  ///< count and h at that measurement
  int builds_since_look_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& order_ = memory_.make();           ///< (count) by sorted index
  Buffer<std::uint32_t>& cell_start_ = memory_.make();      ///< (coarse cells + 1)
  Buffer<std::uint32_t>& cursor_ = memory_.make();          ///< (coarse cells)
  Buffer<std::uint32_t>& section_start_ = memory_.make();   ///< (27 coarse cells + 1)
  Buffer<std::uint8_t>& split_ = memory_.make();            ///< (coarse cells)
  Buffer<std::uint32_t>& section_ = memory_.make();         ///< (count) deterministic builds only
  Buffer<std::uint32_t>& sorted_section_ = memory_.make();  ///< (count) deterministic builds only
  Buffer<std::uint32_t>& index_ = memory_.make();           ///< (count) deterministic builds only
  Buffer<std::uint32_t>& bin_start_ = memory_.make();       ///< of the last external queries
  Buffer<std::uint32_t>& bin_cursor_ = memory_.make();      ///< of the last external queries
  Buffer<std::uint32_t>& bin_index_ = memory_.make();       ///< of the last external queries
  ScratchMemory& scratch_ = memory_.make();
};

SearchMemory fenns_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  constexpr std::size_t per_cell =
      (2 + TileView::kSections) * word + sizeof(std::uint8_t);  // start, cursor, sections, split
  // Edge, in support radii, of a tile that holds the target number of particles.
  const bool flat = load.domain.dimension == 2;
  const double ball = flat ? 3.14 : 4.19;  // [h^d]
  const double edge = std::pow(kOwnAim * ball / std::max(1e-3, load.neighbors), flat ? 1.0 / 2 : 1.0 / 3);
  const float ratio = settings.cell_ratio > 0 ? settings.cell_ratio : static_cast<float>(std::max(kLeastRatio, edge));
  const double cells = std::min(count_cells(load.domain, load.h, {{ratio, ratio, ratio}, settings.cell_count}),
                                most_coarse_cells(load.particles));
  const double n = double(load.particles);
  const double sorted = settings.deterministic ? 3 * word * n + sort_memory(load.device, load.particles) : 0;
  return {word * n + sorted + per_cell * cells};
}

}  // namespace

NeighborMethodInfo fenns_method() {
  return {
      .method = NeighborMethod::Fenns,
      .name = "fenns",
      .summary = "two levels: coarse cells, and fine grids built in shared memory; little memory (Gross et al. 2019)",
      .color = "#d62728",
      .options = {},
      .make = make_search<FennsSearch>,
      .memory = fenns_memory};
}

}  // namespace riffle
