#include "app/run/scene_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/text/number_text.h"
#include "render/camera.h"
#include "render/overlay/legend.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle {

namespace {

Quality quality_of(QualityChoice choice) {
  switch (choice) {
    case QualityChoice::Auto: return Quality::Auto;
    case QualityChoice::Quick: return Quality::Quick;
    case QualityChoice::Full: return Quality::Full;
  }
  return Quality::Auto;
}

}  // namespace

void settle_picture(Scene& scene, bool software_gl) {
  PictureSetup& picture = scene.picture;
  const SimulationSetup& simulation = scene.simulation;
  const bool one_liquid = simulation.fluids.size() == 1 && solver_info(simulation).has_density;
  if (picture.look == LookChoice::Auto)
    picture.look =
        one_liquid && simulation.domain.dimension == 3 && !software_gl ? LookChoice::Fluid : LookChoice::Spheres;
  if (picture.color_by == ColorChoice::Auto)
    picture.color_by = picture.look == LookChoice::Fluid ? ColorChoice::Fluid : ColorChoice::Speed;
  if (picture.foam < 0) picture.foam = one_liquid ? 0.8f * expected_speed(simulation) : 0.0f;
}

RenderOptions render_options_of(const Scene& scene) {
  RenderOptions options;
  options.look = scene.picture.look == LookChoice::Fluid ? Look::Fluid : Look::Spheres;
  options.quality = quality_of(scene.picture.quality);
  // Foam would whiten the colours, and the legend would then give a wrong number.
  options.fluid.foam_speed = scene.picture.color_by == ColorChoice::Fluid ? std::max(scene.picture.foam, 0.0f) : 0.0f;
  return options;
}

RenderOptions still_options_of(RenderOptions options, const PictureSetup& picture, bool software_gl) {
  // A second or two in a run of minutes. Four samples per pixel of a poster would take minutes and gigabytes.
  constexpr std::int64_t most_pixels = 1920 * 1080;
  const bool small = std::int64_t{picture.width} * picture.height <= most_pixels;
  if (options.quality == Quality::Auto && software_gl && small) options.quality = Quality::Full;
  return options;
}

ParticleView view_of(const Scene& scene, const Simulation& simulation) {
  const ParticleSet& particles = simulation.particles();
  ParticleView view;
  view.device = simulation.device();
  view.count = particles.count();
  view.position = particles.get<Vec4>("position").data();
  view.velocity = particles.get<Vec4>("velocity").data();
  view.radius = 0.5f * scene.picture.particle_scale * scene.simulation.spacing;
  view.spacing = scene.simulation.spacing;
  if (scene.picture.color_by == ColorChoice::Density) view.scalar = particles.get<float>("density").data();
  if (scene.picture.color_by == ColorChoice::Fluid) view.index = particles.get<std::uint32_t>("fluid").data();
  return view;
}

BoxView box_of(const Domain& domain) { return {domain.min, domain.max, domain.dimension == 2}; }

ColorScale color_scale(const Scene& scene) {
  const auto& fluids = scene.simulation.fluids;
  const PictureSetup& picture = scene.picture;
  ColorScale scale;
  scale.quantity = word_of(picture.color_by == ColorChoice::Auto ? ColorChoice::Speed : picture.color_by);
  scale.colormap = picture.colormap;
  if (picture.color_by == ColorChoice::Fluid) {
    scale.unit = "";
    for (const auto& fluid : fluids) scale.palette.push_back({fluid.name, fluid.color});
    return scale;
  }
  if (picture.color_by == ColorChoice::Density) {
    scale.unit = "kg/m\u00b3";
    const auto [least, most] = std::minmax_element(
        fluids.begin(), fluids.end(), [](const auto& a, const auto& b) { return a.rest_density < b.rest_density; });
    scale.min = 0.97f * least->rest_density;
    scale.max = 1.03f * most->rest_density;
  } else {
    scale.unit = units_of(scene.simulation).speed;
    scale.max = std::max(expected_speed(scene.simulation), 1e-6f);
  }
  if (!picture.automatic_range) scale.min = picture.range_min, scale.max = picture.range_max;
  return scale;
}

Camera camera_of(const Scene& scene) { return camera_of(scene, scene.picture.width, scene.picture.height); }

Camera camera_of(const Scene& scene, int width, int height, float pixel_density) {
  const PictureSetup& picture = scene.picture;
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  if (picture.camera_given) {
    Camera camera = picture.camera;
    const float wider = static_cast<float>(picture.width) / static_cast<float>(picture.height) / aspect;
    if (wider <= 1) return camera;
    constexpr float half_degree = 3.14159265f / 360;
    camera.fov_degrees = std::atan(wider * std::tan(camera.fov_degrees * half_degree)) / half_degree;
    camera.ortho_height *= wider;
    return camera;
  }
  const Domain& domain = scene.simulation.domain;
  const Vec3 g = scene.simulation.gravity;
  Vec3 up{0, 1, 0};
  // Along an axis, so that the box stands upright on the picture even when gravity is tilted.
  if (domain.dimension == 3 && std::fabs(g.z) > std::fabs(g.y) && std::fabs(g.z) > std::fabs(g.x))
    up = {0, 0, g.z < 0 ? 1.0f : -1.0f};
  if (std::fabs(g.x) > std::fabs(g.y) && std::fabs(g.x) >= std::fabs(g.z) && domain.dimension == 3)
    up = {g.x < 0 ? 1.0f : -1.0f, 0, 0};
  const float legend =
      legend_width(Font(), color_scale(scene), width, height, pixel_density) / static_cast<float>(width);
  return frame_domain(box_of(domain), up, aspect, domain.dimension == 2, legend);
}

std::string picture_caption(const Scene& scene, double time, int particles) {
  return fmt::format("t = {:.3f} {}   {} particles", time, units_of(scene.simulation).time, grouped(particles));
}

std::optional<int> cuda_ordinal(const Device& device) {
  return device.is_cuda() ? std::optional(device.ordinal) : std::nullopt;
}

}  // namespace riffle
