#pragma once
/// A floor under a 3-D domain, with the soft shadow of the particles on it.

#include <optional>

#include "render/gl/gl_objects.h"
#include "render/overlay/box_renderer.h"
#include "render/particles/color_table.h"
#include "render/particles/particle_pass.h"
#include "render/particles/shadow_splat.h"
#include "render/particles/shared_pixels.h"
#include "render/view.h"

namespace riffle {

class GroundRenderer {
 public:
  GroundRenderer();

  /// The shadow, into a texture of its own; draw() then shows it. Binds a framebuffer and a viewport of its own.
  /// @param absorption_length [m] after which light through the fluid has the fluid's colour; 0: the particles are
  ///   opaque
  void update_shadow(const ParticlePass& pass, const BoxView& box, float absorption_length);

  /// The same by kernels, from particles on `device`, the same at each call. @param path of the particles or of their picture
  void splat_shadow(const ParticleView& particles, const ParticlePass& pass, const BoxView& box,
                    float absorption_length, const Device& device, VertexPath path);
  StageTimer* timer() { return splats_ ? &splats_->splatter.timer() : nullptr; }  ///< of the kernels, once they ran

  /// Into the bound framebuffer, over the background and without depth. Nothing when the eye is below the floor.
  void draw(const ParticlePass& pass, const BoxView& box, const Theme& theme);

 private:
  /// Where the floor is, and what of it the shadow's texture covers.
  struct Plane {
    glm::vec3 origin, normal, right, forward;
    float box_size;       ///< [m] diagonal of the domain
    glm::vec2 half;       ///< [m] along right and forward, of the part that the texture covers
    glm::mat4 to_shadow;  ///< world to 0..1 over the texture
  };
  static Plane plane_under(const BoxView& box, Vec3 up);

  /// Particles in the shadow's texture.
  struct Shade {
    glm::vec2 half_size;  ///< of one, in 0..1
    float weight;         ///< optical depth in its middle
  };
  static Shade shade_of(const Plane& plane, float spacing, float absorption_length);
  void prepare(GLenum format);

  struct Splats {
    Splats(const Device& device, VertexPath path) : splatter(device), pixels(device, path), color_table(device) {}
    ShadowSplatter splatter;
    SharedPixels pixels;
    ColorTable color_table;
  };

  Program floor_, shadow_;
  GlTexture2D shadow_texture_;
  GLenum format_ = 0;
  std::optional<Splats> splats_;
  GlFramebuffer shadow_framebuffer_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle
