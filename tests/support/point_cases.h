#pragma once
/// Searches of points that every structure is tested with.

#include <limits>
#include <vector>

#include "support/clouds.h"
#include "support/crowded_queries.h"
#include "support/random.h"

namespace riffle::test {

/// Few nearest points, which lists in registers or in a ray's payload keep, and more: lists that are full, one less, one more,
/// and more places than points. Some points are at one place.
/// expect: of (points, queries, radius, capacity)
template <class Expect>
void for_few_nearest(std::uint32_t seed, const std::vector<int>& capacities, const Expect& expect) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Random random(seed);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 60);
  add_coincident(points, 3, {0.5f, 0.5f, 0.5f}, 12);
  const std::vector<Vec4> few(points.begin(), points.begin() + 6);
  const std::vector<Vec4> queries{points[0], points[60], particle(3, {0.45f, 0.5f, 0.5f}), particle(3, {7, 0, 0})};
  for (const int capacity : capacities) {
    expect(points, queries, 0.4f, capacity);
    expect(points, queries, infinity, capacity);
    expect(few, queries, infinity, capacity);
  }
}

/// expect: of (points, queries, radius, capacity, dimension)
/// most: nearest points that a list keeps
template <class Expect>
void for_crowded_queries(int most, const Expect& expect) {
  const CrowdedQueries flat = crowded_queries(2, 40), deep = crowded_queries(3, 2000), few = crowded_queries(3, 40);
  expect(flat.points, flat.queries, flat.radius, 33, 2);
  expect(deep.points, deep.queries, deep.radius, most, 3);
  expect(few.points, few.queries, std::numeric_limits<float>::infinity(), 5, 3);
}

}  // namespace riffle::test
