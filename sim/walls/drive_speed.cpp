#include "sim/walls/drive_speed.h"

#include <algorithm>
#include <cmath>

#include "sim/motion/drive_place.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

/// [1/s] Of amplitude 1, from many times in the ramp and the first period after it.
double fastest_oscillation(const Oscillation& o, double ramp) {
  if (!(o.period > 0)) return 0;
  constexpr int kTimes = 1024;
  double most = drive_place::kTurn / o.period;
  for (int k = 0; k <= kTimes && ramp > 0; ++k) {
    const double t = ramp * k / kTimes;
    most = std::max(most, std::fabs(drive_place::oscillation_at(o, t, drive_place::ramp_at(t, ramp)).rate));
  }
  return most;
}

double length(Vec3 v) { return std::sqrt(double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z); }

double fastest_point(const DrivenRegion& region) {
  const DriveParts& drive = region.drive;
  if (!drive.given) return 0;
  double fastest = length(drive.velocity) + length(drive.sway_amplitude) * fastest_oscillation(drive.sway, drive.ramp);
  double rows2 = 0;
  for (int k = 0; k < 3; ++k) rows2 += std::pow(drive.table.fastest(k), 2);
  fastest += std::sqrt(rows2);
  if (!drive.rotates) return fastest;
  const double steady = std::fabs(double{drive.rate} + drive_place::kTurn * drive.turns);
  const double swing = drive_place::kTurn * std::fabs(drive.swing_angle) / 360;
  return fastest +
         (steady + swing * fastest_oscillation(drive.swing, drive.ramp) + drive.table.fastest(3)) * region.radius;
}

}  // namespace

float fastest_point(const SimulationSetup& setup, std::size_t region) {
  return static_cast<float>(fastest_point(driven_regions(setup)[region]));
}

float fastest_drive(const SimulationSetup& setup) {
  if (!any_driven(setup)) return 0;
  double fastest = 0;
  const std::vector<DrivenRegion> regions = driven_regions(setup);
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const FreeBodySetup& free = setup.solid_regions[r].free;
    fastest = std::max(fastest, free.given ? length(free.velocity) + length(free.angular_velocity) * regions[r].radius
                                           : fastest_point(regions[r]));
  }
  return static_cast<float>(fastest);
}

}  // namespace riffle
