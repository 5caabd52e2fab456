#pragma once
/// Driven solids for tests.

#include <algorithm>

#include "sim/walls/drive_speed.h"
#include "sim/walls/face_contact.h"
#include "sim/walls/solid_surfaces.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {

inline SolidDrive at_velocity(Vec3 velocity, float ramp = 0) {
  SolidDrive drive;
  drive.given = true;
  drive.velocity = velocity;
  drive.ramp = ramp;
  return drive;
}

inline SolidDrive turning(Vec3 about, float rate, Vec3 axis = {0, 0, 1}) {
  SolidDrive drive;
  drive.given = true;
  drive.rotates = true;
  drive.about = about;
  drive.axis = axis;
  drive.rate = rate;
  return drive;
}

inline SolidDrive swaying(Vec3 amplitude, float period, float phase = 0) {
  SolidDrive drive;
  drive.given = true;
  drive.sway_amplitude = amplitude;
  drive.sway = {period, phase};
  return drive;
}

/// The deepest place of a particle in a solid where that is at present [spacings], 0 if none is inside.
inline float deepest_in_driven(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  SolidSurfaces surfaces(Device{}, setup);
  surfaces.drive_to(simulation.latest().time);
  float deepest = 0;
  for (const Vec4& x : by_id<Vec4>(simulation, "position"))
    surfaces.view().for_each_near(
        xyz(x), 0, [&](std::uint32_t, SurfaceDistance d) { deepest = std::max(deepest, -d.distance / setup.spacing); });
  return deepest;
}

/// The obstacle course, of which the ball sways and the bar turns.
inline SimulationSetup driven_course(SolverKind solver, int dimension, int across) {
  SimulationSetup setup = obstacle_course(solver, dimension, across);
  SolidRegion& ball = setup.solid_regions[1];
  ball.center.y = 0.06f;
  ball.drive = swaying({0.02f, 0.01f, 0}, 0.2f);
  ball.drive.ramp = 0.1f;
  setup.solid_regions[3].drive = turning({0.16f, 0.17f, 0.5f * setup.domain.max.z}, 4);
  return setup;
}

}  // namespace riffle::test
