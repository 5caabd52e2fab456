#include "neighbors/lists/row_lists.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/device/memory.h"
#include "core/error.h"
#include "core/text/log_write.h"
#include "neighbors/lists/list_build.cuh"

namespace riffle {

RowLists::RowLists(const Device& device) : device_(device), rows_known_(device), crowding_known_(device) {}

namespace {

constexpr int kFirstRowWidth = 24;
constexpr std::uint32_t kLeastRows = 1024;

}  // namespace

double RowLists::estimate(double queries, double rows, double longest) {
  const double width = std::max(kFirstRowWidth, width_for(static_cast<std::uint32_t>(longest)));
  const double capacity = std::min(queries, std::max(1.25 * rows, double{kLeastRows}));
  const double quads = capacity * width / 4, pool = std::max(double{kLeastPool}, quads / 16);
  return (quads + pool) * sizeof(ListQuad) + (capacity + queries) * sizeof(std::uint32_t);
}

#if RIFFLE_WITH_CUDA

struct RowCounters {
  ListCounters lists;
  std::uint32_t rows;  ///< chosen queries
};

namespace {

/// Lists grow when more than 1 / kRowsPerOverflow of the rows are longer.
inline constexpr int kRowsPerOverflow = 500;

/// Appends i to the rows if `chosen`. All threads of a warp call it.
__device__ __forceinline__ void append(bool chosen, int i, std::uint32_t* query, std::uint32_t* rows) {
  const unsigned mask = __ballot_sync(0xffffffffu, chosen);
  if (mask == 0) return;
  const unsigned lane = threadIdx.x & 31;
  std::uint32_t first = 0;
  if (lane == 0) first = atomicAdd(rows, static_cast<std::uint32_t>(__popc(mask)));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (chosen)
    query[first + static_cast<std::uint32_t>(__popc(mask & ((1u << lane) - 1)))] = static_cast<std::uint32_t>(i);
}

__global__ void __launch_bounds__(kListBlock)
    choose_near_kernel(GridView sources, const Vec4* queries, int count, std::uint32_t* query, std::uint32_t* rows) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kListBlock + static_cast<int>(threadIdx.x);
  append(i < count && !nothing_near(sources, xyz(queries[i < count ? i : 0])), i, query, rows);
}

__global__ void __launch_bounds__(kListBlock)
    choose_marked_kernel(std::uint8_t* marks, int count, std::uint32_t* query, std::uint32_t* rows) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kListBlock + static_cast<int>(threadIdx.x);
  const bool marked = i < count && marks[i] != 0;
  if (marked) marks[i] = 0;
  append(marked, i, query, rows);
}

/// Threads that work on one list together.
inline constexpr int kListThreads = 8;
/// With more rows than this, one thread for each list keeps the chip busy and takes fewer instructions.
inline constexpr int kMostShared = 150000;

/// The ranges of candidates in one row of cells: the second one where the row passes a periodic face.
struct CandidateRanges {
  std::uint32_t begin[2] = {0, 0}, end[2] = {0, 0};
};

/// Row number k of those that may hold a neighbour of a point at u, in the order of for_each_range().
__device__ __forceinline__ CandidateRanges candidate_ranges(const GridView& view, const CellSpan& span_y,
                                                            const CellSpan& span_z, Vec3 u, int k) {
  const Grid& grid = view.grid;
  CandidateRanges ranges;
  const int z = span_z.first + k / span_y.count, y = span_y.first + k % span_y.count;
  const float dz = grid.cell.z * slab_distance(span_z, z, u.z, u.z, grid.margin.z);
  const float dy = grid.cell.y * slab_distance(span_y, y, u.y, u.y, grid.margin.y);
  const float rest = grid.radius2 - dz * dz - dy * dy;
  if (!(rest > 0)) return ranges;
  const CellSpan span =
      neighbor_span(u.x, u.x, quick_sqrt(rest) * grid.inverse_cell.x + grid.margin.x, grid.size.x, grid.periodic_x);
  const std::int64_t r = static_cast<int>(grid.row(wrapped(y, grid.size.y), wrapped(z, grid.size.z)));
  int first = wrapped(span.first, grid.size.x), remaining = span.count;
  for (int piece = 0; remaining > 0 && piece < 2; ++piece) {
    const int here = remaining < grid.size.x - first ? remaining : grid.size.x - first;
    visit_cells<false>(view, r, first, here, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
      ranges.begin[piece] = begin;
      ranges.end[piece] = end;
    });
    remaining -= here;
    first = 0;
  }
  return ranges;
}

