#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scenes/review/subjects.h"
#include "sim/measure/quantity.h"

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

void review_cut(const CutSetup& cut, const SimulationSetup& setup, Findings& out) {
  const float low = component(setup.domain.min, cut.axis), high = component(setup.domain.max, cut.axis);
  if (cut.at >= low && cut.at <= high) return;
  const bool drawn = (cut.at > high) != cut.other_side;
  out.warn(WarningKind::CutOutsideDomain, "picture.cut",
           fmt::format("at {0} = {1:g} lies outside the domain, which is from {2:g} to {3}: the picture shows {4}",
                       kAxisNames[cut.axis], cut.at, low, length_text(setup, high),
                       drawn ? "all particles in the domain" : "no particle in the domain"));
}

}  // namespace

void review_picture(SceneDraft& draft, Findings& out) {
  if (!out.intact({"dimension", "domain", "picture"})) return;
  PictureSetup& picture = draft.scene.picture;
  const SimulationSetup& setup = draft.scene.simulation;
  if (picture.color_by)
    if (const std::string lacking = quantity_info(*picture.color_by).lacking(setup); !lacking.empty())
      out.refuse("picture.color_by", fmt::format("found '{}', which {} do not have; allowed: auto, {}",
                                                 word_of(*picture.color_by), lacking, quantities_of(setup)));
  if (!picture.automatic_range && !(picture.range_min < picture.range_max))
    out.refuse("picture.range", fmt::format("found [{:g}, {:g}]; the second must be above the first", picture.range_min,
                                            picture.range_max));
  if (picture.cut.axis >= 0 && setup.domain.dimension == 2)
    out.warn(WarningKind::CutInTwoDimensions, "picture.cut",
             "has no effect with dimension 2: the picture shows all particles");
  else if (picture.cut.axis >= 0)
    review_cut(picture.cut, setup, out);
  if (picture.camera_given) review_camera(picture.camera, setup.domain.dimension, out);
}

}  // namespace riffle::scenes
