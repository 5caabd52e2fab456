/// Hoetzlein 2013, "Fast fixed-radius nearest neighbors: interactive million-particle fluids": count the particles of
/// each cell with an atomic that also hands out the particle's place in its cell, sum the counts to cell starts, put
/// each particle there.

#include <algorithm>
#include <bit>

#include "core/device/algorithms.h"
#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/grid/cell_occupancy.cuh"
#include "neighbors/grid/cell_table.h"
#include "neighbors/grid/static_neighborhoods.cuh"
#include "neighbors/grid/unmoved_part.h"
#include "neighbors/search_method.h"

namespace riffle {

namespace {

struct CountCells {
  Grid grid;
  const Vec4* positions;
  std::uint32_t* cell;   ///< (count) out
  std::uint32_t* place;  ///< (count) out: how many of the same cell came before; may be nullptr if not needed
  std::uint32_t* index;  ///< (count) out: 0, 1, 2, ...; likewise
  std::uint32_t* cell_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t c = grid.index(grid.cell_of(xyz(positions[i])));
    cell[i] = c;
    const std::uint32_t before = atomic_add(&cell_count[c], 1);
    if (place) place[i] = before;
    if (index) index[i] = static_cast<std::uint32_t>(i);
  }
};

struct ScatterOrder {
  const std::uint32_t* cell;
  const std::uint32_t* place;
  const std::uint32_t* cell_start;
  std::uint32_t* order;

  RIFFLE_HD void operator()(std::int64_t i) const {
    order[cell_start[cell[i]] + place[i]] = static_cast<std::uint32_t>(i);
  }
};

class HoetzleinSearch : public SearchMethod {
 public:
  HoetzleinSearch(const Device& device, const SearchSettings& settings) : device_(device), settings_(settings) {}

  void build(const BuildInput& input) override {
    grid_ = make_table_grid(device_, settings_, fastest_cells(settings_, input.h), input);
    sparse_note_.tell("hoetzlein", settings_, input.domain, input.h, input.count, grid_.cell_count());
    const bool marks = settings_.static_sources, partly = input.unmoved > 0;
    const std::size_t table = sizeof(std::uint32_t) + (marks ? 1 : 0);
    require_cell_table(device_, grid_, table + (partly ? table + sizeof(std::uint32_t) : 0), table_bytes());
    count_ = input.count;
    cell_start_.resize(static_cast<std::size_t>(grid_.cells()) + 1);
    order_.resize(static_cast<std::size_t>(count_));
    if (marks) has_neighbors_.resize(static_cast<std::size_t>(grid_.cells()));
    if (partly) return build_partly(input);
    unmoved_.forget();
    sort(input.positions, count_, cell_start_, order_.data());
    if (marks) mark_neighborhoods(device_, grid_view(), has_neighbors_);
  }

  void forget() override { unmoved_.forget(); }

  SearchView view() override {
    GridView view = grid_view();
    if (settings_.static_sources) view.cell_has_neighbors = has_neighbors_.data();
    return view;
  }

  const std::uint32_t* order() const override { return order_.data(); }

  OccupancyStats occupancy() const override {
    if (cell_start_.empty()) return {};  // never built
    return occupancy_of(device_, cell_start_.data(), grid_.cells(), count_);
  }

  std::size_t memory_bytes() const override { return memory_.bytes() + unmoved_.bytes(); }

 private:
  GridView grid_view() const { return {.grid = grid_, .cell_start = cell_start_.data()}; }

  /// What there is already of all tables with an entry per cell, as far as they are of such a grid.
  std::size_t table_bytes() const {
    return cell_start_.bytes() + has_neighbors_.bytes() + moved_start_.bytes() + unmoved_.table_bytes();
  }

  /// The particles that stay are sorted in the first such build only.
  void build_partly(const BuildInput& input) {
    std::uint8_t* marks = settings_.static_sources ? has_neighbors_.data() : nullptr;
    if (!unmoved_.serves(input.domain, grid_, input.unmoved)) {
      sort(input.positions, input.unmoved, cell_start_, order_.data());
      if (marks != nullptr) mark_neighborhoods(device_, grid_view(), has_neighbors_);
      unmoved_.keep(input.domain, grid_, {input.unmoved, order_.data(), cell_.data(), cell_start_.data()}, marks);
    }
    const int moved = count_ - input.unmoved;
    moved_order_.resize(static_cast<std::size_t>(moved));
    moved_start_.resize(cell_start_.size());
    sort(input.positions + input.unmoved, moved, moved_start_, moved_order_.data());
    unmoved_.merge({moved, moved_order_.data(), cell_.data(), moved_start_.data()}, order_.data(), cell_start_.data(),
                   marks);
  }

