#include "sim/start/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/error.h"
#include "sim/simulation.h"
#include "sim/walls/domain_faces.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

std::set<std::tuple<int, int, int>> sites(const std::vector<Vec4>& positions, float spacing) {
  std::set<std::tuple<int, int, int>> result;
  for (const Vec4& x : positions)
    result.insert({int(std::lround(2 * x.x / spacing)), int(std::lround(2 * x.y / spacing)),
                   int(std::lround(2 * x.z / spacing))});
  return result;
}

TEST(Sampling, ABoxOfNSpacingsHoldsNParticlesPerAxis) {
  // 0.9 / 0.02 is 44.999998 in float: a floor without tolerance loses a layer.
  SimulationSetup setup;
  setup.fluids.emplace_back();
  setup.spacing = 0.02f;
  BodySetup body;
  body.min = {0.02f, 0.02f, 0.02f};
  body.max = {0.82f, 0.92f, 0.82f};
  setup.bodies.push_back(body);
  EXPECT_EQ(count_particles(setup), 40 * 45 * 40);
  const FluidSamples samples = sample_bodies(setup);
  ASSERT_EQ(samples.position.size(), 72000u);
  EXPECT_NEAR(samples.position[0].x, 0.03f, 1e-6);
  EXPECT_NEAR(samples.position.back().y, 0.91f, 1e-5);
}

TEST(Sampling, CountsAgreeWithTheParticlesMade) {
  for (const int dimension : {2, 3})
    for (const float spacing : {0.1f, 0.033f, 0.0171f}) {
      SimulationSetup setup = column_setup(dimension, 10, 1.0f);
      setup.spacing = spacing;
      BodySetup ball;
      ball.shape = Shape::Sphere;
      ball.center = {2.5f, 1.5f, 0.5f};
      ball.radius = 0.4f;
      setup.bodies.push_back(ball);
      EXPECT_EQ(count_particles(setup), static_cast<std::int64_t>(sample_bodies(setup).position.size()));
      EXPECT_EQ(count_boundary_particles(setup), static_cast<std::int64_t>(sample_faces(setup).wall.size()));
    }
}

TEST(Sampling, WallsFillEdgesAndCornersOnceAndLeaveTheBoxEmpty) {
  for (const int dimension : {2, 3}) {
    const SimulationSetup setup = column_setup(dimension, 8, 1.0f);
    const SolidSamples samples = sample_faces(setup);
    const auto wall = sites(samples.wall, setup.spacing), behind = sites(samples.behind, setup.spacing),
               front = sites(samples.front, setup.spacing);
    EXPECT_EQ(wall.size(), samples.wall.size()) << "a site is filled twice";
    EXPECT_EQ(behind.size(), samples.behind.size());
    EXPECT_EQ(front.size(), samples.front.size());
    for (const auto& site : wall) EXPECT_TRUE(!behind.count(site) && !front.count(site));
    for (const Vec4& x : samples.wall) {
      const bool in_box = x.x > 0 && x.x < 4 && x.y > 0 && x.y < 3 && (dimension == 2 || (x.z > 0 && x.z < 1));
      EXPECT_FALSE(in_box);
    }
    // Two layers of 32 x 24 (x 8) sites at h = 2 spacings.
    const auto shell = [&](int layers) {
      return (32 + 2 * layers) * (24 + 2 * layers) * (dimension == 3 ? 8 + 2 * layers : 1);
    };
    EXPECT_EQ(samples.wall.size(), std::size_t(shell(2) - shell(0)));
    EXPECT_EQ(samples.behind.size(), std::size_t(shell(4) - shell(2)));
    EXPECT_EQ(samples.front.size(), std::size_t(shell(0) - (28 * 20 * (dimension == 3 ? 4 : 1))));
  }
}

TEST(Sampling, OnlyWalledAxesHaveWalls) {
  SimulationSetup setup = column_setup(3, 8, 1.0f);
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[2] = Axis::Open;
  const SolidSamples samples = sample_faces(setup);
  for (const Vec4& x : samples.wall) {
    EXPECT_TRUE(x.y < 0 || x.y > 3);
    EXPECT_TRUE(x.x > 0 && x.x < 4 && x.z > 0 && x.z < 1);
  }
  EXPECT_EQ(samples.wall.size(), 32u * 8 * 4);
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  EXPECT_TRUE(sample_faces(setup).wall.empty());
}

TEST(Sampling, AHugeDomainIsCountedNotWrapped) {
  SimulationSetup setup = column_setup(3, 8, 1.0f);
  setup.domain.max.x = 1e20f;
  EXPECT_GT(count_boundary_particles(setup), std::int64_t{1'000'000'000});
  EXPECT_THROW(Simulation(setup, Device{}), std::runtime_error);
}

TEST(Sampling, SitesBehindWallsAreCountedAsTheyAreMade) {
  for (const int dimension : {2, 3})
    for (const Axis y : {Axis::Open, Axis::Walled, Axis::Periodic}) {
      SimulationSetup setup = column_setup(dimension, 8);
      setup.domain.axis[1] = y;
      EXPECT_EQ(count_sites_behind_walls(setup), static_cast<std::int64_t>(sample_faces(setup).behind.size()));
    }
}

/// Whatever the memory, they could not be numbered.
TEST(Sampling, MoreThanCanBeNumberedIsRefusedBeforeAnythingIsMade) {
  const auto refusal = [](const SimulationSetup& setup) -> std::string {
    const std::size_t before = allocated_bytes(DeviceKind::Cpu);
    try {
      const Simulation simulation(setup, Device{});
    } catch (const Unavailable& error) {
      EXPECT_EQ(allocated_bytes(DeviceKind::Cpu), before);
      return error.what();
    }
    return "";
  };
  const auto named = [&](const SimulationSetup& setup) {
    return refusal(setup).find("at most 2000000000 of each can be numbered") != std::string::npos;
  };
  SimulationSetup fluid = column_setup(3, 1, 1.0f);
  fluid.domain.max = {1300, 1300, 1300};
  fluid.bodies[0].max = {1300, 1300, 1300};
  EXPECT_GT(count_particles(fluid), std::int64_t{2'147'483'647});
  EXPECT_TRUE(named(fluid)) << refusal(fluid);
  fluid.bodies[0].filling = Filling::Random;
  EXPECT_TRUE(named(fluid)) << refusal(fluid);

  SimulationSetup behind = column_setup(3, 1, 1.0f);  // a channel: the farther out a layer is, the longer
  behind.domain.max = {1, 1, 5e7f};
  behind.domain.axis[2] = Axis::Periodic;
  EXPECT_LT(count_boundary_particles(behind), std::int64_t{2'000'000'000});
  EXPECT_GT(count_sites_behind_walls(behind), std::int64_t{2'000'000'000});
  EXPECT_TRUE(named(behind)) << refusal(behind);
}

TEST(Sampling, JitterFollowsTheSeed) {
  SimulationSetup setup = periodic_setup(3, 8);
  const auto first = sample_bodies(setup).position, again = sample_bodies(setup).position;
  setup.seed = 2;
  const auto other = sample_bodies(setup).position;
  bool same = true, different = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    same &= xyz(first[i]) == xyz(again[i]);
    different |= !(xyz(first[i]) == xyz(other[i]));
  }
  EXPECT_TRUE(same);
  EXPECT_TRUE(different);
}

}  // namespace
}  // namespace riffle::test
