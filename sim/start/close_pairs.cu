#include "sim/start/close_pairs.h"

#include <cmath>
#include <limits>
#include <vector>

#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

constexpr float kNone = std::numeric_limits<float>::infinity();

struct FindNearest {
  const std::uint32_t* order;  ///< (count) the particle at each place of the search
  float* distance2;            ///< (count) to the nearest other particle; kNone: there is none

  struct State {
    std::uint32_t own;
    float least;
  };
  RIFFLE_HD State begin(int i) const { return {static_cast<std::uint32_t>(i), kNone}; }
  RIFFLE_HD void neighbor(State& state, int, int j, Vec3, float r2) const {
    if (r2 < state.least && order[j] != state.own) state.least = r2;
  }
  RIFFLE_HD void end(State& state, int i) const { distance2[i] = state.least; }
};

}  // namespace

ClosePairs find_close_pairs(std::span<const Vec3> positions, const Domain& domain, float within, float spacing) {
  const Device cpu;
  const int count = static_cast<int>(positions.size());
  std::vector<Vec4> places;
  places.reserve(positions.size());
  for (const Vec3& position : positions) places.push_back(make_vec4(position));
  // Its table is folded where the domain is mostly empty.
  NeighborSearch search(cpu, {{.method = NeighborMethod::Green}, /*deterministic=*/true});
  const Buffer<Vec4> given(cpu, std::span<const Vec4>(places));
  Buffer<Vec4> sorted(cpu);
  build_sorted(search, given.data(), count, domain, spacing, sorted);
  Buffer<float> distance2(cpu, positions.size());
  for_each_neighbor_in_grid(search, "close pairs", sorted.data(), given.data(), count, within,
                            FindNearest{search.order(), distance2.data()});
  ClosePairs pairs;
  float least = kNone;
  for (int i = 0; i < count; ++i) {
    const float d2 = distance2.data()[i];
    if (!(d2 < kNone)) continue;
    ++pairs.particles;
    if (!(d2 < least)) continue;
    least = d2;
    pairs.place = xyz(given.data()[i]);
  }
  if (pairs.particles > 0) pairs.nearest = std::sqrt(least);
  return pairs;
}

}  // namespace riffle
