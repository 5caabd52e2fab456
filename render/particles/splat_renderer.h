#pragma once
/// Particles as spheres by kernels: the picture they make, put into OpenGL's with its depth.

#include <optional>
#include <string>

#include "render/camera.h"
#include "render/gl/gl_objects.h"
#include "render/particles/color_table.h"
#include "render/particles/shared_pixels.h"
#include "render/particles/splat.h"
#include "render/view.h"

namespace riffle {

/// Rows begin at multiples of 256 bytes, where OpenGL lets a storage block begin.
/// @param width,height [pixel] of the framebuffer
SplatFrame make_splat_frame(const ViewTransform& view, int width, int height, float radius,
                            const std::optional<CutPlane>& cut = {});

/// Without the colour map's table.
SplatLook make_splat_look(const ViewTransform& view, Vec3 up, const ColorScale& scale);

class SplatRenderer {
 public:
  /// @param largest_block [bytes] that a shader may read of a buffer at a time; 0: what OpenGL says
  SplatRenderer(const Device& device, VertexPath path, std::size_t largest_block = 0);

  /// Runs the kernels. @throws InputError for an unknown colour map
  void render(const ParticleView& particles, const ViewTransform& view, Vec3 up, const ColorScale& scale,
              const std::optional<CutPlane>& cut, int width, int height);

  /// The last rendered picture into the bound framebuffer of that size, with depth test and depth writes; alpha has the
  /// distance to the silhouette for Surface.
  void compose();

  VertexPath path() const { return pixels_.path(); }
  StageTimer& timer() { return splatter_.timer(); }

 private:
  Device device_;
  Splatter splatter_;
  SharedPixels pixels_;
  SplatFrame frame_;
  ColorTable color_table_;
  Program program_;
  GlVertexArray no_attributes_;
  std::size_t largest_block_;
};

}  // namespace riffle
