#include "sim/walls/solid_regions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/walls/boundary.h"
#include "sim/walls/domain_faces.h"
#include "sim/walls/solid_surfaces.h"
#include "support/devices.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

SimulationSetup open_with(int dimension, SolidRegion solid) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.spacing = 0.02f;
  setup.support_ratio = 2;
  setup.fluids.emplace_back();
  setup.solid_regions = {std::move(solid)};
  return setup;
}

SmoothingKernel kernel_of_walls(const SimulationSetup& setup) {
  return make_kernel(setup.wcsph.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
}

/// The distance of the nearest two.
double nearest_two(std::vector<Vec4> sites) {
  std::sort(sites.begin(), sites.end(), [](const Vec4& a, const Vec4& b) { return a.x < b.x; });
  double least = 1e9;
  for (std::size_t a = 0; a < sites.size(); ++a)
    for (std::size_t b = a + 1; b < sites.size() && sites[b].x - sites[a].x < least; ++b)
      least = std::min(least, std::sqrt(double{length2(xyz(sites[a]) - xyz(sites[b]))}));
  return least;
}

std::vector<SolidRegion> curved(int dimension) {
  const float z = dimension == 3 ? 0.5f : 0;
  return {solid_ball({0.5f, 0.51f, z}, 0.1f), solid_cylinder({0.3f, 0.35f, z}, {0.6f, 0.65f, 0.8f * z}, 0.12f),
          solid_capsule({0.35f, 0.4f, z}, {0.6f, 0.6f, 0.8f * z}, 0.13f),
          solid_polygon({{0.2f, 0.2f}, {0.8f, 0.35f}, {0.7f, 0.8f}}, 0.3f, 0.5f)};
}

TEST(SolidRegions, SitesLieInLayersAroundTheSurfaceEvenlySpread) {
  for (const int dimension : {2, 3})
    for (const SolidRegion& solid : curved(dimension)) {
      const SimulationSetup setup = with_sampled_solids(open_with(dimension, solid));
      ASSERT_EQ(setup.solids.size(), 2u);
      const SolidSamples& samples = *setup.solids[1].samples;
      const FlatRegions flat = flat_solids(setup);
      const std::string what = std::string(shape_info(solid.shape).word) + ", " + std::to_string(dimension) + "-D";
      int off = 0, all = 0;
      const auto look = [&](const std::vector<Vec4>& sites, float from, float to) {
        for (const Vec4& x : sites) {
          const float d = nearest_surface(flat, xyz(x), dimension).distance / setup.spacing;
          ASSERT_TRUE(d > from && d < to) << what << ": " << d;
          ++all;
          const float layer = std::fabs(d) - std::floor(std::fabs(d));
          if (std::fabs(layer - 0.5f) > 0.03f) ++off;  // at edges
        }
      };
      look(samples.wall, -2, 0);
      look(samples.behind, -4, -2);
      look(samples.front, 0, 2);
      EXPECT_LT(off, all / 10) << what;
      std::vector<Vec4> inside = samples.wall;
      inside.insert(inside.end(), samples.behind.begin(), samples.behind.end());
      EXPECT_GT(nearest_two(inside), 0.5 * setup.spacing) << what;
      // One site for each particle's volume of the layers that are filled.
      int filled = 0;
      const float fine = 0.25f * setup.spacing, z_step = dimension == 3 ? fine : 2;
      const Bounds bounds = bounds_of(solid);
      for (float x = bounds.min.x; x < bounds.max.x; x += fine)
        for (float y = bounds.min.y; y < bounds.max.y; y += fine)
          for (float z = dimension == 3 ? bounds.min.z : 0; z < (dimension == 3 ? bounds.max.z : 1); z += z_step) {
            const float d = nearest_surface(flat, {x, y, z}, dimension).distance;
            if (d < 0 && d > -4 * setup.spacing) ++filled;
          }
      EXPECT_NEAR(double(inside.size()) / (filled / std::pow(4.0, dimension)), 1, 0.1) << what;
    }
}

class SolidRegionWalls : public OnEachDevice {};

// Volumes are those of a lattice: what a boundary does follows from them.
TEST_P(SolidRegionWalls, VolumesAreNearThoseOfFluidParticles) {
  for (const int dimension : {2, 3})
    for (const SolidRegion& solid : curved(dimension)) {
      const SimulationSetup setup = with_sampled_solids(open_with(dimension, solid));
      const Boundary walls(device(), setup, kernel_of_walls(setup));
      std::vector<Vec4> particles(static_cast<std::size_t>(walls.count()));
      copy_to_host(device(), particles.data(), walls.particles(), particles.size() * sizeof(Vec4));
      double sum = 0, squares = 0;
      for (const Vec4& x : particles) sum += x.w, squares += double{x.w} * x.w;
      const double mean = sum / double(particles.size());
      EXPECT_NEAR(mean, 1, 0.06) << shape_info(solid.shape).word << ", " << dimension << "-D";
      EXPECT_LT(std::sqrt(squares / double(particles.size()) - mean * mean), 0.08)
          << shape_info(solid.shape).word << ", " << dimension << "-D";
    }
}

// The box continues the lattice of the floor, so its particles have the volume of the fluid's, also where both meet.
TEST_P(SolidRegionWalls, ABoxOnTheFloorIsOneLatticeWithIt) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = column_setup(dimension, 10);
    setup.solid_regions = {solid_box({0.2f, -0.5f, 0.03f}, {0.26f, 0.07f, 0.07f})};  // what lies below the floor is cut
    const SimulationSetup plain = [&] {
      SimulationSetup s = setup;
      s.solid_regions.clear();
      return s;
    }();
    const SimulationSetup sampled = with_sampled_solids(setup);
    const Boundary walls(device(), sampled, kernel_of_walls(setup)), faces(device(), plain, kernel_of_walls(plain));
    const int own = dimension == 2 ? 6 * 7 : 6 * 7 * 4;
    std::vector<Vec4> particles(static_cast<std::size_t>(walls.count()));
    std::vector<std::uint32_t> solid(particles.size());
    copy_to_host(device(), particles.data(), walls.particles(), particles.size() * sizeof(Vec4));
    copy_to_host(device(), solid.data(), walls.solid(), solid.size() * sizeof solid[0]);
    const auto of_box = static_cast<int>(std::count(solid.begin(), solid.end(), 1u));
    const int layers = static_cast<int>(std::ceil(setup.chosen_support_ratio() - 1e-3f));
    int behind = 0;  // sites so deep that no fluid feels them
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 7; ++j)
        for (int k = 0; k < (dimension == 3 ? 4 : 1); ++k)
          if (std::min({i, 5 - i, 6 - j, dimension == 3 ? std::min(k, 3 - k) : 99}) >= layers) ++behind;
    EXPECT_EQ(of_box, own - behind);
    EXPECT_EQ(walls.count() - of_box, faces.count());
    for (const Vec4& x : particles) ASSERT_NEAR(x.w, 1, 1e-3) << x.x << ", " << x.y << ", " << x.z;
  }
}

