/// Gaps by faces against those of Bullet's search.

#include "sim/bodies/geometry/core_faces.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/bodies/geometry/convex_piece.h"
#include "sim/bodies/rigid_motion.h"

namespace riffle::bodies {
namespace {

ConvexPiece box_piece(D3 half) {
  std::vector<D3> corners;
  for (int c = 0; c < 8; ++c)
    corners.push_back({c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z});
  return ConvexPiece::polyhedron(corners, 0.05);
}

Place random_place(std::mt19937& random, double away) {
  std::uniform_real_distribution<double> unit(-1, 1);
  Place place;
  double turn[4] = {unit(random), unit(random), unit(random), unit(random)}, square = 0;
  for (const double q : turn) square += q * q;
  for (double& q : turn) q /= std::sqrt(square);
  rigid_motion::rotation_of(turn, place.turn);
  place.shift = {100 + away * unit(random), -50 + away * unit(random), away * unit(random)};
  return place;
}

/// Of one core along the direction: how far it is below (least) or above.
double farthest(const CoreFaces& core, const Place& at, D3 direction) {
  double most = -1e300;
  for (const D3& v : core.vertices) most = std::max(most, dot(direction, at.out(v)));
  return most;
}

TEST(CoreFacesGap, IsTheOneOfTheSearch) {
  std::mt19937 random(7);
  const ConvexPiece boxes[] = {box_piece({1, 1, 1}), box_piece({2, 0.5, 1}), box_piece({0.3, 0.3, 0.3})};
  const ConvexPiece ball = ConvexPiece::round({D3{}}, 0.7),
                    capsule = ConvexPiece::round({D3{-1, 0, 0}, D3{1, 0, 0}}, 0.4);
  const ConvexPiece* const pieces[] = {&boxes[0], &boxes[1], &boxes[2], &ball, &capsule};
  int found = 0, apart = 0, inexact = 0;
  std::uniform_real_distribution<double> side(-1, 1);
  for (int k = 0; k < 4000; ++k) {
    const ConvexPiece &a = *pieces[k % 5], &b = *pieces[k / 5 % 5];
    const Place at_a = random_place(random, 2), at_b = random_place(random, 2);
    const CoreGap by_search = gap_between(a.core(), at_a, b.core(), at_b);
    const auto by_faces = gap_by_faces(a.core_faces(), at_a, b.core_faces(), at_b);
    apart += by_search.known && by_search.apart;
    if (!by_faces) continue;
    ++found;
    ASSERT_TRUE(by_search.known && by_search.apart) << k;
    // The shortest way is the direction along which the two are furthest apart. Vertices of hulls are rounded by 1e-4.
    const auto apart_along = [&](D3 normal) {
      return -farthest(a.core_faces(), at_a, -normal) - farthest(b.core_faces(), at_b, normal);
    };
    const double gap = apart_along(by_faces->normal);
    EXPECT_NEAR(gap, by_faces->gap, 1e-3) << k;
    EXPECT_GT(gap, apart_along(by_search.normal) - 1e-3) << k;
    for (int tries = 0; tries < 20; ++tries) {
      const D3 near{by_faces->normal.x + 0.1 * side(random), by_faces->normal.y + 0.1 * side(random),
                    by_faces->normal.z + 0.1 * side(random)};
      EXPECT_GT(gap, apart_along(unit(near)) - 1e-3) << k;
    }
    // Where the search is exact the two agree. It ends early in some.
    if (gap > apart_along(by_search.normal) + 1e-5) {
      ++inexact;
      continue;
    }
    EXPECT_GT(dot(by_faces->normal, by_search.normal), 0.999) << k;
    EXPECT_LT(length(by_faces->middle - by_search.middle), 0.02) << k;
  }
  EXPECT_LT(inexact, found / 50);
  EXPECT_GT(found, apart / 5) << "of " << apart;
  EXPECT_LT(found, apart) << "edges are nearest in some";
}

TEST(CoreFacesGap, BoxesThatLieOnEachOtherMeetByTheirFaces) {
  const ConvexPiece small = box_piece({0.5, 0.5, 0.5}), large = box_piece({3, 1, 3});
  Place below, above;
  above.shift = {1, 1.51, -2};
  const auto over = gap_by_faces(small.core_faces(), above, large.core_faces(), below),
             under = gap_by_faces(large.core_faces(), below, small.core_faces(), above);
  ASSERT_TRUE(over && under);
  EXPECT_NEAR(over->normal.y, 1, 1e-12);
  EXPECT_NEAR(under->normal.y, -1, 1e-12);
  EXPECT_NEAR(over->gap, 0.01 + 0.05 + 0.05, 1e-3) << "and the margins of both, of rounded hulls";
  EXPECT_NEAR(under->gap, over->gap, 1e-12);
  above.shift.y = 1.3;  // the cores overlap
  EXPECT_FALSE(gap_by_faces(small.core_faces(), above, large.core_faces(), below));
}

TEST(CoreFacesGap, LargeHullsAreLeftToTheSearch) {
  std::vector<D3> points;
  for (int k = 0; k < 40; ++k) points.push_back({std::cos(0.7 * k), std::sin(0.7 * k), 0.1 * k});
  EXPECT_TRUE(ConvexPiece::polyhedron(points, 0.05).core_faces().empty());
}

}  // namespace
}  // namespace riffle::bodies
