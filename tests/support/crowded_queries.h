#pragma once
/// Queries that are not the points and crowd in a few places, as many as a kernel's blocks are long and more.

#include <vector>

#include "support/clouds.h"
#include "support/random.h"

namespace riffle::test {

struct CrowdedQueries {
  std::vector<Vec4> points, queries;
  float radius = 0.1f;
};

/// `crowd` queries are exactly where 30 points are, in two runs; others in an empty corner, far outside, and round the crowd.
inline CrowdedQueries crowded_queries(int dimension, int crowd) {
  Random random(977);
  CrowdedQueries all;
  all.points = uniform_cloud(random, box(dimension, 0, 1), 300);
  std::erase_if(all.points, [](Vec4 p) { return p.x < 0.3f && p.y < 0.3f; });
  const Vec3 at{0.625f, 0.375f, dimension == 2 ? 0.0f : 0.75f}, corner{0.05f, 0.05f, 0}, outside{40, -3, 0};
  add_coincident(all.points, dimension, at, 30);
  for (const Vec3 place : {corner, at, outside, at})
    add_coincident(all.queries, dimension, place, place.x == at.x ? crowd / 2 : crowd / 20);
  for (int k = 0; k < 40; ++k)
    all.queries.push_back(particle(dimension, at + 0.2f * random.uniform(0, 1) * direction(random, dimension)));
  return all;
}

}  // namespace riffle::test
