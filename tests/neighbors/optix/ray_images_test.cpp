/// The geometry of rays and boxes without a GPU: for every query, each of its rays is tested against every box, as in a
/// tree that leaves nothing out. A pair must be found exactly once.

#include "neighbors/optix/ray_images.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/clouds.h"
#include "support/neighbor_oracle.h"
#include "support/random_configuration.h"

namespace riffle::test {
namespace {

/// Faces count as inside, as with a tree's conservative test; `margin` as its rounding, which may also take some away.
bool contains(const RayBox& box, Vec3 x, float margin) {
  const auto within = [&](float low, float high, float at) {
    const float some = margin * std::fmax(std::fabs(low), std::fabs(high));
    return low + some <= at && at <= high - some;
  };
  return within(box.low.x, box.high.x, x.x) && within(box.low.y, box.high.y, x.y) && within(box.low.z, box.high.z, x.z);
}

/// The same steps as the ray programs, launch for launch.
NeighborSets found_by_rays(const Cloud& cloud, float margin) {
  const RayFrame frame = ray_frame(cloud.domain, cloud.h);
  std::vector<RayBox> boxes;
  for (const Vec4& x : cloud.x) boxes.push_back(ray_box(xyz(x), frame));
  NeighborSets sets(cloud.x.size());
  for (std::uint32_t i = 0; i < cloud.x.size(); ++i) {
    const Vec3 x_i = xyz(cloud.x[i]);
    if (!is_finite(x_i)) continue;
    const auto test = [&](std::uint32_t j, const auto& belongs) {
      const Vec3 x_j = xyz(cloud.x[j]), r_ij = separation(x_i, x_j, frame.wrap);
      const float r2 = squared_length(r_ij);
      if (r2 < cloud.h * cloud.h && i != j && belongs(x_j)) sets[i].push_back({j, r_ij, r2});
    };
    const RayPoint point = ray_point(x_i, frame);
    if (point.lost) {
      for (std::uint32_t j = 0; j < boxes.size(); ++j) test(j, [](Vec3) { return true; });
      continue;
    }
    for_each_ray(point, frame, [&](Vec3 origin, std::uint32_t image) {
      for (std::uint32_t j = 0; j < boxes.size(); ++j)
        if (contains(boxes[j], origin, margin))
          test(j, [&](Vec3 x_j) { return is_pair_of_image(x_i, x_j, frame, image); });
    });
  }
  return sets;
}

class RayImages : public testing::TestWithParam<int> {
 protected:
  int dimension() const { return GetParam(); }

  /// @return directed pairs
  std::size_t expect_exact(const Cloud& cloud) const {
    const NeighborSets expected = expected_neighbors(cloud.x, cloud.domain, cloud.h);
    EXPECT_TRUE(same_neighbors(expected, found_by_rays(cloud, 0)));
    EXPECT_TRUE(same_neighbors(expected, found_by_rays(cloud, -1e-3f))) << "in a tree of looser boxes";
    EXPECT_TRUE(same_neighbors(expected, found_by_rays(cloud, 0x1p-24f))) << "with boxes rounded inwards";
    return pair_count(expected);
  }