  /// Particle i is in cell_[i], and order says which particle has which place.
  /// cell_start: (cells + 1) out; order: (count) out
  void sort(const Vec4* positions, int count, Buffer<std::uint32_t>& cell_start, std::uint32_t* order) {
    cell_.resize(static_cast<std::size_t>(count));
    place_.resize(static_cast<std::size_t>(count));
    cell_start.fill_zero();
    if (settings_.deterministic && device_.is_cuda())
      sort_stably(positions, count, cell_start, order);
    else
      sort_by_counting(positions, count, cell_start, order);
  }

  void sort_by_counting(const Vec4* positions, int count, Buffer<std::uint32_t>& cell_start, std::uint32_t* order) {
    parallel_for(device_, "count cells", count,
                 CountCells{grid_, positions, cell_.data(), place_.data(), nullptr, cell_start.data()});
    exclusive_scan(device_, cell_start.data(), cell_start.data(), cell_start.size(), scratch_);
    parallel_for(device_, "scatter order", count, ScatterOrder{cell_.data(), place_.data(), cell_start.data(), order});
    if (device_.is_cpu()) sort_within_cells(cell_start.data(), order);
  }

  // Thread timing decides which of two threads counts first, and with it the order within a cell and the rounding of
  // every sum over it. On the CPU, sorting costs about as much as one more pass over the order, so it is always done.
  void sort_within_cells(const std::uint32_t* start, std::uint32_t* order) {
    parallel_ranges(grid_.cells(), 4096, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c != end; ++c)
        if (start[c + 1] - start[c] > 1) std::sort(order + start[c], order + start[c + 1]);
    });
  }

  // On the GPU a stable sort by cell gives the same order as counting one particle after the other.
  void sort_stably(const Vec4* positions, int count, Buffer<std::uint32_t>& cell_start, std::uint32_t* order) {
    const auto n = static_cast<std::size_t>(count);
    index_.resize(n);
    parallel_for(device_, "count cells", count,
                 CountCells{grid_, positions, cell_.data(), nullptr, index_.data(), cell_start.data()});
    exclusive_scan(device_, cell_start.data(), cell_start.data(), cell_start.size(), scratch_);
    const int bits = std::bit_width(static_cast<std::uint64_t>(grid_.cells()) - 1);
    sort_pairs(device_, cell_.data(), place_.data(), index_.data(), order, n, bits, scratch_);
  }

  Device device_;
  SearchSettings settings_;
  Grid grid_;
  SparseBoxNote sparse_note_;
  int count_ = 0;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& cell_ = memory_.make();          ///< (count) by input index
  Buffer<std::uint32_t>& place_ = memory_.make();         ///< (count) by input index
  Buffer<std::uint32_t>& order_ = memory_.make();         ///< (count) by sorted index
  Buffer<std::uint32_t>& index_ = memory_.make();         ///< (count) 0, 1, 2, ...; deterministic builds on the GPU
  Buffer<std::uint32_t>& cell_start_ = memory_.make();    ///< (cells + 1)
  Buffer<std::uint8_t>& has_neighbors_ = memory_.make();  ///< (cells)
  // If some of the particles do not move.
  UnmovedPart unmoved_{device_};
  Buffer<std::uint32_t>& moved_order_ = memory_.make();  ///< (count of the others)
  Buffer<std::uint32_t>& moved_start_ = memory_.make();  ///< (cells + 1) of the others
  ScratchMemory& scratch_ = memory_.make();
};

SearchMemory hoetzlein_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const double n = double(load.particles);
  const bool sorts = settings.deterministic && load.device.is_cuda();
  const double counted = 3 * word * n;                                                    // cell, place, order
  const double sorted = sorts ? word * n + sort_memory(load.device, load.particles) : 0;  // index
  const double per_cell = word + (settings.static_sources ? sizeof(std::uint8_t) : 0);
  const double cells = count_table_cells(settings, fastest_cells(settings, load.h), load);
  const double unmoved = double(load.unmoved);
  const double kept = unmoved > 0 ? UnmovedPart::estimate(cells, unmoved, settings.static_sources) +
                                        word * (n - unmoved) + word * cells  // moved_order_, moved_start_
                                  : 0;
  return {counted + sorted + per_cell * cells + kept};
}

}  // namespace

NeighborMethodInfo hoetzlein_method() {
  return {.method = NeighborMethod::Hoetzlein,
          .name = "hoetzlein",
          .summary = "uniform grid by atomic counts, prefix sum and counting sort (Hoetzlein 2013)",
          .color = "#1f77b4",
          .options = {},
          .make = make_search<HoetzleinSearch>,
          .memory = hoetzlein_memory};
}

}  // namespace riffle
