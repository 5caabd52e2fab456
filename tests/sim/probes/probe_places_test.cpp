/// Where probes sample, what is room there, and what follows from the shares along a level.

#include "sim/probes/probe_places.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "neighbors/separation.h"
#include "sim/probes/probe_cells.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

SimulationSetup tank(int dimension) {
  SimulationSetup setup = column_setup(dimension, 10);
  setup.domain.min = {0, 0, 0};
  setup.domain.max = {1, 1, 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = 0.05f;
  return setup;
}

TEST(ProbeRoom, IsAHalfAtAFaceAQuarterAtAnEdgeAndWholeInside) {
  for (const int dimension : {2, 3}) {
    const SimulationSetup setup = tank(dimension);
    const float z = dimension == 3 ? 0.5f : 0;
    EXPECT_EQ(room_around({0.5f, 0.5f, z}, setup), 1);
    EXPECT_NEAR(room_around({0.5f, 0, z}, setup), 0.5, 1e-6);
    EXPECT_NEAR(room_around({1, 0, z}, setup), 0.25, 1e-6);
    SimulationSetup open = setup;
    open.domain.axis[1] = Axis::Open;
    EXPECT_NEAR(room_around({1, 0, z}, open), 0.5, 1e-6);
  }
}

TEST(ProbeRoom, StillSolidsTakeTheirPartAndDrivenOnesDoNot) {
  SimulationSetup setup = tank(3);
  SolidRegion block;
  block.shape = Shape::Box;
  block.min = {0.5f, 0, 0};
  block.max = {0.8f, 1, 1};
  setup.solid_regions = {block};
  EXPECT_NEAR(room_around({0.5f, 0.5f, 0.5f}, setup), 0.5, 1e-6);
  EXPECT_EQ(room_around({0.3f, 0.5f, 0.5f}, setup), 1);
  EXPECT_EQ(room_around({0.65f, 0.5f, 0.5f}, setup), 0);
  setup.solid_regions[0].drive.given = true;
  EXPECT_EQ(room_around({0.5f, 0.5f, 0.5f}, setup), 1);
}

TEST(ProbePlacement, LinesEndAtTheirEndsAndFlowsCoverTheirArea) {
  const SimulationSetup setup = tank(3);
  ProbeSetup line{.kind = ProbeKind::Line, .at = {0.1f, 0.2f, 0.3f}, .to = {0.5f, 0.2f, 0.3f}};
  line.points[0] = 5;
  ProbeSetup plane{
      .kind = ProbeKind::Plane, .at = {0.1f, 0.1f, 0.1f}, .side = {0.4f, 0, 0}, .other_side = {0, 0.2f, 0}};
  plane.points[0] = 3, plane.points[1] = 2;
  const ProbeSetup level{.kind = ProbeKind::Level, .at = {0.5f, 0, 0.5f}, .to = {0.5f, 1, 0.5f}};
  const ProbeSetup flow{.kind = ProbeKind::Flow, .at = {0.5f, 0, 0}, .side = {0, 0.5f, 0}, .other_side = {0, 0, 1}};
  const std::vector<ProbeSetup> probes = {line, plane, level, flow};
  const AllProbePlaces all = place_probes(probes, setup);
  ASSERT_EQ(all.probes.size(), 4u);
  EXPECT_EQ(all.probes[0].count, 5u);
  EXPECT_EQ(xyz(all.places[0]), line.at);
  EXPECT_NEAR(all.places[1].x, 0.2f, 1e-6);
  EXPECT_EQ(xyz(all.places[4]), line.to);
  EXPECT_EQ(all.probes[1].count, 6u);
  EXPECT_NEAR(all.places[5 + 5].x, 0.5f, 1e-6);  // the far corner is the last
  EXPECT_NEAR(all.places[5 + 5].y, 0.3f, 1e-6);
  EXPECT_EQ(all.probes[2].count, 41u);  // a place per half a spacing
  EXPECT_NEAR(all.probes[2].step, 0.025, 1e-6);
  EXPECT_EQ(all.probes[3].count, 200u);  // a place per spacing
  EXPECT_NEAR(all.probes[3].area * 200, 0.5, 1e-6);
  EXPECT_NEAR(all.places[all.probes[3].first].y, 0.025f, 1e-6);
  EXPECT_NEAR(all.places[all.probes[3].first + 1].y, 0.05f + 0.0125f, 1e-6)
      << "not every place in the middle of its part";
  double mean = 0;
  for (std::size_t k = 0; k < 200; ++k) mean += double{all.places[all.probes[3].first + k].y} / 200;
  EXPECT_NEAR(mean, 0.25, 1e-6);
  EXPECT_EQ(all.places.size(), static_cast<std::size_t>(count_probe_places(probes, setup)));
}

// A site of the sum on the surface counts half, so that rounding changes nothing.
TEST(ProbePlacement, TheRoomBesideAWallGrowsEvenly) {
  SimulationSetup setup = with_solver(column_setup(3, 10), SolverKind::Wcsph);
  double before = 0.5;
  for (int k = 1; k <= 120; ++k) {
    const double room = room_around({setup.spacing * 0.025f * static_cast<float>(k), 0.15f, 0.05f}, setup);
    EXPECT_GE(room, before - 1e-6) << k;
    EXPECT_LT(room, before + 0.02) << k;
    before = room;
  }
  EXPECT_NEAR(before, 1, 1e-6);
}

TEST(ProbeLevel, IsWhereTheShareFallsBelowAHalf) {
  const auto expect = [](const std::vector<float>& share, double level, double wetted) {
    const FluidLevel found = fluid_level(share, 0.1);
    EXPECT_NEAR(found.level, level, 1e-6);
    EXPECT_NEAR(found.wetted, wetted, 1e-6);
  };
  expect({1, 1, 1, 0.6f, 0.4f, 0}, 0.35, 0.35);
  expect({0, 0, 0}, 0, 0);
  expect({1, 1, 1}, 0.2, 0.2);
  expect({1, 1, 0, 0, 1, 0}, 0.45, 0.15 + 0.1);  // a drop above the surface counts
  expect({0, 1, 1}, 0.2, 0.15);
  EXPECT_TRUE(std::isnan(fluid_level(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}, 0.1).level));
}

