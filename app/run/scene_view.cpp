#include "app/run/scene_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/text/number_text.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/overlay/legend.h"
#include "scenes/document/yaml_writer.h"
#include "sim/measure/layers.h"
#include "sim/motion/drive_place.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle {

namespace {

render::Quality quality_of(scenes::QualityChoice choice) {
  switch (choice) {
    case scenes::QualityChoice::Auto: return render::Quality::Auto;
    case scenes::QualityChoice::Quick: return render::Quality::Quick;
    case scenes::QualityChoice::Full: return render::Quality::Full;
  }
  return render::Quality::Auto;
}

/// The colours of spheres that the scene leaves to `auto`.
Quantity spheres_color(const scenes::Scene& scene) {
  return scene.simulation.fluids.size() > 1 ? Quantity::Fluid : Quantity::Speed;
}

}  // namespace

void settle_picture(scenes::Scene& scene, bool software_gl) {
  scenes::PictureSetup& picture = scene.picture;
  const SimulationSetup& simulation = scene.simulation;
  const bool one_liquid = simulation.fluids.size() == 1 && solver_info(simulation).has_density;
  if (picture.look == scenes::LookChoice::Auto)
    picture.look = one_liquid && simulation.domain.dimension == 3 && !software_gl ? scenes::LookChoice::Fluid
                                                                                  : scenes::LookChoice::Spheres;
  if (!picture.color_by)
    picture.color_by = picture.look == scenes::LookChoice::Fluid ? Quantity::Fluid : spheres_color(scene);
  if (picture.foam < 0) picture.foam = one_liquid ? 0.8f * pictured_speed(simulation) : 0.0f;
}

render::RenderOptions render_options_of(const scenes::Scene& scene) {
  render::RenderOptions options;
  options.look = scene.picture.look == scenes::LookChoice::Fluid ? render::Look::Fluid : render::Look::Spheres;
  options.quality = quality_of(scene.picture.quality);
  // Foam would whiten the colours, and the legend would then give a wrong number.
  options.fluid.foam_speed = scene.picture.color_by == Quantity::Fluid ? std::max(scene.picture.foam, 0.0f) : 0.0f;
  options.ground = scene.picture.floor;
  // The floor is the domain's: it would turn with it.
  if (scene.simulation.tank.rotates && scene.picture.seen_from == scenes::SeenFrom::World && !scene.picture.floor)
    options.ground = false;
  options.legend = scene.picture.legend;
  options.box = scene.picture.box;
  options.solids = scene.picture.solids;
  if (scene.picture.studio == scenes::StudioChoice::Dark) options.theme = render::Theme::dark();
  if (scene.picture.background) options.theme = render::Theme::on(*scene.picture.background);
  return options;
}

std::optional<Vec3> ground_of(const std::optional<Vec3>& background, scenes::StudioChoice studio) {
  if (background || studio != scenes::StudioChoice::Dark) return background;
  return render::Theme::dark().background_top;
}

bool has_time_for_samples(render::Quality quality, int width, int height, bool software_gl) {
  // A second or two in a run of minutes. Four samples per pixel of a poster would take minutes and gigabytes.
  constexpr std::int64_t most_pixels = 1920 * 1080;
  return quality == render::Quality::Auto && software_gl && std::int64_t{width} * height <= most_pixels;
}

render::RenderOptions still_options_of(render::RenderOptions options, const scenes::PictureSetup& picture,
                                       bool software_gl) {
  if (has_time_for_samples(options.quality, picture.width, picture.height, software_gl))
    options.quality = render::Quality::Full;
  return options;
}

render::ParticleView view_of(const scenes::Scene& scene, const Simulation& simulation, QuantityValues& values) {
  const ParticleSet& particles = simulation.particles();
  render::ParticleView view;
  view.device = simulation.device();
  view.count = particles.count();
  view.position = particles.get<Vec4>("position").data();
  view.velocity = particles.get<Vec4>("velocity").data();
  view.radius = 0.5f * scene.picture.particle_scale * scene.simulation.spacing;
  view.spacing = scene.simulation.spacing;
  const Quantity color_by = scene.picture.color_by.value_or(Quantity::Speed);
  if (color_by == Quantity::Fluid)
    view.index = particles.get<std::uint32_t>("fluid").data();
  else if (color_by != Quantity::Speed)  // the renderer finds the speed itself
    view.scalar = values.compute(simulation, color_by);
  return view;
}

