#pragma once
/// Where a driven solid is at a time, and how fast: a function of time alone, the same on both devices but for the last
/// bits, so that a run that goes on from a saved state has the same solids.

#include <cmath>

#include "core/platform.h"
#include "sim/motion/drive.h"

namespace riffle {

/// x = turn X + shift for the point that the scene has at X.
struct DrivenPlace {
  double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< rows
  double shift[3] = {0, 0, 0};                   ///< [m]
  double angle = 0;                              ///< [rad] about the axis
  double center[3] = {0, 0, 0};                  ///< [m] where SolidDrive::about is
  double velocity[3] = {0, 0, 0};                ///< [m/s] of the centre
  double angular_velocity[3] = {0, 0, 0};        ///< [rad/s]
  double acceleration[3] = {0, 0, 0};            ///< [m/s^2] of the centre
  double angular_acceleration[3] = {0, 0, 0};    ///< [rad/s^2]

  RIFFLE_HD double at(int axis, double x, double y, double z) const {
    return turn[3 * axis] * x + turn[3 * axis + 1] * y + turn[3 * axis + 2] * z + shift[axis];
  }
};

namespace drive_place {

inline constexpr double kTurn = 6.283185307179586;

/// How much of the motion there is `t` [s] after its start.
struct Ramp {
  double share, slope;  ///< 0 to 1, and its derivative [1/s]
  double curve;         ///< the second derivative of the share [1/s^2]
  double integral;      ///< of the share from the start on [s]
};

RIFFLE_INLINE Ramp ramp_at(double t, double length) {
  if (!(t > 0)) return {length > 0 ? 0.0 : 1.0, 0, 0, 0};
  if (!(t < length)) return {1, 0, 0, t - 0.5 * length};
  const double s = t / length;
  return {s * s * (3 - 2 * s), 6 * s * (1 - s) / length, 6 * (1 - 2 * s) / (length * length),
          length * s * s * s * (1 - 0.5 * s)};
}

struct Value {
  double value, rate;
  double acceleration;  ///< the derivative of the rate
};

/// Of amplitude 1.
RIFFLE_INLINE Value oscillation_at(const Oscillation& o, double t, const Ramp& ramp) {
  if (!(o.period > 0)) return {0, 0, 0};
  const double phase = kTurn * o.phase / 360, w = kTurn / o.period;
  const double now = sin(w * t + phase), way = now - sin(phase), slope = w * cos(w * t + phase);
  return {ramp.share * way, ramp.slope * way + ramp.share * slope,
          ramp.curve * way + 2 * ramp.slope * slope - ramp.share * w * w * now};
}

}  // namespace drive_place

/// At `time` [s] of the simulation.
RIFFLE_INLINE DrivenPlace place_of(const DriveParts& drive, double time) {
  using namespace drive_place;
  DrivenPlace place;
  if (!drive.given) return place;
  const double end = drive.until;
  const bool stands = time < drive.from || !(time < end);
  double t = (time < end ? time : end) - drive.from;
  if (!(t > 0)) t = 0;
  const Ramp ramp = ramp_at(t, drive.ramp);
  const Value sway = oscillation_at(drive.sway, t, ramp), swing = oscillation_at(drive.swing, t, ramp);
  TableValues rows;
  if (drive.table.count > 0) {
    rows = drive.table.at(t);
    for (int k = 0; k < kTableValues; ++k) rows.value[k] -= drive.table.knots[0].value[k];
  }
  double axis[3] = {0, 0, 0}, from[3] = {0, 0, 0};
  double rate = 0, rate_change = 0;
  if (drive.rotates) {
    const double x = drive.axis.x, y = drive.axis.y, z = drive.axis.z, length = sqrt(x * x + y * y + z * z);
    axis[0] = x / length, axis[1] = y / length, axis[2] = z / length;
    from[0] = drive.about.x, from[1] = drive.about.y, from[2] = drive.about.z;
    const double steady = double{drive.rate} + kTurn * drive.turns, amplitude = kTurn * drive.swing_angle / 360;
    place.angle = steady * ramp.integral + amplitude * swing.value + rows.value[3];
    rate = steady * ramp.share + amplitude * swing.rate + rows.rate[3];
    rate_change = steady * ramp.slope + amplitude * swing.acceleration + rows.acceleration[3];
  }
  const double c = cos(place.angle), s = sin(place.angle), u = 1 - c;  // Rodrigues
  const double a = axis[0], b = axis[1], d = axis[2];
  if (place.angle != 0) {
    const double turn[9] = {u * a * a + c,     u * a * b - s * d, u * a * d + s * b, u * a * b + s * d, u * b * b + c,
                            u * b * d - s * a, u * a * d - s * b, u * b * d + s * a, u * d * d + c};
    for (int k = 0; k < 9; ++k) place.turn[k] = turn[k];
  }
  const double velocity[3] = {drive.velocity.x, drive.velocity.y, drive.velocity.z};
  const double amplitude[3] = {drive.sway_amplitude.x, drive.sway_amplitude.y, drive.sway_amplitude.z};
  for (int k = 0; k < 3; ++k) {
    place.center[k] = from[k] + velocity[k] * ramp.integral + amplitude[k] * sway.value + rows.value[k];
    place.velocity[k] = stands ? 0 : velocity[k] * ramp.share + amplitude[k] * sway.rate + rows.rate[k];
    place.angular_velocity[k] = stands ? 0 : rate * axis[k];
    place.acceleration[k] =
        stands ? 0 : velocity[k] * ramp.slope + amplitude[k] * sway.acceleration + rows.acceleration[k];
    place.angular_acceleration[k] = stands ? 0 : rate_change * axis[k];
  }
  for (int k = 0; k < 3; ++k)
    place.shift[k] = place.center[k] -
                     (place.turn[3 * k] * from[0] + place.turn[3 * k + 1] * from[1] + place.turn[3 * k + 2] * from[2]);
  return place;
}

}  // namespace riffle
