#include "support/visit_neighbors.h"

#include <type_traits>

#include "core/device/atomic.h"
#include "neighbors/traverse.cuh"
#include "support/recorded_visits.h"

namespace riffle::test {

namespace {

struct CountNeighbors {
  std::uint32_t* count;  ///< (queries) out
  std::uint32_t* begun;  ///< (queries) in and out
  std::uint32_t* ended;  ///< (queries) in and out

  struct State {
    std::uint32_t count;
  };
  RIFFLE_HD State begin(int i) const {
    ++begun[i];
    return {0};
  }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float) const { ++state.count; }
  RIFFLE_HD void end(State& state, int i) const {
    count[i] = state.count;
    ++ended[i];
  }
};

struct RecordNeighbors {
  const Vec4* sources;
  const std::uint32_t* start;  ///< (queries + 1)
  std::uint32_t* index;        ///< (pairs) out
  Vec4* separation;            ///< (pairs) out: r_ij, r2
  std::uint32_t* faults;       ///< (1) visits beyond the counted ones, or with the source of another particle

  struct State {
    std::uint32_t next;
  };
  struct Source {
    int j;
    float x, y, z;
  };
  RIFFLE_HD State begin(int i) const { return {start[i]}; }
  RIFFLE_HD Source fetch(int j, Vec4 x_j) const { return {j, x_j.x, x_j.y, x_j.z}; }
  RIFFLE_HD void neighbor(State& state, int i, int j, Vec3 r_ij, float r2, const Source& source) const {
    const Vec4 x_j = sources[j];
    const bool own = source.j == j && source.x == x_j.x && source.y == x_j.y && source.z == x_j.z;
    if (!own || state.next >= start[i + 1]) {
      atomic_add(faults, 1);
      return;
    }
    index[state.next] = static_cast<std::uint32_t>(j);
    separation[state.next] = make_vec4(r_ij, r2);
    ++state.next;
  }
  RIFFLE_HD void end(State& state, int i) const {
    if (state.next != start[i + 1]) atomic_add(faults, 1);
  }
};

struct UnknownView {};

/// A new method's view compiles only once both traversals have an overload for it: none accepts it in place of another
/// view, as brute force would.
template <class View>
constexpr bool kHasTraversals =
    std::is_invocable_v<VisitOwn<CountNeighbors>, View>&& std::is_invocable_v<VisitFromElsewhere<CountNeighbors>, View>;
template <class View>
constexpr bool kHasSomeTraversal = std::is_invocable_v<VisitOwn<CountNeighbors>, View> ||
                                   std::is_invocable_v<VisitFromElsewhere<CountNeighbors>, View>;
static_assert(kHasTraversals<GridView> && kHasTraversals<BruteForceView>);
static_assert(!kHasSomeTraversal<UnknownView>);

/// traverse(name, functor)
template <class Traverse>
Visits record(const Device& device, const Vec4* sources, int query_count, const Traverse& traverse) {
  return recorded_visits(
      device, query_count,
      [&](std::uint32_t* count, std::uint32_t* begun, std::uint32_t* ended) {
        traverse("count", CountNeighbors{count, begun, ended});
      },
      [&](const std::uint32_t* start, std::uint32_t* index, Vec4* separation, std::uint32_t* faults) {
        traverse("record", RecordNeighbors{sources, start, index, separation, faults});
      });
}

}  // namespace

Visits visit_neighbors(const NeighborSearch& search, const Vec4* positions, float h) {
  return record(search.device(), positions, search.count(),
                [&](const char* name, const auto& functor) { for_each_neighbor(search, name, positions, h, functor); });
}

Visits visit_neighbors_of(const NeighborSearch& search, const Vec4* sources, const Vec4* queries, int query_count,
                          float h) {
  return record(search.device(), sources, query_count, [&](const char* name, const auto& functor) {
    for_each_neighbor_of(search, name, sources, queries, query_count, h, functor);
  });
}

Visits visit_rows(const Device& device, const RowView& rows, const Vec4* sources, const Vec4* queries, int query_count,
                  const PeriodicWrap& wrap, float h) {
  return record(device, sources, query_count, [&](const char* name, const auto& functor) {
    traverse_rows(device, name, rows, {sources, queries, query_count, h * h, wrap, false}, functor);
  });
}

}  // namespace riffle::test
