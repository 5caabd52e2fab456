#include "app/report/solid_text.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "sim/bodies/mass/body_mass.h"
#include "sim/dpd/dpd.h"
#include "sim/meshes/surface.h"
#include "sim/motion/gravity_bounds.h"
#include "sim/motion/wavemaker.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/units.h"
#include "sim/walls/drive_speed.h"
#include "sim/walls/solid_regions.h"

namespace riffle {

namespace {

std::string size_text(const PlainShape& shape, const Domain& domain, const char* unit) {
  const auto [min, max] = bounds_of(shape);
  std::string extents;
  for (int a = 0; a < domain.dimension; ++a)
    extents += fmt::format("{}{:g}", a == 0 ? "" : " x ", component(max, a) - component(min, a));
  switch (shape.shape) {
    case Shape::Box: return fmt::format("of {} {}", extents, unit);
    case Shape::Sphere: return fmt::format("of radius {:g} {}", shape.radius, unit);
    case Shape::Cylinder: {
      Vec3 way = shape.to - shape.from;
      if (domain.dimension == 2) way.z = 0;
      return fmt::format("of radius {:g} {} and length {:g} {}", shape.radius, unit, std::sqrt(length2(way)), unit);
    }
    case Shape::Capsule: {
      Vec3 way = shape.to - shape.from;
      if (domain.dimension == 2) way.z = 0;
      return fmt::format("of radius {:g} {} and length {:g} {} with its round ends", shape.radius, unit,
                         std::sqrt(length2(way)) + 2 * shape.radius, unit);
    }
    case Shape::Plane: {
      std::string point, normal;
      for (int a = 0; a < domain.dimension; ++a) {
        point += fmt::format("{}{:g}", a == 0 ? "" : ", ", component(shape.point, a));
        normal += fmt::format("{}{:g}", a == 0 ? "" : ", ", component(shape.normal, a));
      }
      return fmt::format("through [{}] {} with the normal [{}]", point, unit, normal);
    }
    case Shape::Mesh:
      if (shape.surface)
        return fmt::format("of {} triangles, within {} {}", shape.surface->mesh().triangles.size(), extents, unit);
      break;
    case Shape::Polygon: break;
  }
  return fmt::format("of {} corners, within {} {}", shape.corners.size(), extents, unit);
}

std::string wave_text(const SimulationSetup& setup, const WavemakerSetup& wave) {
  const double gravity = std::fabs(double{setup.gravity.y});
  const double k = wavemaker::wave_number(wave.period, wave.depth, gravity);
  return fmt::format(", a {} for waves {:g} {} high and {:.4g} {} long, kd {:.4g}, with a stroke of {:.4g} {}",
                     word_of(wave.kind), wave.height, units_of(setup).length, 2 * std::numbers::pi / k,
                     units_of(setup).length, k * wave.depth, wavemaker::stroke(wave, gravity), units_of(setup).length);
}

/// "way.csv, 400 rows over 20 s"
std::string table_text(const std::string& file, const MotionTableView& table, const char* seconds) {
  return fmt::format("{}, {} rows over {:.4g} {}", file, table.count, table.duration(), seconds);
}

}  // namespace

std::vector<std::string> gravity_texts(const SimulationSetup& setup) {
  std::vector<std::string> texts;
  const Units& units = units_of(setup);
  const GravityChange& change = setup.gravity_change;
  if (change.given) {
    std::string text = "gravity changes over time";
    if (change.rows) text += ", by " + table_text(change.file, change.table, units.time);
    texts.push_back(std::move(text));
  }
  if (setup.tank.given) {
    std::string text = "the domain moves";
    if (setup.tank.rows) text += ", by " + table_text(setup.tank.file, setup.tank.table, units.time);
    texts.push_back(std::move(text));
  }
  if (setup.body_force.given)
    texts.push_back(fmt::format("a body force of {:.4g} {} varies across {}",
                                std::sqrt(length2(setup.body_force.acceleration)), units.acceleration,
                                static_cast<char>('x' + setup.body_force.across)));
  if (!texts.empty())
    texts.push_back(fmt::format("apparent gravity up to {:.4g} {}", most_gravity(setup), units.acceleration));
  return texts;
}

std::vector<std::string> solid_texts(const SimulationSetup& setup) {
  std::vector<std::string> texts;
  const std::vector<BodyMass> masses = body_masses(setup);
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i) {
    const SolidRegion& solid = setup.solid_regions[i];
    std::string text = fmt::format("{}: a {} {}", solid_name(setup, i), shape_info(solid.shape).word,
                                   size_text(solid, setup.domain, units_of(setup).length));
    const auto counted = [](std::size_t count) {
      return count == 1 ? std::string("one shape") : fmt::format("{} shapes", count);
    };
    if (!solid.with.empty()) text += " with " + counted(solid.with.size());
    if (!solid.without.empty())
      text += fmt::format("{} without {}", solid.with.empty() ? "" : ",", counted(solid.without.size()));
    if (solid.drive.wave.given) text += wave_text(setup, solid.drive.wave);
    if (solid.free.given) {
      const BodyMass& body = masses[i];
      text += fmt::format(", free, {:.4g} {}, {:.4g} {}", body.mass,
                          units_of(setup).si ? (setup.domain.dimension == 2 ? "kg/m" : "kg") : "m",
                          body.mass / body.volume, units_of(setup).si ? "kg/m^3" : "m/r_c^d");
    }
    if (solid.drive.rows)
      text += fmt::format(", moved by {}, up to {:.3g} {} fast",
                          table_text(solid.drive.file, solid.drive.table, units_of(setup).time),
                          fastest_point(setup, i), units_of(setup).speed);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string solid_summary(const SimulationSetup& setup) {
  const std::size_t count = setup.solid_regions.size();
  SimulationSetup filled = setup;
  filled.solid_regions.clear();
  const std::int64_t all = count_particles(filled), left_out = all - count_particles(setup);
  const std::string fluid =
      left_out == 0 ? "" : fmt::format("; {} of the bodies' {} particles are left out where they are", left_out, all);
  const SolverInfo& solver = solver_info(setup);
  if (!solver.wall_particles && solver.walls_drag && dpd::walls_drag(setup))
    return fmt::format("{}, which repel and drag like fluid in them (solver.walls: no_slip), without wall particles",
                       count) +
           fluid;
  if (!solver.wall_particles) return fmt::format("{}, mirrors without wall particles", count) + fluid;
  return fmt::format("{}, with {} wall particles", count, count_region_sites(setup).wall) + fluid;
}

}  // namespace riffle
