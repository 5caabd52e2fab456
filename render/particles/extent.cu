#include "render/particles/extent.h"

#include <cfloat>

#include "core/device/reduce.cuh"
#include "render/particles/color_value.h"

namespace riffle::render {
namespace {

/// Without initialisers, as shared memory needs it.
struct ShownRange {
  float least, most;
  float min[3], max[3];
};

struct ShownExtremes {
  const Vec4* position;
  ColorValue color_value;
  bool cuts;
  CutPlane cut;

  RIFFLE_HD static float smaller(float a, float b) { return a < b ? a : b; }
  RIFFLE_HD static float larger(float a, float b) { return a > b ? a : b; }

  RIFFLE_HD static ShownRange identity() {
    return {FLT_MAX, -FLT_MAX, {FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  }
  RIFFLE_HD static ShownRange combine(ShownRange a, const ShownRange& b) {
    a.least = smaller(a.least, b.least);
    a.most = larger(a.most, b.most);
    for (int c = 0; c < 3; ++c) {
      a.min[c] = smaller(a.min[c], b.min[c]);
      a.max[c] = larger(a.max[c], b.max[c]);
    }
    return a;
  }
  RIFFLE_HD ShownRange operator()(std::int64_t i) const {
    ShownRange own = identity();
    const Vec3 at = xyz(position[i]);
    if (!is_finite(at)) return own;
    if (cuts && dot(cut.normal, at) > cut.offset) return own;
    own.min[0] = own.max[0] = at.x;
    own.min[1] = own.max[1] = at.y;
    own.min[2] = own.max[2] = at.z;
    const float value = color_value(i);
    if (is_finite(value)) own.least = own.most = value;
    return own;
  }
};

}  // namespace

ParticleExtent measure_extent(const ParticleView& particles, const std::optional<CutPlane>& cut) {
  ParticleExtent extent;
  if (particles.count <= 0) return extent;
  const auto found = reduce<ShownRange>(
      particles.device, "measure extent", particles.count,
      ShownExtremes{particles.position, color_value(particles), cut.has_value(), cut.value_or(CutPlane{})});
  extent.any = found.min[0] <= found.max[0];
  if (!extent.any) return extent;
  if (found.least <= found.most) extent.least = found.least, extent.most = found.most;
  const Vec3 radius{particles.radius, particles.radius, particles.radius};
  extent.min = Vec3{found.min[0], found.min[1], found.min[2]} - radius;
  extent.max = Vec3{found.max[0], found.max[1], found.max[2]} + radius;
  return extent;
}

}  // namespace riffle::render
