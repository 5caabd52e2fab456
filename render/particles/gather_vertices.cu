#include "render/particles/gather_vertices.h"

#include <cfloat>
#include <cmath>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "render/particles/color_value.h"

namespace riffle::render {
namespace {

struct GatherVertices {
  const Vec4* position;
  ColorValue color_value;
  const float* gathered_speed;
  Vec4* out;
  float* speed;

  RIFFLE_HD void operator()(std::int64_t i) const {
    out[i] = make_vec4(xyz(position[i]), color_value(i));
    if (!speed) return;
    speed[i] = gathered_speed         ? gathered_speed[i]
               : color_value.velocity ? std::sqrt(length2(xyz(color_value.velocity[i])))
                                      : 0.0f;
  }
};

/// A ValueRange without initialisers, as shared memory needs it.
struct Extremes {
  float min, max;
};

struct FiniteRange {
  ColorValue color_value;

  RIFFLE_HD static Extremes identity() { return {FLT_MAX, -FLT_MAX}; }
  RIFFLE_HD static Extremes combine(Extremes a, Extremes b) {
    return {a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  }
  RIFFLE_HD Extremes operator()(std::int64_t i) const {
    const float value = color_value(i);
    if (!(value >= -FLT_MAX && value <= FLT_MAX)) return identity();
    return {value, value};
  }
};

}  // namespace

void gather_vertices(const ParticleView& particles, Vec4* out, float* speed) {
  parallel_for(particles.device, "gather vertices", particles.count,
               GatherVertices{particles.position, color_value(particles), particles.speed, out, speed});
}

ValueRange measure_range(const ParticleView& particles) {
  if (particles.count <= 0) return {};
  const auto range =
      reduce<Extremes>(particles.device, "measure range", particles.count, FiniteRange{color_value(particles)});
  return range.min <= range.max ? ValueRange{range.min, range.max} : ValueRange{};
}

}  // namespace riffle::render
