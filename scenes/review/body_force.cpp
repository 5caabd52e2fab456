#include <fmt/format.h>

#include "scenes/review/subjects.h"

namespace riffle::scenes {

void review_body_force(const SceneDraft& draft, Findings& out) {
  const SimulationSetup& setup = draft.scene.simulation;
  const BodyForceSetup& force = setup.body_force;
  if (!force.given || !out.intact({"dimension", "domain", "gravity", "body_force"})) return;
  if (force.across >= setup.domain.dimension) {
    out.refuse("body_force.across", fmt::format("found {}; allowed in 2-D: x or y", kAxisNames[force.across]));
    return;
  }
  if (force.acceleration == Vec3{})
    out.refuse("body_force.acceleration", "is 0 along every axis; allowed: a force, or no body_force");
  const float along = component(force.acceleration, force.across);
  if (along != 0)
    out.warn(WarningKind::BodyForceAlongAxis, "body_force.acceleration",
             fmt::format("is {:g} along {}, the axis across which the force varies (body_force.across): that part only "
                         "compresses the fluid and drives no flow; 0 there, or another axis across, leaves it out",
                         along, kAxisNames[force.across]));
  if (out.none_refused()) review_apparent_gravity(setup, "body_force", out);
}

}  // namespace riffle::scenes
