#include "render/box_renderer.h"

#include <algorithm>

namespace riffle {
namespace {

glm::vec3 to_glm(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace

BoxRenderer::BoxRenderer()
    : background_("fullscreen.vert", "background.frag"),
      box_("box.vert", "box.frag"),
      no_attributes_(GlVertexArray::create()) {}

void BoxRenderer::draw_background(const Theme& theme) {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(no_attributes_.name());
  background_.set("top", to_glm(theme.background_top));
  background_.set("bottom", to_glm(theme.background_bottom));
  background_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void BoxRenderer::draw_box(const BoxView& box, const ViewTransform& view, const Theme& theme, int width, int height,
                           float pixels) {
  const glm::vec3 lower = to_glm(box.min);
  glm::vec3 upper = to_glm(box.max);
  if (box.two_dimensional) upper.z = lower.z;
  float nearest = 1e30f, farthest = -1e30f;
  for (int i = 0; i < 8; ++i) {
    const glm::vec4 corner((i & 1) ? upper.x : lower.x, (i & 2) ? upper.y : lower.y, (i & 4) ? upper.z : lower.z, 1);
    const float depth = -(view.view * corner).z;
    nearest = std::min(nearest, depth);
    farthest = std::max(farthest, depth);
  }
  const float range = farthest - nearest;

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);  // alpha holds the spheres' outlines
  box_.set("view", view.view);
  box_.set("projection", view.projection);
  box_.set("corner_min", lower);
  box_.set("corner_max", upper);
  box_.set("orthographic", view.orthographic ? 1 : 0);
  box_.set("near_depth", view.near_depth);
  box_.set("viewport", glm::vec2(width, height));
  box_.set("half_width", 0.5f * pixels);
  box_.set("fade_range", glm::vec2(nearest, range > 0 && !box.two_dimensional ? 1 / range : 0.0f));
  box_.set("line_color", glm::vec4(to_glm(theme.ink), 0.62f));
  glBindVertexArray(no_attributes_.name());
  box_.use();
  glDrawArrays(GL_TRIANGLES, 0, 6 * (box.two_dimensional ? 4 : 12));
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace riffle