/// list_particle() by kListThreads threads: each finds the candidates of other rows of cells, and tests other candidates of one.
/// The entries and their order are the same. @return the number of all neighbours, for every lane
template <bool Periodic, class Mark>
__device__ __forceinline__ int list_together(const GridView& view, const NeighborQuery& query, int i, ListQuad* quads,
                                             int stride, int room, const Mark& mark) {
  const unsigned lane = threadIdx.x & (kListThreads - 1);
  const unsigned group = ((1u << kListThreads) - 1) << (threadIdx.x & 31 & ~(kListThreads - 1u));
  const unsigned before = group & ((1u << (threadIdx.x & 31)) - 1);
  const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};
  const Vec3 x_i = xyz(query.queries[i]), u = view.grid.coordinates(x_i);
  const CellSpan span_y = neighbor_span(u.y, u.y, view.grid.reach.y, view.grid.size.y, view.grid.periodic_y);
  const CellSpan span_z = neighbor_span(u.z, u.z, view.grid.reach.z, view.grid.size.z, view.grid.periodic_z);
  const int cell_rows = span_y.count * span_z.count;
  int count = 0;
  for (int base = 0; base < cell_rows; base += kListThreads) {
    CandidateRanges mine;
    if (base + static_cast<int>(lane) < cell_rows)
      mine = candidate_ranges(view, span_y, span_z, u, base + static_cast<int>(lane));
    const bool any = mine.begin[0] < mine.end[0] || mine.begin[1] < mine.end[1];
    unsigned pending = __ballot_sync(group, any) & group;
    while (pending != 0) {
      const int owner = __ffs(static_cast<int>(pending)) - 1;
      pending &= pending - 1;
      RIFFLE_UNROLL
      for (int piece = 0; piece < (Periodic ? 2 : 1); ++piece) {
        const std::uint32_t begin = __shfl_sync(group, mine.begin[piece], owner);
        const std::uint32_t end = __shfl_sync(group, mine.end[piece], owner);
        for (std::uint32_t first = begin; first < end; first += kListThreads) {
          const std::uint32_t j = first + lane;
          const bool hit = j < end && test_pair(x_i, xyz(query.sources[j < end ? j : begin]), wrap, query.h2).near();
          const unsigned hits = __ballot_sync(group, hit) & group;
          const int k = count + __popc(hits & before);
          if (hit) {
            mark(j);
            if (k < room) quads[k / 4 * stride].j[k & 3] = j;
          }
          count += __popc(hits);
        }
      }
    }
  }
  return count;
}

