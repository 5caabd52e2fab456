#pragma once
/// Draws particles, the domain and the legend into a picture, which can be read or shown.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/timing/stage_timer.h"
#include "render/camera.h"
#include "render/fluid/fluid_style.h"
#include "render/gl/shared_ring.h"
#include "render/gl/surface.h"
#include "render/overlay/box_renderer.h"
#include "render/sphere_method.h"
#include "render/view.h"

namespace riffle::render {

/// The defaults of the options below.
enum class Quality {
  Auto,   ///< for many pictures in a row: on a GPU as Full, but nothing that kernels must wait for; else as Quick
  Quick,  ///< analytic edges, no occlusion; floor and shadow only with Look::Fluid
  Full,   ///< 2 x 2 samples, occlusion, floor and shadow: a second per 1280 x 720 picture on a software OpenGL
};

struct RenderOptions {
  Quality quality = Quality::Auto;
  /// Default: Supersample on a GPU unless kernels draw a fluid; else Analytic.
  std::optional<AntiAliasing> anti_aliasing;
  std::optional<float> ambient_occlusion;  ///< strength 0..1; default: 0.8 on a GPU, 0 on a software OpenGL
  Look look = Look::Spheres;
  FluidStyle fluid;  ///< for Look::Fluid
  /// Floor and shadow under a 3-D domain. Default: with Look::Fluid, and on a GPU unless spheres are splatted.
  std::optional<bool> ground;
  Theme theme;
  bool legend = true;
  bool legend_keeps_clear = false;  ///< the legend avoids the domain where possible; for a fixed camera
  float pixel_density = 1;          ///< 2 on a HiDPI screen, so that the legend's text keeps its size
  bool box = true;
  bool solids = true;  ///< those of Extras
  SphereMethod spheres = SphereMethod::Auto;
};

/// Works in the current OpenGL 4.5 context, off-screen or a window's. The same context must stay current.
class Renderer {
 public:
  /// @param width,height [pixel] of the picture
  /// @param simulation_device  device of the particles in every draw()
  Renderer(int width, int height, const Device& simulation_device, const RenderOptions& options = {});
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// @param caption one line of UTF-8 at the lower left; may be empty
  void draw(const ParticleView& particles, const Camera& camera, const ColorScale& scale, const BoxView& box,
            std::string_view caption = {}, const Extras& extras = {});

  Image read_image();               ///< waits for the drawing
  std::vector<float> read_depth();  ///< (height, width) eye depth [m], top row first; infinity is background

  /// Eye depth [m] of the fluid's surface in the last picture; nothing where it has none, and nothing if it showed
  /// spheres or a 2-D scene. A solid may hide it. Waits. @param x,y -1..1 of the picture, y up
  std::optional<float> fluid_depth_at(float x, float y) const;

  /// For recording: call start_read() after each draw(), and next_image() whenever there is time. At most three
  /// pictures are in flight; they come back in order.
  void start_read();
  std::optional<Image> next_image(bool wait);

  std::uint32_t texture() const;  ///< the picture, RGBA8, bottom row first: for a panel of a GUI

  void resize(int width, int height);  ///< discards only the picture
  int width() const;
  int height() const;
  const RenderOptions& options() const;
  void set_options(const RenderOptions& options);

  SphereMethod sphere_method() const;  ///< Raster or Splat: of the last draw()
  TransferPath vertex_path() const;    ///< of the particles or, if they are splatted, of their picture

  /// Times of the stages: gather, ground, solids and spheres, or splat, shade and compose, or the passes of the fluid and the
  /// box; then resolve and legend, and read for pictures that are read. A fluid by kernels has the shadow and the
  /// transfer too.
  std::vector<StageStats> costs();
  void reset_costs();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle::render
