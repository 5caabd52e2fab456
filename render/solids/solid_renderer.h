#pragma once
/// Solids as lit, opaque surfaces; in 2-D as areas with an outline.
///
/// A surface's outline is smoothed as a sphere's is (resolve.frag), from the distance to the silhouette in each pixel.
/// A sphere's is known from its formula. A solid's is found from how much of the pixel it covers: where the scene has
/// one sample per pixel, solids are first drawn into a layer with four, which gives smooth inner edges too.

#include <optional>

#include "render/gl/gl_objects.h"
#include "render/gl/surface.h"
#include "render/overlay/box_renderer.h"
#include "render/overlay/line_renderer.h"
#include "render/particles/particle_pass.h"
#include "render/view.h"

namespace riffle::render {

class SolidRenderer {
 public:
  SolidRenderer();

  /// Takes over other solids than those before, and the poses of now.
  void update(const Solids& solids);
  bool empty() const { return parts_.empty(); }

  /// Draws surfaces with depth into the scene's target, which stays bound.
  void draw(const ParticlePass& pass, Surface& target);

  /// Draws areas and their outlines over what the scene's target has in the plane of a 2-D scene. They have no depth.
  /// @param pixels  width of the lines
  void draw_areas(const ParticlePass& pass, Surface& target, float pixels);

  /// Fills their areas with 1 in the bound target, in the plane of a 2-D scene.
  void draw_mask(const ParticlePass& pass) const;

  /// Draws their shadow into the bound target of optical depths. @param to_shadow  world to 0..1 over the target
  void draw_shadow(const glm::mat4& to_shadow) const;

 private:
  struct Part {
    GLint first;
    GLsizei count;    ///< corners
    glm::vec3 color;  ///< sRGB
    std::vector<Segment> outline;
    std::size_t mesh;  ///< index in Solids::meshes
    MeshPose pose = {};
  };

  /// Four samples per pixel.
  struct Layer {
    Layer(int width, int height);
    int width, height;
    GlTextureSamples color, depth;
    GlFramebuffer framebuffer;
    Program compose;
  };

  void take_over(const Solids& solids);
  void draw_surfaces(const ParticlePass& pass) const;

  std::uint64_t version_ = 0;
  std::vector<Part> parts_;
  GlBuffer buffer_;
  Program surface_, area_, shadow_;
  std::optional<Layer> layer_;  ///< created when first needed
  LineRenderer lines_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
