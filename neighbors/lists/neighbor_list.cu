#include "neighbors/lists/neighbor_list.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/device/atomic.h"
#include "core/device/memory.h"
#include "core/device/parallel.cuh"
#include "core/error.h"
#include "core/text/log_write.h"
#include "neighbors/lists/list_build.cuh"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

constexpr int kFirstWidth = 40;

}  // namespace

double NeighborList::estimate(const SearchLoad& load) {
  constexpr double longest = 1.15;  // longest list of a dense fluid, in mean lengths
  const int width = std::max(kFirstWidth, width_for(static_cast<std::uint32_t>(longest * load.neighbors)));
  return double(load.particles) * sizeof(std::uint32_t) * (width + 1);  // and their lengths
}

#if RIFFLE_WITH_CUDA

namespace {

/// Lists grow when more than 1 / kListsPerOverflow of the particles have more neighbours than a list holds.
inline constexpr int kListsPerOverflow = 4000;

/// One thread per particle.
template <bool Periodic>
__global__ void __launch_bounds__(kListBlock)
    list_build_kernel(GridView view, NeighborQuery query, ListQuad* quads, std::uint32_t* counts, int width,
                      ListPool pool, ListCounters* counters) {
  await_earlier_kernels();
  __shared__ std::uint32_t ring[kRing * kListBlock];
  const int i = static_cast<int>(blockIdx.x) * kListBlock + static_cast<int>(threadIdx.x);
  if (i >= query.query_count) return;
  write_list<Periodic, true>(view, query, static_cast<std::uint32_t>(query.query_count) - 1, i, i, ring + threadIdx.x,
                             quads, counts, width, pool, counters, MarkNothing{});
}

/// The same by any search's own traversal.
struct ListEntries {
  ListQuad* quads;
  std::uint32_t* counts;
  int width;
  ListCounters* counters;

  struct State {
    int count;
    std::uint32_t a, b, c, d;  ///< the last four hits, d the newest
  };
  RIFFLE_HD State begin(int) const { return {0, 0, 0, 0, 0}; }
  RIFFLE_HD void neighbor(State& s, int i, int j, Vec3, float) const {
    s.a = s.b, s.b = s.c, s.c = s.d, s.d = static_cast<std::uint32_t>(j);
    ++s.count;
    if ((s.count & 3) == 0 && s.count <= width) quads[ListView::quad(i, s.count - 4, width)] = {{s.a, s.b, s.c, s.d}};
  }
  RIFFLE_HD void end(State& s, int i) const {
    const auto count = static_cast<std::uint32_t>(s.count);
    counts[i] = count;
    if (count > counters->longest) atomic_max(&counters->longest, count);
    if (s.count > width) return;
    const int rest = s.count & 3;
    if (rest == 0) return;
    quads[ListView::quad(i, s.count - rest, width)] = rest == 1   ? ListQuad{{s.d, s.d, s.d, s.d}}
                                                      : rest == 2 ? ListQuad{{s.c, s.d, s.d, s.d}}
                                                                  : ListQuad{{s.b, s.c, s.d, s.d}};
  }
};

/// Numbers of lists by their length; the last bin holds all longer ones.
struct CountLengths {
  static constexpr std::uint32_t kBins = 2048;
  const std::uint32_t* count;
  std::uint32_t* lists;  ///< (kBins) out

  RIFFLE_HD void operator()(std::int64_t i) const { atomic_add(&lists[count[i] < kBins ? count[i] : kBins - 1], 1u); }
};

}  // namespace

int fitting_list_width(const Device& device, const std::uint32_t* counts, int lists, std::uint32_t longest,
                       int per_overflow) {
  Buffer<std::uint32_t> numbers(device, CountLengths::kBins);
  numbers.fill_zero();
  parallel_for(device, "count lengths", lists, CountLengths{counts, numbers.data()});
  const std::vector<std::uint32_t> of_length = numbers.to_host();
  // The length that all lists but a few have at most, and the longest: if that is not much longer, all lists fit.
  std::uint32_t longer = 0, most = CountLengths::kBins - 1;
  while (most > 0 && longer + of_length[most] <= static_cast<std::uint32_t>(lists) / (2 * per_overflow))
    longer += of_length[most--];
  return width_for(longest <= most + most / 2 ? longest : most);
}

NeighborList::NeighborList(const Device& device) : device_(device), crowding_known_(device) {
  counters_.resize(sizeof(ListCounters) / sizeof(std::uint32_t));
}

void NeighborList::resize(int width, int particles) {
  require_list_memory(device_, quads_.bytes(), width, particles, particles);
  const std::size_t quads = ListView::quads_of(particles, width);
  width_ = width;
  quads_.resize(quads);
  count_.resize(static_cast<std::size_t>(particles));
}

