#pragma once
/// The value that a particle's colour shows, for kernels. Only this file reads ParticleView's colour attributes.

#include <cmath>
#include <cstdint>

#include "core/math/vec.h"
#include "core/platform.h"
#include "render/view.h"

namespace riffle::render {

/// The first that the view has of the gathered value, scalar[i], index[i] and |velocity[i]|; else 0.
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

}  // namespace riffle::render
