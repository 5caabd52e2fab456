#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/review/subjects.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

void drop_third_components(SimulationSetup& setup) {
  setup.domain.min.z = setup.domain.max.z = setup.gravity.z = 0;
  const auto drop = [](PlainShape& shape) {
    // The section of a cylinder along z is a disc.
    if (shape.shape == Shape::Cylinder && shape.from.x == shape.to.x && shape.from.y == shape.to.y &&
        shape.from.z != shape.to.z) {
      shape.shape = Shape::Sphere;
      shape.center = shape.from;
    }
    for (Vec3* v : {&shape.min, &shape.max, &shape.center, &shape.from, &shape.to}) v->z = 0;
    shape.low = shape.high = 0;
  };
  for (auto& body : setup.bodies) {
    drop(body);
    for (PlainShape& cut : body.without) drop(cut);
    body.velocity.z = body.flow.center.z = 0;
  }
  for (SolidRegion& solid : setup.solid_regions) {
    drop(solid);
    for (PlainShape& cut : solid.without) drop(cut);
    SolidDrive& drive = solid.drive;
    drive.velocity.z = drive.sway_amplitude.z = drive.about.z = 0;
    drive.axis = {0, 0, 1};
  }
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
  if (!out.intact({"dimension", "domain", "gravity", "solver"})) return;
  if (!setup.solid_regions.empty()) return;  // they hold it
  for (int a = 0; a < setup.domain.dimension; ++a)
    if (setup.domain.periodic(a) && component(setup.gravity, a) != 0)
      out.warn(WarningKind::EndlessFall, "gravity",
               fmt::format("{:g} {} act along the periodic axis {}: nothing holds the fluid, which "
                           "accelerates without end{}",
                           component(setup.gravity, a), units_of(setup).acceleration, kAxisNames[a], consequence));
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
