#pragma once
/// The neighbours of one query, packed for its functor. A traversal on the CPU collects them and calls the functor
/// through a pointer, once for most queries. So each traversal is compiled once, and not again for each functor.

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "neighbors/functor.h"
#include "neighbors/query.h"

namespace riffle {

struct QueryHits;

/// A functor whose type only visit() knows. It refers to the functor and must not outlive it.
struct HitFunctor {
  template <NeighborFunctor F>
  explicit HitFunctor(const F& f);

  const void* functor;
  /// Passes the hits to the functor, and empties them. last: no more hits follow for this query.
  void (*visit)(const void* functor, QueryHits& hits, bool last);
  bool (*wanted)(const void* functor, int i);  ///< nullptr: it wants all queries

  bool wants(int i) const { return !wanted || wanted(functor, i); }
};

/// One task of the thread pool has one of these and uses it for one query after the other.
struct QueryHits {
  static constexpr int kCapacity = 128;
  static constexpr std::size_t kStateBytes = 256;

  QueryHits(const NeighborQuery& query, const HitFunctor& functor) : query(&query), functor(&functor) {}

  void begin(int query_index) { i = query_index; }
  void make_room() { functor->visit(functor->functor, *this, false); }
  void end() { functor->visit(functor->functor, *this, true); }

  void append(int j, Vec3 r_ij, float squared) {
    if (count == kCapacity) [[unlikely]]
      make_room();
    const int n = count++;
    index[n] = j;
    x[n] = r_ij.x;
    y[n] = r_ij.y;
    z[n] = r_ij.z;
    r2[n] = squared;
  }

  /// What `state` holds.
  template <class State>
  State kept() const {
    std::array<std::byte, sizeof(State)> bytes;
    std::memcpy(bytes.data(), state, sizeof(State));
    return std::bit_cast<State>(bytes);
  }

  const NeighborQuery* query;
  const HitFunctor* functor;
  int i = 0;
  bool begun = false;  ///< `state` holds what earlier hits of this query left
  int count = 0;
  alignas(32) int index[kCapacity + 8];
  alignas(32) float x[kCapacity + 8];  ///< r_ij
  alignas(32) float y[kCapacity + 8];
  alignas(32) float z[kCapacity + 8];
  alignas(32) float r2[kCapacity + 8];
  alignas(32) std::byte state[kStateBytes];
};

/// HitFunctor::visit of the functor type F.
template <class F>
void visit_hits(const void* functor, QueryHits& hits, bool last) {
  using State = typename F::State;
  static_assert(sizeof(State) <= QueryHits::kStateBytes && alignof(State) <= 32);
  static_assert(std::is_trivially_copyable_v<State>);
  const F& f = *static_cast<const F*>(functor);
  const Vec4* sources = hits.query->sources;
  const bool self = hits.query->self;
  const int i = hits.i, count = hits.count;
  State state = hits.begun ? hits.kept<State>() : f.begin(i);
  for (int k = 0; k < count; ++k) {
    const int j = hits.index[k];
    if (self && j == i) continue;
    visit_neighbor(f, state, i, j, Vec3{hits.x[k], hits.y[k], hits.z[k]}, hits.r2[k], fetch_source(f, j, sources[j]));
  }
  hits.count = 0;
  hits.begun = !last;
  if (last)
    f.end(state, i);
  else
    std::memcpy(hits.state, &state, sizeof state);
}

template <class F>
bool functor_wants(const void* functor, int i) {
  return wants(*static_cast<const F*>(functor), i);
}

template <NeighborFunctor F>
HitFunctor::HitFunctor(const F& f)
    : functor(&f), visit(visit_hits<F>), wanted(Chooses<F> ? functor_wants<F> : nullptr) {}

}  // namespace riffle
