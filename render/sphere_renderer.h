#pragma once
/// Particles as spheres: one square each, ray-traced in the fragment shader, with the sphere's own depth.

#include <string>

#include "render/camera.h"
#include "render/gl_objects.h"
#include "render/view.h"

namespace riffle {

/// A colour map as a texture of one row; uploads only when the map changes.
class ColorMapTexture {
 public:
  void select(const std::string& name);  ///< @throws InputError for an unknown map
  GLuint name() const { return texture_.name(); }

 private:
  GlTexture2D texture_;
  std::string map_;
};

class SphereRenderer {
 public:
  SphereRenderer();

  /// Into the bound framebuffer, with depth test and depth writes; alpha gets the distance to the silhouette for
  /// Surface.
  /// @param vertices (count) of {x, y, z, value}
  /// @param height [pixel] of the framebuffer
  void draw(GLuint vertices, int count, float radius, const ViewTransform& view, Vec3 up, const ColorScale& scale,
            const ColorMapTexture& color_map, int height);

 private:
  Program program_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle
