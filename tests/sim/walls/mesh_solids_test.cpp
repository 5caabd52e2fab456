/// Meshes as solids of a simulation: their wall sites, that no fluid gets inside, and that a ball as a mesh is a ball.

#include <cmath>
#include <limits>

#include "core/math/even_places.h"
#include "core/math/periodic.h"
#include "sim/meshes/surface.h"
#include "sim/start/sampling.h"
#include "sim/walls/solid_regions.h"
#include "sim/walls/solid_surfaces.h"
#include "support/devices.h"
#include "tests/sim/meshes/example_meshes.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

SolidRegion solid_mesh(const IndexedMesh& mesh) {
  SolidRegion solid;
  solid.shape = Shape::Mesh;
  solid.surface = mesh_surface(mesh, {});
  return solid;
}

/// A column of fluid that falls onto a torus and a box of triangles.
SimulationSetup onto_meshes(SolverKind solver, int across) {
  SimulationSetup setup = with_solver(column_setup(3, across), solver);
  const float depth = setup.domain.max.z;
  setup.solid_regions = {solid_mesh(torus_mesh({0.27f, 0.05f, 0.5f * depth}, 0.035f, 0.018f, 48)),
                         solid_mesh(box_mesh({0.34f, -0.01f, 0.2f * depth}, {0.38f, 0.06f, 0.8f * depth}))};
  return setup;
}

TEST(MeshSolids, SitesLieInLayersAroundTheSurfaceEvenlySpread) {
  SimulationSetup setup;
  setup.spacing = 0.02f;
  setup.support_ratio = 2;
  setup.fluids.emplace_back();
  setup.solid_regions = {solid_mesh(torus_mesh({0.5f, 0.5f, 0.5f}, 0.2f, 0.1f, 96))};
  const MeshSurface& surface = *setup.solid_regions[0].surface;
  setup = with_sampled_solids(setup);
  const SolidSamples& samples = *setup.solids[1].samples;
  int off = 0, all = 0;
  const auto look = [&](const std::vector<Vec4>& sites, float from, float to) {
    for (const Vec4& x : sites) {
      const float d = surface.distance(xyz(x)) / setup.spacing;
      ASSERT_TRUE(d > from - 0.1f && d < to + 0.1f) << d;
      ++all;
      off += std::fabs(std::fabs(d) - std::floor(std::fabs(d)) - 0.5f) > 0.05f;
    }
  };
  look(samples.wall, -2, 0);
  look(samples.behind, -4, -2);
  look(samples.front, 0, 2);
  EXPECT_LT(off, all / 10);
  const double volume = surface.volume() - 2 * std::pow(std::numbers::pi, 2) * 0.2 * 0.02 * 0.02;  // within 4 spacings
  EXPECT_NEAR(double(samples.wall.size() + samples.behind.size()) * std::pow(setup.spacing, 3) / volume, 1, 0.1);
  EXPECT_NEAR(double(count_region_sites(setup).wall), double(samples.wall.size()), 0.05 * double(samples.wall.size()));
}

TEST(MeshSolids, OneAtAPeriodicFaceIsWhatItIsInTheMiddle) {
  SimulationSetup setup;
  setup.spacing = 1.0f / 32;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.fluids.emplace_back();
  std::vector<std::size_t> sizes[2];
  std::vector<float> distances[2];
  for (const int at_face : {0, 1}) {
    const float x = at_face == 1 ? 1.0f : 0.5f;
    setup.solid_regions = {solid_mesh(torus_mesh({x, x, 0.5f}, 0.2f, 0.1f, 48))};
    const SimulationSetup sampled = with_sampled_solids(setup);
    const SolidSamples& samples = *sampled.solids[1].samples;
    sizes[at_face] = {samples.wall.size(), samples.behind.size(), samples.front.size()};
    const FlatRegions flat = flat_solids(setup);
    for (int k = 0; k < 500; ++k) {
      const Vec3 place = even_place(k, 3), shift{0.5f, 0.5f, 0};
      const Vec3 at = at_face == 1 ? periodic_image(place + shift, setup.domain) : place;
      distances[at_face].push_back(nearest_surface(flat, at, 3).distance);
    }
  }
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(double(sizes[0][k]), double(sizes[1][k]), 0.01 * double(sizes[0][k])) << k;
  for (std::size_t k = 0; k < distances[0].size(); ++k)
    EXPECT_NEAR(distances[0][k], distances[1][k], 0.05f * setup.spacing) << k;
}

TEST(MeshSolids, TheGridOfAMeshIsSharedAndCounted) {
  SimulationSetup setup = onto_meshes(SolverKind::Wcsph, 16), plain = setup;
  plain.solid_regions.clear();
  const FlatRegions one = flat_solids(setup), other = flat_solids(setup);
  ASSERT_EQ(one.grids.size(), 2u);
  EXPECT_EQ(one.grids, other.grids);
  const std::size_t bytes = one.grids[0]->bytes() + one.grids[1]->bytes();
  EXPECT_EQ(solid_grid_bytes(setup), bytes);
  EXPECT_GT(estimate_memory(setup, Device{}), estimate_memory(plain, Device{}) + bytes);
  const SolidSurfaces surfaces(Device{}, setup);
  EXPECT_GE(surfaces.memory_bytes(), bytes);
}

