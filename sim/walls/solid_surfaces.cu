#include "sim/walls/solid_surfaces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/device/parallel.cuh"
#include "sim/bodies/rigid_motion.h"
#include "sim/meshes/distance_grid.h"
#include "sim/motion/drive_place.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

constexpr float kRounding = 1e-3f;  // [spacings]; coordinates of a thousand spacings are rounded to a ten-thousandth

RIFFLE_INLINE Vec3 rounded(const double (&x)[3]) {
  return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
}

RIFFLE_INLINE Pose pose_of(const DrivenPlace& place) {
  const auto row = [&](int a) {
    return Vec3{static_cast<float>(place.turn[3 * a]), static_cast<float>(place.turn[3 * a + 1]),
                static_cast<float>(place.turn[3 * a + 2])};
  };
  return {{row(0), row(1), row(2)}, rounded(place.shift)};
}

struct FindFrames {
  const DrivenRegion* regions;
  const BodyMass* masses;  ///< of free bodies, likewise the next
  const MovingBody* bodies;
  const ClockState* clock;  ///< nullptr: `time` is now
  double time;              ///< [s]
  SolidSurfaces::Part part;
  SurfaceFrame* frames;

  RIFFLE_HD static Vec3 middle(const DrivenRegion& region, const DrivenPlace& place) {
    const double x = region.middle[0], y = region.middle[1], z = region.middle[2];
    return {static_cast<float>(place.at(0, x, y, z)), static_cast<float>(place.at(1, x, y, z)),
            static_cast<float>(place.at(2, x, y, z))};
  }

  RIFFLE_HD void operator()(std::int64_t r) const {
    const DrivenRegion& region = regions[r];
    SurfaceFrame frame;
    frame.driven = region.drive.given || region.free;
    frame.free = region.free;
    if (frame.driven) {
      const bool step = part == SolidSurfaces::Part::Step || (part == SolidSurfaces::Part::Begin && !region.free);
      const double dt = step ? double{clock->dt} : 0.0, now = clock != nullptr ? clock->time : time;
      const DrivenPlace start = region.free
                                    ? rigid_motion::place_of(masses[r], dt > 0 ? bodies[r].start : bodies[r].end)
                                    : place_of(region.drive, now - dt);
      const DrivenPlace end = !(dt > 0)     ? start
                              : region.free ? rigid_motion::place_of(masses[r], bodies[r].end)
                                            : place_of(region.drive, now);
      frame.start = pose_of(start);
      frame.end = pose_of(end);
      frame.middle_at_start = middle(region, start);
      frame.middle_at_end = middle(region, end);
      frame.period = region.period;
      frame.center = rounded(start.center);
      frame.motion = {rounded(start.velocity), rounded(start.angular_velocity), frame.center};
      if (dt > 0) {
        double shift[3], most = 0, rows2 = 0;
        double rows[9];  // of end.turn times the transpose of start.turn, less the identity
        for (int a = 0; a < 3; ++a) {
          shift[a] = end.center[a] - start.center[a];
          most += shift[a] * shift[a];
          double row[3];
          for (int b = 0; b < 3; ++b) {
            row[b] = a == b ? -1 : 0;
            for (int k = 0; k < 3; ++k) row[b] += end.turn[3 * a + k] * start.turn[3 * b + k];
            rows[3 * a + b] = row[b];
            rows2 += row[b] * row[b];
          }
          frame.rows[a] = rounded(row);
        }
        frame.shift = rounded(shift);
        frame.over_dt = static_cast<float>(1 / dt);
        const double half = sqrt(rows2 / 8);  // the sine of half the angle
        const double turned = region.free ? 2 * asin(half < 1 ? half : 1.0) : end.angle - start.angle;
        frame.travel = static_cast<float>(sqrt(most) + (turned < 0 ? -turned : turned) * region.radius);
        double velocity[3], angular[3];
        const double x = region.drive.axis.x, y = region.drive.axis.y, z = region.drive.axis.z;
        const double rate = turned / (dt * sqrt(x * x + y * y + z * z)), axis[3] = {x, y, z};
        for (int a = 0; a < 3; ++a) {
          const int b = (a + 1) % 3, c = (a + 2) % 3;
          velocity[a] = shift[a] / dt;
          // Of a small angle: its sine is in the rows.
          angular[a] = region.free ? 0.5 * (rows[3 * c + b] - rows[3 * b + c]) / dt : rate * axis[a];
        }
        frame.motion = {rounded(velocity), rounded(angular), frame.center};
      }
    }
    frames[r] = frame;
  }
};

}  // namespace

