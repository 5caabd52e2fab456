#pragma once
/// What a functor adds in lanes, against what it adds one neighbour after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "neighbors/hits/query_hits.h"

namespace riffle::test {

#if RIFFLE_AVX2

/// Neighbours of particle 0, which is at the origin and among them. records: (particles), all within h
template <AddsInLanes F>
void expect_lanes_add_alike(const F& f, const std::vector<Vec4>& records, float h) {
  using State = typename F::State;
  static_assert(sizeof(State) % sizeof(float) == 0);
  constexpr int floats = sizeof(State) / sizeof(float);
  const auto numbers = [](const State& state) {
    std::vector<float> found(floats);
    std::memcpy(found.data(), &state, sizeof state);
    return found;
  };
  const NeighborQuery query{records.data(), records.data(), static_cast<int>(records.size()), h * h, {}, true};
  const HitFunctor functor(f, h * h);
  for (const int count : {0, 1, 2, 7, 8, 9, 16, 29, 64, 120}) {
    ASSERT_LT(count, static_cast<int>(records.size()));
    QueryHits hits(query, functor);
    hits.begin(0);
    // The size of each sum's terms bounds its rounding.
    State one_by_one = f.begin(0);
    std::vector<float> before = numbers(one_by_one), size(floats, 0.0f);
    for (int k = 0; k <= count; ++k) {
      const int j = k == count / 2 ? 0 : k < count / 2 ? k + 1 : k;  // the query itself in the middle
      const Vec3 r = -xyz(records[j]);
      hits.append(j, r, length2(r));
      if (j == 0) continue;
      visit_neighbor(f, one_by_one, 0, j, r, length2(r), fetch_source(f, j, records[j]));
      const std::vector<float> now = numbers(one_by_one);
      for (int a = 0; a < floats; ++a) size[a] += std::abs(now[a] - before[a]);
      before = now;
    }
    State in_lanes = f.begin(0);
    visit_in_lanes(f, in_lanes, hits);
    const std::vector<float> found = numbers(in_lanes), wanted = numbers(one_by_one);
    for (int a = 0; a < floats; ++a)
      EXPECT_NEAR(found[a], wanted[a], 1e-5f * (size[a] + std::abs(wanted[a])))
          << "number " << a << " of the state, " << count << " neighbours";
  }
}

#endif

}  // namespace riffle::test
