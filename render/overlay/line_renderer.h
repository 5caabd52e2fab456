#pragma once
/// Straight lines in the world, of constant width on the screen.

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "render/camera.h"
#include "render/gl/gl_objects.h"
#include "render/view.h"

namespace riffle::render {

struct Segment {
  Vec3 a, b;  ///< [m]
};

/// The surface of a fluid in the bound framebuffer's size.
struct FluidFront {
  GLuint depth = 0;  ///< R32F eye depth [m]; 0: no fluid
  float bump = 0;    ///< [m] from it to the depth that the fluid has in the picture
};

struct LineStyle {
  glm::vec4 color{0, 0, 0, 1};  ///< sRGB and opacity
  float pixels = 1;             ///< width in the target
  float forward = 0;            ///< [m] by which lines count as nearer, for lines that lie on a surface
  glm::vec2 fade_range{0};      ///< eye depth [m] from which lines become fainter, and 1 / the depth over which they do
  const FluidFront* front = nullptr;  ///< draws only what this hides
};

class LineRenderer {
 public:
  LineRenderer();

  /// Draws with a depth test against the bound framebuffer, but writes neither depth nor alpha.
  /// @param width,height [pixel] of the framebuffer
  void draw(const std::vector<Segment>& segments, const ViewTransform& view, const LineStyle& style, int width,
            int height);

 private:
  Program program_;
  Program hidden_program_;  ///< created when first needed
  GlBuffer buffer_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
