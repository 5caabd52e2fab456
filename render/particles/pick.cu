#include "render/particles/pick.h"

#include <cmath>

#include "core/device/memory.h"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "render/camera.h"

namespace riffle::render {
namespace {

/// The nearest particle so far; index -1: none.
struct Nearest {
  double distance;
  int index;
};

RIFFLE_HD Nearest nearer(const Nearest& a, const Nearest& b) {
  if (a.index < 0) return b;
  if (b.index < 0) return a;
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index) ? a : b;
}

/// The cut as the drawing has it.
struct Kept {
  bool all;
  Vec3 normal;
  float offset;

  RIFFLE_HD bool operator()(Vec3 at) const { return all || !(dot(normal, at) > offset); }
};

/// Computed in double precision: otherwise rounding decides whether a ray from far away meets a sphere that it grazes.
struct MeetSphere {
  Vec3 origin;
  double x, y, z;  ///< direction, of length 1
  double radius2;  ///< [m^2]
  const Vec4* position;
  Kept kept;

  RIFFLE_HD static Nearest identity() { return {0, -1}; }
  RIFFLE_HD static Nearest combine(const Nearest& a, const Nearest& b) { return nearer(a, b); }
  RIFFLE_HD Nearest operator()(std::int64_t i) const {
    const Vec4 c = position[i];
    if (!kept(xyz(c))) return identity();
    const double dx = double{c.x} - origin.x, dy = double{c.y} - origin.y, dz = double{c.z} - origin.z;
    const double along = dx * x + dy * y + dz * z;
    const double px = dx - along * x, py = dy - along * y, pz = dz - along * z;
    const double half2 = radius2 - (px * px + py * py + pz * pz);
    if (!(half2 >= 0)) return identity();  // NaN has no sphere
    const double half = sqrt(half2);
    if (along + half < 0) return identity();
    return {along > half ? along - half : 0.0, static_cast<int>(i)};
  }
};

struct NearPoint {
  Vec3 point;
  double within2;  ///< [m^2]
  const Vec4* position;
  Kept kept;

  RIFFLE_HD static Nearest identity() { return {0, -1}; }
  RIFFLE_HD static Nearest combine(const Nearest& a, const Nearest& b) { return nearer(a, b); }
  RIFFLE_HD Nearest operator()(std::int64_t i) const {
    const Vec4 c = position[i];
    if (!kept(xyz(c))) return identity();
    const double dx = double{c.x} - point.x, dy = double{c.y} - point.y, dz = double{c.z} - point.z;
    const double distance2 = dx * dx + dy * dy + dz * dz;
    if (!(distance2 <= within2)) return identity();
    return {sqrt(distance2), static_cast<int>(i)};
  }
};

/// 1 for a sphere that reaches into the picture.
struct InView {
  Vec3 eye, right, up, ahead;  ///< of the camera; the directions have length 1
  float across, high;          ///< half of the view's extents, at distance 1 or everywhere in an orthographic view
  bool orthographic;
  float radius;
  const Vec4* position;
  Kept kept;

  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a > b ? a : b; }
  RIFFLE_HD int operator()(std::int64_t i) const {
    const Vec3 at = xyz(position[i]);
    if (!kept(at)) return 0;
    const Vec3 from = at - eye;
    const float depth = orthographic ? 1 : dot(from, ahead);
    const float x = dot(from, right), y = dot(from, up);
    return depth > 0 && x <= across * depth + radius && -x <= across * depth + radius && y <= high * depth + radius &&
                   -y <= high * depth + radius
               ? 1
               : 0;
  }
};

Kept kept_by(const std::optional<CutPlane>& cut) {
  return cut ? Kept{false, cut->normal, cut->offset} : Kept{true, {}, 0};
}

template <class Search>
std::optional<PickedParticle> found_by(const ParticleView& particles, const char* name, const Search& search) {
  if (particles.count <= 0) return std::nullopt;
  const auto nearest = reduce<Nearest>(particles.device, name, particles.count, search);
  if (nearest.index < 0) return std::nullopt;
  Vec4 at;
  copy_to_host(particles.device, &at, particles.position + nearest.index, sizeof at);
  return PickedParticle{nearest.index, xyz(at), static_cast<float>(nearest.distance)};
}

}  // namespace

std::optional<PickedParticle> pick_on_ray(const ParticleView& particles, Vec3 origin, Vec3 direction,
                                          const std::optional<CutPlane>& cut) {
  const double x = direction.x, y = direction.y, z = direction.z;
  const double length = std::sqrt(x * x + y * y + z * z);
  if (!(length > 0) || !is_finite(direction)) throw InputError("pick: the ray has no direction");
  return found_by(particles, "pick on ray",
                  MeetSphere{origin, x / length, y / length, z / length, double{particles.radius} * particles.radius,
                             particles.position, kept_by(cut)});
}

bool any_in_view(const ParticleView& particles, const Camera& camera, float aspect,
                 const std::optional<CutPlane>& cut) {
  if (particles.count <= 0) return false;
  const ViewTransform transform = view_transform(camera, aspect);
  const auto row = [&](int r) { return Vec3{transform.view[0][r], transform.view[1][r], transform.view[2][r]}; };
  return reduce<int>(particles.device, "any in view", particles.count,
                     InView{camera.position, row(0), row(1), -row(2), transform.half_extent.x, transform.half_extent.y,
                            transform.orthographic, particles.radius, particles.position, kept_by(cut)}) > 0;
}

std::optional<PickedParticle> pick_near(const ParticleView& particles, Vec3 point, float within,
                                        const std::optional<CutPlane>& cut) {
  return found_by(particles, "pick near", NearPoint{point, double{within} * within, particles.position, kept_by(cut)});
}

}  // namespace riffle::render
