#pragma once
/// The fluid look's fields by kernels, copied into OpenGL's textures.

#include <optional>

#include "render/camera.h"
#include "render/fluid/fluid_fields.h"
#include "render/fluid/fluid_splat.h"
#include "render/fluid/fluid_style.h"
#include "render/gl/gl_objects.h"
#include "render/gl/shared_ring.h"
#include "render/particles/color_table.h"
#include "render/view.h"

namespace riffle::render {

class FluidSplatRenderer {
 public:
  FluidSplatRenderer(const Device& device, TransferPath path)
      : device_(device), splatter_(device), pixels_(device, path), color_table_(device) {}

  /// Runs the kernels; 3-D scenes only. @throws InputError for an unknown colour map
  /// @param scene    size of the target that the fluid is drawn into
  /// @param solids   whether hand_over() will need what pictures with solids need
  void render(const ParticleView& particles, const ViewTransform& view, const ColorScale& scale,
              const std::optional<CutPlane>& cut, const BoxView& box, const FluidStyle& style, PictureSize scene,
              bool solids = false);

  PictureSize coarse() const { return {splat_.coarse.width, splat_.coarse.height}; }  ///< of thickness, colour and foam

  /// Copies the fields to textures: R32F, R32F and R32F of the scene's size; RGBA32F, RGBA32F and R32F of the coarse
  /// size. @param nearest,within  R32F of the scene's and RGBA32F of the coarse size; 0: not needed
  void hand_over(GLuint depth, GLuint nearest, GLuint within, GLuint bulk, GLuint thickness, GLuint color, GLuint foam);

  TransferPath path() const { return pixels_.path(); }
  StageTimer& timer() { return splatter_.timer(); }

 private:
  Device device_;
  FluidSplatter splatter_;
  SharedRing pixels_;
  ColorTable color_table_;
  FluidSplat splat_;
};

}  // namespace riffle::render
