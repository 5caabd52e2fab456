/// The surfaces of running simulations: a tank at rest, and solids that stand, are driven or float.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "sim/fluid_surface/fluid_surface.h"
#include "sim/motion/drive_place.h"
#include "support/devices.h"
#include "tests/sim/fluid_surface/closed_mesh.h"
#include "tests/sim/setups.h"

namespace riffle::test {
namespace {

class SimulationSurfaces : public OnEachDevice {};

/// Water half a metre deep in a box of walls.
SimulationSetup pond(SolverKind solver) {
  SimulationSetup setup;
  setup.solver = solver;
  setup.deterministic = true;
  setup.spacing = 0.04f;
  setup.domain.max = {1, 1, 0.8f};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.fluids.emplace_back();
  BodySetup water;
  water.max = {1, 0.48f, 0.8f};
  setup.bodies.push_back(water);
  return setup;
}

double volume_of_particles(const Simulation& simulation) {
  return simulation.particle_count() * simulation.setup().particle_volume();
}

TEST_P(SimulationSurfaces, OfATankAtRestHaveItsVolumeAndAreFlat) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    Simulation simulation(pond(solver), device());
    SimulationSurface surfaces(simulation);
    const double expected = volume_of_particles(simulation);
    for (const double time : {0.0, 0.05}) {
      if (time > 0) run_until(simulation, time);
      const SurfaceMesh mesh = surfaces.find(simulation).to_host();
      expect_closed_and_manifold(mesh);
      EXPECT_EQ(pieces(mesh), 1);
      EXPECT_NEAR(mesh.volume(), expected, 0.01 * expected) << time;
      float lowest = 1, highest = 0;  // of the free surface, away from the walls
      for (const Vec3& v : mesh.vertices) {
        if (v.x < 0.1f || v.x > 0.9f || v.z < 0.1f || v.z > 0.7f || v.y < 0.2f) continue;
        lowest = std::min(lowest, v.y), highest = std::max(highest, v.y);
      }
      EXPECT_LT(highest - lowest, 0.25f * 0.04f) << time;
      EXPECT_NEAR(0.5f * (highest + lowest), 0.48f, 0.25f * 0.04f) << time;
    }
  }
}

/// [m] from a box in its own frame; negative inside
float distance_to_box(const SolidRegion& box, Vec3 x) {
  float out2 = 0, in = -1e9f;
  for (int a = 0; a < 3; ++a) {
    const float d = std::max(component(box.min, a) - component(x, a), component(x, a) - component(box.max, a));
    out2 += d > 0 ? d * d : 0;
    in = std::max(in, d);
  }
  return in < 0 ? in : std::sqrt(out2);
}

/// No vertex is in the box by more than a twentieth of a spacing, and many lie on it.
void expect_clipped_at(const SurfaceMesh& mesh, const SolidRegion& box, const DrivenPlace& place, float spacing,
                       int most) {
  int inside = 0, on = 0;
  for (const Vec3& v : mesh.vertices) {
    const double x = v.x - place.shift[0], y = v.y - place.shift[1], z = v.z - place.shift[2];
    const double* const t = place.turn;
    const Vec3 back{static_cast<float>(t[0] * x + t[3] * y + t[6] * z),
                    static_cast<float>(t[1] * x + t[4] * y + t[7] * z),
                    static_cast<float>(t[2] * x + t[5] * y + t[8] * z)};
    const float d = distance_to_box(box, back) / spacing;
    if (d < -0.1f) ++inside;
    if (std::fabs(d) < 0.05f) ++on;
  }
  EXPECT_EQ(inside, 0);
  EXPECT_GT(on, most);
}

SolidRegion post() {
  SolidRegion solid;
  solid.min = {0.33f, 0, 0.27f};
  solid.max = {0.57f, 0.9f, 0.53f};
  return solid;
}

// The wet faces of the post have about 1,200 nodes.
TEST_P(SimulationSurfaces, AreClippedAtASolidThatStands) {
  SimulationSetup setup = pond(SolverKind::Wcsph);
  setup.bodies[0].without.push_back(post());
  setup.solid_regions.push_back(post());
  Simulation simulation(setup, device());
  run_until(simulation, 0.03);
  SimulationSurface surfaces(simulation);
  const SurfaceMesh mesh = surfaces.find(simulation).to_host();
  expect_closed_and_manifold(mesh);
  const double expected = volume_of_particles(simulation);
  EXPECT_NEAR(mesh.volume(), expected, 0.01 * expected);
  expect_clipped_at(mesh, post(), {}, setup.spacing, 600);
}

TEST_P(SimulationSurfaces, AreClippedAtASolidWhereItIsDrivenTo) {
  SimulationSetup setup = pond(SolverKind::Wcsph);
  setup.bodies[0].without.push_back(post());
  setup.solid_regions.push_back(post());
  SolidDrive& drive = setup.solid_regions[0].drive;
  drive.given = drive.rotates = true;
  drive.velocity = {0.5f, 0, 0};
  drive.about = {0.45f, 0, 0.4f};
  drive.axis = {0, 1, 0};
  drive.rate = 2;
  Simulation simulation(setup, device());
  run_until(simulation, 0.1);
  SimulationSurface surfaces(simulation);
  const SurfaceMesh mesh = surfaces.find(simulation).to_host();
  expect_closed_and_manifold(mesh);
  expect_clipped_at(mesh, post(), place_of(drive, 0.1), setup.spacing, 300);
}

TEST_P(SimulationSurfaces, AreClippedAtASolidWhereItFloatsTo) {
  SimulationSetup setup = pond(SolverKind::Wcsph);
  SolidRegion body;
  body.min = {0.3f, 0.4f, 0.2f};
  body.max = {0.7f, 0.7f, 0.6f};
  body.free.given = true;
  body.free.density = 600;
  setup.bodies[0].without.push_back(body);
  setup.solid_regions.push_back(body);
  Simulation simulation(setup, device());
  run_until(simulation, 0.1);
  ASSERT_GT(std::fabs(simulation.body_places()[0].shift[1]), 0.01) << "it has moved";
  SimulationSurface surfaces(simulation);
  const SurfaceMesh mesh = surfaces.find(simulation).to_host();
  expect_closed_and_manifold(mesh);
  expect_clipped_at(mesh, body, simulation.body_places()[0], setup.spacing, 200);
}

TEST_P(SimulationSurfaces, InTwoDimensionsAreRefused) {
  const Simulation simulation(column_setup(2, 4), device());
  EXPECT_THROW(SimulationSurface{simulation}, InputError);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SimulationSurfaces);

}  // namespace
}  // namespace riffle::test