// A run that blows up asks for such distances before anyone has seen that it did.
TEST(MeshSolids, APlaceThatIsNoNumberReadsNothingOutsideTheGrid) {
  SimulationSetup setup;
  setup.spacing = 1.0f / 32;
  setup.fluids.emplace_back();
  setup.solid_regions = {solid_mesh(torus_mesh({0.5f, 0.5f, 0.5f}, 0.2f, 0.1f, 48))};
  const FlatRegions flat = flat_solids(setup);
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const float corner = nearest_surface(flat, {-9, -9, -9}, 3).distance;
  for (const Vec3 x : {Vec3{kNaN, 0.5f, 0.5f}, Vec3{0.5f, kNaN, 0.5f}, Vec3{kNaN, kNaN, kNaN}}) {
    const SurfaceDistance d = nearest_surface(flat, x, 3);
    EXPECT_TRUE(std::isnan(d.distance) || (d.distance > -1 && d.distance < corner)) << d.distance;
  }
}

TEST(MeshSolids, AFluidStartsBesideAMeshAndNotInIt) {
  SimulationSetup setup = onto_meshes(SolverKind::Wcsph, 12);
  setup.bodies[0].max = setup.domain.max;
  const FluidSamples samples = sample_bodies(setup);
  for (const Vec4& x : samples.position)
    for (const SolidRegion& solid : setup.solid_regions)
      ASSERT_GT(solid.surface->distance(xyz(x)), (kSolidClearance - 0.15f) * setup.spacing);
  SimulationSetup without = setup;
  without.solid_regions.clear();
  EXPECT_LT(samples.position.size(), sample_bodies(without).position.size());
}

class MeshSolidRuns : public OnEachDevice {};

TEST_P(MeshSolidRuns, NoFluidGetsIntoAMesh) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    Simulation simulation(onto_meshes(solver, 8), device());
    float in_grid = 0, exact = 0;
    for (int k = 1; k <= 10; ++k) {
      run_until(simulation, 0.04 * k);
      in_grid = std::max(in_grid, deepest_in_solid(simulation));
      for (const Vec4& x : by_id<Vec4>(simulation, "position"))
        for (const SolidRegion& solid : simulation.setup().solid_regions)
          exact = std::max(exact, -solid.surface->distance(xyz(x)) / simulation.setup().spacing);
    }
    EXPECT_LT(in_grid, 1e-3);
    EXPECT_LT(exact, 0.3) << "edges are rounded";
    EXPECT_EQ(simulation.latest().contained, 0u);
    EXPECT_EQ(simulation.diagnostics().non_finite, 0);
    double impulse = 0;
    for (const double part : simulation.diagnostics().solids[1].impulse) impulse += std::fabs(part);
    EXPECT_GT(impulse, 0) << "the torus was hit";
  }
}

TEST_P(MeshSolidRuns, DpdParticlesAreMirroredAtAMesh) {
  SimulationSetup setup = dpd_case(DpdIntegrator::VelocityVerlet);
  const Vec3 middle = 0.5f * (setup.domain.min + setup.domain.max), extent = setup.domain.extent();
  setup.solid_regions = {solid_mesh(ball_mesh(middle, 0.25f * extent.x))};
  Simulation simulation(setup, device());
  run_steps(simulation, 200);
  simulation.finish();
  EXPECT_LT(deepest_in_solid(simulation), 1e-3);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  EXPECT_NEAR(simulation.diagnostics().thermal->temperature, 1, 0.1) << "a mirror neither heats nor cools";
}

TEST_P(MeshSolidRuns, OfWaterAtRestTheForceIsThatOnTheBallItself) {
  const Vec3 center{0.1f, 0.1f, 0.1f};
  constexpr float kRadius = 0.05f;
  const auto lift = [&](const SolidRegion& ball) {
    SimulationSetup setup;
    setup.domain.max = {0.2f, 0.2f, 0.2f};
    for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
    setup.spacing = 0.0125f;
    setup.fluids.emplace_back();
    setup.bodies.emplace_back().max = {0.2f, 0.1875f, 0.2f};
    setup.solid_regions = {ball};
    Simulation simulation(setup, device());
    run_until(simulation, 0.15);
    const SolidLoad before = simulation.diagnostics().solids[1];
    run_until(simulation, 0.3);
    const SolidLoad after = simulation.diagnostics().solids[1];
    const double volume = 4 / 3.0 * std::numbers::pi * std::pow(double{kRadius}, 3);
    return (after.impulse[1] - before.impulse[1]) / (after.time - before.time) / (1000 * 9.81 * volume);
  };
  const double of_ball = lift(solid_ball(center, kRadius)), of_mesh = lift(solid_mesh(ball_mesh(center, kRadius, 96)));
  EXPECT_NEAR(of_mesh, of_ball, 0.05);
  EXPECT_NEAR(of_mesh, 1, 0.1);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(MeshSolidRuns);

}  // namespace
}  // namespace riffle::test
