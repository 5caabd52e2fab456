#pragma once
/// The particles' common surface, in screen space: depth of spheres, smoothed by a narrow-range filter (Truong and
/// Yuksel 2018, "A Narrow-Range Filter for Screen-Space Fluid Rendering"), thickness by adding up, and then one shading
/// of every pixel (van der Laan, Green and Sainz 2009, "Screen Space Fluid Rendering with Curvature Flow").

#include "render/fluid/fluid_fields.h"
#include "render/fluid/fluid_splat_renderer.h"
#include "render/fluid/fluid_style.h"
#include "render/gl/frame_cost.h"
#include "render/gl/gl_objects.h"
#include "render/gl/surface.h"
#include "render/overlay/box_renderer.h"
#include "render/particles/particle_pass.h"
#include "render/view.h"

namespace riffle {

class FluidRenderer {
 public:
  FluidRenderer();

  /// Colour and depth of the fluid into the scene's target, which holds what is behind the fluid or sticks out of it.
  /// In 2-D the particles' plane is filled with their colours, with a smooth outline.
  /// @param fields what kernels made of a 3-D picture of this size; nullptr: OpenGL does, from the pass' vertices, which
  ///   are not needed otherwise
  /// @param draw_behind draws what is seen through the fluid, unbent, but not yet in the scene's target: lines, which are drawn
  ///   over the fluid later. The target's depth is bound; it must be left as it is.
  template <class DrawBehind>
  void draw(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, const Theme& theme,
            const Surface& target, FrameCost& cost, FluidSplatRenderer* fields, const DrawBehind& draw_behind) {
    resize(target, pass, box, fields);
    keep_behind(target);
    draw_behind();
    if (pass.count <= 0 || !(pass.spacing > 0)) return;
    if (box.two_dimensional)
      draw_flat(pass, target, theme, cost);
    else
      draw_surface(pass, box, style, theme, target, cost, fields);
  }

  /// [m] of `style`, or its default for a domain.
  static float absorption_length(const FluidStyle& style, const BoxView& box);

  /// 0..1, of `style`, or its default for what the colours show.
  static float opacity(const FluidStyle& style, const ColorScale& scale);

  /// Of the last draw(); rows from the bottom.
  PictureSize size() const { return size_; }
  PictureSize coarse() const { return coarse_; }              ///< coarse_size(), and in 2-D half the size
  GLuint filtered_depth() const { return depth_[0].name(); }  ///< R32F, (height, width): eye depth [m], 0: no fluid
  // Of the coarse size, RGBA16F and R16F, or of 32 bits where kernels made them:
  /// Optical depth per absorption length, and thickness, in particle spacings.
  GLuint thickness() const { return thickness_.name(); }
  GLuint surface_color() const { return surface_color_.name(); }  ///< linear, times weight; weight
  GLuint foam() const { return foam_.name(); }                    ///< times weight

 private:
  void resize(const Surface& target, const ParticlePass& pass, const BoxView& box, const FluidSplatRenderer* fields);
  void keep_behind(const Surface& target);
  void draw_surface(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, const Theme& theme,
                    const Surface& target, FrameCost& cost, FluidSplatRenderer* fields);
  void draw_flat(const ParticlePass& pass, const Surface& target, const Theme& theme, FrameCost& cost);
  void draw_depth(const ParticlePass& pass, float radius);
  void filter_depth(const ParticlePass& pass, const FluidStyle& style);
  void set_filter(const Program& program, const ParticlePass& pass, const FluidStyle& style) const;
  /// @param core [particle spacings] radius at which each particle alone reaches 1/2; 0: they only add up
  void add_thickness(const ParticlePass& pass, float radius, float weight, float core);
  void add_surface(const ParticlePass& pass, float radius, float foam_speed, bool in_front_only);
  void shade(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, const Theme& theme,
             const Surface& target);

  PictureSize size_, coarse_;
  bool half_floats_ = true;  ///< of the coarse targets, which blending adds up in
  GlTexture2D depth_[2], depth_test_, behind_color_, lined_color_;  ///< of the scene's size
  GlTexture2D thickness_, surface_color_, foam_;                    ///< of the coarse size
  GlFramebuffer depth_framebuffer_, filter_framebuffer_[2], behind_, lined_, thickness_framebuffer_,
      surface_framebuffer_;
  Program depth_program_, filter_program_, smooth_program_, thickness_program_, surface_program_, shade_program_,
      flat_program_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle
