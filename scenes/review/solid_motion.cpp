#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/math/even_places.h"
#include "scenes/review/subjects.h"
#include "sim/motion/drive_place.h"
#include "sim/shapes/distance.h"
#include "sim/solver.h"
#include "sim/units.h"
#include "sim/walls/drive_speed.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle::scenes {

namespace {

constexpr int kTimes = 256;           // at which paths are looked at
constexpr double kMostLooks = 4e6;    // points of solids that are compared with others
constexpr int kMostPoints = 512;      // of one solid
constexpr float kIntoAnother = 0.1f;  // [spacings] two solids that touch are rounded into each other by less

std::string motion_key_of(std::size_t i) { return fmt::format("solids[{}].motion", i); }

/// A solid's bounds, and where they are at a time.
class Path {
 public:
  Path(const SimulationSetup& setup, std::size_t solid)
      : solid_(setup.solid_regions[solid]), dimension_(setup.domain.dimension), bounds_(bounds_of(solid_)) {}

  DrivenPlace at(double time) const { return place_of(solid_.drive, time); }

  /// How far the bounds reach along an axis; a sphere's are exact, those of others may be too large.
  std::array<double, 2> reach(const DrivenPlace& place, int axis) const {
    if (solid_.shape == Shape::Sphere && solid_.with.empty()) {
      const double middle = place.at(axis, solid_.center.x, solid_.center.y, solid_.center.z);
      return {middle - solid_.radius, middle + solid_.radius};
    }
    std::array<double, 2> range{INFINITY, -INFINITY};
    for (int corner = 0; corner < (1 << dimension_); ++corner) {
      const auto of = [&](int a) { return double{component(corner >> a & 1 ? bounds_.max : bounds_.min, a)}; };
      const double x = place.at(axis, of(0), of(1), dimension_ == 3 ? of(2) : 0);
      range = {std::min(range[0], x), std::max(range[1], x)};
    }
    return range;
  }

 private:
  const SolidRegion& solid_;
  int dimension_;
  Bounds bounds_;
};

/// The times at which paths are looked at: from the first motion to the end of the scene.
std::vector<double> times_of(const SolidDrive& drive, double end) {
  std::vector<double> times;
  const double from = drive.from, to = std::min(double{drive.until}, end);
  for (int k = 0; k <= kTimes && from <= to; ++k) times.push_back(from + (to - from) * k / kTimes);
  return times;
}

}  // namespace

bool review_drive(const SimulationSetup& setup, const SolidDrive& drive, const std::string& key, Findings& out) {
  const bool sways = drive.sway.period > 0 && !(drive.sway_amplitude == Vec3{});
  if (!sways && !drive.rotates && !drive.rows && drive.velocity == Vec3{}) {
    out.refuse(
        key,
        "moves nothing; allowed: at least one of velocity, sway, rotation, table and, of a solid, wave; or none for "
        "what stands still");
    return false;
  }
  if (drive.rotates && !(length2(drive.axis) > 0)) {
    out.refuse(key + ".rotation.axis", "found [0, 0, 0], which points nowhere; allowed: an axis of any length above 0");
    return false;
  }
  if (!(drive.until > drive.from)) {
    out.refuse(key + ".until", fmt::format("found {:g} {}; allowed: a time after `from`, {:g} {}", drive.until,
                                           units_of(setup).time, drive.from, units_of(setup).time));
    return false;
  }
  return true;
}

namespace {

/// What is nearest of a solid and its images on the other sides of periodic faces is found from its middle.
/// @return false when it was refused
bool review_images(const SimulationSetup& setup, std::size_t i, Findings& out) {
  const SolidRegion& solid = setup.solid_regions[i];
  const Domain& domain = setup.domain;
  if (has_plane(solid)) {
    out.refuse(
        motion_key_of(i),
        "moves a plane. A plane cannot move, since it has no end; allowed: `none`, or a solid of another shape, for "
        "example a box");
    return false;
  }
  const Region* const one[] = {&solid};
  const FlatRegions flat = flatten(one, domain);
  const Bounds reach = bounds_of(flat.shapes, 0), bounds = bounds_of(solid);
  double diagonal2 = 0;
  for (int a = 0; a < domain.dimension; ++a) {
    const double extent = double{component(bounds.max, a)} - component(bounds.min, a);
    diagonal2 += extent * extent;
  }
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.periodic(a)) continue;
    const bool through = std::isinf(component(reach.min, a));
    const Vec3 axis = solid.drive.axis;
    const bool along = component(axis, a) * component(axis, a) > (1 - 1e-6f) * length2(axis);
    if (through && solid.drive.rotates && !along) {
      out.refuse(motion_key_of(i) + ".rotation",
                 fmt::format("turns a solid that goes on through the periodic faces of {}; allowed: an axis along {}",
                             kAxisNames[a], kAxisNames[a]));
      return false;
    }
    if (through) continue;
    const double extent = solid.drive.rotates && !along ? std::sqrt(diagonal2)
                                                        : double{component(bounds.max, a)} - component(bounds.min, a);
    const double most = double{component(domain.extent(), a)} - 2 * setup.spacing;
    if (extent <= most) continue;
    out.refuse(motion_key_of(i),
               fmt::format("moves a solid that is up to {} long along the periodic axis {}; allowed: {}, so that it "
                           "does not meet itself, or a solid that goes on through both faces",
                           length_text(setup, extent), kAxisNames[a], length_text(setup, most)));
    return false;
  }
  return true;
}

/// @return false when it was refused
bool review_path(const SimulationSetup& setup, double end, std::size_t i, Findings& out) {
  const Domain& domain = setup.domain;
  const Path path(setup, i);
  const DrivenPlace start = path.at(0);
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.walled(a)) continue;
    const double low = component(domain.min, a), high = component(domain.max, a), slack = 0.01 * setup.spacing;
    const auto [first_low, first_high] = path.reach(start, a);
    bool warned = false;
    for (const double time : times_of(setup.solid_regions[i].drive, end)) {
      const auto [from, to] = path.reach(path.at(time), a);
      const char* when = units_of(setup).time;
      if (to < low || from > high) {
        out.refuse(
            motion_key_of(i),
            fmt::format("takes the solid wholly out of the domain: at {:g} {} it is {} the face {}_{}; allowed: "
                        "a motion that leaves some of it inside until the scene ends, at {:g} {}",
                        time, when, to < low ? "below" : "above", kAxisNames[a], to < low ? "min" : "max", end, when));
        return false;
      }
      const bool below = from < low - slack && first_low > low + slack;
      const bool above = to > high + slack && first_high < high - slack;
      if (warned || !(below || above)) continue;
      warned = true;
      out.warn(WarningKind::SolidLeavesDomain, motion_key_of(i),
               fmt::format("takes a part of the solid through the face {}_{} from {:g} {} on: what is beyond the face "
                           "meets no fluid, and fluid between the solid and the face may be squeezed with no way out",
                           kAxisNames[a], below ? "min" : "max", time, when));
    }
  }
  return true;
}

/// Points within a solid, evenly spread.
std::vector<Vec3> points_in(const SimulationSetup& setup, const FlatRegions& flat, const Region& region, int most) {
  const int dimension = setup.domain.dimension;
  const Bounds bounds = bounds_of(region);
  std::vector<Vec3> points;
  for (int k = 0; k < 16 * most && static_cast<int>(points.size()) < most; ++k) {
    const Vec3 part = even_place(k, dimension);
    float at[3] = {0, 0, 0};
    for (int a = 0; a < dimension; ++a) {
      const double low = component(bounds.min, a), extent = double{component(bounds.max, a)} - low;
      at[a] = static_cast<float>(low + double{component(part, a)} * extent);
    }
    const Vec3 place{at[0], at[1], at[2]};
    if (nearest_surface(flat, place, dimension).distance < 0) points.push_back(place);
  }
  return points;
}

Vec3 moved_by(const DrivenPlace& place, Vec3 x) {
  return {static_cast<float>(place.at(0, x.x, x.y, x.z)), static_cast<float>(place.at(1, x.x, x.y, x.z)),
          static_cast<float>(place.at(2, x.x, x.y, x.z))};
}

Vec3 moved_back(const DrivenPlace& place, Vec3 x) {
  const double r[3] = {x.x - place.shift[0], x.y - place.shift[1], x.z - place.shift[2]};
  float back[3];
  for (int a = 0; a < 3; ++a)
    back[a] = static_cast<float>(place.turn[a] * r[0] + place.turn[3 + a] * r[1] + place.turn[6 + a] * r[2]);
  return {back[0], back[1], back[2]};
}

/// A ball that has the whole solid in it.
struct Ball {
  Vec3 center;
  float radius;
};

Ball ball_around(const Region& region, int dimension) {
  const Bounds bounds = bounds_of(region);
  Vec3 half = 0.5f * (bounds.max - bounds.min), center = bounds.min + half;
  if (dimension == 2) half.z = 0, center.z = 0;
  return {center, std::sqrt(length2(half))};
}

