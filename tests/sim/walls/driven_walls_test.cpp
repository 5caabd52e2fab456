/// Wall particles of driven solids: a drive handles them alone, and the walls are then what placing all of them gives.

#include <algorithm>
#include <tuple>

#include "core/math/periodic.h"
#include "sim/start/sampling.h"
#include "sim/walls/boundary.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/solid_regions.h"
#include "support/devices.h"
#include "support/random.h"
#include "support/visit_neighbors.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

class DrivenWalls : public OnEachDevice {
 protected:
  static SmoothingKernel kernel_of(const SimulationSetup& setup) {
    return make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
  }

  static bool same_values(const Vec4& a, const Vec4& b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }
  static bool lower(const Vec4& a, const Vec4& b) {
    return std::tie(a.z, a.y, a.x, a.w) < std::tie(b.z, b.y, b.x, b.w);
  }

  template <class T>
  static std::vector<T> host(const Device& device, const T* from, int count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    copy_to_host(device, values.data(), from, values.size() * sizeof(T));
    return values;
  }

  template <class Walls>
  static void expect_same_arrays(const Device& device, const Walls& a, const Walls& b) {
    ASSERT_EQ(a.count(), b.count());
    const std::vector<Vec4> of_a = host(device, a.particles(), a.count()),
                            of_b = host(device, b.particles(), b.count());
    EXPECT_TRUE(std::equal(of_a.begin(), of_a.end(), of_b.begin(), same_values));
    EXPECT_EQ(host(device, a.solid(), a.count()), host(device, b.solid(), b.count()));
    EXPECT_EQ(host(device, a.solid_density(), a.count()), host(device, b.solid_density(), b.count()));
  }

  /// Neighbours of places all over the domain, and of the walls themselves, against the oracle.
  template <class Walls>
  static void expect_neighbors(const Device& device, const Walls& walls, const SimulationSetup& setup) {
    const Domain& domain = setup.domain;
    const std::vector<Vec4> particles = host(device, walls.particles(), walls.count());
    std::vector<Vec4> queries;
    for (std::size_t b = 0; b < particles.size(); b += 3) {
      Vec4 x = particles[b];
      x.x += 0.4f * setup.spacing;
      queries.push_back(x);
    }
    Random random(91);
    for (int k = 0; k < 300; ++k) {
      const auto at = [&](float low, float high) { return random.uniform(low - 0.02f, high + 0.02f); };
      queries.push_back({at(domain.min.x, domain.max.x), at(domain.min.y, domain.max.y),
                         domain.dimension == 3 ? at(domain.min.z, domain.max.z) : 0.0f, 0});
    }
    const Buffer<Vec4> asked(device, queries);
    const float h = setup.support_radius();
    const Visits found = visit_neighbors_of(walls.search(), walls.particles(), asked.data(), int(queries.size()), h);
    const NeighborSets expected = expected_neighbors_of(particles, queries, domain, h);
    EXPECT_GT(pair_count(expected), 1000u);
    EXPECT_TRUE(same_neighbors(expected, found.of));
  }
};

// The domain's faces as solids share sites in corners and stay; a block in front of them is driven.
TEST_P(DrivenWalls, AreThoseOfPlacingAllSolids) {
  for (const int dimension : {2, 3})
    for (const bool shared : {false, true}) {
      SCOPED_TRACE(std::to_string(dimension) + "-D" + (shared ? ", shared sites" : ""));
      SimulationSetup setup = with_solver(column_setup(dimension, dimension == 2 ? 12 : 8), SolverKind::Wcsph);
      std::vector<Solid> solids = faces_as_solids(setup);
      if (!shared) solids.resize(1);
      solids[0].belts.velocity[0][0] = {0, 0.3f, 0};
      solids[0].belts.box = setup.domain;
      auto samples = std::make_shared<SolidSamples>();
      const int layers = dimension == 3 ? 5 : 1;
      for (int z = 0; z < layers; ++z)
        for (int y = 0; y < 6; ++y)
          for (int x = 0; x < 7; ++x)
            samples->wall.push_back({setup.spacing * float(x), setup.spacing * float(y), setup.spacing * float(z), 0});
      Solid block;
      block.samples = samples;
      block.driven = true;
      solids.push_back(block);
      solids.back().placement.pose.translation = {0.05f, 0.04f, dimension == 3 ? 0.02f : 0.0f};
      setup.solids = solids;
      const std::size_t moving = solids.size() - 1;

      auto driven = std::make_shared<PlacedWalls>(device(), setup, kernel_of(setup));
      auto placed = std::make_shared<PlacedWalls>(device(), setup, kernel_of(setup));
      Buffer<SolidMotion> table(device()), other_table(device());
      Buffer<Vec4> velocity(device()), other_velocity(device());
      driven->find_velocities(solids, table, velocity);
      const int count = driven->count();
      const float far = 2 * setup.domain.extent().x;
      const Vec3 ways[] = {{0.01f, 0, 0}, {0.11f, 0.03f, 0}, {far, 0, 0}, {-0.04f, -0.03f, 0}, {0.0101f, 0, 0}};
      for (std::size_t k = 0; k < std::size(ways); ++k) {
        SCOPED_TRACE(k);
        Placement& placement = solids[moving].placement;
        placement.pose.rotation = rotation_about({0, 0, 1}, 0.7 * double(k));
        placement.pose.translation = Vec3{0.05f, 0.04f, dimension == 3 ? 0.02f : 0.0f} + ways[k];
        placement.motion = {{1, 2, 0}, {0, 0, 3}, placement.pose.translation};
        std::vector<SurfaceFrame> frames(moving);
        frames.back().driven = true;
        frames.back().motion = placement.motion;
        frames.back().start = frames.back().end = placement.pose;
        const Buffer<SurfaceFrame> on_device(device(), frames);
        driven->drive(on_device.data(), false, table, velocity);
        PlacedWalls::place(placed, placements_of(solids));
        placed->find_velocities(solids, other_table, other_velocity);

        EXPECT_EQ(driven->count(), count) << "no particle is lost";
        expect_same_arrays(device(), *driven, *placed);
        EXPECT_EQ(host(device(), driven->search().order(), count), host(device(), placed->search().order(), count));
        const std::vector<Vec4> v = host(device(), velocity.data(), count),
                                w = host(device(), other_velocity.data(), count);
        EXPECT_TRUE(std::equal(v.begin(), v.end(), w.begin(), same_values));
        expect_neighbors(device(), *driven, setup);
      }
    }
}

