#include "render/particles/shadow_splat.h"

#include <cmath>

#include "render/particles/color_value.h"
#include "render/particles/scatter.cuh"
#include "render/particles/splat_light.h"

namespace riffle::render {
namespace {

struct ThrowShadow {
  const Vec4* position;
  ColorValue color_value;
  SplatLook look;
  ShadowMap map;
  Vec4* sums;

  RIFFLE_INLINE void operator()(std::int64_t i, std::int64_t offset) const {
    const Vec3 p = xyz(position[i]);
    // Every comparison with a NaN is false, so a particle with a NaN position has no shadow.
    if (!(std::fabs(p.x) < 1e30f && std::fabs(p.y) < 1e30f && std::fabs(p.z) < 1e30f)) return;
    if (!(dot(xyz(map.cut), p) <= map.cut.w)) return;
    const float x = dot(xyz(map.to_x), p) + map.to_x.w, y = dot(xyz(map.to_y), p) + map.to_y.w;
    int x0, x1, y0, y1;
    const float texel = 1 / static_cast<float>(map.size);
    if (!texels(x, map.half_x, x0, x1) || !texels(y, map.half_y, y0, y1)) return;
    Vec4 depth{1, 1, 1, 0};
    if (map.colored) {
      const Vec3 srgb = splat_color(look, color_value(i));
      constexpr float darkest = 0.02f;
      depth = {-std::log(at_least(darkest, srgb.x * srgb.x)), -std::log(at_least(darkest, srgb.y * srgb.y)),
               -std::log(at_least(darkest, srgb.z * srgb.z)), 0};
    }
    for (int row = y0; row <= y1; ++row)
      for (int column = x0; column <= x1; ++column) {
        const float off_x = ((static_cast<float>(column) + 0.5f) * texel - x) / map.half_x;
        const float off_y = ((static_cast<float>(row) + 0.5f) * texel - y) / map.half_y;
        const float inside = 1 - off_x * off_x - off_y * off_y;
        if (inside >= 0) accumulate(&sums[offset + std::int64_t{row} * map.size + column], map.weight * inside, depth);
      }
  }

  /// The texels whose middles are within `half` of `at`; false: there are none.
  RIFFLE_INLINE bool texels(float at, float half, int& first, int& last) const {
    const auto size = static_cast<float>(map.size);
    const float low = std::ceil((at - half) * size - 0.5f), high = std::floor((at + half) * size - 0.5f);
    if (!(low < size && high >= 0 && low <= high)) return false;
    first = low > 0 ? static_cast<int>(low) : 0;
    last = high < size - 1 ? static_cast<int>(high) : map.size - 1;
    return true;
  }
};

}  // namespace

ShadowSplatter::ShadowSplatter(const Device& device) : device_(device), sums_(device), timer_(device) {}

void ShadowSplatter::run(const ParticleView& particles, const ShadowMap& map, const SplatLook& look, Vec4* out) {
  const auto timing = timer_.scope("shadow");
  const std::int64_t texels = std::int64_t{map.size} * map.size;
  const int slices = scatter_slices(device_, static_cast<std::size_t>(texels));
  sums_.resize(static_cast<std::size_t>(texels * slices));
  sums_.fill_zero();
  if (particles.count > 0)
    scatter(device_, "throw shadow", particles.count, slices, texels,
            ThrowShadow{particles.position, color_value(particles), look, map, sums_.data()});
  sum_slices<Vec4>(device_, sums_.data(), slices, texels, out);
}

}  // namespace riffle::render
