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
  if (out.none_refused()) review_apparent_gravity(setup, "body_force", out);
}

}  // namespace riffle::scenes
