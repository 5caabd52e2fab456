#include "sim/start/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <tuple>

#include "core/error.h"
#include "sim/simulation.h"
#include "sim/start/file_particles.h"
#include "sim/start/fitting.h"
#include "sim/start/room.h"
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

// What lies beyond walled faces has no fluid, and is not looked through site by site.
TEST(Sampling, BodiesThatReachFarBeyondTheirDomainAreFilledWithinIt) {
  for (const bool is_box : {true, false}) {
    SimulationSetup setup = column_setup(2, 8, 1.0f);
    BodySetup post;
    const auto reach = [&](float low, float high) {
      if (is_box) {
        post.min = {0.2f, low, 0};
        post.max = {0.6f, high, 0};
      } else {
        post.shape = Shape::Polygon;
        post.corners = {{0.2f, low}, {0.6f, low}, {0.6f, high}, {0.2f, high}};
      }
      setup.bodies = {post};
      const std::vector<Vec4> places = sample_bodies(setup).position;
      EXPECT_EQ(count_particles(setup), static_cast<std::int64_t>(places.size())) << is_box << low << ".." << high;
      return sites(places, setup.spacing);
    };
    const float top = setup.domain.max.y;
    const auto near = reach(0, 2 * top);
    EXPECT_GE(near.size(), 4u * 9);
    EXPECT_EQ(reach(0, 1e9f), near);
    EXPECT_EQ(reach(-1e3f, 1e9f), near);
    EXPECT_EQ(reach(-16777216, 2 * top), near);
  }
}

TEST(Sampling, ARandomBodyThatReachesFarBeyondItsDomainHasItsDensityWithinIt) {
  SimulationSetup setup = column_setup(2, 40, 1.0f);
  BodySetup post;
  post.filling = Filling::Random;
  post.min = {0.2f, 0, 0};
  const auto count = [&](float high) {
    post.max = {0.6f, high, 0};
    setup.bodies = {post};
    const std::vector<Vec4> places = sample_bodies(setup).position;
    EXPECT_EQ(count_particles(setup), static_cast<std::int64_t>(places.size()));
    for (const Vec4& x : places) EXPECT_TRUE(x.x > 0.2f && x.x < 0.6f && x.y > 0 && x.y < setup.domain.max.y);
    return static_cast<double>(places.size());
  };
  const double near = count(2 * setup.domain.max.y);
  EXPECT_NEAR(count(1e9f), near, 0.02 * near);
}

// Solids are looked at where they are: of 10^9 sites of a box only those near its solids, so that the number is exact.
TEST(Sampling, OfALargeBoxOnlyTheSitesNearSolidsAreLookedAt) {
  SimulationSetup setup = column_setup(3, 10, 1.0f);
  setup.spacing = 0.001f;
  setup.domain.max = {1, 1, 1};
  setup.bodies.resize(1);
  setup.bodies[0].min = {0, 0, 0};
  setup.bodies[0].max = {1, 1, 1};
  SolidRegion ball;
  ball.shape = Shape::Sphere;
  ball.center = {0.5f, 0.5f, 0.5f};
  ball.radius = 0.01f;
  SolidRegion overlapping = ball;
  overlapping.center.x += 0.005f;
  SolidRegion sticking_out = ball;
  sticking_out.center = {1.002f, 0.5f, 0.2f};
  setup.solid_regions = {ball, overlapping, sticking_out};
  SimulationSetup small = setup;
  const auto left_out_in = [&](Vec3 min, Vec3 max) {
    small.bodies[0].min = min;
    small.bodies[0].max = max;
    SimulationSetup empty = small;
    empty.solid_regions.clear();
    return count_particles(empty) - static_cast<std::int64_t>(sample_bodies(small).position.size());
  };
  const std::int64_t left_out =
      left_out_in({0.45f, 0.45f, 0.45f}, {0.55f, 0.55f, 0.55f}) + left_out_in({0.95f, 0.45f, 0.15f}, {1, 0.55f, 0.25f});
  EXPECT_GT(left_out, 5000);
  EXPECT_NEAR(double(count_particles(setup)), 1e9 - double(left_out), 20) << "of rounding of sites";
}

