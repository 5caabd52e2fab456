#pragma once
/// Solids for tests.

#include <cmath>
#include <string>
#include <vector>

#include "tests/sim/setups.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {

inline SolidRegion solid_box(Vec3 min, Vec3 max) {
  SolidRegion solid;
  solid.min = min;
  solid.max = max;
  return solid;
}

inline SolidRegion solid_ball(Vec3 center, float radius) {
  SolidRegion solid;
  solid.shape = Shape::Sphere;
  solid.center = center;
  solid.radius = radius;
  return solid;
}

inline SolidRegion solid_cylinder(Vec3 from, Vec3 to, float radius) {
  SolidRegion solid;
  solid.shape = Shape::Cylinder;
  solid.from = from;
  solid.to = to;
  solid.radius = radius;
  return solid;
}

inline SolidRegion solid_capsule(Vec3 from, Vec3 to, float radius) {
  SolidRegion solid = solid_cylinder(from, to, radius);
  solid.shape = Shape::Capsule;
  return solid;
}

inline SolidRegion solid_polygon(std::vector<std::array<float, 2>> corners, float low, float high) {
  SolidRegion solid;
  solid.shape = Shape::Polygon;
  solid.corners = std::move(corners);
  solid.low = low;
  solid.high = high;
  return solid;
}

inline PlainShape plain(const SolidRegion& solid) { return solid; }

/// A column of fluid that falls onto a box that stands on the floor, a ball that is sunk in it, a ramp up to a side and a
/// bar with a hole.
inline SimulationSetup obstacle_course(SolverKind solver, int dimension, int across) {
  SimulationSetup setup = with_solver(column_setup(dimension, across), solver);
  const float depth = setup.domain.max.z;
  SolidRegion bar = solid_box({0.12f, 0.14f, 0.2f * depth}, {0.2f, 0.2f, 0.8f * depth});
  bar.without.push_back(plain(solid_ball({0.16f, 0.17f, 0.5f * depth}, 0.025f)));
  setup.solid_regions = {solid_box({0.23f, 0, 0.25f * depth}, {0.27f, 0.05f, 0.75f * depth}),
                         solid_ball({0.16f, 0.01f, 0.5f * depth}, 0.03f),
                         solid_polygon({{0.3f, 0}, {0.4f, 0}, {0.4f, 0.08f}}, 0, depth), bar};
  return setup;
}

inline constexpr SolverKind kSphSolvers[] = {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph};

/// The deepest place of a particle in a solid [spacings], 0 if none is inside.
inline float deepest_in_solid(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  const FlatRegions solids = flat_solids(setup);
  float deepest = 0;
  for (const Vec4& x : by_id<Vec4>(simulation, "position"))
    deepest = std::max(deepest, -nearest_surface(solids, xyz(x), setup.domain.dimension).distance / setup.spacing);
  return deepest;
}

}  // namespace riffle::test