/// One list for each kListThreads threads, or for each thread; rows beyond the launch's threads in turns. Rows from `capacity` on
/// have no list, but their marks.
template <bool Periodic, bool Together, class Mark>
__global__ void __launch_bounds__(kListBlock)
    row_lists_kernel(GridView view, NeighborQuery query, std::uint32_t last, const std::uint32_t* row_query,
                     RowCounters* counters, std::uint32_t capacity, ListQuad* quads, std::uint32_t* counts, int width,
                     ListPool pool, Mark mark) {
  await_earlier_kernels();
  const std::uint32_t all = counters->rows;
  if constexpr (Together) {
    const std::uint32_t thread = blockIdx.x * kListBlock + threadIdx.x, lists = gridDim.x * (kListBlock / kListThreads);
    const unsigned group = ((1u << kListThreads) - 1) << (threadIdx.x & 31 & ~(kListThreads - 1u));
    const bool leads = (threadIdx.x & (kListThreads - 1)) == 0;
    for (std::uint32_t r = thread / kListThreads; r < all; r += lists) {
      const int i = static_cast<int>(row_query[r]);
      ListQuad* const row = r < capacity ? quads + ListView::quad(static_cast<int>(r), 0, width) : nullptr;
      const int count = list_together<Periodic>(view, query, i, row, 32, row ? width : 0, mark);
      if (!row) continue;
      if (count > width) {
        std::uint32_t place = ListView::kNoPlace;
        if (leads) row->j[0] = place = place_in_pool(pool, counters->lists, count);
        place = __shfl_sync(group, place, static_cast<int>(threadIdx.x & 31 & ~(kListThreads - 1u)));
        if (place != ListView::kNoPlace)
          list_together<Periodic>(view, query, i, pool.quads + place, 1, count, MarkNothing{});
      }
      if (!leads) continue;
      counts[r] = static_cast<std::uint32_t>(count);
      if (static_cast<std::uint32_t>(count) > counters->lists.longest)
        atomicMax(&counters->lists.longest, static_cast<std::uint32_t>(count));
    }
  } else {
    __shared__ std::uint32_t ring[kRing * kListBlock];
    for (std::uint32_t r = blockIdx.x * kListBlock + threadIdx.x; r < all; r += gridDim.x * kListBlock) {
      const int i = static_cast<int>(row_query[r]);
      if (r < capacity)
        write_list<Periodic, false>(view, query, last, i, static_cast<int>(r), ring + threadIdx.x, quads, counts, width,
                                    pool, &counters->lists, mark);
      else
        list_particle<Periodic, false>(view, query, last, i, ring + threadIdx.x, nullptr, 0, 0, mark);
    }
  }
}

}  // namespace

void RowLists::begin(int count) {
  queries_ = count;
  query_.resize(static_cast<std::size_t>(count));
  static_assert(sizeof(RowCounters) % sizeof(std::uint32_t) == 0);
  counters_.resize(sizeof(RowCounters) / sizeof(std::uint32_t));
  counters_.fill_zero();
}

const std::uint32_t* RowLists::rows() const {
  return counters_.data() + offsetof(RowCounters, rows) / sizeof(std::uint32_t);
}

void RowLists::choose(const GridView& sources, const Vec4* queries, int count) {
  begin(count);
  const int blocks = (count + kListBlock - 1) / kListBlock;
  launch_kernel(device_, "choose rows", choose_near_kernel, static_cast<unsigned>(blocks), kListBlock, 0, sources,
                queries, count, query_.data(), &reinterpret_cast<RowCounters*>(counters_.data())->rows);
}

void RowLists::choose(std::uint8_t* marks, int count) {
  begin(count);
  const int blocks = (count + kListBlock - 1) / kListBlock;
  launch_kernel(device_, "choose rows", choose_marked_kernel, static_cast<unsigned>(blocks), kListBlock, 0, marks,
                count, query_.data(), &reinterpret_cast<RowCounters*>(counters_.data())->rows);
}

RowCounters RowLists::counters() const {
  RowCounters counters;
  copy_to_host(device_, &counters, counters_.data(), sizeof counters);
  return counters;
}

void RowLists::resize(int width, std::uint32_t rows) {
  const std::uint32_t room = std::min(std::max(rows + rows / 4, kLeastRows), static_cast<std::uint32_t>(queries_));
  const int capacity = static_cast<int>(static_cast<std::uint32_t>(capacity_) < rows ? room : capacity_);
  require_list_memory(device_, quads_.bytes(), width, capacity, queries_);
  const std::size_t quads = ListView::quads_of(capacity, width);
  quads_.resize(quads);
  pool_.resize(std::max({kLeastPool, least_pool_, quads / kPoolShare * 16}));
  count_.resize(static_cast<std::size_t>(capacity));
  width_ = width;
  capacity_ = capacity;
}

