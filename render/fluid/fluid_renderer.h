#pragma once
/// The particles' common surface, in screen space: depth of spheres, smoothed by a narrow-range filter (Truong and
/// Yuksel 2018, "A Narrow-Range Filter for Screen-Space Fluid Rendering"), thickness by summation, and then one shading
/// per pixel (van der Laan, Green and Sainz 2009, "Screen Space Fluid Rendering with Curvature Flow"). There is no
/// mesh: the cost follows from pixels and particles, and what is not seen is not computed. docs/pictures.md shows the
/// result and its shortcomings. The passes:
///
/// 1. Thickness, in the coarse size: every particle spreads its volume over a disc with a smooth edge, so the sum is
///    the length of fluid along the ray, exact in the mean. The same pass sums the light that each particle absorbs.
/// 2. Depth of spheres of 0.75 spacings, three times. A particle with nothing around it is a drop and becomes smaller.
///    The first picture has the nearest of all spheres. In the others, drops in front of other fluid are behind
///    everything else, so a pixel shows such a drop only if it has no other fluid (fluid_around.glsl). A drop is in
///    front or behind as a whole: with a decision for each pixel it would have holes.
/// 3. Body or drops: how much of each pixel's surroundings belongs to the same surface (fluid_bulk.frag). Drops are not
///    filtered, and are shaded as spray.
/// 4. The filter, along x and along y. Its width is in metres; if that is more than 24 pixels to a side, it skips some.
///    Two directions alone draw streaks, so passes over 5 x 5 pixels follow, under the same rule (narrow_range.glsl).
///    Then the surface ends at the domain's walls and periodic faces, which the spheres reach over or do not reach
///    (fluid_box.frag).
///    With solids, before that: near them it becomes a plane that goes on into them (fluid_shore.frag).
/// 5. Colour and foam of the visible fluid, in the coarse size.
/// 6. Shading: normals, refraction into a copy of the background, Beer and Lambert's absorption, a procedural studio to
///    mirror (environment.glsl), foam. The filtered depth goes into the scene's depth. Lines are drawn in two
///    parts: what the surface hides into a second copy that is not refracted, the rest over the result.
///
/// Solids are drawn before the fluid. They hide what of its surface is behind them. Where they are behind the surface,
/// they are part of the background that refraction shows, as the mean of some places around the end of each ray, and the
/// fluid is as thick as what is before them: its thickness down to four depths below the surface is summed as well. Where a solid hides the surface, the drop that step 2 put
/// behind it is drawn if it is in front of the solid.
///
/// A fluid's own colour makes the fluid clear: light has it after a fifth of the domain's diagonal. A quantity is three
/// quarters paint, because absorption would change its colours; for the same reason it has no foam. In 2-D the
/// particles' areas sum to a field that is 1 inside, and its level 1/2 is the outline.

#include <glm/vec2.hpp>

#include "render/fluid/fluid_fields.h"
#include "render/fluid/fluid_splat_renderer.h"
#include "render/fluid/fluid_style.h"
#include "render/gl/frame_cost.h"
#include "render/gl/gl_objects.h"
#include "render/gl/surface.h"
#include "render/overlay/box_renderer.h"
#include "render/particles/particle_pass.h"
#include "render/solids/solid_renderer.h"
#include "render/view.h"

namespace riffle::render {

class FluidRenderer {
 public:
  FluidRenderer();

  /// Draws colour and depth of the fluid into the scene's target, which already holds everything else but lines. In 2-D
  /// it fills the particles' plane with their colours, with a smooth outline.
  /// @param fields  made by kernels for a 3-D picture of this size; nullptr: OpenGL makes them from the pass' vertices,
  ///   which are not needed otherwise
  /// @param draw_behind  gets a FluidFront and draws the part of the lines that it hides, which shows through the fluid
  ///   without refraction; the caller draws the rest over the fluid later. In 2-D a fluid hides no lines, and it is not
  ///   called. The target's depth is bound and must not change.
  /// @param solids  whether the target has the depth of opaque things, which hide the fluid behind them
  /// @param areas   in 2-D the solids that are drawn over the fluid later, up to which it reaches; nullptr: none
  template <class DrawBehind>
  void draw(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, const Theme& theme,
            const Surface& target, FrameCost& cost, FluidSplatRenderer* fields, const DrawBehind& draw_behind,
            bool solids = false, const SolidRenderer* areas = nullptr) {
    resize(target, pass, box, fields);
    keep_behind(target);
    if (pass.count <= 0 || !(pass.spacing > 0)) return;
    if (box.two_dimensional) {
      draw_flat(pass, box, target, theme, cost, areas);
      return;
    }
    if (solids) keep_depth(target);
    find_surface(pass, box, style, cost, fields, solids);
    bind_lined();
    draw_behind(FluidFront{filtered_depth(), bump(pass, style)});
    shade(pass, box, style, theme, target, solids);
    cost.end_stage("fluid shading");
  }

