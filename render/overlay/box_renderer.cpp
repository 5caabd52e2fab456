#include "render/overlay/box_renderer.h"

#include <algorithm>
#include <cmath>

#include "render/overlay/grid_lines.h"
#include "render/particles/particle_pass.h"

namespace riffle::render {

namespace {

void append_edges(const BoxView& box, std::vector<Segment>& edges) {
  const auto corner = [&](int i) {
    return Vec3{(i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                (i & 4) && !box.two_dimensional ? box.max.z : box.min.z};
  };
  for (const auto& [a, b] :
       {std::pair{0, 1}, {1, 3}, {3, 2}, {2, 0}, {4, 5}, {5, 7}, {7, 6}, {6, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}})
    if (!box.two_dimensional || b < 4) edges.push_back({corner(a), corner(b)});
}

/// Relative luminance of an sRGB colour, 0..1; its gamma taken as 2.2.
float luminance(Vec3 color) {
  return 0.2126f * std::pow(color.x, 2.2f) + 0.7152f * std::pow(color.y, 2.2f) + 0.0722f * std::pow(color.z, 2.2f);
}

}  // namespace

Theme Theme::on(Vec3 background) {
  // The ratio of WCAG 2: (L1 + 0.05) / (L2 + 0.05), L1 the lighter one.
  const float behind = luminance(background) + 0.05f;
  const float with_dark = behind / (luminance(light().ink) + 0.05f),
              with_light = (luminance(dark().ink) + 0.05f) / behind;
  return {background, background, with_dark > with_light ? light().ink : dark().ink, background};
}

Theme Theme::clear(const std::optional<Vec3>& ground) {
  Theme theme = ground ? on(*ground) : light();
  if (!ground) theme.halo = {1, 1, 1};
  theme.transparent = true;
  return theme;
}

BoxRenderer::BoxRenderer()
    : background_("fullscreen.vert", "background.frag"), no_attributes_(GlVertexArray::create()) {}

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
                           float pixels, float forward, const FluidFront* front) {
  std::vector<Segment> edges;
  append_edges(box, edges);
  lines_.draw(edges, view, {glm::vec4(to_glm(theme.ink), 0.62f), pixels, forward, fade_over(box, view), front}, width,
              height);
}

void BoxRenderer::draw_grid(const GridOverlay& grid, const BoxView& box, const ViewTransform& view, const Theme& theme,
                            int width, int height, float pixels, float forward, const FluidFront* front) {
  lines_.draw(grid_segments(grid, view, box.two_dimensional), view,
              {glm::vec4(to_glm(theme.ink), 0.28f), pixels, forward, fade_over(box, view), front}, width, height);
}

void BoxRenderer::draw_boxes(std::span<const BoxView> boxes, const BoxView& box, const ViewTransform& view,
                             const Theme& theme, int width, int height, float pixels, float forward,
                             const FluidFront* front) {
  std::vector<Segment> edges;
  for (const BoxView& one : boxes) append_edges(one, edges);
  lines_.draw(edges, view, {glm::vec4(to_glm(theme.ink), 0.28f), pixels, forward, fade_over(box, view), front}, width,
              height);
}

glm::vec2 BoxRenderer::fade_over(const BoxView& box, const ViewTransform& view) {
  if (box.two_dimensional) return {0, 0};
  float nearest = 1e30f, farthest = -1e30f;
  for (int i = 0; i < 8; ++i) {
    const glm::vec4 corner((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                           (i & 4) ? box.max.z : box.min.z, 1);
    const float depth = -(view.view * corner).z;
    nearest = std::min(nearest, depth);
    farthest = std::max(farthest, depth);
  }
  const float range = farthest - nearest;
  return {nearest, range > 0 ? 1 / range : 0.0f};
}

}  // namespace riffle::render
