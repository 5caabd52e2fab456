#pragma once
/// The targets of a picture: the scene's target, which has one or more pixels per picture pixel, and the finished
/// picture.

#include "render/camera.h"
#include "render/gl/gl_objects.h"

namespace riffle::render {

enum class AntiAliasing {
  None,         ///< one sample, for tests of coverage
  Analytic,     ///< smooths outlines by their known distance; cheap enough for a software OpenGL
  Supersample,  ///< also renders 2x2 pixels per picture pixel, so that intersections and highlights are smooth too
};

struct Occlusion {
  float strength = 0;  ///< 0: none, 1: full
  float reach = 0;     ///< [m] how far a surface darkens another
};

class Surface {
 public:
  Surface(int width, int height, AntiAliasing anti_aliasing);

  int width() const { return width_; }    ///< [pixel] of the picture
  int height() const { return height_; }  ///< [pixel] of the picture
  /// Rendered pixels per picture pixel, per axis.
  int factor() const { return anti_aliasing_ == AntiAliasing::Supersample ? 2 : 1; }
  AntiAliasing anti_aliasing() const { return anti_aliasing_; }

  void begin_scene();  ///< binds and clears the scene's target
  void bind_scene();   ///< binds it again after drawing elsewhere

  /// Ends the 3-D drawing: smooths outlines, averages the samples, applies the occlusion. The picture stays bound for
  /// the overlay.
  void resolve(const ViewTransform& view, const Occlusion& occlusion);

  GLuint picture() const { return picture_.name(); }  ///< framebuffer of the finished picture, RGBA8
  GLuint picture_texture() const { return picture_color_.name(); }
  GLuint scene() const { return scene_.name(); }  ///< framebuffer of the scene, (factor * height, factor * width)
  GLuint scene_depth() const { return scene_depth_.name(); }

 private:
  void draw_occlusion(const ViewTransform& view, float reach);

  int width_, height_;
  AntiAliasing anti_aliasing_;
  GlTexture2D scene_color_, scene_depth_;
  GlTexture2D picture_color_, occlusion_color_;
  GlFramebuffer scene_, picture_, occlusion_;
  GlVertexArray no_attributes_;
  Program resolve_, resolve_occluded_, occlude_;  ///< created when first needed
};

}  // namespace riffle::render