TEST(SolidRegions, APlaceBelongsToOneSolidOnly) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = obstacle_course(SolverKind::Wcsph, dimension, 10);
    setup.solid_regions.push_back(solid_ball({0.25f, 0.05f, 0.05f}, 0.03f));  // in the first box
    setup = with_sampled_solids(setup);
    ASSERT_EQ(setup.solids.size(), 6u);
    const FlatRegions all = flat_solids(setup);
    const Domain& domain = setup.domain;
    std::vector<Vec4> sites;
    for (std::size_t s = 0; s < setup.solids.size(); ++s) {
      EXPECT_EQ(setup.solids[s].group, 0);
      const SolidSamples& samples = *setup.solids[s].samples;
      for (const auto* list : {&samples.wall, &samples.behind})
        for (const Vec4& x : *list) {
          sites.push_back(x);
          if (s == 0) continue;
          for (int a = 0; a < dimension; ++a)
            ASSERT_TRUE(component(xyz(x), a) > component(domain.min, a) &&
                        component(xyz(x), a) < component(domain.max, a));
          for_each_region(all.shapes.data(), static_cast<int>(all.shapes.size()), all.corners.data(), xyz(x), 0,
                          dimension, [&](std::uint32_t solid, SurfaceDistance d) {
                            EXPECT_FALSE(solid + 1 < s && d.distance < 0) << "solid " << s << " in " << solid + 1;
                          });
        }
      for (const Vec4& x : samples.front) {
        sites.push_back(x);
        ASSERT_GT(nearest_surface(all, xyz(x), dimension).distance, 0);
      }
    }
    EXPECT_GT(nearest_two(sites), 0.05 * setup.spacing) << "no place twice";
  }
}

