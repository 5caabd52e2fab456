#pragma once
/// Draws particles as spheres: one square each, ray-traced in the fragment shader, with the sphere's depth.

#include <span>

#include "render/gl/gl_objects.h"
#include "render/particles/particle_pass.h"
#include "render/view.h"

namespace riffle::render {

class SphereRenderer {
 public:
  SphereRenderer();

  /// Draws into the bound framebuffer, with depth test and depth writes. Alpha gets the distance to the silhouette for
  /// Surface.
  /// @param height [pixel] of the framebuffer
  void draw(const ParticlePass& pass, int height);

  /// Draws a few more spheres, each with its own size and colour.
  /// @param radius [m] for a scale of 1
  /// @param through  draw in front of everything drawn so far
  void draw_highlights(std::span<const Highlight> highlights, float radius, const ParticlePass& pass, bool through,
                       int height);

 private:
  void draw_with(const Program& program, const ParticlePass& pass, int height);

  Program program_, highlight_program_;
  GlBuffer highlight_vertices_, highlight_colors_;  ///< created when first needed
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
