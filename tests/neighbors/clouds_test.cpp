/// Neighbour sets on open domains, for clouds that have broken neighbour searches before.

#include <cmath>
#include <limits>

#include "every_search.h"
#include "neighbors/grid/grid.h"

namespace riffle::test {
namespace {

class Clouds : public EverySearch {
 protected:
  std::size_t directed_lattice_pairs(int per_axis) const {
    const auto n = static_cast<std::size_t>(per_axis);
    return dimension() == 2 ? 2 * 2 * (n - 1) * n : 3 * 2 * (n - 1) * n * n;
  }
};

TEST_P(Clouds, NoPairIsMissingInAUniformCloud) {
  Random random(1);
  const Domain domain = box(dimension(), 0, 1);
  EXPECT_GT(expect_exact({domain, 0.1f, uniform_cloud(random, domain, 1500)}), 1500u);
}

TEST_P(Clouds, NoPairIsMissingInADenseJitteredLattice) {
  Random random(2);
  std::vector<Vec4> x = lattice(dimension(), {0.02f, 0.02f, 0.02f}, 0.04f, dimension() == 2 ? 36 : 11);
  for (Vec4& p : x) p = particle(dimension(), xyz(p) + 0.012f * uniform_in_ball(random, dimension()));
  EXPECT_GT(expect_exact({box(dimension(), 0, 1.5f), 0.09f, x}), 12 * x.size());
}

TEST_P(Clouds, ALatticeAtExactlyHHasNoPairs) {
  // 0.125 is a power of two: every separation is exactly h, and |r| < h excludes it.
  EXPECT_EQ(expect_exact({box(dimension(), 0, 1), 0.125f, lattice(dimension(), {}, 0.125f, 8)}), 0u);
}

TEST_P(Clouds, ALatticeJustInsideHHasEveryNearestPair) {
  const float h = std::nextafter(0.125f, 1.0f);
  EXPECT_EQ(expect_exact({box(dimension(), 0, 1), h, lattice(dimension(), {}, 0.125f, 8)}), directed_lattice_pairs(8));
}

TEST_P(Clouds, ALatticeJustOutsideHHasNoPairs) {
  const float h = std::nextafter(0.125f, 0.0f);
  EXPECT_EQ(expect_exact({box(dimension(), 0, 1), h, lattice(dimension(), {}, 0.125f, 8)}), 0u);
}

TEST_P(Clouds, RoundedLatticesNearHLoseNoPair) {
  // 0.1 is not a float: separations scatter by some ulps around h, and cells are as large as h.
  const int n = dimension() == 2 ? 24 : 10;
  for (const float spacing : {0.1f, 0.01f, 1.0f / 3, 0.7f})
    for (const float factor : {1 - 1e-6f, 1.0f, 1 + 1e-6f})
      for (const float low : {0.0f, -3.3f, 17.1f}) {
        SCOPED_TRACE(testing::Message() << "spacing " << spacing << ", h / spacing " << factor << ", from " << low);
        expect_exact({box(dimension(), low, low + static_cast<float>(n) * spacing), spacing * factor,
                      lattice(dimension(), {low, low, low}, spacing, n)});
      }
}

TEST_P(Clouds, CoincidentParticlesAreAllNeighborsOfEachOther) {
  for (const int together : {2, 50, 300}) {
    SCOPED_TRACE(together);
    Random random(3);
    const Domain domain = box(dimension(), 0, 1);
    Cloud cloud{domain, 0.1f, uniform_cloud(random, domain, 200)};
    const std::size_t before = expect_exact(cloud);
    add_coincident(cloud.x, dimension(), {0.31f, 0.52f, 0.63f}, together);
    EXPECT_GE(expect_exact(cloud),
              before + static_cast<std::size_t>(together) * static_cast<std::size_t>(together - 1));
  }
}

TEST_P(Clouds, CoincidentParticlesOnACornerOfCellsAreFoundOnce) {
  Cloud cloud{box(dimension(), 0, 1), 0.25f, {}};
  add_coincident(cloud.x, dimension(), {0.5f, 0.5f, 0.5f}, 20);
  add_coincident(cloud.x, dimension(), {0, 0, 0}, 20);
  add_coincident(cloud.x, dimension(), {1, 1, 1}, 20);
  EXPECT_EQ(expect_exact(cloud), 3u * 20 * 19);
}

TEST_P(Clouds, AllParticlesInOneCellAreFound) {
  Random random(4);
  std::vector<Vec4> x;
  for (int i = 0; i < 400; ++i)
    x.push_back(particle(dimension(), Vec3{5.05f, 5.05f, 5.05f} + 0.04f * uniform_in_ball(random, dimension())));
  EXPECT_EQ(expect_exact({box(dimension(), 0, 10), 0.1f, x}), 400u * 399);
}

TEST_P(Clouds, AnEmptyCloudHasNoPairs) { EXPECT_EQ(expect_exact({box(dimension(), 0, 1), 0.1f, {}}), 0u); }

TEST_P(Clouds, OneParticleIsNotItsOwnNeighbor) {
  for (const float x : {0.0f, 0.5f, 1.0f, -7.0f}) {
    EXPECT_EQ(expect_exact({box(dimension(), 0, 1), 0.1f, {particle(dimension(), {x, x, x})}}), 0u);
    EXPECT_EQ(expect_exact({box(dimension(), 0, 1, Axis::Periodic), 0.5f, {particle(dimension(), {x, x, x})}}), 0u);
  }
}

TEST_P(Clouds, PairsAtNegativeCoordinatesAreFound) {
  Random random(5);
  for (const auto& [low, high] : {std::pair{-1.0f, 1.0f}, {-3.0f, -1.0f}, {-0.001f, 1.999f}}) {
    SCOPED_TRACE(low);
    const Domain domain = box(dimension(), low, high);
    EXPECT_GT(expect_exact({domain, 0.2f, uniform_cloud(random, domain, 1000)}), 1000u);
  }
}

TEST_P(Clouds, PairsAcrossTheLowerFaceAreFound) {
  // A cast instead of floor puts -0.5 and +0.5 cells into the same cell and doubles its reach on one side.
  Random random(6);
  const Domain domain = box(dimension(), 0, 1), around = box(dimension(), -0.35f, 0.35f);
  expect_exact({domain, 0.1f, uniform_cloud(random, around, 1000)});
}

TEST_P(Clouds, ParticlesOutsideTheBoxAreFound) {
  Random random(7);
  const float h = 0.1f;
  const Domain domain = box(dimension(), 0, 1), around = box(dimension(), -0.6f, 1.6f);
  expect_exact({domain, h, uniform_cloud(random, around, 2000)});
}

TEST_P(Clouds, ParticlesAThousandHOutsideTheBoxAreFound) {
  Random random(8);
  const float h = 0.1f, far = 1000 * h;
  Cloud cloud{box(dimension(), 0, 1), h, {}};
  for (const float x : {-far, 0.5f, far})
    for (const float y : {-far, 0.5f, far})
      for (const float z : {-far, 0.5f, far})
        for (int i = 0; i < 25; ++i)
          cloud.x.push_back(particle(dimension(), Vec3{x, y, z} + h * uniform_in_ball(random, dimension())));
  EXPECT_GT(expect_exact(cloud), cloud.x.size());
}

TEST_P(Clouds, ParticlesAtTheEndOfTheFloatRangeDoNotDisturbTheOthers) {
  Random random(9);
  const Domain domain = box(dimension(), 0, 1);
  Cloud cloud{domain, 0.1f, uniform_cloud(random, domain, 300)};
  for (const float x : {3e38f, -3e38f, 1e20f, -1e20f, 1e-38f, -1e-38f, std::numeric_limits<float>::denorm_min()})
    for (int i = 0; i < 2; ++i) cloud.x.push_back(particle(dimension(), {x, x, x}));
  expect_exact(cloud);
}

TEST_P(Clouds, PairsInAClusteredCloudAreFound) {
  // Most particles in a few cells, most cells empty.
  Random random(10);
  Cloud cloud{box(dimension(), 0, 1), 0.02f, {}};
  for (int c = 0; c < 5; ++c) {
    const Vec3 center = uniform_in(random, cloud.domain);
    for (int i = 0; i < 250; ++i)
      cloud.x.push_back(particle(
          dimension(), center + std::pow(random.uniform(0.001f, 1), 4.0f) * 0.3f * direction(random, dimension())));
  }
  EXPECT_GT(expect_exact(cloud), 20 * cloud.x.size());
}

TEST_P(Clouds, ParticlesExactlyOnCellAndDomainFacesAreFound) {
  for (const float high : {1.0f, 0.7f, 1.3f}) {
    Random random(11);
    const Domain domain = box(dimension(), -0.3f, high);
    const float h = 0.1f;
    const Grid grid = make_grid(domain, h);
    const auto face = [&](int axis) {
      const int cells = component(grid.size, axis);
      const int k = random.below(cells + 1);
      const float low = component(domain.min, axis);
      float x = low + component(domain.extent(), axis) * static_cast<float>(k) / static_cast<float>(cells);
      switch (random.below(4)) {
        case 0: return std::nextafter(x, 100.0f);
        case 1: return std::nextafter(x, -100.0f);
        case 2: return random.chance(0.5f) ? low : component(domain.max, axis);
        default: return x;
      }
    };
    std::vector<Vec4> x;
    for (int i = 0; i < 1000; ++i)
      x.push_back(particle(dimension(), {face(0), face(1), dimension() == 2 ? 0 : face(2)}));
    EXPECT_GT(expect_exact({domain, h, x}), 300u);
    EXPECT_GT(expect_exact({domain, std::nextafter(h, 1.0f), x}), 300u);
  }
}

TEST_P(Clouds, HugeCoordinatesWithASmallHAreExact) {
  // At 1e6 a float step is 1/16: there are few positions, and separations are multiples of 1/16, h among them.
  Random random(12);
  for (const float offset : {1e6f, -1e6f}) {
    const Domain domain = box(dimension(), offset, offset + 16);
    for (const float h : {0.0625f, 0.1f, 0.5f, std::nextafter(0.5f, 1.0f), 1.0f}) {
      SCOPED_TRACE(testing::Message() << "offset " << offset << ", h " << h);
      expect_exact({domain, h, uniform_cloud(random, domain, 700)});
    }
  }
}

TEST_P(Clouds, ALongAxisOfTinyCellsIsExact) {
  // 2^18 cells in a row: the rounding of a cell coordinate is no longer small compared with a cell.
  Random random(13);
  for (const float length : {262144.0f, 1e6f, 3e7f}) {
    const Domain domain = box(dimension(), {-0.3f * length, 0, 0}, {0.7f * length, 2, 2});
    Cloud cloud{domain, 1, {}};
    for (int i = 0; i < 250; ++i) {
      const Vec3 x{random.uniform(domain.min.x, domain.max.x), random.uniform(0, 2), random.uniform(0, 2)};
      for (const float d : {0.0f, 0.4999f, 0.9999f, 1.0f})
        cloud.x.push_back(particle(dimension(), {x.x + d, x.y, x.z}));
    }
    SCOPED_TRACE(length);
    EXPECT_GT(expect_exact(cloud), 1000u);
  }
}

TEST_P(Clouds, HLargerThanTheBoxFindsEveryone) {
  Random random(14);
  const Domain domain = box(dimension(), 0, 1);
  EXPECT_EQ(expect_exact({domain, 50, uniform_cloud(random, domain, 300)}), 300u * 299);
  expect_exact({domain, 1, uniform_cloud(random, domain, 300)});
  expect_exact({domain, 0.75f, uniform_cloud(random, box(dimension(), -3, 3), 300)});
}

TEST_P(Clouds, FlatAndThinBoxesAreSearchedCompletely) {
  Random random(15);
  for (const Vec3 extent : {Vec3{10, 0.3f, 0.01f}, Vec3{0.01f, 10, 0.3f}, Vec3{0.3f, 0.01f, 10}, Vec3{0.02f, 3, 3}}) {
    const Domain domain = box(dimension(), {-1, -1, -1}, Vec3{-1, -1, -1} + extent);
    expect_exact({domain, 0.05f, uniform_cloud(random, domain, 1200)});
  }
}

TEST_P(Clouds, WalledFacesAreOpenToTheSearch) {
  // Walls are the simulation's concern: a particle pressed through one is still found.
  Random random(16);
  expect_exact(
      {box(dimension(), 0, 1, Axis::Walled), 0.15f, uniform_cloud(random, box(dimension(), -0.3f, 1.3f), 800)});
}

TEST_P(Clouds, ASmallerQueryRadiusFindsOnlyItsOwnPairs) {
  Random random(17);
  const Domain domain = box(dimension(), 0, 1);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 800);
  SortedSearch sorted(device(), settings());
  sorted.build(x, domain, 0.2f);
  for (const float h : {0.2f, 0.1f, 0.03f, 1e-6f}) {
    SCOPED_TRACE(h);
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, h), sorted.find(h)));
  }
  sorted.list_neighbors();
  EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.1f), sorted.find(0.1f)));
}

TEST_P(Clouds, ASecondBuildForgetsTheFirst) {
  Random random(18);
  SortedSearch sorted(device(), settings());
  for (const int count : {600, 50, 900, 0, 1, 700})
    for (const float h : {0.3f, 0.05f}) {
      SCOPED_TRACE(testing::Message() << count << " particles, h " << h);
      const Domain domain = box(dimension(), 0, 1, random.chance(0.5f) ? Axis::Open : Axis::Periodic);
      const std::vector<Vec4> x = uniform_cloud(random, domain, count);
      sorted.build(x, domain, h);
      sorted.list_neighbors();
      EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, h), sorted.find(h)));
    }
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(Clouds);

}  // namespace
}  // namespace riffle::test