  /// [m] from `style`, or the default for a domain.
  static float absorption_length(const FluidStyle& style, const BoxView& box);

  /// 0..1, from `style`, or the default for what the colours show.
  static float opacity(const FluidStyle& style, const ColorScale& scale);

  /// Results of the last draw(); rows from the bottom.
  PictureSize size() const { return size_; }
  PictureSize coarse() const { return coarse_; }              ///< coarse_size(), and in 2-D half the size
  GLuint filtered_depth() const { return depth_[0].name(); }  ///< R32F, (height, width): eye depth [m], 0: no fluid
  /// One value of filtered_depth(). Waits. @param x,y [pixel] within size()
  float filtered_depth_at(int x, int y) const;
  GLuint bulk() const { return bulk_.name(); }  ///< R32F, (height, width): 0: a drop alone, 1: a body of fluid
  // In the coarse size:
  /// RGBA32F, optical depth per absorption length, and thickness, in particle spacings.
  GLuint thickness() const { return thickness_.name(); }
  // As RGBA16F and RG16F, or with 32 bits if kernels made them:
  GLuint surface_color() const { return surface_color_.name(); }  ///< see fluid_surface.frag, times weight; weight
  GLuint foam() const { return foam_.name(); }                    ///< times weight; in 2-D see fluid_surface.frag

 private:
  void resize(const Surface& target, const ParticlePass& pass, const BoxView& box, const FluidSplatRenderer* fields);
  void keep_behind(const Surface& target);
  void bind_lined() const;
  static float bump(const ParticlePass& pass, const FluidStyle& style);
  void keep_depth(const Surface& target);
  void find_surface(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, FrameCost& cost,
                    FluidSplatRenderer* fields, bool solids);
  void reach_solids(const ParticlePass& pass, const FluidStyle& style);
  void end_at_walls(const ParticlePass& pass, const BoxView& box);
  void swap_depths();
  void draw_flat(const ParticlePass& pass, const BoxView& box, const Surface& target, const Theme& theme,
                 FrameCost& cost, const SolidRenderer* areas);
  void draw_areas(const ParticlePass& pass, const SolidRenderer& areas);
  void draw_depth(const ParticlePass& pass, float radius);
  /// @param same  [particle spacings] differences of depth up to which and from which on a surface is another one
  void set_around(const Program& program, const ParticlePass& pass, glm::vec2 same) const;
  void find_bulk(const ParticlePass& pass);
  void filter_depth(const ParticlePass& pass, const FluidStyle& style);
  void set_filter(const Program& program, const ParticlePass& pass, const FluidStyle& style) const;
  void add_thickness(const ParticlePass& pass);
  void add_within(const ParticlePass& pass);
  void add_discs(const Program& program, const GlFramebuffer& target, const ParticlePass& pass, float radius,
                 float weight);
  /// @param radius  [particle spacings] of the discs, those of the thickness before
  void add_surface(const Program& program, const ParticlePass& pass, float radius, float foam_speed,
                   bool in_front_only);
  void shade(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, const Theme& theme,
             const Surface& target, bool solids);

  PictureSize size_, coarse_;
  bool half_floats_ = true;  ///< whether colour and foam, where blending sums, have 16 bits
  GlTexture2D depth_[2], nearest_, depth_test_, bulk_, behind_color_, lined_color_;  ///< of the scene's size
  GlTexture2D outline_;                     ///< likewise, R8 with all levels: where spheres cover the picture
  GlTexture2D opaque_depth_;                ///< likewise, created when first needed
  GlTexture2D shore_bulk_, shore_changed_;  ///< likewise: see fluid_shore.frag
  GlTexture2D within_;  ///< of the coarse size, created when first needed: thickness down to the depths of kWithin
  GlTexture2D areas_;   ///< likewise, R8 with all levels: the solids of a 2-D scene
  GlTexture2D thickness_, surface_color_, foam_;  ///< of the coarse size
  GlFramebuffer nearest_framebuffer_, depth_framebuffer_[2], bulk_framebuffer_, filter_framebuffer_[2], behind_, lined_,
      thickness_framebuffer_, surface_framebuffer_, within_framebuffer_, opaque_, box_framebuffer_[2],
      areas_framebuffer_, shore_framebuffer_;
  Program depth_program_, layers_program_, bulk_program_, filter_program_, smooth_program_, thickness_program_,
      surface_program_, shade_program_, shade_with_solids_, flat_thickness_program_, flat_program_,
      flat_surface_program_,
      box_program_;                                                ///< shade_with_solids_ is created when first needed
  Program within_program_, shore_program_, smooth_shore_program_;  ///< likewise
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