void RowLists::launch(const GridView& grid, const NeighborQuery& query, int sources, std::uint8_t* marks) {
  const ListPool pool{pool_.data(), static_cast<std::uint32_t>(pool_.size()),
                      static_cast<std::uint32_t>(capacity_ / kRowsPerOverflow)};
  const bool together = launched_ <= kMostShared;
  const int threads = together ? kListThreads * launched_ : launched_;
  const int blocks = std::max(1, (threads + kListBlock - 1) / kListBlock);
  const auto run = [&](auto kernel, auto mark) {
    launch_kernel(device_, "list rows", kernel, static_cast<unsigned>(blocks), kListBlock, 0, grid, query,
                  static_cast<std::uint32_t>(sources) - 1, query_.data(),
                  reinterpret_cast<RowCounters*>(counters_.data()), static_cast<std::uint32_t>(capacity_),
                  quads_.data(), count_.data(), width_, pool, mark);
  };
  const auto choose_kernel = [&]<class Mark>(Mark mark) {
    if (query.wrap.any)
      run(together ? row_lists_kernel<true, true, Mark> : row_lists_kernel<true, false, Mark>, mark);
    else
      run(together ? row_lists_kernel<false, true, Mark> : row_lists_kernel<false, false, Mark>, mark);
  };
  if (marks)
    choose_kernel(MarkSources{marks});
  else
    choose_kernel(MarkNothing{});
}

/// Rows and their width for these queries, then the lists.
void RowLists::fit(const GridView& grid, const NeighborQuery& query, int sources, std::uint8_t* marks, bool exact) {
  const bool first = width_ == 0;
  const auto few = static_cast<std::uint32_t>(capacity_ / kRowsPerOverflow);
  const bool crowded = ++builds_ >= next_look_ && crowding_known_.latest() > few;
  std::uint32_t rows = rows_known_.latest();
  if (first || exact) rows = counters().rows;
  launched_ = std::min(queries_, static_cast<int>(std::max(rows + rows / 4, kLeastRows)));
  resize(std::max(width_, kFirstRowWidth), rows);
  launch(grid, query, sources, marks);
  const auto again = [&] {
    fill_bytes(device_, counters_.data(), 0, offsetof(RowCounters, rows));
    launch(grid, query, sources, marks);
  };
  if (first || crowded || exact) {
    ListCounters now = counters().lists;
    const int listed = std::min(capacity_, static_cast<int>(std::max(rows, 1u)));
    const bool too_many = now.crowding > few && builds_ >= next_look_;
    const bool looks = first || crowded || too_many || now.left_out > 0;
    const int wanted = looks && now.overflowing > 0
                           ? fitting_list_width(device_, count_.data(), listed, now.longest, kRowsPerOverflow)
                           : 0;
    if (wanted > width_) {
      resize(wanted, rows);
      again();
      if (exact) now = counters().lists;
    } else if (looks && (crowded || too_many)) {
      next_look_ = builds_ + kBuildsBetweenLooks;
    }
    for (; exact && now.left_out > 0; now = counters().lists) {
      least_pool_ = twice_the_pool(pool_.size());
      resize(width_, rows);
      again();
    }
    crowding_known_.forget();
  }
  if (exact) return;
  if (builds_ % kBuildsBetweenRequests != 1) return;
  rows_known_.request(this->rows());
  crowding_known_.request(counters_.data() + offsetof(RowCounters, lists.crowding) / sizeof(std::uint32_t));
}

void RowLists::list(const GridView& grid, const NeighborQuery& query, int sources, std::uint8_t* marks, bool exact) {
  if (!short_of_memory_) {
    try {
      fit(grid, query, sources, marks, exact);
    } catch (const Unavailable& shortage) {
      log::write(log::Level::Warning,
                 std::string("neighbour lists of walls are given up, every pass searches instead: ") + shortage.what());
      short_of_memory_ = true;
      width_ = capacity_ = 0;
      quads_.release();
      pool_.release();
    }
  }
  if (short_of_memory_ && marks) {
    launched_ = queries_;
    launch(grid, query, sources, marks);
  }
  view_ = {query_.data(), rows(), capacity_, launched_, {grid, quads_.data(), count_.data(), width_, pool_.data()}};
}

void RowLists::forget() {
  rows_known_.forget();
  crowding_known_.forget();
  next_look_ = 0;
  width_ = 0;
  least_pool_ = 0;
  short_of_memory_ = false;
}

#else

void RowLists::choose(const GridView&, const Vec4*, int) {}
void RowLists::choose(std::uint8_t*, int) {}
void RowLists::list(const GridView&, const NeighborQuery&, int, std::uint8_t*, bool) {}
void RowLists::forget() {}

#endif

}  // namespace riffle