render::BoxView box_of(const Domain& domain) {
  return {domain.min, domain.max, domain.dimension == 2, {domain.axis[0], domain.axis[1], domain.axis[2]}};
}

std::optional<render::CutPlane> cut_plane(const scenes::CutSetup& cut, const Domain& domain) {
  if (cut.axis < 0 || domain.dimension == 2) return std::nullopt;
  const Vec3 normals[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 normal = normals[cut.axis];
  if (cut.other_side) return render::CutPlane{-normal, -cut.at};
  return render::CutPlane{normal, cut.at};
}

std::vector<Vec3> fluid_colors(const std::vector<FluidSetup>& fluids) {
  std::vector<Vec3> colors;
  const auto distance = [&](Vec3 color) {
    float least = std::numeric_limits<float>::infinity();
    for (const Vec3& taken : colors) least = std::min(least, length2(color - taken));
    return least;
  };
  for (const FluidSetup& fluid : fluids) {
    const auto candidates = render::categorical_colors();
    const bool taken = distance(fluid.color) == 0;
    colors.push_back(taken ? *std::max_element(candidates.begin(), candidates.end(),
                                               [&](Vec3 a, Vec3 b) { return distance(a) < distance(b); })
                           : fluid.color);
  }
  return colors;
}

render::ColorScale color_scale(const scenes::Scene& scene) {
  const auto& fluids = scene.simulation.fluids;
  const scenes::PictureSetup& picture = scene.picture;
  render::ColorScale scale;
  const QuantityInfo& quantity = quantity_info(picture.color_by.value_or(spheres_color(scene)));
  scale.quantity = quantity.name;
  scale.unit = shown_unit(quantity, scene.simulation);
  scale.colormap = picture.colormap;
  if (quantity.quantity == Quantity::Fluid) {
    const std::vector<Vec3> colors = fluid_colors(fluids);
    for (std::size_t f = 0; f < fluids.size(); ++f) scale.palette.push_back({fluids[f].name, colors[f]});
    return scale;
  }
  const QuantityRange usual = quantity.range(scene.simulation);
  scale.min = usual.min, scale.max = usual.max;
  if (!picture.automatic_range) scale.min = picture.range_min, scale.max = picture.range_max;
  return scale;
}

Camera camera_of(const scenes::Scene& scene) { return camera_of(scene, scene.picture.width, scene.picture.height); }

namespace {

float aspect_of(int width, int height) { return static_cast<float>(width) / static_cast<float>(height); }

/// In four digits, rounded down: at the shape itself the camera is as it was kept.
float written_aspect(int width, int height) { return static_cast<float>(std::floor(1e4 * width / height) / 1e4); }

float camera_aspect(const scenes::PictureSetup& picture) {
  return picture.camera_aspect > 0 ? picture.camera_aspect : aspect_of(picture.width, picture.height);
}

}  // namespace

FramedCamera camera_to_keep(const Camera& shown, const scenes::Scene& scene, int width, int height) {
  const float usual = aspect_of(scene.picture.width, scene.picture.height);
  if (aspect_of(width, height) == usual) return {shown, usual};
  return {shown, std::clamp(written_aspect(width, height), 0.1f, 10.0f)};
}

std::string camera_text(const FramedCamera& framed, const scenes::Scene& scene, bool up_written, bool fov_written) {
  const Camera& kept = framed.camera;
  const Camera defaults, &before = scene.picture.camera;
  Vec3 position = kept.position;
  float fov = kept.fov_degrees;
  if (kept.orthographic) {
    // Parallel rays show the same from every distance: that of a camera that the mouse moved says nothing of its height.
    const bool given = scene.picture.camera_given, same = given && kept.ortho_height == before.ortho_height;
    fov = given ? before.fov_degrees : defaults.fov_degrees;
    const Vec3 back = position - kept.target;
    const float now = std::sqrt(length2(back));
    const float distance = same ? std::sqrt(length2(before.position - before.target))
                                : 0.5f * kept.ortho_height / std::tan(fov * 3.14159265f / 360);
    if (distance != now) position = kept.target + (distance / now) * back;
  }
  const auto vector = [](const Vec3& v) { return scenes::vector_text(std::array{v.x, v.y, v.z}); };
  std::string text = fmt::format("{{position: {}, target: {}", vector(position), vector(kept.target));
  if (up_written || !(kept.up == defaults.up)) text += ", up: " + vector(kept.up);
  if (fov_written || fov != defaults.fov_degrees) text += ", fov: " + scenes::number_text(fov);
  if (framed.aspect != aspect_of(scene.picture.width, scene.picture.height))
    text += ", aspect: " + scenes::number_text(framed.aspect);
  return text + "}";
}

FramedCamera framing_of(const scenes::Scene& scene, int width, int height, float pixel_density) {
  const scenes::PictureSetup& picture = scene.picture;
  const float aspect = aspect_of(width, height);
  if (picture.camera_given) return {picture.camera, camera_aspect(picture)};
  const Domain& domain = scene.simulation.domain;
  const Vec3 g = scene.simulation.gravity;
  Vec3 up{0, 1, 0};
  // Along an axis, so that the box stands upright on the picture even when gravity is tilted.
  const bool falls = domain.dimension == 3 && has_bottom(scene.simulation);
  if (falls && std::fabs(g.z) > std::fabs(g.y) && std::fabs(g.z) > std::fabs(g.x)) up = {0, 0, g.z < 0 ? 1.0f : -1.0f};
  if (falls && std::fabs(g.x) > std::fabs(g.y) && std::fabs(g.x) >= std::fabs(g.z)) up = {g.x < 0 ? 1.0f : -1.0f, 0, 0};
  float legend = 0;  // its share of the picture's width
  if (picture.legend)
    legend = render::legend_width(render::Font(), color_scale(scene), width, height, pixel_density) /
             static_cast<float>(width);
  return {render::frame_domain(box_of(domain), up, aspect, domain.dimension == 2, legend), aspect};
}

Camera camera_of(const scenes::Scene& scene, int width, int height, float pixel_density) {
  return camera_at(framing_of(scene, width, height, pixel_density), aspect_of(width, height));
}

namespace {

/// nullopt: the picture has the domain's axes.
std::optional<DrivenPlace> domain_in_picture(const scenes::Scene& scene, double time) {
  const SolidDrive& tank = scene.simulation.tank;
  if (!tank.given || scene.picture.seen_from == scenes::SeenFrom::Domain) return std::nullopt;
  return place_of(tank, time);
}

}  // namespace

Camera camera_in_domain(const Camera& camera, const scenes::Scene& scene, double time) {
  const auto place = domain_in_picture(scene, time);
  if (!place) return camera;
  const auto back = [&](Vec3 v, double shifted) {
    float along[3];
    for (int a = 0; a < 3; ++a) {
      double sum = 0;
      for (int b = 0; b < 3; ++b) sum += place->turn[3 * b + a] * (double{component(v, b)} - shifted * place->shift[b]);
      along[a] = static_cast<float>(sum);
    }
    return Vec3{along[0], along[1], along[2]};
  };
  Camera seen = camera;
  seen.position = back(camera.position, 1);
  seen.target = back(camera.target, 1);
  seen.up = back(camera.up, 0);
  return seen;
}

Vec3 place_in_picture(Vec3 place, const scenes::Scene& scene, double time) {
  const auto domain = domain_in_picture(scene, time);
  if (!domain) return place;
  return {static_cast<float>(domain->at(0, place.x, place.y, place.z)),
          static_cast<float>(domain->at(1, place.x, place.y, place.z)),
          static_cast<float>(domain->at(2, place.x, place.y, place.z))};
}

std::string time_text(const SimulationSetup& setup, double time) {
  const char* const unit = units_of(setup).time;
  std::string when = fmt::format("{:.3f}", time);
  // The clock counts from the particles of a file on.
  if (const auto before = time_of_files(setup); before && *before != 0)
    when = time == 0 ? fmt::format("{:.3f}", *before) : fmt::format("{:.3f} {} + {}", *before, unit, when);
  return fmt::format("t = {} {}", when, unit);
}

std::string picture_caption(const scenes::Scene& scene, double time, int particles) {
  return fmt::format("{}   {} particles", time_text(scene.simulation, time), grouped(particles));
}

std::optional<int> cuda_ordinal(const Device& device) {
  return device.is_cuda() ? std::optional(device.ordinal) : std::nullopt;
}

}  // namespace riffle
