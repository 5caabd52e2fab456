#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "scenes/review/subjects.h"
#include "sim/motion/drive_place.h"
#include "sim/motion/gravity_bounds.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr const char* kMotion = "domain.motion";

void review_gravity_change(const SimulationSetup& setup, Findings& out) {
  const GravityChange& change = setup.gravity_change;
  const char* const seconds = units_of(setup).time;
  if (!change.given || !out.intact({"dimension", "gravity_change"})) return;
  const bool has_amplitude = !(change.amplitude == Vec3{}), has_period = change.oscillation.period > 0;
  if (has_amplitude != has_period)
    out.refuse("gravity_change",
               fmt::format("has {0} without {1}; allowed: both, for an oscillation, or a table",
                           has_period ? "a period" : "an amplitude", has_period ? "an amplitude above 0" : "a period"));
  else if (!has_amplitude && !change.rows)
    out.refuse("gravity_change",
               "changes nothing; allowed: an amplitude and a period, or a table, or no gravity_change");
  if (!(change.until > change.from))
    out.refuse("gravity_change.until", fmt::format("found {:g} {}; allowed: a time after `from`, {:g} {}", change.until,
                                                   seconds, change.from, seconds));
}

/// The other side of a periodic face has to move as this one does.
/// @return false when it was refused
bool review_periodic_axes(const SimulationSetup& setup, Findings& out) {
  const SolidDrive& tank = setup.tank;
  if (!tank.rotates) return true;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    if (!setup.domain.periodic(a)) continue;
    const bool along = component(tank.axis, a) * component(tank.axis, a) > (1 - 1e-6f) * length2(tank.axis);
    if (along) continue;
    out.refuse(std::string(kMotion) + ".rotation",
               fmt::format("turns a domain that is periodic along {0}, where both sides would have to move alike; "
                           "allowed: an axis along {0}, or other faces across {0}",
                           kAxisNames[a]));
    return false;
  }
  return true;
}

/// [m/s] Of the tank's fastest corner at that time.
double fastest_corner(const SimulationSetup& setup, double time) {
  const DrivenPlace place = place_of(setup.tank, time);
  const Domain& domain = setup.domain;
  double fastest2 = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double r[3], speed2 = 0;
    for (int a = 0; a < 3; ++a)
      r[a] = double{component(corner >> a & 1 ? domain.max : domain.min, a)} - component(setup.tank.about, a);
    double turned[3];
    for (int a = 0; a < 3; ++a)
      turned[a] = place.turn[3 * a] * r[0] + place.turn[3 * a + 1] * r[1] + place.turn[3 * a + 2] * r[2];
    const double* const w = place.angular_velocity;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const double v = place.velocity[a] + w[b] * turned[c] - w[c] * turned[b];
      speed2 += v * v;
    }
    fastest2 = std::max(fastest2, speed2);
  }
  return std::sqrt(fastest2);
}

/// Starts after time 0, and stops before the end.
void warn_of_jolts(const SimulationSetup& setup, double end, Findings& out) {
  const SolidDrive& tank = setup.tank;
  const Units& units = units_of(setup);
  const auto warn = [&](const char* key, const char* what, double time, double speed) {
    // What a fall by one spacing would reach is no jolt.
    if (!(speed > std::sqrt(2 * std::sqrt(double{length2(setup.gravity)}) * setup.spacing))) return;
    out.warn(WarningKind::TankJolts, fmt::format("{}.{}", kMotion, key),
             fmt::format("{} the tank at once at {:g} {}, by up to {:.3g} {}: the fluid goes on as before and hits the "
                         "faces at that speed{}",
                         what, time, units.time, speed, units.speed,
                         std::string(key) == "from" ? "; a `ramp` starts it smoothly" : ""));
  };
  const double from = tank.from, until = tank.until;
  if (from > 0 && from < end) warn("from", "starts", from, fastest_corner(setup, from));
  if (until < end) warn("until", "stops", until, fastest_corner(setup, std::nexttoward(until, 0.0)));
}

/// The clock of a run begins at 0, whatever the time of the particles.
void warn_of_new_beginning(const SimulationSetup& setup, Findings& out) {
  const std::optional<double> time = time_of_files(setup);
  if (!time || *time == 0) return;
  std::string key;
  for (std::size_t i = setup.solid_regions.size(); i-- > 0;)
    if (setup.solid_regions[i].drive.given) key = fmt::format("solids[{}].motion", i);
  if (setup.gravity_change.given) key = "gravity_change";
  if (setup.tank.given) key = kMotion;
  if (key.empty()) return;
  out.warn(WarningKind::MotionBeginsAgain, key,
           fmt::format("begins at its own time 0, where it was at the start, while the particles of the file are of "
                       "{:.4g} {}",
                       *time, units_of(setup).time));
}

}  // namespace

bool review_apparent_gravity(const SimulationSetup& setup, const char* key, Findings& out) {
  constexpr double kMost = 1e6;  // as `gravity` may be
  const double most = most_gravity(setup);
  if (most <= kMost) return true;
  out.refuse(key, fmt::format("makes an apparent gravity of up to {:.3g} {}; allowed: up to {:g} {}", most,
                              units_of(setup).acceleration, kMost, units_of(setup).acceleration));
  return false;
}

void review_moving_tank(const SceneDraft& draft, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  review_gravity_change(setup, out);
  if (out.none_refused()) warn_of_new_beginning(setup, out);
  if (!setup.tank.given && setup.gravity_change.given && out.none_refused())
    review_apparent_gravity(setup, "gravity_change", out);
  if (!setup.tank.given || !out.intact({"dimension", "domain", "gravity", "time"})) return;
  if (!review_drive(setup, setup.tank, kMotion, out) || !review_periodic_axes(setup, out)) return;
  if (!out.none_refused() || !review_apparent_gravity(setup, kMotion, out)) return;
  warn_of_jolts(setup, draft.scene.run.end_time, out);
}

}  // namespace riffle::scenes
