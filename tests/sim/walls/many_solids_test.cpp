/// Scenes with many solids: the cells that list them leave none out that is near, and change nothing.

#include <limits>

#include "sim/walls/inside_solids.h"
#include "sim/walls/solid_regions.h"
#include "support/devices.h"
#include "support/random.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

class ManySolids : public OnEachDevice {
 protected:
  template <class T>
  static std::vector<T> host(const Device& device, const T* from, std::size_t count) {
    std::vector<T> values(count);
    copy_to_host(device, values.data(), from, count * sizeof(T));
    return values;
  }

  /// Solids of all shapes, some of them with a cut, of many sizes, some partly outside the domain. Every third one is driven.
  static SimulationSetup crowd(int dimension, int count, bool periodic, bool driven, Random& random) {
    SimulationSetup setup = with_solver(column_setup(dimension, 12), SolverKind::Wcsph);
    if (periodic) setup.domain.axis[0] = setup.domain.axis[dimension - 1] = Axis::Periodic;
    const Domain& domain = setup.domain;
    const Vec3 extent = domain.extent();
    const auto within = [&](float low, float high, int a) {
      return component(domain.min, a) + component(extent, a) * random.uniform(low, high);
    };
    const auto place = [&] { return Vec3{within(-0.1f, 1.1f, 0), within(-0.1f, 1.1f, 1), within(-0.1f, 1.1f, 2)}; };
    for (int s = 0; s < count; ++s) {
      const float size = s == 3                ? 0.7f * extent.y  // driven, and in very many cells
                         : random.chance(0.1f) ? extent.y * random.uniform(0.1f, 0.5f)
                                               : extent.y * random.uniform(0.005f, 0.05f);
      const Vec3 x = place();
      const Vec3 way{random.uniform(-size, size), size, dimension == 3 ? random.uniform(-size, size) : 0.0f};
      SolidRegion solid;
      switch (random.below(5)) {
        case 0: solid = solid_box(x - Vec3{size, 0.5f * size, size}, x + Vec3{size, 0.5f * size, size}); break;
        case 1: solid = solid_ball(x, size); break;
        case 2: solid = solid_cylinder(x, x + way, 0.4f * size); break;
        case 3: solid = solid_capsule(x, x + way, 0.4f * size); break;
        default:
          solid = solid_polygon({{x.x, x.y}, {x.x + size, x.y}, {x.x, x.y + size}}, x.z - size, x.z + size);
          break;
      }
      if (random.chance(0.2f)) solid.without.push_back(plain(solid_ball(x, 0.3f * size)));
      if (driven && s % 3 == 0)
        solid.drive = random.chance(0.5f) ? turning(x, random.uniform(-20, 20), {0, 0, 1})
                                          : at_velocity({random.uniform(-2, 2), random.uniform(-2, 2), 0});
      setup.solid_regions.push_back(solid);
    }
    return setup;
  }

  struct Met {
    std::uint32_t solid;
    float distance;
    Vec3 normal;
    bool operator==(const Met&) const = default;
  };
  /// What contact sees within `reach` of x.
  template <SurfaceTime Time>
  static std::vector<Met> near(const SurfaceView& view, Vec3 x, float reach) {
    std::vector<Met> met;
    view.for_each_near<Time>(x, reach, [&](std::uint32_t solid, SurfaceDistance d) {
      const float more = Time == SurfaceTime::InStep && view.frames != nullptr ? view.frames[solid].travel : 0;
      if (d.distance < reach + more) met.push_back({solid, d.distance, d.normal});
    });
    return met;
  }

  template <SurfaceTime Time>
  static void expect_same(const SurfaceView& listed, const SurfaceView& all, Vec3 x, float reach, int& found) {
    const std::vector<Met> expected = near<Time>(all, x, reach);
    found += static_cast<int>(expected.size());
    ASSERT_EQ(near<Time>(listed, x, reach).size(), expected.size()) << x.x << ' ' << x.y << ' ' << x.z;
    EXPECT_TRUE(near<Time>(listed, x, reach) == expected) << x.x << ' ' << x.y << ' ' << x.z;
  }

