#include "render/renderer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/timing/seconds_since.h"
#include "render/fluid/fluid_renderer.h"
#include "render/gl/frame_cost.h"
#include "render/gl/gl_debug.h"
#include "render/gl/matte.h"
#include "render/gl/pixel_readback.h"
#include "render/ground/ground_renderer.h"
#include "render/overlay/legend.h"
#include "render/overlay/text.h"
#include "render/particles/extent.h"
#include "render/particles/shared_vertices.h"
#include "render/particles/sphere_renderer.h"
#include "render/particles/splat_renderer.h"
#include "render/solids/solid_renderer.h"

namespace riffle::render {
namespace {

using Clock = std::chrono::steady_clock;

constexpr float kLinesOnSolids = 1e-3f;  // [domain's diagonal]

/// For a fluid by kernels four samples would cost four times its passes over the pixels, which are most of its cost.
/// Its outlines against the background are already soft.
AntiAliasing choose_anti_aliasing(const RenderOptions& options, bool software, SphereMethod method) {
  const bool fluid_by_kernels = options.look == Look::Fluid && method == SphereMethod::Splat;
  const bool full =
      options.quality == Quality::Full || (options.quality == Quality::Auto && !software && !fluid_by_kernels);
  return options.anti_aliasing.value_or(full ? AntiAliasing::Supersample : AntiAliasing::Analytic);
}

/// Whether values lie beyond the ends by more than rounding, or than the eye could see.
void mark_ends(ColorScale& scale, const ParticleExtent& extent) {
  const float slack = 1e-3f * (scale.max - scale.min);
  scale.below = extent.any && extent.least < scale.min - slack;
  scale.above = extent.any && extent.most > scale.max + slack;
}

}  // namespace

struct Renderer::Impl {
  Impl(int width, int height, const Device& device, const RenderOptions& wanted)
      : software(current_gl_info().software),
        options(wanted),
        surface(width, height, choose_anti_aliasing(wanted, software, SphereMethod::Raster)),
        simulation_device(device),
        vertices(device) {}

  /// Kernels can draw only spheres, and a 3-D fluid with its shadow. OpenGL draws whatever else needs the particles.
  SphereMethod choose(int count, const BoxView& domain) const {
    if (options.look == Look::Fluid) {
      if (domain.two_dimensional) return SphereMethod::Raster;
      return choose_spheres(options.spheres, simulation_device, software, count, Look::Fluid);
    }
    if (options.ground.value_or(options.quality == Quality::Full && !domain.two_dimensional))
      return SphereMethod::Raster;
    return choose_spheres(options.spheres, simulation_device, software, count);
  }

  /// Applies the options' anti-aliasing, or else the default for the last draw's method.
  void use_anti_aliasing() {
    const AntiAliasing wanted = choose_anti_aliasing(options, software, method);
    if (wanted != surface.anti_aliasing()) surface = Surface(surface.width(), surface.height(), wanted);
  }

  /// Everything from the background to the overlay, whose contents are laid out.
  void paint(const ParticleView& particles, const ParticlePass& pass, const BoxView& domain, const Extras& extras,
             const Theme& theme);
  void lay_out(std::string_view caption, const ParticleView& particles, const ColorScale& scale, const BoxView& domain,
               const Extras& extras);
  void draw_lines(const BoxView& domain, const Extras& extras, float forward, const FluidFront* front = nullptr);
  void draw_ground(const ParticleView& particles, const ParticlePass& pass, const BoxView& domain, const Theme& theme);
  void draw_solids(const ParticlePass& pass, const BoxView& domain);
  void draw_spheres(const ParticlePass& pass, const BoxView& domain, const Extras& extras);
  void draw_fluid(const ParticlePass& pass, const BoxView& domain, const Extras& extras, const Theme& theme);

  void take_solids(const Solids* wanted) {
    solids_drawn = options.solids && wanted && !wanted->meshes.empty();
    if (!solids_drawn) return;
    if (!solids) solids.emplace();
    solids->update(*wanted);
    solids_drawn = !solids->empty();
  }

  bool quick() const { return options.quality == Quality::Quick || (options.quality == Quality::Auto && software); }

  /// [pixel] of the scene that make a line of usual width
  float line_pixels() const {
    return static_cast<float>(surface.factor()) * std::max(1.0f, static_cast<float>(surface.height()) / 720);
  }
  int scene_width() const { return surface.width() * surface.factor(); }
  int scene_height() const { return surface.height() * surface.factor(); }

