#pragma once
/// From a Camera to matrices, and a Camera that frames a domain.

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>

#include "render/view.h"

namespace riffle::render {

/// Depth is reversed (1 at the near plane, 0 infinitely far): a float depth buffer then resolves a particle at any
/// distance.
struct ViewTransform {
  glm::mat4 view{1};        ///< world to eye; the eye looks along -z
  glm::mat4 projection{1};  ///< eye to clip space with z in 0..w
  bool orthographic = false;
  float near_depth = 0;          ///< [m] eye depth of the near plane
  glm::vec2 depth_transform{0};  ///< window depth: x / eye depth, or x + y * eye depth in an orthographic view
  glm::vec2 half_extent{1};      ///< [m] of the view, at eye depth 1 or everywhere in an orthographic view
};

/// A degenerate camera (up along the line of sight, target at the position) is repaired rather than refused.
ViewTransform view_transform(const Camera& camera, float aspect);

/// Eye depth [m] of a window depth; infinity for the background's 0.
float eye_depth(const ViewTransform& transform, float window_depth);

/// A camera that shows the whole box and leaves room for the legend on the right. It looks from the front, a little
/// from the right and above (three-quarter view), or straight on in 2-D.
/// @param legend  the legend's share of the picture's width (legend_width()); at least 0.13 stays free
Camera frame_domain(const BoxView& box, Vec3 up, float aspect, bool two_dimensional, float legend = 0);

}  // namespace riffle::render