  /// few: too few solids for cells
  void expect_same_runs(const SimulationSetup& few, const SimulationSetup& many, int steps) const {
    ASSERT_LT(few.solid_regions.size(), SolidCells::kFewest);
    ASSERT_GE(many.solid_regions.size(), SolidCells::kFewest);
    const auto positions = [&](SimulationSetup setup) {
      setup.deterministic = true;
      Simulation simulation(with_sampled_solids(setup), device());
      for (int step = 0; step < steps; ++step) simulation.step();
      return by_id<Vec4>(simulation, "position");
    };
    const std::vector<Vec4> without = positions(few), with = positions(many);
    ASSERT_EQ(without.size(), with.size());
    bool same = true;
    for (std::size_t i = 0; i < with.size(); ++i) same = same && xyz(with[i]) == xyz(without[i]);
    EXPECT_TRUE(same);
  }
};

// The cells of the device, read on the host: what they list, beside what all solids say.
TEST_P(ManySolids, AreAllFoundThatAreNear) {
  Random random(5);
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true})
      for (const int count : {5, 64, 65, 300}) {
        SCOPED_TRACE(std::to_string(dimension) + "-D, " + std::to_string(count) + (periodic ? ", periodic" : ""));
        const SimulationSetup setup = crowd(dimension, count, periodic, /*driven=*/true, random);
        FlatRegions flat = flat_solids(setup);
        SolidSurfaces surfaces(device(), setup);
        const SolidCellsView& cells = surfaces.view().cells;
        ASSERT_NE(cells.bits, nullptr);
        EXPECT_GT(cells.cells, 100);
        std::vector<std::uint32_t> first;
        for (std::size_t k = 0; k < flat.shapes.size(); ++k)
          if (!flat.shapes[k].cut) first.push_back(static_cast<std::uint32_t>(k));
        Buffer<ClockState> clock(device());
        int found = 0, marked = 0;
        for (const double time : {0.0, 0.01, 0.3, 2.0}) {
          SCOPED_TRACE(time);
          ClockState now;
          now.time = time;
          now.dt = 0.004f;
          clock.assign(std::vector<ClockState>{now});
          surfaces.drive(clock.data(), time > 0 ? SolidSurfaces::Part::Step : SolidSurfaces::Part::Now);
          const auto frames = host(device(), surfaces.frames(), setup.solid_regions.size());
          const auto bits =
              host(device(), cells.bits,
                   (static_cast<std::size_t>(cells.cells) + 1) * static_cast<std::size_t>(cells.stride()));
          for (const std::uint64_t word : bits) marked += __builtin_popcountll(word);
          SurfaceView all{flat.shapes.data(), flat.corners.data(),      static_cast<int>(flat.shapes.size()),
                          dimension,          surfaces.view().rounding, frames.data()};
          SurfaceView listed = all;
          listed.first = first.data();
          listed.cells = cells;
          listed.cells.bits = bits.data();
          for (int k = 0; k < 200; ++k) {
            Vec3 x{random.uniform(-0.3f, 1.3f), random.uniform(-0.3f, 1.3f), random.uniform(-0.3f, 1.3f)};
            const Vec3 extent = setup.domain.extent();
            x = setup.domain.min + Vec3{x.x * extent.x, x.y * extent.y, dimension == 3 ? x.z * extent.z : 0};
            for (const float reach : {0.0f, 0.3f * setup.spacing, cells.reach, 4 * cells.reach}) {
              expect_same<SurfaceTime::Start>(listed, all, x, reach, found);
              expect_same<SurfaceTime::End>(listed, all, x, reach, found);
              expect_same<SurfaceTime::InStep>(listed, all, x, reach, found);
            }
          }
        }
        EXPECT_GT(found, 100);
        EXPECT_LT(marked / 4, cells.cells * count / 2) << "cells list what is near, not everything";
      }
}