void warn_of_meetings(const SimulationSetup& setup, double end, Findings& out) {
  constexpr int kMost = 5;
  const std::vector<SolidRegion>& solids = setup.solid_regions;
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t i = 0; i < solids.size(); ++i)
    for (std::size_t j = 0; j < solids.size(); ++j) {
      const bool once = !solids[j].drive.given || j > i;
      if (i != j && solids[i].drive.given && once && !(solids[i].drive == solids[j].drive)) pairs.push_back({i, j});
    }
  if (pairs.empty()) return;
  const int points = std::clamp(static_cast<int>(kMostLooks / (2.0 * kTimes * double(pairs.size()))), 8, kMostPoints);
  std::vector<FlatRegions> flat;
  std::vector<std::vector<Vec3>> inside;
  std::vector<Ball> balls;
  std::vector<Vec3> periods;
  for (const SolidRegion& solid : solids) {
    const Region* const one[] = {&solid};
    flat.push_back(flatten(one, setup.domain, setup.spacing));
    inside.push_back(points_in(setup, flat.back(), solid, points));
    periods.push_back(flat.back().shapes[0].period);
    flat.back().shapes[0].period = {};  // images are where the solid has moved to
    balls.push_back(ball_around(solid, setup.domain.dimension));
  }
  const auto distance = [&](Vec3 place, std::size_t in, const DrivenPlace& at) {
    const Vec3 image = image_near(place, moved_by(at, balls[in].center), periods[in]);
    return nearest_surface(flat[in], moved_back(at, image), setup.domain.dimension).distance;
  };
  // A place outside a solid is at least as far from it as its distance says. Far from a mesh the distance may be too large.
  const auto apart = [&](std::size_t one, std::size_t other, double time) {
    if (solids[other].shape == Shape::Mesh) return false;
    const Ball& ball = balls[one];
    return distance(moved_by(place_of(solids[one].drive, time), ball.center), other,
                    place_of(solids[other].drive, time)) > ball.radius;
  };
  const auto common = [&](std::size_t of, std::size_t in, double time) -> std::optional<Vec3> {
    const DrivenPlace at = place_of(solids[of].drive, time), other = place_of(solids[in].drive, time);
    for (const Vec3& x : inside[of]) {
      const Vec3 place = moved_by(at, x);
      if (distance(place, in, other) < -kIntoAnother * setup.spacing) return place;
    }
    return std::nullopt;
  };
  int found = 0;
  for (const auto& [i, j] : pairs) {
    if (found == kMost) return;
    std::vector<double> times = times_of(solids[i].drive, end);
    if (solids[j].drive.given) {
      const std::vector<double> others = times_of(solids[j].drive, end);
      times.insert(times.end(), others.begin(), others.end());
      std::sort(times.begin(), times.end());
    }
    for (const double time : times) {
      if (apart(i, j, time) || apart(j, i, time)) continue;
      std::optional<Vec3> place = common(i, j, time);
      if (!place) place = common(j, i, time);
      if (!place) continue;
      ++found;
      out.warn(
          WarningKind::SolidMeetsSolid, motion_key_of(i),
          fmt::format("drives the solid into solids[{}], first seen at {:g} {}, for example at {}: fluid between them "
                      "is squeezed with no way out, and where both are the walls count twice",
                      j, time, units_of(setup).time, place_text(setup, *place)));
      break;
    }
  }
}

void review_fixed_step(const SimulationSetup& setup, std::size_t i, Findings& out) {
  const float fastest = fastest_point(setup, i), step = step_bounds(setup).fixed;
  const Units& units = units_of(setup);
  if (!(step > 0 && fastest * step > 0.25f * setup.spacing)) return;
  out.warn(WarningKind::SolidFastStep, motion_key_of(i),
           fmt::format("is up to {:.3g} {} fast and moves by {:.2g} particle spacings in a step of {:g} {}; up to a "
                       "quarter is safe, with a time.step of {:.2g} {}",
                       fastest, units.speed, fastest * step / setup.spacing, step, units.time,
                       0.25f * setup.spacing / fastest, units.time));
}

}  // namespace

void review_solid_motion(SceneDraft& draft, Findings& out) {
  if (!out.none_refused()) return;
  const SimulationSetup& setup = draft.scene.simulation;
  if (!any_driven(setup)) return;
  const double end = draft.scene.run.end_time;
  bool sound = true;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    if (setup.solid_regions[i].drive.given)
      sound &= review_drive(setup, setup.solid_regions[i].drive, motion_key_of(i), out) &&
               review_images(setup, i, out) && review_path(setup, end, i, out);
  if (!sound) return;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i)
    if (setup.solid_regions[i].drive.given) review_fixed_step(setup, i, out);
  warn_of_meetings(setup, end, out);
}

}  // namespace riffle::scenes