// A ball on a long way through the domain and out of it, and a bar that turns.
TEST_P(DrivenWalls, AreWhereTheirSolidsAreHoweverFarThatIsAndTheOthersStay) {
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true}) {
      SCOPED_TRACE(std::to_string(dimension) + "-D" + (periodic ? ", periodic" : ""));
      SimulationSetup setup = driven_course(SolverKind::Wcsph, dimension, dimension == 2 ? 12 : 8);
      if (periodic) setup.domain.axis[0] = Axis::Periodic;
      setup.solid_regions[1].drive = at_velocity({0.3f, 0.02f, 0});
      setup = with_sampled_solids(setup);
      SolidSurfaces surfaces(device(), setup);
      Boundary walls(device(), setup, kernel_of(setup));
      surfaces.drive_to(0);
      walls.drive(surfaces, false);
      const auto of_still_solids = [&](const Boundary& of) {
        const std::vector<Vec4> all = host(device(), of.particles(), of.count());
        const std::vector<std::uint32_t> solid = host(device(), of.solid(), of.count());
        std::vector<Vec4> still;
        for (std::size_t b = 0; b < all.size(); ++b)
          if (!setup.solids[solid[b]].driven) still.push_back(all[b]);
        std::sort(still.begin(), still.end(), lower);
        return still;
      };
      const std::vector<Vec4> still = of_still_solids(walls);
      const int count = walls.count();
      ASSERT_GT(still.size(), 100u);
      ASSERT_LT(still.size(), std::size_t(count));
      for (const double time : {0.001, 0.05, 0.4, 3.0, 0.002}) {
        SCOPED_TRACE(time);
        surfaces.drive_to(time);
        walls.drive(surfaces, false);
        ASSERT_EQ(walls.count(), count);
        const std::vector<Vec4> stayed = of_still_solids(walls);
        ASSERT_EQ(stayed.size(), still.size());
        EXPECT_TRUE(std::equal(still.begin(), still.end(), stayed.begin(), same_values));

        const std::vector<SurfaceFrame> frames =
            host(device(), surfaces.frames(), static_cast<int>(setup.solid_regions.size()));
        const std::vector<Vec4> all = host(device(), walls.particles(), count);
        const std::vector<std::uint32_t> solid = host(device(), walls.solid(), count);
        for (std::uint32_t s = 1; s < setup.solids.size(); ++s) {
          if (!setup.solids[s].driven) continue;
          std::vector<Vec4> found, expected;
          for (std::size_t b = 0; b < all.size(); ++b)
            if (solid[b] == s) found.push_back(make_vec4(xyz(all[b])));
          for (const Vec4& site : setup.solids[s].samples->wall)
            expected.push_back(make_vec4(periodic_image(placed(frames[s - 1].start, xyz(site)), setup.domain)));
          std::sort(found.begin(), found.end(), lower);
          std::sort(expected.begin(), expected.end(), lower);
          ASSERT_EQ(found.size(), expected.size());
          EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), same_values)) << "solid " << s;
        }

        Boundary others(device(), setup, kernel_of(setup));
        others.drive(surfaces, false);
        expect_same_arrays(device(), walls, others);
        const std::vector<Vec4> v = host(device(), walls.velocities(), count),
                                w = host(device(), others.velocities(), count);
        EXPECT_TRUE(std::equal(v.begin(), v.end(), w.begin(), same_values));
        expect_neighbors(device(), walls, setup);
      }
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DrivenWalls);

}  // namespace
}  // namespace riffle::test