// A visit that moves the place asks the solids after it for the new one, wherever that is.
TEST_P(ManySolids, AreAskedForAPlaceThatMoved) {
  SimulationSetup setup = with_solver(column_setup(2, 12), SolverKind::Wcsph);
  for (int s = 0; s < 70; ++s) setup.solid_regions.push_back(solid_ball({0.01f + 0.004f * float(s), 0.1f, 0}, 0.0015f));
  const SolidsAtRest solids(setup);
  const FlatRegions flat = flat_solids(setup);
  const SolidSurfaces surfaces(Device{}, setup);
  const SurfaceView view = surfaces.view();
  ASSERT_NE(view.cells.bits, nullptr);
  Vec3 x{0.01f, 0.1f, 0};
  std::vector<std::uint32_t> visited;
  view.for_each_near(x, 0, [&](std::uint32_t solid, SurfaceDistance d) {
    if (!(d.distance < 0)) return;
    visited.push_back(solid);
    x.x += solid == 0 ? 0.2f : 0.004f;  // to ball 50, and on from one to the next
  });
  std::vector<std::uint32_t> expected{0};
  for (std::uint32_t s = 50; s < 70; ++s) expected.push_back(s);
  EXPECT_EQ(visited, expected);
  EXPECT_EQ(solids.around({0.01f + 0.004f * 33, 0.1f, 0}), std::optional<std::size_t>(33));
  EXPECT_FALSE(solids.around({0.012f, 0.1f, 0}).has_value());
  EXPECT_TRUE(solids.nearer({0.012f, 0.1f, 0}, 0.0006f));
  EXPECT_FALSE(solids.nearer({0.012f, 0.1f, 0}, 0.0004f));
  EXPECT_TRUE(solids.nearer({0.012f, 0.15f, 0}, 0.05f)) << "farther than cells list";
}

// A place that is no number may be near no solid or any, and nothing may be read beyond the cells: the sanitizers look for
// that. One that is far away is where it is.
TEST_P(ManySolids, AreAskedForPlacesThatAreNoNumbers) {
  Random random(6);
  const SimulationSetup setup = crowd(3, 100, false, false, random);
  const SolidSurfaces surfaces(Device{}, setup);
  const SurfaceView listed = surfaces.view();
  SurfaceView all = listed;
  all.cells = {};
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();
  for (const float bad : {kNaN, kInfinite, -kInfinite, 3e38f, -3e38f})
    for (const Vec3 x : {Vec3{bad, 0.1f, 0.1f}, Vec3{0.1f, bad, 0.1f}, Vec3{0.1f, 0.1f, bad}, Vec3{bad, bad, bad}}) {
      int of_listed = 0, of_all = 0;
      listed.for_each_near(x, 0, [&](std::uint32_t, SurfaceDistance) { ++of_listed; });
      all.for_each_near(x, 0, [&](std::uint32_t, SurfaceDistance) { ++of_all; });
      if (bad == bad)
        EXPECT_EQ(of_listed, of_all);
      else
        EXPECT_LE(of_listed, of_all);
    }
}

// Solids that the fluid does not reach make a scene one with many; its fluid does the same as without them, to the last bit.
TEST_P(ManySolids, ThatNoFluidReachesChangeNothing) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph})
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + (dimension == 2 ? ", 2-D" : ", 3-D"));
      SimulationSetup few = driven_course(solver, dimension, dimension == 2 ? 16 : 8);
      const Vec3 max = few.domain.max;
      few.domain.max.y *= 3;
      SimulationSetup many = few;
      for (int k = 0; k < 70; ++k) {
        const float x = few.domain.min.x + (0.1f + 0.8f * float(k) / 70) * few.domain.extent().x;
        many.solid_regions.push_back(solid_ball({x, 2.7f * max.y, 0.5f * max.z}, 0.001f * max.x));
        if (k % 2 == 0) many.solid_regions.back().drive = swaying({0, 0.01f * max.y, 0}, 0.1f);
      }
      expect_same_runs(few, many, 40);
    }
}

// In DPD what lies a cut-off deep in another solid is out of reach.
TEST_P(ManySolids, ThatNoDpdFluidReachesChangeNothing) {
  SimulationSetup few = dpd_box(3, 6);
  few.domain.axis[1] = Axis::Walled;
  few.solid_regions = {solid_box({1, 1, 1}, {4, 4, 4}), solid_ball({4.5f, 4.5f, 4.5f}, 0.6f)};
  few.solid_regions[1].drive = turning({4, 4, 4}, 1);
  SimulationSetup many = few;
  for (int k = 0; k < 70; ++k) many.solid_regions.push_back(solid_ball({2.4f + 0.003f * float(k), 2.5f, 2.5f}, 0.05f));
  expect_same_runs(few, many, 40);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ManySolids);

}  // namespace
}  // namespace riffle::test
