#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/review/subjects.h"
#include "sim/dpd/dpd.h"
#include "sim/shapes/distance.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

void drop_third_components(SimulationSetup& setup) {
  setup.domain.min.z = setup.domain.max.z = setup.gravity.z = 0;
  setup.gravity_change.amplitude.z = setup.body_force.acceleration.z = 0;
  setup.tank.velocity.z = setup.tank.sway_amplitude.z = setup.tank.about.z = 0;
  setup.tank.axis = {0, 0, 1};
  const auto drop = [](PlainShape& shape) {
    // The section of a cylinder along z is a disc.
    if (shape.shape == Shape::Cylinder && shape.from.x == shape.to.x && shape.from.y == shape.to.y &&
        shape.from.z != shape.to.z) {
      shape.shape = Shape::Sphere;
      shape.center = shape.from;
    }
    for (Vec3* v : {&shape.min, &shape.max, &shape.center, &shape.from, &shape.to, &shape.point, &shape.normal})
      v->z = 0;
    shape.low = shape.high = 0;
  };
  const auto drop_all = [&](Region& region) {
    drop(region);
    for (PlainShape& part : region.with) drop(part);
    for (PlainShape& cut : region.without) drop(cut);
  };
  for (auto& body : setup.bodies) {
    drop_all(body);
    body.velocity.z = body.flow.center.z = 0;
  }
  for (JointSetup& joint : setup.joints) joint.at.z = joint.to.z = 0;
  for (DampingZone& zone : setup.damping) zone.min.z = zone.max.z = 0;
  for (InletSetup& inlet : setup.inlets) inlet.center.z = inlet.direction.z = inlet.turn = 0;
  for (OutletSetup& outlet : setup.outlets) {
    drop_all(outlet);
  }
  for (SolidRegion& solid : setup.solid_regions) {
    drop_all(solid);
    SolidDrive& drive = solid.drive;
    drive.velocity.z = drive.sway_amplitude.z = drive.about.z = 0;
    drive.axis = {0, 0, 1};
    drive.wave.direction.z = drive.wave.hinge.z = 0;
    solid.free.velocity.z = solid.free.force.z = 0;
  }
}

/// Whether the shape stands in the way of a flow along the axis, which is periodic. A shape that is the same all along it
/// does not.
bool stands_in_way(const PlainShape& shape, const Domain& domain, int axis) {
  if (shape.shape == Shape::Plane) return component(shape.normal, axis) != 0;
  Region region;
  static_cast<PlainShape&>(region) = shape;
  const Region* const one[] = {&region};
  if (std::isinf(component(flatten(one, domain).shapes[0].low, axis))) return false;
  if (shape.shape != Shape::Polygon || shape.axis == axis) return true;
  // It does not if all of its edges between the domain's two faces go along the axis.
  const std::size_t along = axis == 0 || (axis == 1 && shape.axis == 0) ? 0 : 1;
  const float slack = 1e-5f * component(domain.extent(), axis);
  const float low = component(domain.min, axis) + slack, high = component(domain.max, axis) - slack;
  for (std::size_t k = 0; k < shape.corners.size(); ++k) {
    const auto &a = shape.corners[k], &b = shape.corners[(k + 1) % shape.corners.size()];
    const bool between = std::max(a[along], b[along]) > low && std::min(a[along], b[along]) < high;
    if (between && a[1 - along] != b[1 - along]) return true;
  }
  return false;
}

/// Whether the friction of a viscous fluid of SPH at walls slows it.
bool walls_drag(const SimulationSetup& setup) {
  const bool viscous = std::any_of(setup.fluids.begin(), setup.fluids.end(),
                                   [](const FluidSetup& fluid) { return fluid.viscosity > 0; });
  return solver_info(setup).sph_forces && setup.wcsph.walls == WallSlip::NoSlip && viscous;
}

/// Whether faces of the domain lie along the axis.
bool has_faces_along(const SimulationSetup& setup, int axis) {
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (a != axis && setup.domain.walled(a)) return true;
  return false;
}

/// Whether walls take the momentum that gravity gives along a periodic axis: by friction, or as they stand in the way.
bool walls_hold(const SimulationSetup& setup, int axis) {
  if (setup.solver == SolverKind::Dpd && dpd::walls_drag(setup)) return true;
  if (setup.solid_regions.empty()) return false;
  if (walls_drag(setup)) return true;
  return std::any_of(setup.solid_regions.begin(), setup.solid_regions.end(), [&](const SolidRegion& solid) {
    const auto any_in_way = [&](const std::vector<PlainShape>& shapes) {
      return std::any_of(shapes.begin(), shapes.end(),
                         [&](const PlainShape& shape) { return stands_in_way(shape, setup.domain, axis); });
    };
    return stands_in_way(solid, setup.domain, axis) || any_in_way(solid.with) || any_in_way(solid.without);
  });
}

}  // namespace

void review_domain(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  const Domain& domain = setup.domain;
  if (domain.dimension == 2) drop_third_components(setup);
  if (!out.intact({"dimension", "domain"})) return;
  for (int a = 0; a < domain.dimension; ++a) {
    const double low = component(domain.min, a), high = component(domain.max, a);
    if (low < high) continue;
    out.refuse("domain", fmt::format("found {0} from {1:g} to {2}; max.{0} must be above min.{0}", kAxisNames[a], low,
                                     length_text(setup, high)));
  }
}

void warn_of_endless_fall(const SimulationSetup& setup, const char* consequence, Findings& out) {
  if (!out.intact({"dimension", "domain", "gravity", "solver", "solids"})) return;
  for (int a = 0; a < setup.domain.dimension; ++a) {
    if (!setup.domain.periodic(a) || component(setup.gravity, a) == 0 || walls_hold(setup, a)) continue;
    const bool dragged = walls_drag(setup) && has_faces_along(setup, a);
    if (dragged && *consequence == '\0') continue;
    out.warn(WarningKind::EndlessFall, "gravity",
             fmt::format("{:g} {} act along the periodic axis {}: {}{}", component(setup.gravity, a),
                         units_of(setup).acceleration, kAxisNames[a],
                         dragged ? "only friction at the walls limits how fast the fluid gets"
                                 : "nothing holds the fluid, which accelerates without end",
                         consequence));
  }
}

void warn_of_fall_upwards(const SimulationSetup& setup, Findings& out) {
  const Domain& domain = setup.domain;
  const Vec3 g = setup.gravity;
  const float strongest = std::max({std::fabs(g.x), std::fabs(g.y), std::fabs(g.z)});
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.walled(a) || component(g, a) <= 0 || component(g, a) < strongest) continue;
    float low = INFINITY, high = -INFINITY;
    for (const BodySetup& body : setup.bodies) {
      const Bounds bounds = bounds_of(body);
      low = std::min(low, component(bounds.min, a));
      high = std::max(high, component(bounds.max, a));
    }
    const bool on_floor = low <= component(domain.min, a) + setup.spacing;
    const bool room_above = high < component(domain.max, a) - setup.spacing;
    if (on_floor && room_above)
      out.warn(
          WarningKind::FallUpwards, "gravity",
          fmt::format("{0:g} {1} act towards {2}_max: the fluid lies on the face {2}_min and falls upwards; -{0:g} "
                      "would hold it there",
                      component(g, a), units_of(setup).acceleration, kAxisNames[a]));
  }
}

}  // namespace riffle::scenes