TEST(ProbeCellsTest, EveryParticleWithinReachOfAPlaceLiesInACellAroundIt) {
  std::mt19937 random(7);
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true})
      for (const float reach : {0.11f, 0.27f, 0.45f}) {
        Domain domain;
        domain.dimension = dimension;
        domain.min = {-0.3f, 0.1f, dimension == 3 ? -1.0f : 0};
        domain.max = {0.9f, 1.1f, dimension == 3 ? 0.1f : 0};
        if (periodic) domain.axis[0] = domain.axis[dimension - 1] = Axis::Periodic;
        const auto anywhere = [&] {
          std::uniform_real_distribution<float> x(domain.min.x, domain.max.x), y(domain.min.y, domain.max.y),
              z(domain.min.z, domain.max.z > domain.min.z ? domain.max.z : 1e-9f);
          return Vec3{x(random), y(random), dimension == 3 ? z(random) : 0};
        };
        std::vector<Vec4> places;
        for (int k = 0; k < 5; ++k) places.push_back(make_vec4(anywhere()));
        ProbeCells cells = cells_around(places, domain, reach);
        cells.table.slot = cells.slots.data();
        const PeriodicWrap wrap = periodic_wrap(domain);
        int near = 0;
        for (int k = 0; k < 2000; ++k) {
          const Vec3 x = anywhere();
          const std::int32_t slot = cells.table(x);
          for (std::size_t p = 0; p < places.size(); ++p) {
            if (squared_length(separation(x, xyz(places[p]), wrap)) >= reach * reach) continue;
            ++near;
            int listed = 0;
            for (std::uint32_t c = cells.first[p]; c < cells.first[p + 1]; ++c)
              if (slot >= 0 && cells.around[c] == static_cast<std::uint32_t>(slot)) ++listed;
            ASSERT_EQ(listed, 1) << dimension << "-D, periodic " << periodic << ", reach " << reach;
          }
        }
        EXPECT_GT(near, 20);
        EXPECT_EQ(cells.table({std::numeric_limits<float>::quiet_NaN(), 0.5f, 0}), -1);
        EXPECT_EQ(cells.table({1e30f, 0.5f, 0}), -1);
      }
}

TEST(ProbeColumns, AreNamedAfterTheirProbeAndThePoint) {
  SimulationSetup setup = tank(2);
  ProbeSetup line{.name = "cut", .kind = ProbeKind::Line, .quantities = {Quantity::Pressure, Quantity::Speed}};
  line.points[0] = 2;
  const std::vector<ProbeSetup> probes = {
      {.kind = ProbeKind::Point}, line, {.name = "gauge", .kind = ProbeKind::Level}, {.kind = ProbeKind::Flow}};
  std::vector<std::string> names;
  for (const ProbeColumn& column : probe_columns(probes, setup))
    names.push_back(std::string(column.kind) + " " + column.label);
  EXPECT_EQ(names, (std::vector<std::string>{"pressure_PROBE probe_1", "velocity_x_PROBE probe_1",
                                             "velocity_y_PROBE probe_1", "pressure_PROBE cut_1", "speed_PROBE cut_1",
                                             "pressure_PROBE cut_2", "speed_PROBE cut_2", "level_PROBE gauge",
                                             "wetted_PROBE gauge", "flow_PROBE probe_4"}));
  setup.solver = SolverKind::Pbf;  // its particles have no pressure
  EXPECT_EQ(probe_columns(probes, setup).size(), 2u + 2u + 2u + 1u);
}

}  // namespace
}  // namespace riffle::test
