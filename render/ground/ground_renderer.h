#pragma once
/// A floor under a 3-D domain, with the soft shadow of the particles on it.

#include <optional>

#include "render/gl/gl_objects.h"
#include "render/gl/shared_ring.h"
#include "render/overlay/box_renderer.h"
#include "render/particles/color_table.h"
#include "render/particles/particle_pass.h"
#include "render/particles/shadow_splat.h"
#include "render/solids/solid_renderer.h"
#include "render/view.h"

namespace riffle::render {

class GroundRenderer {
 public:
  GroundRenderer();

  /// Draws the shadow into a texture, which draw() shows. Changes the bound framebuffer and the viewport.
  /// @param solids  that throw a shadow too; nullptr: none
  /// @param absorption_length [m] after which light through the fluid has the fluid's colour; 0: the particles are
  ///   opaque
  void update_shadow(const ParticlePass& pass, const BoxView& box, float absorption_length,
                     const SolidRenderer* solids);

  /// The same by kernels. @param device  of the particles, the same at each call
  /// @param path  for the shadow's texels
  void splat_shadow(const ParticleView& particles, const ParticlePass& pass, const BoxView& box,
                    float absorption_length, const SolidRenderer* solids, const Device& device, TransferPath path);
  StageTimer* timer() { return splats_ ? &splats_->splatter.timer() : nullptr; }  ///< nullptr before the kernels ran

  /// Draws into the bound framebuffer, over the background and without depth. Draws nothing if the eye is below the
  /// floor.
  void draw(const ParticlePass& pass, const BoxView& box, const Theme& theme);

 private:
  /// The floor's place, and the part of it that the shadow's texture covers.
  struct Plane {
    glm::vec3 origin, normal, right, forward;
    float box_size;       ///< [m] diagonal of the domain
    glm::vec2 half;       ///< [m] half extents along right and forward of the part that the texture covers
    glm::mat4 to_shadow;  ///< world to 0..1 over the texture
  };
  static Plane plane_under(const BoxView& box, Vec3 up);

  /// A particle's square in the shadow's texture.
  struct Shade {
    glm::vec2 half_size;  ///< in 0..1
    float weight;         ///< optical depth in its middle
  };
  static Shade shade_of(const Plane& plane, float spacing, float absorption_length);
  void prepare(GLenum format);
  void finish_shadow(const Plane& plane, const SolidRenderer* solids);

  struct Splats {
    Splats(const Device& device, TransferPath path) : splatter(device), pixels(device, path), color_table(device) {}
    ShadowSplatter splatter;
    SharedRing pixels;
    ColorTable color_table;
  };

  Program floor_, shadow_;
  GlTexture2D shadow_texture_;
  GLenum format_ = 0;
  std::optional<Splats> splats_;
  GlFramebuffer shadow_framebuffer_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
