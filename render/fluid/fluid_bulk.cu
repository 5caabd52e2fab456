#include "render/fluid/fluid_bulk.h"

#include "core/device/parallel.cuh"
#include "render/fluid/fluid_around.h"

namespace riffle::render {
namespace {

struct FindBulk {
  FluidAround around;
  float* bulk;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const DepthFilter& picture = around.filter;
    const auto pitch = static_cast<std::uint32_t>(picture.pitch);
    const auto x = static_cast<int>(static_cast<std::uint32_t>(i) % pitch);
    const auto y = static_cast<int>(static_cast<std::uint32_t>(i) / pitch);
    const float middle = around.depth[i];
    bulk[i] = 0;
    if (x >= picture.width || !(middle > 0)) return;
    const FluidAround::Places places = around.look(x, y, middle);
    bulk[i] = smooth_step(kBulkBegins, kBulkComplete, places.own / (places.all > 1 ? places.all : 1.0f));
  }
};

struct FindDrops {
  FluidAround around;
  SplatFrame frame;
  DropSize size;
  const Vec4* position;
  float* layer;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec4 p = position[i];
    layer[i] = 1;
    SplatSphere sphere;
    if (!place_sphere(frame, p, size(p), sphere)) return;
    const float ray = 1 / sphere.scale;
    const float at_x = (sphere.x * ray - frame.first_x) / frame.step_x,
                at_y = (sphere.y * ray - frame.first_y) / frame.step_y;
    if (!(at_x >= -0.5f && at_y >= -0.5f && at_x < static_cast<float>(frame.width) - 0.5f &&
          at_y < static_cast<float>(frame.height) - 0.5f))
      return;
    if (!(sphere.depth > sphere.radius)) return;  // beside the eye
    const int x = static_cast<int>(at_x + 0.5f), y = static_cast<int>(at_y + 0.5f);
    const FluidAround::Places places = around.look(x, y, sphere.depth - sphere.radius);
    if (places.own < kDropOwn * places.all && places.behind > kDropBehind * places.all) layer[i] = kSplatBehindAll;
  }
};

}  // namespace

void find_bulk(const Device& device, const DepthFilter& filter, float spacing, const float* spheres, float* bulk) {
  parallel_for(device, "find bulk", std::int64_t{filter.pitch} * filter.height,
               FindBulk{FluidAround(filter, spacing, kBulkSame, kBulkOther, spheres), bulk});
}

void find_drops(const ParticleView& particles, const DepthFilter& filter, float spacing, const SplatFrame& frame,
                const DropSize& size, const float* spheres, float* layer) {
  if (particles.count <= 0) return;
  parallel_for(
      particles.device, "find drops", particles.count,
      FindDrops{FluidAround(filter, spacing, kDropSame, kDropOther, spheres), frame, size, particles.position, layer});
}

}  // namespace riffle::render