  Domain domain(int mask, float low, float edge) const {
    Domain domain = box(dimension(), low, low + edge);
    for (int a = 0; a < 3; ++a)
      if (mask & (1 << a)) domain.axis[a] = Axis::Periodic;
    return domain;
  }
};

TEST_P(RayImages, EveryCombinationOfAxesIsExactForEveryShortLength) {
  Random random(701);
  for (const float ratio : {2.0f, 2.0001f, 2.5f, 3.0f, 5.0f})
    for (int mask = 0; mask < 1 << dimension(); ++mask) {
      SCOPED_TRACE(testing::Message() << "L = " << ratio << " h, axes " << mask);
      const Domain box_ = domain(mask, -0.125f, 0.25f * ratio);
      EXPECT_GT(expect_exact({box_, 0.25f, uniform_cloud(random, box_, 120)}), 120u);
    }
}

TEST_P(RayImages, LatticesThatEndAtHAreCutOffWhereTheyAre) {
  for (const float h : {std::nextafter(0.125f, 0.0f), 0.125f, std::nextafter(0.125f, 1.0f)})
    for (const int mask : {0, 7}) {
      const std::size_t pairs = expect_exact({domain(mask, 0, 1), h, lattice(dimension(), {}, 0.125f, 8)});
      EXPECT_EQ(pairs > 0, h > 0.125f);
    }
  // 0.1 is not a float: separations scatter by some ulps around h.
  for (const float factor : {1 - 1e-6f, 1.0f, 1 + 1e-6f})
    for (const float low : {-3.3f, 17.1f}) {
      const int n = dimension() == 2 ? 12 : 6;
      expect_exact({domain(7, low, 0.1f * static_cast<float>(n)), 0.1f * factor,
                    lattice(dimension(), {low, low, low}, 0.1f, n)});
    }
}

TEST_P(RayImages, ParticlesOnFacesAndBesideThemAreFound) {
  Random random(702);
  const auto face = [&] {
    const float x = random.chance(0.5f) ? -0.3f : 0.7f;
    const int step = random.below(4);
    return step == 0 ? x : step == 3 ? x + random.uniform(-0.2f, 0.2f) : std::nextafter(x, step == 1 ? 9.0f : -9.0f);
  };
  std::vector<Vec4> x;
  for (int i = 0; i < 200; ++i) x.push_back(particle(dimension(), {face(), face(), face()}));
  for (int mask = 0; mask < 1 << dimension(); ++mask)
    for (const float h : {0.11f, 0.49f}) EXPECT_GT(expect_exact({domain(mask, -0.3f, 1), h, x}), 200u);
}

TEST_P(RayImages, ParticlesManyPeriodsAwayAreFoundAtTheirImages) {
  // Up to eight periods away they have a place in the domain; beyond that every query tests them.
  Random random(703);
  for (const float periods : {1.0f, 7.0f, 9.0f, 40.0f})
    for (const int mask : {1, 7}) {
      const Domain box_ = domain(mask, -0.3f, 1);
      std::vector<Vec4> x = uniform_cloud(random, box_, 150);
      for (Vec4& p : x) {
        const auto away = [&](int a) { return box_.periodic(a) ? std::round(periods * random.uniform(-1, 1)) : 0; };
        if (random.chance(0.7f)) p = particle(dimension(), xyz(p) + Vec3{away(0), away(1), away(2)});
      }
      SCOPED_TRACE(testing::Message() << periods << " periods, axes " << mask);
      expect_exact({box_, 0.11f, x});
      expect_exact({box_, 0.4f, x});
    }
}

TEST_P(RayImages, FarAndHugeAndTinyClustersAreFound) {
  Random random(704);
  for (const float offset : {1e6f, -1e6f})
    for (const float h : {0.0625f, 0.1f, std::nextafter(0.5f, 1.0f)}) {
      const Domain box_ = box(dimension(), offset, offset + 8);
      expect_exact({box_, h, uniform_cloud(random, box_, 150)});
    }
  for (const float size : {1e-12f, 1e-18f, 1e15f}) {
    const Domain box_ = box(dimension(), 0, size);
    expect_exact({box_, 0.2f * size, uniform_cloud(random, box_, 150)});
  }
  // Beyond the frame all are on its faces; particles that are together stay together there.
  Cloud cloud{box(dimension(), 0, 1), 0.1f, uniform_cloud(random, box(dimension(), 0, 1), 50)};
  for (const float x : {3e38f, -3e38f, 1e20f, 1e15f, 5000.0f, 1e-38f, std::numeric_limits<float>::denorm_min()})
    for (int i = 0; i < 2; ++i) cloud.x.push_back(particle(dimension(), {x, x, x}));
  for (int i = 0; i < 40; ++i)
    cloud.x.push_back(particle(dimension(), Vec3{2000, -3000, 4000} + 0.2f * direction(random, dimension())));
  expect_exact(cloud);
}

TEST_P(RayImages, ParticlesThatAreNoNumbersFindNothingAndNobodyFindsThem) {
  Random random(705);
  for (const int mask : {0, 7}) {
    const Domain box_ = domain(mask, 0, 1);
    Cloud cloud{box_, 0.2f, uniform_cloud(random, box_, 100)};
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      cloud.x.push_back({bad, 0, 0, 0});
      cloud.x.push_back({0, bad, 0, 0});
    }
    cloud.x.push_back(particle(dimension(), {0, 0, 0}));  // where their boxes are
    const NeighborSets found = found_by_rays(cloud, 0);
    for (std::size_t i = 100; i < 104; ++i) EXPECT_TRUE(found[i].empty());
    for (const auto& set : found)
      for (const Neighbor& n : set) EXPECT_TRUE(n.j < 100 || n.j == 104);
  }
}

TEST_P(RayImages, RandomConfigurationsAreExact) {
  std::size_t pairs = 0;
  for (std::uint32_t seed = 1000; seed < 1040; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    pairs += expect_exact(random_configuration(seed, dimension()));
  }
  EXPECT_GT(pairs, 2000u);
}

TEST_P(RayImages, AQueryFarFromAllFacesAsksOnce) {
  const RayFrame frame = ray_frame(domain(7, 0, 1), 0.1f);
  const auto rays = [&](Vec3 x) {
    int count = 0;
    for_each_ray(ray_point(xyz(particle(dimension(), x)), frame), frame, [&](Vec3, std::uint32_t) { ++count; });
    return count;
  };
  EXPECT_EQ(rays({0.5f, 0.5f, 0.5f}), 1);
  EXPECT_EQ(rays({0.05f, 0.5f, 0.5f}), 2);
  EXPECT_EQ(rays({0.05f, 0.95f, 0.5f}), 4);
  EXPECT_EQ(rays({0.05f, 0.95f, 0.05f}), dimension() == 3 ? 8 : 4);
}

INSTANTIATE_TEST_SUITE_P(InEachDimension, RayImages, testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "d"; });

}  // namespace
}  // namespace riffle::test
