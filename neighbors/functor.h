#pragma once
/// The functors that traversals call. All traversals share this file; see neighbors/traverse.cuh for the contract.

#include <concepts>

#include "core/math/lanes.h"
#include "core/math/vec.h"
#include "core/platform.h"
#include "neighbors/separation.h"

namespace riffle {

struct NoSource {};

/// A functor may split the reading of a neighbour's data from its use:
///   struct Source { ... };
///   RIFFLE_HD Source fetch(int j, Vec4 x_j) const;     // x_j: the record in `positions`, its w free for the solver
///   RIFFLE_HD void neighbor(State&, int i, int j, Vec3 r_ij, float r2, const Source&) const;
/// so that a traversal can have the loads of several neighbours in flight at once.
template <class F>
concept FetchesSource = requires(const F f, Vec4 x_j) {
  { f.fetch(0, x_j) } -> std::same_as<typename F::Source>;
};

/// Or a functor names its sums, and its text serves one number and several side by side (core/math/lanes.h):
///   template <class Real> struct Sums { ... };    // members are Real or Vec3Of<Real> only; all begin with 0
///   struct State { Sums<float> sums; ... };       // what neighbours are added to, and what is the same for all of them
///   template <class Real> struct Neighbor { ... };
///   template <class Real> RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real> j, Real w_j) const;  // w_j: of the record
///   template <class Real> RIFFLE_HD void add(Sums<Real>&, const State&, Vec3Of<Real> r_ij, Real r2,
///                                            const Neighbor<Real>&) const;
/// A functor that has fetch() and neighbor() too takes these for single neighbours.
template <class F>
concept AddsToSums = !FetchesSource<F> && sizeof(typename F::template Sums<float>) > 0;

template <class F>
struct SourceOf {
  using Type = NoSource;
};
template <FetchesSource F>
struct SourceOf<F> {
  using Type = typename F::Source;
};
template <AddsToSums F>
struct SourceOf<F> {
  using Type = typename F::template Neighbor<float>;
};

template <class F>
RIFFLE_INLINE typename SourceOf<F>::Type fetch_source(const F& f, int j, Vec4 x_j) {
  if constexpr (FetchesSource<F>)
    return f.fetch(j, x_j);
  else if constexpr (AddsToSums<F>)
    return f.template read_neighbor<float>(j, x_j.w);
  else
    return {};
}

template <class F>
RIFFLE_INLINE void visit_neighbor(const F& f, typename F::State& state, int i, int j, Vec3 r_ij, float r2,
                                  const typename SourceOf<F>::Type& source) {
  if constexpr (FetchesSource<F>)
    f.neighbor(state, i, j, r_ij, r2, source);
  else if constexpr (AddsToSums<F>)
    f.template add<float>(state.sums, state, r_ij, r2, source);
  else
    f.neighbor(state, i, j, r_ij, r2);
}

/// A functor may also say that its sums are no longer wanted:
///   RIFFLE_HD bool skip() const;  // the same for all particles of a traversal
/// A traversal need not visit anything then, begin and end included. Most traversals on the CPU visit everything nevertheless.
template <class F>
concept Skips = requires(const F f) {
  { f.skip() } -> std::same_as<bool>;
};

template <class F>
RIFFLE_INLINE bool skips(const F& f) {
  if constexpr (Skips<F>)
    return f.skip();
  else
    return false;
}

/// Likewise for one query:
///   RIFFLE_HD bool wants(int i) const;
template <class F>
concept Chooses = requires(const F f) {
  { f.wants(0) } -> std::same_as<bool>;
};

template <class F>
RIFFLE_INLINE bool wants(const F& f, int i) {
  if constexpr (Chooses<F>)
    return f.wants(i);
  else
    return true;
}

/// Calls visit_neighbor() if j is near, and fetches the source of j only then. self: i is one of the sources, and it is
/// not its own neighbour.
template <class F>
RIFFLE_INLINE void visit_if_near(const F& f, typename F::State& state, int i, int j, Vec3 x_i, const Vec4& x_j,
                                 const PeriodicWrap& wrap, float h2, bool self) {
  const PairTest pair = test_pair(x_i, xyz(x_j), wrap, h2);
  if (pair.near() && !(self && j == i)) visit_neighbor(f, state, i, j, pair.r_ij, pair.r2, fetch_source(f, j, x_j));
}

/// A functor may have a twin with the same members, for lists on a GPU and for lanes on a CPU: one that takes something for
/// granted.
///   using Twin = ...;               // of the last one: itself
///   bool has_twin(float h2) const;  // whether the twin does for this functor; h2 of the pair test
template <class F>
concept HasTwin = requires(const F f) {
  typename F::Twin;
  { f.has_twin(0.0f) } -> std::same_as<bool>;
}
&&!std::same_as<F, typename F::Twin>;

/// A branchless functor adds nothing for a pair kNotNear h apart, so that a traversal need not branch around it, and the sums
/// of several neighbours run side by side. It fetches such a pair's source, too, which must be finite: the sums multiply it
/// by 0.
///   static constexpr bool kBranchless = true;
template <class F>
concept Branchless = F::kBranchless;

#if RIFFLE_AVX2
/// A branchless functor with sums adds several neighbours at once on a processor with vector units.
template <class F>
concept AddsInLanes = Branchless<F> && sizeof(typename F::template Sums<Lanes>) > 0;
#endif

/// [h] r_ij.x of a pair that is not to count; r2 is its square. Far enough for any half step, and near enough for products.
inline constexpr float kNotNear = 1e3f;

template <class F>
concept NeighborFunctor = requires(const F f, typename F::State state, Vec3 r_ij, typename SourceOf<F>::Type source) {
  { f.begin(0) } -> std::same_as<typename F::State>;
  { visit_neighbor(f, state, 0, 0, r_ij, 0.0f, source) } -> std::same_as<void>;
  { f.end(state, 0) } -> std::same_as<void>;
};

}  // namespace riffle