TEST(Sampling, WallsFillEdgesAndCornersOnceAndLeaveTheBoxEmpty) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = column_setup(dimension, 8, 1.0f);
    setup.support_ratio = 2;
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
  setup.support_ratio = 2;
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
  behind.support_ratio = 2;
  behind.domain.max = {1, 1, 5e7f};
  behind.domain.axis[2] = Axis::Periodic;
  EXPECT_LT(count_boundary_particles(behind), std::int64_t{2'000'000'000});
  EXPECT_GT(count_sites_behind_walls(behind), std::int64_t{2'000'000'000});
  EXPECT_TRUE(named(behind)) << refusal(behind);
}

/// A tank's floor with a slope in it, a standing drum and a ball, with and without holes; 2-D and 3-D.
std::vector<BodySetup> cut_bodies(int dimension) {
  const float z = dimension == 3 ? 1.0f : 0.0f;
  BodySetup box, drum, slope;
  box.max = {2, 1, z};
  drum.shape = Shape::Cylinder;
  drum.from = {3, 0.5f, 0.5f * z};
  drum.to = {3, 1.5f, 0.5f * z};
  drum.radius = 0.4f;
  slope.shape = Shape::Polygon;
  slope.corners = {{0.5f, 1.5f}, {1.5f, 1.5f}, {1.5f, 2.5f}};
  slope.high = z;
  BodySetup holed = box;
  holed.without = {drum, slope};
  holed.without[0].from = {1, 0, 0.5f * z};
  holed.without[0].to = {1, 1, 0.5f * z};
  holed.without[1].corners = {{0, 0}, {0.5f, 0}, {0, 0.5f}};
  BodySetup shell = drum;
  shell.without = {drum};
  shell.without[0].radius = 0.3f;
  return {box, drum, slope, holed, shell};
}

TEST(Sampling, BodiesOfEveryShapeHoldTheLatticeSitesInThem) {
  for (const int dimension : {2, 3})
    for (const BodySetup& body : cut_bodies(dimension)) {
      SCOPED_TRACE(std::string(shape_info(body.shape).word) + (body.plain() ? "" : " with holes"));
      SimulationSetup setup = column_setup(dimension, 20, 1.0f);
      setup.bodies = {body};
      const auto position = sample_bodies(setup).position;
      ASSERT_EQ(count_particles(setup), static_cast<std::int64_t>(position.size()));
      EXPECT_EQ(sites(position, setup.spacing).size(), position.size()) << "a site is filled twice";
      for (const Vec4& x : position) EXPECT_TRUE(contains(body, xyz(x), dimension));
      if (!body.plain()) continue;
      const double volume = shape_info(body.shape).volume(body, dimension, setup.spacing);
      // A diagonal edge through sites keeps all of those on it: half a layer more.
      const double surface = body.shape == Shape::Polygon ? 0.5 * 20 * (dimension == 3 ? 20 : 1) : 0;
      EXPECT_NEAR(double(position.size()), volume + surface, 0.05 * volume) << "circles of 8 spacings";
    }
}

TEST(Sampling, HolesTakeAwayTheSitesInThem) {
  SimulationSetup setup = column_setup(3, 10, 1.0f);
  setup.bodies[0].max = {1, 1, 1};
  PlainShape hole;
  hole.min = {0, 0, 0};
  hole.max = {0.5f, 0.5f, 1};
  setup.bodies[0].without = {hole};
  EXPECT_EQ(count_particles(setup), 750);
  hole.shape = Shape::Sphere;
  hole.center = {0.7f, 0.7f, 0.5f};
  hole.radius = 0.08f;  // eight sites at 0.05 sqrt 3 = 0.087 from its centre, none of them in it
  setup.bodies[0].without.push_back(hole);
  EXPECT_EQ(count_particles(setup), 750);
  setup.bodies[0].without.back().radius = 0.09f;
  EXPECT_EQ(count_particles(setup), 742);
}

TEST(Sampling, RandomPlacesLieInTheBodyAtTheMeanDensity) {
  for (const int dimension : {2, 3})
    for (BodySetup body : cut_bodies(dimension)) {
      SCOPED_TRACE(std::string(shape_info(body.shape).word) + (body.plain() ? "" : " with holes"));
      body.filling = Filling::Random;
      SimulationSetup setup = column_setup(dimension, 20, 1.0f);
      setup.bodies = {body};
      const auto position = sample_bodies(setup).position;
      EXPECT_EQ(count_particles(setup), static_cast<std::int64_t>(position.size()));
      for (const Vec4& x : position) EXPECT_TRUE(contains(body, xyz(x), dimension));
      double volume = shape_info(body.shape).volume(body, dimension, setup.spacing);
      if (!body.plain()) {
        SimulationSetup fine = setup;  // that many sites are its volume
        fine.bodies[0].filling = Filling::Lattice;
        fine.spacing /= 10;
        volume = double(count_particles(fine)) / (dimension == 2 ? 100 : 1000);
      }
      EXPECT_NEAR(double(position.size()), volume, body.plain() ? 0.5 : 0.01 * volume);
    }
}

// A sliver that few draws from its bounds hit.
TEST(Sampling, RandomPlacesInAThinBodyLieInIt) {
  SimulationSetup setup = column_setup(2, 50, 1.0f);
  BodySetup& sliver = setup.bodies[0];
  sliver.shape = Shape::Polygon;
  sliver.corners = {{0, 0}, {0.03f, 0}, {3, 2.97f}, {3, 3}, {2.97f, 3}, {0, 0.03f}};
  sliver.filling = Filling::Random;
  BodySetup hole;
  hole.min = {0.05f, 0.05f, 0};
  hole.max = {2.95f, 2.95f, 1};
  sliver.without = {hole};
  const auto position = sample_bodies(setup).position;
  EXPECT_GT(position.size(), 4u);
  for (const Vec4& x : position) EXPECT_TRUE(contains(sliver, xyz(x), 2));
  EXPECT_EQ(sites(position, 1e-6f).size(), position.size()) << "two particles in one place";
}

// Where the draws miss, the cells of the lattice's sites are filled.
TEST(Sampling, RandomPlacesInAThinBodyLieInTheCellsOfItsSites) {
  SimulationSetup setup = column_setup(3, 2, 1.0f);
  setup.spacing = 1;
  BodySetup& plate = setup.bodies[0];  // a plate of 0.1 x 300 x 2.7 is left, of which a draw hits one in three thousand
  plate.max = {300, 300, 2.7f};
  setup.domain.max = plate.max;
  plate.filling = Filling::Random;
  BodySetup left, right;
  left.max = {149.45f, 300, 2.7f};
  right.min = {149.55f, 0, 0};
  right.max = plate.max;
  plate.without = {left, right};
  const auto position = sample_bodies(setup).position;
  ASSERT_NEAR(double(position.size()), 0.1 * 300 * 2.7, 2);
  std::size_t above = 0;  // no site's cell: these were drawn from the bounds
  for (const Vec4& x : position) {
    EXPECT_TRUE(contains(plate, xyz(x), 3));
    above += x.z > 2 ? 1 : 0;
  }
  EXPECT_LT(above, position.size() / 20);
}

// A run leaves particles nearer to a solid than bodies begin. A file of it must bring all of them back.
TEST(Sampling, ParticlesOfAFileAreLeftOutOnlyWhereASolidBuriesThem) {
  SimulationSetup setup;
  setup.domain.max = {1, 1, 1};
  setup.spacing = 0.1f;
  setup.fluids.emplace_back();
  SolidRegion ball;
  ball.shape = Shape::Sphere;
  ball.center = {0.5f, 0.5f, 0.5f};
  ball.radius = 0.2f;
  setup.solid_regions = {ball};
  const auto file = std::make_shared<FileParticles>();
  for (const float beyond : {0.5f, 0.24f, 0.01f, -0.05f, -0.2f, -1.0f}) {  // [spacings] from its surface
    file->position.push_back({0.7f + 0.1f * beyond, 0.5f, 0.5f});
    file->velocity.push_back({0, 0, 0});
  }
  BodySetup body;
  body.particles.from = file;
  setup.bodies = {body};
  EXPECT_EQ(sample_bodies(setup).position.size(), 4u);
  EXPECT_EQ(count_particles(setup), 4);
  setup.bodies[0] = BodySetup{};
  setup.bodies[0].max = {1, 1, 1};
  for (const Vec4& x : sample_bodies(setup).position)
    EXPECT_GE(std::sqrt(length2(xyz(x) - ball.center)), 0.2f + 0.1f * kFittedGap - 1e-5f);
}

TEST(Sampling, ASiteWithinAnotherBodyIsFound) {
  const auto bodies = cut_bodies(2);
  const float spacing = 0.05f;
  std::int64_t visits = 1'000'000;
  BodySetup inside_the_shell = bodies[1];
  inside_the_shell.radius = 0.29f;
  EXPECT_FALSE(site_within(bodies[4], inside_the_shell, 2, spacing, visits)) << "bounds in common, no place";
  inside_the_shell.radius = 0.36f;
  const auto place = site_within(bodies[4], inside_the_shell, 2, spacing, visits);
  ASSERT_TRUE(place);
  EXPECT_TRUE(contains(bodies[4], *place, 2) && contains(inside_the_shell, *place, 2));
  EXPECT_GT(visits, 990'000);
  visits = 3;
  inside_the_shell.radius = 0.29f;
  EXPECT_FALSE(site_within(bodies[4], inside_the_shell, 2, spacing, visits));
  EXPECT_LE(visits, 0);
}

// A wall would throw what is beyond it inside, onto the particles that are there.
TEST(Sampling, WalledFacesCutBodiesAndOtherFacesDoNot) {
  constexpr float kSpacing = 0.1f;
  for (const int dimension : {2, 3})
    for (const Axis axis : {Axis::Walled, Axis::Periodic, Axis::Open})
      for (const Filling filling : {Filling::Lattice, Filling::Random})
        for (const Shape shape : {Shape::Box, Shape::Sphere}) {
          SCOPED_TRACE(testing::Message() << dimension << "-D, axes " << int(axis) << ", filling " << int(filling)
                                          << ", shape " << int(shape));
          SimulationSetup setup = column_setup(dimension, 10, 1.0f);
          setup.spacing = kSpacing;
          setup.domain.min = {0, 0, 0};
          setup.domain.max = {1, 1, 1};
          for (Axis& a : setup.domain.axis) a = axis;
          setup.bodies.resize(1);
          BodySetup& body = setup.bodies[0];
          body.shape = shape;
          body.filling = filling;
          body.min = {-0.32f, 0, 0};
          body.max = {0.48f, 1.3f, 1};
          body.center = {0.05f, 0.9f, 0.5f};
          body.radius = 0.42f;
          body.jitter = filling == Filling::Lattice ? 0.5f : 0.0f;
          const FluidSamples samples = sample_bodies(setup);
          const auto made = static_cast<std::int64_t>(samples.position.size());
          EXPECT_EQ(count_particles(setup), made);
          const auto outside = std::ranges::count_if(
              samples.position, [](const Vec4& x) { return x.x < 0 || x.y < 0 || x.x > 1 || x.y > 1; });
          if (axis == Axis::Walled)
            EXPECT_EQ(outside, 0);
          else
            EXPECT_GT(outside, made / 10);
          if (axis != Axis::Walled || shape == Shape::Sphere) continue;
          const double within = (dimension == 3 ? 10 : 1) * 10 * 4.8;  // sites of the part that is left
          EXPECT_NEAR(static_cast<double>(made), within, 0.1 * within);
        }
}

TEST(Sampling, ABodyThatTouchesWalledFacesExceptForRoundingIsWhole) {
  SimulationSetup setup = column_setup(3, 10, 1.0f);
  setup.spacing = 0.1f;
  setup.domain.min = {0, 0, 0};
  setup.domain.max = {1, 1, 1};
  for (Axis& a : setup.domain.axis) a = Axis::Walled;
  setup.bodies.resize(1);
  setup.bodies[0].min = {-0.0005f, 0, 0};
  setup.bodies[0].max = {1, 1.0005f, 1};
  EXPECT_EQ(count_particles(setup), 1000);
  setup.bodies[0].min.x = -0.05f;  // the lattice begins at the body's corner
  setup.bodies[0].max.x = 0.95f;
  EXPECT_NEAR(static_cast<double>(count_particles(setup)), 950, 5)
      << "half of each cell on the face is within the wall";
  setup.bodies[0].min.x = -0.02f;
  EXPECT_NEAR(static_cast<double>(count_particles(setup)), 880, 5)
      << "nine layers, the first 0.3 spacings from the face";
}

TEST(Sampling, ADomainHasRoomUntilAllButALayerAcrossEachAxisIsFull) {
  SimulationSetup setup;
  setup.spacing = 0.1f;
  setup.domain.max = {2, 1, 3};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  EXPECT_NEAR(particles_without_room(setup), 20 * 10 * 30 - (10 * 30 + 20 * 30 + 20 * 10), 0.1);
  setup.domain.axis[1] = Axis::Open;
  EXPECT_EQ(particles_without_room(setup), std::numeric_limits<double>::infinity());
  setup.domain.axis[1] = Axis::Periodic;
  setup.domain.dimension = 2;
  EXPECT_NEAR(particles_without_room(setup), 20 * 10 - (10 + 20), 0.1);
  SolidRegion block;
  block.min = {0.5f, 0.2f, 0};
  block.max = {1.5f, 0.7f, 1};
  setup.solid_regions = {block};
  EXPECT_NEAR(particles_without_room(setup), 20 * 10 - 10 * 5 - (10 + 20), 0.1);
  setup.bodies.emplace_back().max = setup.domain.max;
  EXPECT_GE(double(count_particles(setup)), particles_without_room(setup)) << "a full domain is full";
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
