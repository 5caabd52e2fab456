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
  /// h2: of the pair test. A functor that has a twin which adds in lanes is visited as that twin.
  template <NeighborFunctor F>
  HitFunctor(const F& f, float h2);

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

/// One neighbour after the other.
template <class F>
RIFFLE_INLINE void visit_one_by_one(const F& f, typename F::State& state, const QueryHits& hits) {
  const Vec4* sources = hits.query->sources;
  const bool self = hits.query->self;
  const int i = hits.i, count = hits.count;
  for (int k = 0; k < count; ++k) {
    const int j = hits.index[k];
    if (self && j == i) continue;
    visit_neighbor(f, state, i, j, Vec3{hits.x[k], hits.y[k], hits.z[k]}, hits.r2[k], fetch_source(f, j, sources[j]));
  }
}

#if RIFFLE_AVX2
/// Adds what is in the lanes of `mask`, and nothing of the others, whatever they hold.
template <class Sums>
RIFFLE_INLINE void add_where(__m256 mask, const Sums& from, Sums& to) {
  constexpr std::size_t count = sizeof(Sums) / sizeof(Lanes);
  const auto added = std::bit_cast<std::array<Lanes, count>>(from);
  auto sums = std::bit_cast<std::array<Lanes, count>>(to);
  for (std::size_t k = 0; k < count; ++k) sums[k] += Lanes(_mm256_and_ps(added[k].v, mask));
  to = std::bit_cast<Sums>(sums);
}

/// Eight at once. The query itself is computed too, but not added. The last eight are filled up with the first one, which is
/// not added again.
template <AddsInLanes F>
RIFFLE_INLINE void visit_in_lanes(const F& f, typename F::State& state, QueryHits& hits) {
  using Sums = typename F::template Sums<Lanes>;
  const NeighborQuery& query = *hits.query;
  const int count = hits.count;
  if (count == 0) return;
  for (int k = count; k < count + kLanes - 1; ++k) {
    hits.index[k] = hits.index[0];
    hits.x[k] = hits.x[0];
    hits.y[k] = hits.y[0];
    hits.z[k] = hits.z[0];
    hits.r2[k] = hits.r2[0];
  }
  const __m256i own = _mm256_set1_epi32(query.self ? hits.i : -1);
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  Sums sums{};
  for (int k = 0; k < count; k += kLanes) {
    const LaneIndex j{hits.index + k};
    const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(count - k), lanes);
    const __m256 mask = _mm256_castsi256_ps(_mm256_andnot_si256(_mm256_cmpeq_epi32(j.indices(), own), there));
    const LaneVec3 r_ij{Lanes::from(hits.x + k), Lanes::from(hits.y + k), Lanes::from(hits.z + k)};
    const Lanes r2 = Lanes::from(hits.r2 + k);
    const auto source = f.template read_neighbor<Lanes>(j, read(query.sources, j).w);
    if (_mm256_movemask_ps(mask) == 0xff) {
      f.template add<Lanes>(sums, state, r_ij, r2, source);
    } else {
      Sums some{};
      f.template add<Lanes>(some, state, r_ij, r2, source);
      add_where(mask, some, sums);
    }
  }
  add_totals(sums, state.sums);
}
#endif

/// HitFunctor::visit of the functor type F, seen as its twin Seen.
template <class F, class Seen>
void visit_hits(const void* functor, QueryHits& hits, bool last) {
  using State = typename Seen::State;
  static_assert(sizeof(State) <= QueryHits::kStateBytes && alignof(State) <= 32);
  static_assert(std::is_trivially_copyable_v<State>);
  const auto visit = [&](const Seen& f) {
    State state = hits.begun ? hits.kept<State>() : f.begin(hits.i);
#if RIFFLE_AVX2
    if constexpr (AddsInLanes<Seen>)
      visit_in_lanes(f, state, hits);
    else
#endif
      visit_one_by_one(f, state, hits);
    hits.count = 0;
    hits.begun = !last;
    if (last)
      f.end(state, hits.i);
    else
      std::memcpy(hits.state, &state, sizeof state);
  };
  if constexpr (std::is_same_v<F, Seen>)
    visit(*static_cast<const F*>(functor));
  else
    visit(std::bit_cast<Seen>(*static_cast<const F*>(functor)));
}

template <class F>
bool functor_wants(const void* functor, int i) {
  return wants(*static_cast<const F*>(functor), i);
}

using VisitHits = void (*)(const void* functor, QueryHits& hits, bool last);

/// visit_hits() of the last twin that does for the functor, where twins add in lanes. seen: f, or f as one of its twins.
template <class F, class Seen>
VisitHits visit_of([[maybe_unused]] const Seen& seen, [[maybe_unused]] float h2) {
#if RIFFLE_AVX2
  if constexpr (HasTwin<Seen>) {
    if constexpr (AddsInLanes<typename Seen::Twin>)
      if (seen.has_twin(h2)) return visit_of<F>(std::bit_cast<typename Seen::Twin>(seen), h2);
  }
#endif
  return visit_hits<F, Seen>;
}

template <NeighborFunctor F>
HitFunctor::HitFunctor(const F& f, float h2)
    : functor(&f), visit(visit_of<F>(f, h2)), wanted(Chooses<F> ? functor_wants<F> : nullptr) {}

}  // namespace riffle
