#include "neighbors/lists/neighbor_list.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/text/log_write.h"
#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/neighbor_search.h"

namespace riffle {

namespace {

constexpr int kFirstWidth = 40;

int width_for(std::uint32_t longest) { return static_cast<int>((longest + longest / 8 + 7) / 8 * 8); }

}  // namespace

double NeighborList::estimate(const SearchLoad& load) {
  constexpr double longest = 1.25;  // longest list of a dense fluid, in mean lengths
  const double expected = std::min(longest * load.neighbors, 2.0 * NeighborSearch::kMaxListWidth);
  const int width = std::max(kFirstWidth, width_for(static_cast<std::uint32_t>(expected)));
  const int kept = width > NeighborSearch::kMaxListWidth ? 0 : width;  // longer lists are given up
  return double(load.particles) * sizeof(std::uint32_t) * (kept + 1);  // and their lengths
}

#if RIFFLE_WITH_CUDA

namespace {

inline constexpr int kListBlock = 128;
inline constexpr int kBatch = 4;  ///< candidates loaded before the first is tested, so that their latencies overlap

/// Bit k is set if candidate first + k is within h, for k < count <= 32.
template <bool Periodic>
__device__ std::uint32_t test_candidates(const NeighborQuery& query, Vec3 x_i, std::uint32_t first, int count) {
  // A compile-time constant, so that no candidate tests whether to wrap.
  const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};
  const auto within = [&](const Vec4& x_j) { return test_pair(x_i, xyz(x_j), wrap, query.h2).near(); };
  const Vec4* x = query.sources + first;
  std::uint32_t mask = 0;
  // The last batch may read past the row's end; its surplus bits are dropped. It may not read past the array's end.
  if (first + 32 + kBatch <= static_cast<std::uint32_t>(query.query_count)) {
    for (int k = 0; k < count; k += kBatch) {
      Vec4 x_j[kBatch];
      std::uint32_t bits = 0;
      RIFFLE_UNROLL
      for (int b = 0; b < kBatch; ++b) x_j[b] = x[k + b];
      RIFFLE_UNROLL
      for (int b = 0; b < kBatch; ++b)
        if (within(x_j[b])) bits |= 1u << b;
      mask |= bits << k;
    }
    return count < 32 ? mask & ((1u << count) - 1) : mask;
  }
  for (int k = 0; k < count; ++k)
    if (within(x[k])) mask |= 1u << k;
  return mask;
}

/// One thread per particle. Candidates are tested without a branch, 32 to a mask; then only the hits are processed.
/// They collect in the thread's column of shared memory and leave it row by row: if written directly to the list, the
/// lanes of a warp, each at its own length, would touch 32 cache lines per store. The particle itself also passes the
/// test and is dropped on output: one comparison per hit instead of one per candidate.
template <bool Periodic>
__global__ void __launch_bounds__(kListBlock)
    list_build_kernel(GridView view, NeighborQuery query, std::uint32_t* entries, std::uint32_t* counts, int width,
                      std::uint32_t* longest) {
  extern __shared__ std::uint32_t hits[];
  const int t = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * kListBlock + t;
  if (i >= query.query_count) return;
  const Vec3 x_i = xyz(query.queries[i]);
  int count = 0;
  const Vec3 u = view.grid.coordinates(x_i);
  for_each_range<false>(view, {u, u}, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
    for (std::uint32_t first = begin; first < end; first += 32) {
      const int candidates = static_cast<int>(end - first < 32 ? end - first : 32);
      for (std::uint32_t mask = test_candidates<Periodic>(query, x_i, first, candidates); mask != 0; mask &= mask - 1) {
        if (count <= width)
          hits[count * kListBlock + t] = first + static_cast<std::uint32_t>(__ffs(static_cast<int>(mask)) - 1);
        ++count;
      }
    }
  });
  --count;  // itself; a particle at NaN is within h of nothing, not even of itself
  if (count < 0) count = 0;
  counts[i] = static_cast<std::uint32_t>(count);
  // Reading first keeps all but a few warps from writing to the one address.
  if (static_cast<std::uint32_t>(count) > *longest) atomicMax(longest, static_cast<std::uint32_t>(count));
  if (count > width) return;
  std::uint32_t* entry = entries + ListView::entry(i, 0, width);
  for (int k = 0, next = 0; next < count; ++k) {
    const std::uint32_t j = hits[k * kListBlock + t];
    if (static_cast<int>(j) == i) continue;
    entry[next * 32] = j;
    ++next;
  }
}

}  // namespace

NeighborList::NeighborList(const Device& device) : device_(device), longest_known_(device) { longest_.resize(1); }

void NeighborList::resize(int width, int particles) {
  width_ = width;
  entries_.resize(static_cast<std::size_t>((particles + 31) / 32) * 32 * static_cast<std::size_t>(width));
  count_.resize(static_cast<std::size_t>(particles));
}

void NeighborList::give_up() {
  width_ = -1;
  entries_.release();
}

void NeighborList::launch(const GridView& grid, const NeighborQuery& query) {
  longest_.fill_zero();
  const int blocks = (query.query_count + kListBlock - 1) / kListBlock;
  const std::size_t shared = static_cast<std::size_t>(width_ + 1) * kListBlock * sizeof(std::uint32_t);
  const auto kernel = query.wrap.any ? list_build_kernel<true> : list_build_kernel<false>;
  kernel<<<blocks, kListBlock, shared, cuda_stream(device_)>>>(grid, query, entries_.data(), count_.data(), width_,
                                                               longest_.data());
  check_launch("list neighbours", __FILE__, __LINE__);
}

bool NeighborList::build(const GridView& grid, const NeighborQuery& query) {
  if (width_ < 0) return false;
  try {
    return build_lists(grid, query);
  } catch (const Unavailable& shortage) {
    log::write(log::Level::Warning,
               std::string("neighbour lists are given up, the grid is searched instead: ") + shortage.what());
    give_up();
    return false;
  }
}

bool NeighborList::build_lists(const GridView& grid, const NeighborQuery& query) {
  const bool first = width_ == 0;
  if (!first) {
    const std::uint32_t longest = longest_known_.latest();
    const int wanted = width_for(longest);
    if (longest > static_cast<std::uint32_t>(width_) && wanted > width_) {
      if (wanted > NeighborSearch::kMaxListWidth)
        give_up();
      else
        resize(wanted, query.query_count);
    }
  }
  if (width_ < 0) return false;
  resize(first ? kFirstWidth : width_, query.query_count);
  launch(grid, query);
  if (first) {
    const std::uint32_t longest = longest_.to_host()[0];
    const int wanted = width_for(longest);
    if (wanted > NeighborSearch::kMaxListWidth) {
      give_up();
      return false;
    }
    if (wanted > width_) {
      resize(wanted, query.query_count);
      launch(grid, query);
    }
    return true;
  }
  longest_known_.request(longest_.data());
  return true;
}

#else

NeighborList::NeighborList(const Device& device) : device_(device), longest_known_(device) {}
bool NeighborList::build(const GridView&, const NeighborQuery&) { return false; }

#endif

}  // namespace riffle