namespace {

void set(Vec3& x, int axis, float value) { (axis == 0 ? x.x : axis == 1 ? x.y : x.z) = value; }

/// An end that lies in a walled face, or behind it, has no surface: what comes near to it belongs to the face. Otherwise a
/// particle beside the face could be pushed out of the solid through the face.
void go_on_behind_faces(FlatShape& flat, const Domain& domain) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.walled(a)) continue;
    const float slack = 1e-5f * component(domain.extent(), a), low = component(domain.min, a) + slack,
                high = component(domain.max, a) - slack;
    if (flat.shape == Shape::Box) {
      if (component(flat.low, a) <= low) set(flat.low, a, -kInfinite);
      if (component(flat.high, a) >= high) set(flat.high, a, kInfinite);
    } else if (flat.shape == Shape::Polygon && flat.axis == a) {
      if (flat.begin <= low) set(flat.low, a, flat.begin = -kInfinite);
      if (flat.end >= high) set(flat.high, a, flat.end = kInfinite);
    } else if (flat.shape == Shape::Cylinder && std::fabs(component(flat.along, a)) > 1 - 1e-6f) {
      const bool upwards = component(flat.along, a) > 0;
      if (component(flat.low, a) <= low)
        set(flat.low, a, -kInfinite), (upwards ? flat.begin : flat.end) = upwards ? -kInfinite : kInfinite;
      if (component(flat.high, a) >= high)
        set(flat.high, a, kInfinite), (upwards ? flat.end : flat.begin) = upwards ? kInfinite : -kInfinite;
    }
  }
}

}  // namespace

FlatRegions flat_solids(const SimulationSetup& setup) {
  std::vector<const Region*> regions;
  for (const SolidRegion& solid : setup.solid_regions) regions.push_back(&solid);
  FlatRegions flat = flatten(regions, setup.domain, setup.spacing);
  for (FlatShape& shape : flat.shapes)
    if (!setup.solid_regions[shape.solid].moves()) go_on_behind_faces(shape, setup.domain);
  return flat;
}

namespace {

/// [m] Up to which contact asks for solids: forces of walls act within the support radius, contact of particles acts nearer to
/// them, and a step seldom moves a particle by more than this.
float reach_of_cells(const SimulationSetup& setup) {
  constexpr float kSpacings = 1.6f;  // that of the fluid's surface (sim/fluid_surface) as well
  return solver_info(setup).wall_particles ? kSpacings * setup.spacing : setup.support_radius();
}

}  // namespace

std::size_t solid_grid_bytes(const SimulationSetup& setup) {
  std::size_t bytes = 0;
  const FlatRegions flat = flat_solids(setup);
  for (const auto& grid : flat.grids) bytes += grid->bytes();
  if (setup.solid_regions.size() < SolidCells::kFewest) return bytes;
  const auto moving = std::count_if(setup.solid_regions.begin(), setup.solid_regions.end(),
                                    [](const SolidRegion& solid) { return solid.moves(); });
  return bytes + SolidCells::bytes_of(setup.domain, flat, static_cast<std::size_t>(moving), reach_of_cells(setup));
}

bool any_driven(const SimulationSetup& setup) {
  return std::any_of(setup.solid_regions.begin(), setup.solid_regions.end(),
                     [](const SolidRegion& solid) { return solid.moves(); });
}

bool any_free(const SimulationSetup& setup) {
  return std::any_of(setup.solid_regions.begin(), setup.solid_regions.end(),
                     [](const SolidRegion& solid) { return solid.free.given; });
}