TEST(SolidRegions, WallParticlesAreCountedBeforeTheyAreMade) {
  for (const SolverKind solver : kSphSolvers)
    for (const int dimension : {2, 3}) {
      const SimulationSetup setup = obstacle_course(solver, dimension, 16), sampled = with_sampled_solids(setup);
      double wall = 0, behind = 0;
      for (const Solid& solid : sampled.solids) {
        wall += double(solid.samples->wall.size());
        behind += double(solid.samples->behind.size());
      }
      EXPECT_NEAR(double(count_boundary_particles(setup)) / wall, 1, 0.02);
      EXPECT_NEAR(double(count_sites_behind_walls(setup)) / behind, 1, 0.05);
    }
  EXPECT_EQ(count_boundary_particles(obstacle_course(SolverKind::Dpd, 3, 8)), 0);
}

/// (wall particles, sites behind) of the regions that are made.
RegionSites made(const SimulationSetup& setup) {
  RegionSites sites;
  const SimulationSetup sampled = with_sampled_solids(setup);
  for (std::size_t s = 1; s < sampled.solids.size(); ++s) {
    sites.wall += static_cast<std::int64_t>(sampled.solids[s].samples->wall.size());
    sites.behind += static_cast<std::int64_t>(sampled.solids[s].samples->behind.size());
  }
  return sites;
}

// Of a shape that is far larger than the domain only what lies in the domain is looked at.
TEST(SolidRegions, ALargeSolidThatOnlyReachesIntoTheDomainIsCountedAndMadeThere) {
  for (const float size : {3.0f, 100.0f, 1000.0f}) {
    std::vector<SolidRegion> large{
        solid_ball({0.5f, 0.3f - size, 0.5f}, size),
        solid_cylinder({0.4f, 0.3f - size, -size}, {0.6f, 0.3f - size, size}, size),
        solid_polygon({{-size, 0.3f}, {-size, -size}, {size, -size}, {size, 0.35f}}, -size, size)};
    for (const SolidRegion& solid : large) {
      SimulationSetup setup = open_with(3, solid);
      setup.spacing = 0.025f;
      setup.domain = {3, {0, 0, 0}, {1, 0.6f, 1}, {Axis::Walled, Axis::Walled, Axis::Walled}};
      const RegionSites counted = count_region_sites(setup), sampled = made(setup);
      const std::string what = std::string(shape_info(solid.shape).word) + " of " + std::to_string(size);
      EXPECT_GT(sampled.wall, 500) << what;
      EXPECT_NEAR(double(counted.wall) / double(sampled.wall), 1, 0.05) << what;
      EXPECT_NEAR(double(counted.behind + 1) / double(sampled.behind + 1), 1, 0.05) << what;
    }
  }
}

// With an open axis there is no end to clip at: the count tells that it is too large, in no time.
TEST(SolidRegions, ALargeSolidInAnOpenDomainIsCounted) {
  SimulationSetup setup = open_with(3, solid_ball({0, -50, 0}, 50));
  const double shell = 4 / 3.0 * 3.14159 * (50.0 * 50 * 50 - std::pow(50 - 2 * 0.02, 3)) / std::pow(0.02, 3);
  EXPECT_NEAR(double(count_region_sites(setup).wall) / shell, 1, 0.05);
}

