#include "sim/start/file_particles.h"

#include <algorithm>

namespace riffle {

ParticleExtent extent_of(const ParticleSelection& part) {
  ParticleExtent extent;
  const FileParticles& particles = *part.from;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!part.takes(i)) continue;
    const Vec3 x = particles.position[i];
    auto& [min, max] = extent.bounds;
    if (extent.count++ == 0) min = max = x;
    min = {std::min(min.x, x.x), std::min(min.y, x.y), std::min(min.z, x.z)};
    max = {std::max(max.x, x.x), std::max(max.y, x.y), std::max(max.z, x.z)};
  }
  return extent;
}

}  // namespace riffle
