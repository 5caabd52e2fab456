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
#include "neighbors/search_method.h"

namespace riffle {

namespace {

struct CountCells {
  Grid grid;
  const Vec4* positions;
  std::uint32_t* cell;   ///< (count) out
  std::uint32_t* place;  ///< (count) out: how many of the same cell came before; may be nullptr if not needed
  std::uint32_t* cell_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t c = grid.index(grid.cell_of(xyz(positions[i])));
    cell[i] = c;
    const std::uint32_t before = atomic_add(&cell_count[c], 1);
    if (place) place[i] = before;
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
    require_cell_table(device_, grid_, sizeof(std::uint32_t) + (settings_.static_sources ? 1 : 0), cell_start_.bytes());
    count_ = input.count;
    const auto n = static_cast<std::size_t>(count_);
    const auto cells = static_cast<std::size_t>(grid_.cells());
    cell_.resize(n);
    place_.resize(n);
    order_.resize(n);
    cell_start_.resize(cells + 1);
    cell_start_.fill_zero();
    if (settings_.deterministic && device_.is_cuda())
      build_by_stable_sort(input, cells);
    else
      build_by_counting(input, cells);
    if (settings_.static_sources) mark_neighborhoods(device_, grid_view(), has_neighbors_);
  }

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

  std::size_t memory_bytes() const override { return memory_.bytes(); }

 private:
  GridView grid_view() const { return {.grid = grid_, .cell_start = cell_start_.data()}; }

  void build_by_counting(const BuildInput& input, std::size_t cells) {
    parallel_for(device_, "count cells", count_,
                 CountCells{grid_, input.positions, cell_.data(), place_.data(), cell_start_.data()});
    exclusive_scan(device_, cell_start_.data(), cell_start_.data(), cells + 1, scratch_);
    parallel_for(device_, "scatter order", count_,
                 ScatterOrder{cell_.data(), place_.data(), cell_start_.data(), order_.data()});
    if (device_.is_cpu()) sort_within_cells(cells);
  }

  // Thread timing decides which of two threads counts first, and with it the order within a cell and the rounding of
  // every sum over it. On the CPU, sorting costs about as much as one more pass over the order, so it is always done.
  void sort_within_cells(std::size_t cells) {
    std::uint32_t* order = order_.data();
    const std::uint32_t* start = cell_start_.data();
    parallel_ranges(static_cast<std::int64_t>(cells), 4096, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c != end; ++c)
        if (start[c + 1] - start[c] > 1) std::sort(order + start[c], order + start[c + 1]);
    });
  }

  // On the GPU a stable sort by cell gives the same order as counting one particle after the other.
  void build_by_stable_sort(const BuildInput& input, std::size_t cells) {
    const auto n = static_cast<std::size_t>(count_);
    index_.resize(n);
    fill_iota(device_, index_.data(), n);
    parallel_for(device_, "count cells", count_,
                 CountCells{grid_, input.positions, cell_.data(), nullptr, cell_start_.data()});
    exclusive_scan(device_, cell_start_.data(), cell_start_.data(), cells + 1, scratch_);
    const int bits = std::bit_width(cells - 1);
    sort_pairs(device_, cell_.data(), place_.data(), index_.data(), order_.data(), n, bits, scratch_);
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
  ScratchMemory& scratch_ = memory_.make();
};

SearchMemory hoetzlein_memory(const SearchSettings& settings, const SearchLoad& load) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const double n = double(load.particles);
  const bool sorts = settings.deterministic && load.device.is_cuda();
  const double counted = 3 * word * n;                                                    // cell, place, order
  const double sorted = sorts ? word * n + sort_memory(load.device, load.particles) : 0;  // index
  const double per_cell = word + (settings.static_sources ? sizeof(std::uint8_t) : 0);
  return {counted + sorted + per_cell * count_table_cells(settings, fastest_cells(settings, load.h), load)};
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
