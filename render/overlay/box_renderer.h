#pragma once
/// Draws the background, the domain's box and a grid in it.

#include "render/camera.h"
#include "render/gl/gl_objects.h"
#include "render/overlay/line_renderer.h"
#include "render/view.h"

namespace riffle::render {

/// Colours of everything but the fluid, sRGB.
struct Theme {
  Vec3 background_top{0.957f, 0.965f, 0.973f};
  Vec3 background_bottom{0.780f, 0.808f, 0.839f};
  Vec3 ink{0.110f, 0.137f, 0.176f};   ///< text, ticks and the box
  Vec3 halo{0.957f, 0.965f, 0.973f};  ///< around text, and behind it where it lies on the fluid
  bool transparent = false;           ///< no background: a picture that is read has alpha

  static Theme light() { return {}; }
  /// Transparent. Its ink is for a ground of that colour, or without one for a light ground, as paper is.
  static Theme clear(const std::optional<Vec3>& ground = std::nullopt);
  /// Of one colour, with the ink that stands out more.
  static Theme on(Vec3 background);
  static Theme dark() {
    return {{0.231f, 0.263f, 0.310f}, {0.106f, 0.122f, 0.149f}, {0.910f, 0.929f, 0.949f}, {0.231f, 0.263f, 0.310f}};
  }
};

class BoxRenderer {
 public:
  BoxRenderer();
  void draw_background(const Theme& theme);

  /// Depth-tested against what was drawn; the far edges are fainter. A rectangle in 2-D.
  /// @param pixels width of the lines in the bound framebuffer
  /// @param forward [m] by which lines count as nearer, for lines that lie on the fluid's surface
  /// @param front  draws only what this surface hides
  void draw_box(const BoxView& box, const ViewTransform& view, const Theme& theme, int width, int height, float pixels,
                float forward, const FluidFront* front = nullptr);

  /// The same, fainter. @param box  the domain; lines fade with depth over it
  void draw_grid(const GridOverlay& grid, const BoxView& box, const ViewTransform& view, const Theme& theme, int width,
                 int height, float pixels, float forward, const FluidFront* front = nullptr);
  void draw_boxes(std::span<const BoxView> boxes, const BoxView& box, const ViewTransform& view, const Theme& theme,
                  int width, int height, float pixels, float forward, const FluidFront* front = nullptr);

 private:
  static glm::vec2 fade_over(const BoxView& box, const ViewTransform& view);

  Program background_;
  LineRenderer lines_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