  bool software;
  RenderOptions options;
  Surface surface;
  Device simulation_device;
  SharedVertices vertices;
  SphereRenderer spheres;
  std::optional<SplatRenderer> splats;  ///< created when first needed
  std::optional<FluidSplatRenderer> fluid_splats;
  SphereMethod method = SphereMethod::Raster;  ///< of the last draw
  bool surface_drawn = false;                  ///< the last draw showed the surface of a 3-D fluid
  std::optional<TransferPath> path;            ///< of the last draw
  std::optional<FluidRenderer> fluid;          ///< created when first needed, like the ground
  std::optional<GroundRenderer> ground;
  std::optional<SolidRenderer> solids;
  bool solids_drawn = false;  ///< in this draw
  BoxRenderer box;
  ColorMapTexture color_map;
  Overlay overlay;
  PixelReadback readback;
  std::optional<Matte> matte;  ///< created when first needed
  FrameCost cost;
  ViewTransform view;  ///< of the last draw
};

void Renderer::Impl::draw_lines(const BoxView& domain, const Extras& extras, float forward, const FluidFront* front) {
  const float pixel = line_pixels();
  const int width = scene_width(), height = scene_height();
  // Solids may have faces in the domain's faces, where lines lie on them.
  if (solids_drawn) forward = std::max(forward, kLinesOnSolids * std::sqrt(length2(domain.max - domain.min)));
  if (extras.grid) box.draw_grid(*extras.grid, domain, view, options.theme, width, height, pixel, forward, front);
  if (!extras.boxes.empty())
    box.draw_boxes(extras.boxes, domain, view, options.theme, width, height, pixel, forward, front);
  if (options.box) box.draw_box(domain, view, options.theme, width, height, 1.25f * pixel, forward, front);
}

void Renderer::Impl::draw_ground(const ParticleView& particles, const ParticlePass& pass, const BoxView& domain,
                                 const Theme& theme) {
  const bool usual = options.look == Look::Fluid || (method == SphereMethod::Raster && !quick());
  if (domain.two_dimensional || !options.ground.value_or(usual)) return;
  if (!ground) ground.emplace();
  const bool clear = options.look == Look::Fluid && FluidRenderer::opacity(options.fluid, pass.scale) < 0.5f;
  const float absorption = clear ? FluidRenderer::absorption_length(options.fluid, domain) : 0;
  const SolidRenderer* shading = solids_drawn ? &*solids : nullptr;
  if (method == SphereMethod::Splat)
    ground->splat_shadow(particles, pass, domain, absorption, shading, simulation_device, vertices.path());
  else
    ground->update_shadow(pass, domain, absorption, shading);
  surface.bind_scene();
  ground->draw(pass, domain, theme);
  cost.end_stage("ground");
}

void Renderer::Impl::draw_solids(const ParticlePass& pass, const BoxView& domain) {
  if (!solids_drawn) return;
  if (domain.two_dimensional)
    solids->draw_areas(pass, surface, line_pixels());
  else
    solids->draw(pass, surface);
  cost.end_stage("solids");
}

void Renderer::Impl::draw_spheres(const ParticlePass& pass, const BoxView& domain, const Extras& extras) {
  const bool splat = method == SphereMethod::Splat;
  if (splat)
    splats->compose();
  else
    spheres.draw(pass, scene_height());
  if (!extras.highlights_through) spheres.draw_highlights(extras.highlights, pass.radius, pass, false, scene_height());
  draw_lines(domain, extras, 0);
  if (extras.highlights_through) spheres.draw_highlights(extras.highlights, pass.radius, pass, true, scene_height());
  cost.end_stage(splat ? "compose" : "spheres");
}

void Renderer::Impl::draw_fluid(const ParticlePass& pass, const BoxView& domain, const Extras& extras,
                                const Theme& theme) {
  if (!fluid) fluid.emplace();
  // A 2-D fluid goes on behind the solids that it touches, or its rounded outline would leave gaps beside them.
  const bool areas = domain.two_dimensional && solids_drawn;
  // Highlights and lines show through the fluid as well as in front of it. Spheres have depth and are drawn once. Lines
  // have none and are drawn in two parts: what the fluid's surface hides, and the rest over it.
  const auto highlight = [&](bool through) {
    spheres.draw_highlights(extras.highlights, pass.radius, pass, through, scene_height());
  };
  if (!extras.highlights_through && !areas) highlight(false);
  FluidSplatRenderer* fields = method == SphereMethod::Splat ? &*fluid_splats : nullptr;
  const float forward = 0.5f * pass.spacing;
  fluid->draw(
      pass, domain, options.fluid, theme, surface, cost, fields,
      [&](const FluidFront& front) { draw_lines(domain, extras, forward, &front); }, solids_drawn,
      areas ? &*solids : nullptr);
  surface.bind_scene();
  if (areas) {
    draw_solids(pass, domain);
    if (!extras.highlights_through) highlight(false);
  }
  draw_lines(domain, extras, forward);
  if (extras.highlights_through) highlight(true);
  cost.end_stage("box");
}

Renderer::Renderer(int width, int height, const Device& simulation_device, const RenderOptions& options)
    : impl_(std::make_unique<Impl>(width, height, simulation_device, options)) {}

Renderer::~Renderer() = default;

void Renderer::draw(const ParticleView& particles, const Camera& camera, const ColorScale& scale, const BoxView& box,
                    std::string_view caption, const Extras& extras) {
  Impl& r = *impl_;
  const int width = r.surface.width(), height = r.surface.height();
  const bool fluid = r.options.look == Look::Fluid;
  r.color_map.select(scale.colormap);
  r.view = view_transform(camera, static_cast<float>(width) / static_cast<float>(height));

  r.take_solids(extras.solids);
  r.method = r.choose(particles.count, box);
  r.use_anti_aliasing();
  if (r.method == SphereMethod::Splat && fluid) {
    if (!r.fluid_splats) r.fluid_splats.emplace(r.simulation_device, r.vertices.path());
    r.fluid_splats->render(particles, r.view, scale, extras.cut, box, r.options.fluid,
                           {r.scene_width(), r.scene_height()}, r.solids_drawn);
    r.path = r.fluid_splats->path();
  } else if (r.method == SphereMethod::Splat) {
    if (!r.splats) r.splats.emplace(r.simulation_device, r.vertices.path());
    r.splats->render(particles, r.view, camera.up, scale, extras.cut, r.scene_width(), r.scene_height());
    r.path = r.splats->path();
  } else {
    r.vertices.update(particles, fluid && r.options.fluid.foam_speed > 0);
    r.path = r.vertices.path();
  }
  const ParticlePass pass{r.vertices.buffer(),
                          r.method == SphereMethod::Raster ? r.vertices.count() : particles.count,
                          r.vertices.speed_offset(),
                          particles.radius,
                          particles.spacing > 0 ? particles.spacing : 2 * particles.radius,
                          r.view,
                          camera.up,
                          scale,
                          r.color_map,
                          extras.cut};

  r.cost.begin_frame();
  r.lay_out(caption, particles, scale, box, extras);
  Theme theme = r.options.theme;
  if (theme.transparent) {
    if (!r.matte) r.matte.emplace();
    theme.background_top = theme.background_bottom = {0, 0, 0};
    r.paint(particles, pass, box, extras, theme);
    r.matte->keep_over_black(r.surface);
    theme.background_top = theme.background_bottom = {1, 1, 1};
  }
  r.paint(particles, pass, box, extras, theme);
  if (theme.transparent) r.matte->finish(r.surface);
  if (r.method == SphereMethod::Raster) r.vertices.drawn();
  r.surface_drawn = fluid && !box.two_dimensional && particles.count > 0;
}

void Renderer::Impl::paint(const ParticleView& particles, const ParticlePass& pass, const BoxView& domain,
                           const Extras& extras, const Theme& theme) {
  const bool is_fluid = options.look == Look::Fluid;
  surface.begin_scene();
  box.draw_background(theme);
  draw_ground(particles, pass, domain, theme);
  if (!is_fluid || !domain.two_dimensional) draw_solids(pass, domain);
  if (is_fluid)
    draw_fluid(pass, domain, extras, theme);
  else
    draw_spheres(pass, domain, extras);
  // A smooth surface has no crevices between particles: it gets less occlusion, or water would look dirty.
  const float strength = options.ambient_occlusion.value_or(quick() ? 0.0f : is_fluid ? 0.3f : 0.8f);
  surface.resolve(view, {strength, 6 * particles.radius});
  cost.end_stage("resolve");
  overlay.draw(surface.width(), surface.height(), color_map.name(), theme.halo);
  cost.end_stage("legend");
}

void Renderer::Impl::lay_out(std::string_view caption, const ParticleView& particles, const ColorScale& scale,
                             const BoxView& domain, const Extras& extras) {
  const int width = surface.width(), height = surface.height();
  overlay.clear();
  std::optional<ParticleExtent> measured;
  const auto extent = [&]() -> const ParticleExtent& {
    if (!measured) measured = measure_extent(particles, extras.cut);
    return *measured;
  };
  Occupied occupied(outline_of(domain, view, width, height));
  occupied.particles = [&] {
    if (!extent().any) return Outline();
    return outline_of({extent().min, extent().max, domain.two_dimensional}, view, width, height);
  };
  occupied.stays = !options.legend_keeps_clear;
  const PixelRect captioned =
      layout_caption(overlay, caption, options.theme, width, height, occupied, options.pixel_density);
  if (!options.legend) return;
  ColorScale shown = scale;
  if (shown.palette.empty()) mark_ends(shown, extent());
  layout_legend(overlay, shown, options.theme, width, height, occupied, captioned, options.pixel_density);
}

Image Renderer::read_image() {
  const auto start = Clock::now();
  Surface& surface = impl_->surface;
  std::vector<std::uint8_t> rgba(static_cast<std::size_t>(surface.width()) *
                                 static_cast<std::size_t>(surface.height()) * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, surface.picture());
  glReadPixels(0, 0, surface.width(), surface.height(), GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  Image image;
  flip_to_rgb(rgba.data(), surface.width(), surface.height(), image, impl_->options.theme.transparent);
  impl_->cost.add("read", 1e3 * seconds_since(start));
  return image;
}

std::vector<float> Renderer::read_depth() {
  Surface& surface = impl_->surface;
  const int factor = surface.factor();
  const auto width = static_cast<std::size_t>(surface.width()), height = static_cast<std::size_t>(surface.height());
  const auto fine = static_cast<std::size_t>(factor);
  std::vector<float> window(width * fine * height * fine);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, surface.scene());
  glReadPixels(0, 0, static_cast<GLsizei>(width * fine), static_cast<GLsizei>(height * fine), GL_DEPTH_COMPONENT,
               GL_FLOAT, window.data());
  std::vector<float> depth(width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      float nearest = 0;  // reversed depth: the largest is the nearest
      for (std::size_t b = 0; b < fine; ++b)
        for (std::size_t a = 0; a < fine; ++a)
          nearest = std::max(nearest, window[((height - 1 - y) * fine + b) * width * fine + x * fine + a]);
      depth[y * width + x] = eye_depth(impl_->view, nearest);
    }
  return depth;
}

std::optional<float> Renderer::fluid_depth_at(float x, float y) const {
  if (!impl_->surface_drawn) return std::nullopt;
  const PictureSize size = impl_->fluid->size();
  const auto pixel = [](float at, int count) {
    return std::clamp(static_cast<int>(std::floor(0.5f * (at + 1) * static_cast<float>(count))), 0, count - 1);
  };
  const float depth = impl_->fluid->filtered_depth_at(pixel(x, size.width), pixel(y, size.height));
  return depth > 0 ? std::optional(depth) : std::nullopt;
}

void Renderer::start_read() {
  impl_->readback.begin(impl_->surface.picture(), impl_->surface.width(), impl_->surface.height(),
                        impl_->options.theme.transparent);
}

std::optional<Image> Renderer::next_image(bool wait) {
  const auto start = Clock::now();
  auto image = impl_->readback.next(wait);
  if (image) impl_->cost.add("read", 1e3 * seconds_since(start));
  return image;
}

std::uint32_t Renderer::texture() const { return impl_->surface.picture_texture(); }

void Renderer::resize(int width, int height) {
  if (width == impl_->surface.width() && height == impl_->surface.height()) return;
  impl_->surface = Surface(width, height, impl_->surface.anti_aliasing());
}

int Renderer::width() const { return impl_->surface.width(); }
int Renderer::height() const { return impl_->surface.height(); }
const RenderOptions& Renderer::options() const { return impl_->options; }

void Renderer::set_options(const RenderOptions& options) {
  impl_->options = options;
  impl_->use_anti_aliasing();
}

SphereMethod Renderer::sphere_method() const { return impl_->method; }

TransferPath Renderer::vertex_path() const { return impl_->path.value_or(impl_->vertices.path()); }

std::vector<StageStats> Renderer::costs() {
  impl_->cost.collect(false);
  std::vector<StageStats> costs;
  const auto append = [&](StageTimer& timer) {
    timer.collect(true);
    for (StageStats& stage : timer.stats()) costs.push_back(std::move(stage));
  };
  append(impl_->vertices.timer());
  if (impl_->splats) append(impl_->splats->timer());
  if (impl_->fluid_splats) append(impl_->fluid_splats->timer());
  if (impl_->ground && impl_->ground->timer()) append(*impl_->ground->timer());
  for (StageStats& stage : impl_->cost.stats()) costs.push_back(std::move(stage));
  return costs;
}

void Renderer::reset_costs() {
  impl_->cost.collect(true);
  impl_->cost.reset();
  impl_->vertices.timer().reset();
  if (impl_->splats) impl_->splats->timer().reset();
  if (impl_->fluid_splats) impl_->fluid_splats->timer().reset();
  if (impl_->ground && impl_->ground->timer()) impl_->ground->timer()->reset();
}

}  // namespace riffle::render