void NeighborList::launch(const GridView& grid, const NeighborQuery& query, std::uint32_t few) {
  counters_.fill_zero();
  pool_.resize(std::max({kLeastPool, least_pool_, quads_.size() / kPoolShare}));
  const ListPool pool{pool_.data(), static_cast<std::uint32_t>(pool_.size()), few};
  const int blocks = (query.query_count + kListBlock - 1) / kListBlock;
  const auto kernel = query.wrap.any ? list_build_kernel<true> : list_build_kernel<false>;
  launch_kernel(device_, "list neighbours", kernel, static_cast<unsigned>(blocks), kListBlock, 0, grid, query,
                quads_.data(), count_.data(), width_, pool, reinterpret_cast<ListCounters*>(counters_.data()));
}

ListCounters NeighborList::counters() const {
  ListCounters counters;
  copy_to_host(device_, &counters, counters_.data(), sizeof counters);
  return counters;
}

bool NeighborList::build(const GridView& grid, const NeighborQuery& query, bool exact) {
  return if_memory_suffices([&] {
    build_lists(grid, query, exact);
    return true;
  });
}

bool NeighborList::build(const NeighborSearch& search, const Vec4* positions) {
  return if_memory_suffices([&] { return build_lists(search, positions); });
}

template <class Make>
bool NeighborList::if_memory_suffices(const Make& make) {
  if (short_of_memory_) return false;
  try {
    return make();
  } catch (const Unavailable& shortage) {
    log::write(log::Level::Warning,
               std::string("neighbour lists are given up, every pass searches instead: ") + shortage.what());
    short_of_memory_ = true;
    width_ = 0;
    quads_.release();
    pool_.release();
    return false;
  }
}

void NeighborList::build_lists(const GridView& grid, const NeighborQuery& query, bool exact) {
  const auto few = static_cast<std::uint32_t>(query.query_count / kListsPerOverflow);
  const bool first = width_ == 0;
  const bool crowded = ++builds_ >= next_look_ && crowding_known_.latest() > few;
  resize(std::max(width_, kFirstWidth), query.query_count);
  launch(grid, query, few);
  if (first || crowded || exact) {
    ListCounters now = counters();
    const bool too_many = now.crowding > few && builds_ >= next_look_;
    const bool looks = first || crowded || too_many || now.left_out > 0;
    const int wanted = looks && now.overflowing > 0 ? fitting_width(query.query_count, now.longest) : 0;
    if (wanted > width_) {
      resize(wanted, query.query_count);
      launch(grid, query, few);
      if (exact) now = counters();
    } else if (looks && now.crowding > few) {
      next_look_ = builds_ + kBuildsBetweenLooks;
    }
    for (; exact && now.left_out > 0; now = counters()) {
      least_pool_ = twice_the_pool(pool_.size());
      launch(grid, query, few);
    }
    crowding_known_.forget();
  }
  if (exact || builds_ % kBuildsBetweenRequests != 1) return;
  crowding_known_.request(counters_.data() + offsetof(ListCounters, crowding) / sizeof(std::uint32_t));
}

// No traversal can take over for single particles here, so all lists fit or there are none.
bool NeighborList::build_lists(const NeighborSearch& search, const Vec4* positions) {
  const int n = search.count();
  for (;;) {
    resize(std::max(width_, kFirstWidth), n);
    counters_.fill_zero();
    for_each_neighbor(
        search, "list neighbours", positions, search.build_radius(),
        ListEntries{quads_.data(), count_.data(), width_, reinterpret_cast<ListCounters*>(counters_.data())});
    const std::uint32_t longest = counters().longest;
    if (longest <= static_cast<std::uint32_t>(width_)) return true;
    const int wanted = width_for(longest);
    if (wanted > fitting_width(n, longest)) return false;
    width_ = wanted;
  }
}

int NeighborList::fitting_width(int particles, std::uint32_t longest) {
  return fitting_list_width(device_, count_.data(), particles, longest, kListsPerOverflow);
}

void NeighborList::forget() {
  crowding_known_.forget();
  next_look_ = 0;
  least_pool_ = 0;
  short_of_memory_ = false;
}

ListStats NeighborList::stats() const {
  if (width_ == 0) return {};
  const ListCounters now = counters();
  return {.width = width_, .longest = now.longest, .overflowing = now.overflowing, .searching = now.left_out};
}

#else

NeighborList::NeighborList(const Device& device) : device_(device), crowding_known_(device) {}
bool NeighborList::build(const GridView&, const NeighborQuery&, bool) { return false; }
bool NeighborList::build(const NeighborSearch&, const Vec4*) { return false; }
void NeighborList::forget() {}
ListStats NeighborList::stats() const { return {}; }

#endif

}  // namespace riffle
