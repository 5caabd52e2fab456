#pragma once
/// Draws particles as spheres by kernels, and copies colour and depth into OpenGL's picture.

#include <optional>
#include <string>

#include "render/camera.h"
#include "render/gl/gl_objects.h"
#include "render/gl/shared_ring.h"
#include "render/particles/color_table.h"
#include "render/particles/splat.h"
#include "render/view.h"

namespace riffle::render {

/// Rows begin at multiples of 256 bytes, where a storage block of OpenGL may begin.
/// @param width,height [pixel] of the framebuffer
SplatFrame make_splat_frame(const ViewTransform& view, int width, int height, float radius,
                            const std::optional<CutPlane>& cut = {});

/// The look without the colour map's table.
SplatLook make_splat_look(const ViewTransform& view, Vec3 up, const ColorScale& scale);

class SplatRenderer {
 public:
  /// @param largest_block [bytes] of a buffer that a shader may read at once; 0: OpenGL's limit
  SplatRenderer(const Device& device, TransferPath path, std::size_t largest_block = 0);

  /// Runs the kernels. @throws InputError for an unknown colour map
  void render(const ParticleView& particles, const ViewTransform& view, Vec3 up, const ColorScale& scale,
              const std::optional<CutPlane>& cut, int width, int height);

  /// Copies the last rendered picture into the bound framebuffer of that size, with depth test and depth writes. Alpha
  /// has the distance to the silhouette for Surface.
  void compose();

  TransferPath path() const { return pixels_.path(); }
  StageTimer& timer() { return splatter_.timer(); }

 private:
  Device device_;
  Splatter splatter_;
  SharedRing pixels_;
  SplatFrame frame_;
  ColorTable color_table_;
  Program program_;
  GlVertexArray no_attributes_;
  std::size_t largest_block_;
};

}  // namespace riffle::render
