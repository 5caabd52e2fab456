#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scenes/review/subjects.h"
#include "sim/solver_info.h"

namespace riffle::scenes {

namespace {

void review_camera(Camera& camera, int dimension, Findings& out) {
  const Vec3 view = camera.target - camera.position;
  if (length2(view) == 0) {
    out.refuse("picture.camera", "position and target are the same point");
    return;
  }
  const Vec3 side{view.y * camera.up.z - view.z * camera.up.y, view.z * camera.up.x - view.x * camera.up.z,
                  view.x * camera.up.y - view.y * camera.up.x};
  if (length2(side) <= 1e-8f * length2(view) * length2(camera.up))
    out.refuse("picture.camera.up", "is zero or along the line of sight; allowed: any other direction");
  if (dimension == 3) return;
  camera.orthographic = true;
  camera.ortho_height =
      2 * std::sqrt(length2(view)) * std::tan(camera.fov_degrees * std::numbers::pi_v<float> / 360.0f);
}

}  // namespace

void review_picture(SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "picture"})) return;
  PictureSetup& picture = draft.scene.picture;
  const SimulationSetup& setup = draft.scene.simulation;
  const SolverInfo& solver = solver_info(setup);
  if (!solver.has_density && picture.color_by == ColorChoice::Density)
    out.refuse("picture.color_by",
               fmt::format("found 'density', which particles of solver.type {} do not have; allowed: speed, fluid",
                           solver.name));
  if (!picture.automatic_range && !(picture.range_min < picture.range_max))
    out.refuse("picture.range", fmt::format("found [{:g}, {:g}]; the second must be above the first", picture.range_min,
                                            picture.range_max));
  if (picture.camera_given) review_camera(picture.camera, setup.domain.dimension, out);
}

}  // namespace riffle::scenes