TEST(SolidRegions, APostThroughAPeriodicBoxHasNoEnds) {
  SimulationSetup setup = periodic_setup(3, 20);
  setup.solid_regions = {solid_cylinder({0.5f, 0.5f, 0}, {0.5f, 0.5f, 1}, 0.2f)};
  setup = with_sampled_solids(setup);
  const SolidSamples& samples = *setup.solids[1].samples;
  int slices[4] = {0, 0, 0, 0};
  for (const Vec4& x : samples.wall) {
    ASSERT_TRUE(x.z >= 0 && x.z < 1);
    ++slices[static_cast<int>(4 * x.z)];
    ASSERT_LT(std::hypot(x.x - 0.5f, x.y - 0.5f), 0.2f);
  }
  for (const int slice : slices) EXPECT_NEAR(slice / (0.25 * double(samples.wall.size())), 1, 0.05);
}

TEST_P(SolidRegionWalls, SimulationsOfTheSameSolidsShareThem) {
  const SimulationSetup setup = obstacle_course(SolverKind::Wcsph, 2, 10);
  Simulation first(setup, device());
  SimulationSetup other = setup;
  other.gravity = {1, 0, 0};
  Simulation second(other, device());
  EXPECT_EQ(first.setup().solids[1].samples, second.setup().solids[1].samples);
  other.solid_regions[0].max.x += 0.01f;
  Simulation third(other, device());
  EXPECT_NE(first.setup().solids[1].samples, third.setup().solids[1].samples);
  // A run that goes on from a state is the run itself.
  run_steps(first, 20);
  Simulation from_state(first.setup(), device(), first.save_state(), &first);
  run_steps(first, 20);
  run_steps(from_state, 20);
  EXPECT_EQ(first.diagnostics().state_hash, from_state.diagnostics().state_hash);
}

TEST_P(SolidRegionWalls, NeitherTheNeighbourMethodNorASkinChangesARun) {
  for (const SolverKind solver : kSphSolvers)
    expect_same_with_every_search(obstacle_course(solver, 2, 8), solver == SolverKind::Pbf ? 8 : 20, device());
}

TEST_P(SolidRegionWalls, TheirMemoryIsEstimated) {
  for (const SolverKind solver : kSphSolvers) {
    Simulation simulation(obstacle_course(solver, 3, 16), device());
    run_steps(simulation, 3);
    simulation.finish();
    EXPECT_NEAR(double(estimate_memory(obstacle_course(solver, 3, 16), device())) / double(simulation.memory_bytes()),
                1, 0.2)
        << to_string(solver);
  }
}

// A solid that is free needs more at each wall particle: the estimate grows as the memory does. A GPU's lists of fluid beside walls
// are as wide as their longest, in steps: they grow with the crowd that the bodies make, which no estimate knows. There PBF needs
// 1.62 MB more and 1.18 are expected.
TEST_P(SolidRegionWalls, TheMemoryOfFreeOnesIsEstimated) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    const auto sizes_of = [&](bool free) {
      SimulationSetup setup = obstacle_course(solver, 3, 16);
      for (SolidRegion& solid : setup.solid_regions) solid.free.given = free, solid.free.density = 500;
      Simulation simulation(setup, device());
      run_steps(simulation, 3);
      simulation.finish();
      return std::pair(double(estimate_memory(setup, device())), double(simulation.memory_bytes()));
    };
    const auto [still_estimate, still] = sizes_of(false);
    const auto [free_estimate, free] = sizes_of(true);
    EXPECT_NEAR(free_estimate / free, 1, 0.2);
    EXPECT_NEAR(free_estimate - still_estimate, free - still,
                device().is_cuda() ? 0.35 * (free - still) : 0.02 * still);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SolidRegionWalls);

}  // namespace
}  // namespace riffle::test
