#include "sim/walls/surface_bend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/walls/solid_regions.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

SimulationSetup around(SolidRegion region, int dimension) {
  SimulationSetup setup = with_solver(column_setup(dimension, 10), SolverKind::Wcsph);
  setup.spacing = 0.1f;
  setup.domain.min = {-2.4f, -2.4f, dimension == 3 ? -2.4f : 0.0f};
  setup.domain.max = {2.4f, 2.4f, dimension == 3 ? 2.4f : 0.0f};
  setup.bodies.clear();
  setup.solid_regions = {std::move(region)};
  return setup;
}

std::vector<Vec4> wall_of(const SimulationSetup& setup) { return with_sampled_solids(setup).solids[1].samples->wall; }

/// (1 + k s / 2) / (1 - k d / 2) - 1 with s half a spacing.
double expected(double curvatures, double depth) { return (1 + 0.025 * curvatures) / (1 - curvatures * depth / 2) - 1; }

TEST(SurfaceBend, FollowsTheCurvatureOfBallsAndPipes) {
  for (const int dimension : {2, 3}) {
    const double curvatures = dimension - 1;  // [1/m] of radius 1 m
    for (const Vec4& site : wall_of(around(solid_ball({0, 0, 0}, 1), dimension))) {
      const double depth = 1 - std::sqrt(double{length2(xyz(site))});
      EXPECT_NEAR(site.w, expected(curvatures, depth), 0.005) << depth;
    }
    SolidRegion pipe = solid_box({-1.9f, -1.9f, -1.9f}, {1.9f, 1.9f, 1.9f});
    if (dimension == 2) pipe.min.z = pipe.max.z = 0;
    pipe.without.push_back(plain(solid_ball({0, 0, 0}, 1)));
    int inner = 0;
    for (const Vec4& site : wall_of(around(pipe, dimension))) {
      const double depth = std::sqrt(double{length2(xyz(site))}) - 1;
      if (depth > 0.3) continue;  // the box's own faces
      EXPECT_NEAR(site.w, expected(-curvatures, depth), 0.005) << depth;
      ++inner;
    }
    EXPECT_GT(inner, 100);
  }
}

TEST(SurfaceBend, IsZeroBesideFlatFacesAndBoundedAtEdges) {
  for (const Vec4& site : wall_of(around(solid_box({-1, -1, -1}, {1, 1, 1}), 3))) EXPECT_EQ(site.w, 0);
  SolidRegion prism;
  prism.shape = Shape::Polygon;
  prism.corners = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  int flat = 0;
  for (const Vec4& site : wall_of(around(prism, 2))) {
    EXPECT_TRUE(site.w >= 0 && site.w <= 1) << site.w;
    const float along = std::min(std::fabs(site.x), std::fabs(site.y));
    if (along > 0.5f) continue;  // near a corner
    EXPECT_NEAR(site.w, 0, 1e-4);
    ++flat;
  }
  EXPECT_GT(flat, 50);
}

}  // namespace
}  // namespace riffle::test
