#include "app/desktop/picture/frame_painter.h"

#include <cmath>

#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/scene/orbit_camera.h"
#include "app/run/scene_view.h"
#include "core/device/memory.h"
#include "render/particles/gather_vertices.h"
#include "render/particles/pick.h"
#include "render/solids/solid_pick.h"
#include "scenes/scene.h"

namespace riffle::desktop {

namespace {

/// Where the ray meets the drawn surface of the fluid [m]; in 2-D the plane of the particles.
std::optional<Vec3> surface_hit(const render::Renderer& renderer, const Domain& domain, const Camera& camera,
                                const Ray& ray, float x, float y) {
  if (domain.dimension == 2) {
    if (ray.direction.z == 0) return std::nullopt;
    return ray.origin + (-ray.origin.z / ray.direction.z) * ray.direction;
  }
  const std::optional<float> depth = renderer.fluid_depth_at(x, y);
  if (!depth) return std::nullopt;
  const Vec3 ahead = camera.target - camera.position;
  const float length = std::sqrt(length2(ahead));
  const float done = dot(ray.origin - camera.position, ahead) / length, gain = dot(ray.direction, ahead) / length;
  return ray.origin + ((*depth - done) / gain) * ray.direction;
}

}  // namespace

bool FramePainter::prepare(const ParticleFrame& frame, int width, int height, const render::RenderOptions& options) {
  if (!renderer_ || will_restart(frame)) {
    renderer_.reset();
    stream_.emplace(frame.device);
    renderer_ = std::make_unique<render::Renderer>(width, height, stream_->device(), options);
    return true;
  }
  const bool resized = renderer_->width() != width || renderer_->height() != height;
  if (resized) renderer_->resize(width, height);
  return resized;
}

bool FramePainter::will_restart(const ParticleFrame& frame) const {
  return stream_ && !(stream_->device() == frame.device);
}

render::ParticleExtent FramePainter::measure_extent(const ParticleFrame& frame, const scenes::Scene& scene,
                                                    const PictureLook& look) const {
  return render::measure_extent(frame.view(stream_->device()), cut_plane(look.extras.cut, scene.simulation.domain));
}

void FramePainter::draw(const ParticleFrame& frame, const scenes::Scene& scene, const PictureLook& look) {
  renderer_->set_options(look.options);
  const Domain& domain = scene.simulation.domain;
  const Camera camera = camera_in_domain(look.camera, scene, frame.time);
  const PictureExtras extras(frame, domain, look.extras, camera, look.scale);
  render::Extras shown = extras.view();
  if (look.options.solids) shown.solids = solids_.of(scene.simulation, frame.time, frame.bodies);
  renderer_->draw(frame.view(stream_->device()), camera, look.scale, box_of(domain),
                  look.caption ? picture_caption(scene, frame.time, frame.count) : "", shown);
  neighborhood_ = extras.neighborhood();
}

Seen FramePainter::what_is_seen(const ParticleFrame& frame, const scenes::Scene& scene, const PictureLook& look) const {
  const render::ParticleView view = frame.view(stream_->device());
  const float aspect = static_cast<float>(renderer_->width()) / static_cast<float>(renderer_->height());
  const std::optional<render::CutPlane> cut = cut_plane(look.extras.cut, scene.simulation.domain);
  const Camera camera = camera_in_domain(look.camera, scene, frame.time);
  if (render::any_in_view(view, camera, aspect, cut)) return Seen::Particles;
  return cut && render::any_in_view(view, camera, aspect, {}) ? Seen::AllCutAway : Seen::NothingInView;
}

std::optional<ShownSolid> FramePainter::solid_at(const ParticleFrame& frame, const scenes::Scene& scene,
                                                 const PictureLook& look, float x, float y) const {
  const render::Solids* const drawn = solids_.present();
  if (!drawn || !look.options.solids) return std::nullopt;
  const float aspect = static_cast<float>(renderer_->width()) / static_cast<float>(renderer_->height());
  const Ray ray = ray_through(camera_in_domain(look.camera, scene, frame.time), x, y, aspect);
  const auto hit = scene.simulation.domain.dimension == 2 ? render::hit_area(*drawn, ray.origin, ray.direction)
                                                          : render::hit_solid(*drawn, ray.origin, ray.direction);
  if (!hit) return std::nullopt;
  const Vec3 place = ray.origin + hit->distance * ray.direction;
  return ShownSolid{hit->solid, place, drawn->meshes[hit->solid].pose.back(place)};
}

std::optional<Vec3> FramePainter::place_of(std::size_t solid, Vec3 at) const {
  const render::Solids* const drawn = solids_.present();
  if (!drawn || solid >= drawn->meshes.size()) return std::nullopt;
  return drawn->meshes[solid].pose.of(at);
}

std::optional<ShownParticle> FramePainter::particle_at(const ParticleFrame& frame, const scenes::Scene& scene,
                                                       const PictureLook& look, float x, float y) const {
  const Domain& domain = scene.simulation.domain;
  const render::ParticleView view = frame.view(stream_->device());
  const std::optional<render::CutPlane> cut = cut_plane(look.extras.cut, domain);
  const float aspect = static_cast<float>(renderer_->width()) / static_cast<float>(renderer_->height());
  const Camera camera = camera_in_domain(look.camera, scene, frame.time);
  const Ray ray = ray_through(camera, x, y, aspect);
  std::optional<float> solid;  // [m] along the ray; in 2-D solids lie under the particles
  if (const render::Solids* drawn = solids_.present(); drawn && look.options.solids && domain.dimension == 3)
    solid = render::solid_on_ray(*drawn, ray.origin, ray.direction);
  std::optional<render::PickedParticle> found;
  if (look.options.look != render::Look::Fluid) {
    found = render::pick_on_ray(view, ray.origin, ray.direction, cut);
    if (found && solid && *solid < found->distance) return std::nullopt;
  } else if (const auto hit = surface_hit(*renderer_, domain, camera, ray, x, y)) {
    if (solid && *solid * *solid < length2(*hit - ray.origin)) return std::nullopt;
    // The drawn surface lies within two spacings of its particles.
    found = render::pick_near(view, *hit, (domain.dimension == 2 ? 1 : 2) * frame.spacing, cut);
  }
  if (!found) return std::nullopt;
  ShownParticle shown{0, found->position};
  copy_to_host(view.device, &shown.id, frame.id.data() + found->index, sizeof shown.id);
  return shown;
}

}  // namespace riffle::desktop
