#include "render/particles/gather_vertices.h"

#include <cmath>

#include "core/device/parallel.cuh"
#include "render/particles/color_value.h"

namespace riffle::render {
namespace {

struct GatherVertices {
  const Vec4* position;
  const Vec4* velocity;  ///< nullptr: drawn at `position`
  float earlier;
  ColorValue color_value;
  const float* gathered_speed;
  Vec4* out;
  float* speed;

  RIFFLE_HD void operator()(std::int64_t i) const {
    Vec3 x = xyz(position[i]);
    if (velocity) x = x - earlier * xyz(velocity[i]);
    out[i] = make_vec4(x, color_value(i));
    if (!speed) return;
    speed[i] = gathered_speed         ? gathered_speed[i]
               : color_value.velocity ? std::sqrt(length2(xyz(color_value.velocity[i])))
                                      : 0.0f;
  }
};

}  // namespace

void gather_vertices(const ParticleView& particles, Vec4* out, float* speed) {
  parallel_for(particles.device, "gather vertices", particles.count,
               GatherVertices{particles.position, particles.earlier != 0 ? particles.velocity : nullptr,
                              particles.earlier, color_value(particles), particles.speed, out, speed});
}

}  // namespace riffle::render
