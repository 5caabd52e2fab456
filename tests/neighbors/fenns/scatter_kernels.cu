#include "tests/neighbors/fenns/scatter_kernels.h"

#include "core/math/lanes.h"
#include "neighbors/fenns/tile_scatter.cuh"
#include "neighbors/traverse.cuh"
#include "support/recorded_visits.h"

namespace riffle::test {

namespace {

struct ScatterVisitCounts {
  std::uint32_t* count;  ///< (particles) out
  std::uint32_t* begun;  ///< (particles) in and out
  std::uint32_t* ended;  ///< (particles) in and out

  struct State {
    std::uint32_t count;
  };
  RIFFLE_HD State begin(int i) const {
    ++begun[i];
    return {0};
  }
  RIFFLE_HD void scatter(State& state, int, int, Vec3, float) const { atomic_add(&state.count, 1u); }
  RIFFLE_HD void end(State& state, int i) const {
    count[i] = state.count;
    ++ended[i];
  }
};

struct ScatterRecords {
  const std::uint32_t* start;  ///< (particles + 1)
  std::uint32_t* index;        ///< (pairs) out
  Vec4* separation;            ///< (pairs) out: r_ij, r2
  std::uint32_t* faults;       ///< (1) pairs beyond the counted ones, and particles that lack pairs

  struct State {
    std::uint32_t next;
  };
  RIFFLE_HD State begin(int i) const { return {start[i]}; }
  RIFFLE_HD void scatter(State& state, int i, int j, Vec3 r_ij, float r2) const {
    const std::uint32_t place = atomic_add(&state.next, 1u);
    if (place >= start[i + 1]) {
      atomic_add(faults, 1u);
      return;
    }
    index[place] = static_cast<std::uint32_t>(j);
    separation[place] = make_vec4(r_ij, r2);
  }
  RIFFLE_HD void end(State& state, int i) const {
    if (state.next != start[i + 1]) atomic_add(faults, 1u);
  }
};

struct ScatterDigests {
  NeighborDigest* digests;  ///< (particles) out

  struct State {
    NeighborDigest digest;
  };
  RIFFLE_HD State begin(int) const { return {}; }
  RIFFLE_HD void scatter(State& state, int, int j, Vec3, float) const {
    NeighborDigest one;
    add_neighbor(one, static_cast<std::uint32_t>(j));
    atomic_add(&state.digest.count, one.count);
    atomic_add(&state.digest.sum_a, one.sum_a);
    atomic_add(&state.digest.sum_b, one.sum_b);
  }
  RIFFLE_HD void end(State& state, int i) const { digests[i] = state.digest; }
};

struct SumWeights {
  WeightSums* out;  ///< (particles)

  template <class Real>
  struct Sums {
    Real weight;
    Vec3Of<Real> arm;
  };
  struct State {
    Sums<float> sums;
  };
  template <class Real>
  struct Neighbor {
    Real weight;
  };
  RIFFLE_HD State begin(int) const { return {{0, {0, 0, 0}}}; }
  template <class Real>
  RIFFLE_HD Neighbor<Real> read_neighbor(IndexOf<Real>, Real w_j) const {
    return {w_j};
  }
  template <class Real>
  RIFFLE_HD void add(Sums<Real>& sums, const State&, Vec3Of<Real> r_ij, Real, const Neighbor<Real>& j) const {
    sums.weight += j.weight;
    sums.arm += j.weight * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const { out[i] = {state.sums.weight, state.sums.arm}; }
};

}  // namespace

Visits scattered_visits(const NeighborSearch& search, const Vec4* positions, float h) {
  return recorded_visits(
      search.device(), search.count(),
      [&](std::uint32_t* count, std::uint32_t* begun, std::uint32_t* ended) {
        scatter_to_neighbors(search, "count", positions, h, ScatterVisitCounts{count, begun, ended});
      },
      [&](const std::uint32_t* start, std::uint32_t* index, Vec4* separation, std::uint32_t* faults) {
        scatter_to_neighbors(search, "record", positions, h, ScatterRecords{start, index, separation, faults});
      });
}

std::vector<NeighborDigest> scattered_digests(const NeighborSearch& search, const Vec4* positions, float h) {
  Buffer<NeighborDigest> digests(search.device(), static_cast<std::size_t>(search.count()));
  scatter_to_neighbors(search, "digest", positions, h, ScatterDigests{digests.data()});
  return digests.to_host();
}

std::vector<WeightSums> gathered_weights(const NeighborSearch& search, const Vec4* positions, float h) {
  Buffer<WeightSums> sums(search.device(), static_cast<std::size_t>(search.count()));
  for_each_neighbor(search, "gather weights", positions, h, SumWeights{sums.data()});
  return sums.to_host();
}

std::vector<WeightSums> scattered_weights(const NeighborSearch& search, const Vec4* positions, float h) {
  Buffer<WeightSums> sums(search.device(), static_cast<std::size_t>(search.count()));
  scatter_to_neighbors(search, "scatter weights", positions, h, SumWeights{sums.data()});
  return sums.to_host();
}

}  // namespace riffle::test
