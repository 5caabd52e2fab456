#pragma once
/// What a particle's colour says, for kernels: the one place that reads ParticleView's colour attributes.

#include <cmath>
#include <cstdint>

#include "core/math/vec.h"
#include "core/platform.h"
#include "render/view.h"

namespace riffle {

/// What was gathered, else scalar[i], else index[i], else |velocity[i]|, else 0: the first that is given.
struct ColorValue {
  const Vec4* gathered;
  const Vec4* velocity;
  const float* scalar;
  const std::uint32_t* index;

  RIFFLE_INLINE float operator()(std::int64_t i) const {
    if (gathered) return gathered[i].w;
    if (scalar) return scalar[i];
    if (index) return static_cast<float>(index[i]);
    return velocity ? std::sqrt(length2(xyz(velocity[i]))) : 0.0f;
  }
};

inline ColorValue color_value(const ParticleView& particles) {
  return {particles.gathered ? particles.position : nullptr, particles.velocity, particles.scalar, particles.index};
}

}  // namespace riffle
