#include "neighbors/lists/csr_list.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>

#include "neighbors/lists/count_neighbors.h"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

struct WritePairs {
  const std::uint64_t* start;
  std::uint64_t* end_of;  ///< (particles) out
  std::uint32_t* pairs;   ///< out

  struct State {
    std::uint64_t next;
  };
  RIFFLE_HD State begin(int i) const { return {start[i]}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float) const {
    pairs[state.next++] = static_cast<std::uint32_t>(j);
  }
  RIFFLE_HD void end(State& state, int i) const { end_of[i] = state.next; }
};

/// Lists the rows of consecutive particles, one after the other, in `row`. For one thread.
struct CollectRows {
  std::vector<std::uint32_t>* row;
  std::uint64_t* start;   ///< (particles) out, within `row`
  std::uint64_t* end_of;  ///< (particles) out, within `row`

  struct State {};
  State begin(int i) const {
    start[i] = row->size();
    return {};
  }
  void neighbor(State&, int, int j, Vec3, float) const { row->push_back(static_cast<std::uint32_t>(j)); }
  void end(State&, int i) const { end_of[i] = row->size(); }
};

}  // namespace

void grow_csr_entries(Buffer<std::uint32_t>& entries, std::uint64_t pairs) {
  const std::uint64_t whole = (pairs + kCsrBatch - 1) / kCsrBatch * kCsrBatch;  // rows are read in batches
  if (whole <= entries.size()) return;
  entries.resize(static_cast<std::size_t>(whole + whole / 8 / kCsrBatch * kCsrBatch));
  entries.fill_zero();  // a batch may reach past the last row
}

CsrList::CsrList(const Device& device) : device_(device) {}

double CsrList::estimate(const SearchLoad& load) {
  constexpr std::size_t per_particle = 3 * sizeof(std::uint64_t);  // start, end, count
  constexpr double growth = 1 + 1.0 / 8;
  return double(load.particles) * (per_particle + growth * sizeof(std::uint32_t) * load.neighbors);
}

void CsrList::build(const NeighborSearch& search, const Vec4* positions) {
  const auto n = static_cast<std::size_t>(search.count());
  start_.resize(n + 1);
  end_.resize(n);
  const auto* grid = std::get_if<GridView>(&search.method_view());
  if (device_.is_cpu() && grid && !grid->lap)
    build_in_one_pass(search, *grid, positions);
  else
    build_in_two_passes(search, positions);
}

void CsrList::build_in_two_passes(const NeighborSearch& search, const Vec4* positions) {
  const auto n = static_cast<std::size_t>(search.count());
  const float h = search.build_radius();
  count_.resize(n + 1);
  count_.fill_zero();
  for_each_neighbor(search, "count pairs", positions, h, CountNeighbors<std::uint64_t>{count_.data()});
  exclusive_scan(device_, count_.data(), start_.data(), n + 1, scratch_);
  std::uint64_t pairs = 0;
  copy_to_host(device_, &pairs, start_.data() + n, sizeof pairs);
  grow_csr_entries(neighbor_, pairs);
  for_each_neighbor(search, "write pairs", positions, h, WritePairs{start_.data(), end_.data(), neighbor_.data()});
}

// The candidate test takes most of the time, so it runs only once: a chunk of particles is listed in a thread's own
// memory, and then gets a place behind the earlier ones. The place depends on thread timing; the contents do not.
void CsrList::build_in_one_pass(const NeighborSearch& search, const GridView& grid, const Vec4* positions) {
  constexpr int chunk = 1024;
  const int n = search.count();
  const float h = search.build_radius();
  const NeighborQuery query{positions, positions, n, h * h, search.wrap(), true};
  tbb::enumerable_thread_specific<std::vector<std::uint32_t>> rows;
  for (;;) {
    std::atomic<std::uint64_t> listed{0};
    tbb::parallel_for(0, (n + chunk - 1) / chunk, [&](int c) {
      std::vector<std::uint32_t>& row = rows.local();
      row.clear();
      const int first = c * chunk, last = n - first < chunk ? n : first + chunk;
      const CollectRows collect{&row, start_.data(), end_.data()};
      visit_grid_neighbors_cpu(grid, query, HitFunctor(collect, query.h2), first, last);
      const std::uint64_t place = listed.fetch_add(row.size());
      if (place + row.size() > neighbor_.size()) return;  // counts on, and repeats with room for all
      std::copy(row.begin(), row.end(), neighbor_.data() + place);
      for (int i = first; i < last; ++i) {
        start_.data()[i] += place;
        end_.data()[i] += place;
      }
    });
    const std::uint64_t whole = (listed + kCsrBatch - 1) / kCsrBatch * kCsrBatch;
    if (whole <= neighbor_.size()) return;
    grow_csr_entries(neighbor_, listed);
  }
}

}  // namespace riffle
