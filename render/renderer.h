#pragma once
/// Draws particles, the domain and the legend into a picture of its own, and gives the picture away.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/timing/stage_timer.h"
#include "render/camera.h"
#include "render/fluid/fluid_style.h"
#include "render/gl/surface.h"
#include "render/overlay/box_renderer.h"
#include "render/particles/shared_vertices.h"
#include "render/sphere_method.h"
#include "render/view.h"

namespace riffle {

/// What the options below are where they are left open.
enum class Quality {
  Auto,  ///< what suits many pictures in a row: Full on a GPU, but without what kernels would have to wait for; else Quick
  Quick,  ///< analytic edges, no occlusion; floor and shadow with Look::Fluid alone
  Full,   ///< 2 x 2 samples, occlusion, floor and shadow: on a software OpenGL a second for a picture of 1280 x 720
};

struct RenderOptions {
  Quality quality = Quality::Auto;
  std::optional<AntiAliasing>
      anti_aliasing;                       ///< default: Supersample on a GPU, not for a fluid by kernels; else Analytic
  std::optional<float> ambient_occlusion;  ///< strength 0..1; default: 0.8 on a GPU, 0 on a software OpenGL
  Look look = Look::Spheres;
  FluidStyle fluid;  ///< of Look::Fluid
  /// Floor and shadow under a 3-D domain; default: with Look::Fluid, and on a GPU unless spheres are splatted.
  std::optional<bool> ground;
  Theme theme;
  bool legend = true;
  bool legend_keeps_clear = false;  ///< of the domain where it can: for a camera that stands still
  float pixel_density = 1;          ///< 2 on a HiDPI screen: the legend's text is no smaller there
  bool box = true;
  SphereMethod spheres = SphereMethod::Auto;
};

/// Works in whatever OpenGL 4.5 context is current, off-screen or a window's; the same one must stay current.
class Renderer {
 public:
  /// @param width,height [pixel] of the picture
  /// @param simulation_device where the particles of every draw() are
  Renderer(int width, int height, const Device& simulation_device, const RenderOptions& options = {});
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// @param caption one line of UTF-8 at the lower left; may be empty
  void draw(const ParticleView& particles, const Camera& camera, const ColorScale& scale, const BoxView& box,
            std::string_view caption = {}, const Extras& extras = {});

  Image read_image();                       ///< waits for the drawing
  std::vector<std::uint8_t> read_pixels();  ///< read_image()'s (height, width, 3), top row first
  std::vector<float> read_depth();          ///< (height, width) eye depth [m], top row first; infinity is background

  /// For recording: start_read() after each draw(), and next_image() whenever there is time for one. At most three are
  /// under way; pictures come back in order.
  void start_read();
  std::optional<Image> next_image(bool wait);

  /// Copies the picture into a window's framebuffer (0 is the default one), scaled to it.
  void present(std::uint32_t framebuffer, int width, int height);
  std::uint32_t texture() const;  ///< the picture, RGBA8, bottom row first: for a panel of a GUI

  void resize(int width, int height);  ///< keeps everything but the picture
  int width() const;
  int height() const;
  const RenderOptions& options() const;
  void set_options(const RenderOptions& options);

  SphereMethod sphere_method() const;  ///< Raster or Splat: of the last draw()
  VertexPath vertex_path() const;      ///< of the particles or, when they are splatted, of their picture

  /// gather, ground and spheres, or the passes of the fluid and the box, or splat, shade and compose; resolve, legend,
  /// and read where pictures are taken. Of a fluid by kernels the shadow, and the transfer of what they made
  std::vector<StageStats> costs();
  void reset_costs();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace riffle