std::vector<DrivenRegion> driven_regions(const SimulationSetup& setup) {
  std::vector<DrivenRegion> regions;
  const Domain& domain = setup.domain;
  for (const SolidRegion& solid : setup.solid_regions) {
    DrivenRegion& region = regions.emplace_back();
    region.drive = solid.drive;
    region.free = solid.free.given;
    const Region* const one[] = {&solid};
    const FlatRegions flat = flatten(one, domain, setup.spacing);
    const Bounds bounds = bounds_of(flat.shapes, 0);
    double radius2 = 0;
    for (int a = 0; a < domain.dimension; ++a) {
      const bool endless = std::isinf(component(bounds.min, a)) || std::isinf(component(bounds.max, a));
      const double low = component(endless ? domain.min : bounds.min, a);
      const double high = component(endless ? domain.max : bounds.max, a);
      region.middle[a] = 0.5 * (low + high);
      const double about = region.free ? region.middle[a] : double{component(solid.drive.about, a)};
      const double farthest = std::max(std::fabs(low - about), std::fabs(high - about));
      radius2 += farthest * farthest;
    }
    region.radius = (region.free ? 2 : 1) * std::sqrt(radius2);  // the centre of mass may lie anywhere in it
    region.period = flat.shapes[0].period;
  }
  return regions;
}

FoundSolids::FoundSolids(const Device& device, const SimulationSetup& setup, const FlatRegions& flat, At at)
    : first_(device) {
  if (setup.solid_regions.size() < SolidCells::kFewest) return;
  std::vector<std::uint32_t> first;
  for (std::size_t k = 0; k < flat.shapes.size(); ++k)
    if (flat.shapes[k].begins()) first.push_back(static_cast<std::uint32_t>(k));
  first_.assign(first);
  std::vector<std::uint8_t> moving;
  if (at == At::Anytime)
    for (const SolidRegion& solid : setup.solid_regions) moving.push_back(solid.moves() ? 1 : 0);
  cells_ = SolidCells(device, setup.domain, flat, moving, reach_of_cells(setup));
}

SolidSurfaces::SolidSurfaces(const Device& device, const SimulationSetup& setup)
    : shapes_(device),
      corners_(device),
      dimension_(setup.domain.dimension),
      rounding_(kRounding * setup.spacing),
      bodies_(device, setup),
      drives_(device),
      knots_(device),
      frames_(device) {
  FlatRegions flat = flat_solids(setup);
  grids_ = DeviceGrids(device, flat);
  if (!flat.shapes.empty()) shapes_.assign(flat.shapes);
  if (!flat.corners.empty()) corners_.assign(flat.corners);
  found_ = FoundSolids(device, setup, flat, FoundSolids::At::Anytime);
  if (!any_driven(setup)) return;
  std::vector<DrivenRegion> regions = driven_regions(setup);
  std::vector<MotionKnot> knots;
  for (const DrivenRegion& region : regions)
    knots.insert(knots.end(), region.drive.table.knots, region.drive.table.knots + region.drive.table.count);
  if (!knots.empty()) knots_.assign(knots);
  const MotionKnot* first = knots_.data();
  for (DrivenRegion& region : regions) {
    region.drive.table.knots = first;
    first += region.drive.table.count;
  }
  drives_.assign(regions);
  frames_.assign(std::vector<SurfaceFrame>(setup.solid_regions.size()));
}

void SolidSurfaces::drive(const ClockState* clock, Part part) {
  parallel_for(frames_.device(), "drive solids", static_cast<std::int64_t>(drives_.size()),
               FindFrames{drives_.data(), bodies_.masses(), bodies_.view(), clock, 0, part, frames_.data()});
  found_.mark(frames_.data());
}

void SolidSurfaces::drive_to(double time) {
  parallel_for(frames_.device(), "drive solids", static_cast<std::int64_t>(drives_.size()),
               FindFrames{drives_.data(), bodies_.masses(), bodies_.view(), nullptr, time, Part::Now, frames_.data()});
  found_.mark(frames_.data());
}

}  // namespace riffle
