#include "sim/damping/damping.h"

#include "core/device/parallel.cuh"
#include "sim/halo.h"

namespace riffle {

namespace {

struct FlatZone {
  float min[3], max[3];
  float inner, per_width;  ///< along `axis`: s = (x - inner) per_width
  float strength;
  int axis;
};

struct Damp {
  FlatZone zone[kMostDampingZones];
  int zones, dimension;
  const Vec4* position;
  Vec4* velocity;
  const std::uint32_t* foreign;  ///< flags; nullptr: none
  const ClockState* clock;

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (foreign && foreign[i] != 0) return;
    const float x[3] = {position[i].x, position[i].y, position[i].z};
    float rate = 0;
    for (int k = 0; k < zones; ++k) {
      const FlatZone& z = zone[k];
      bool inside = true;
      for (int a = 0; a < dimension; ++a) inside = inside && x[a] >= z.min[a] && x[a] <= z.max[a];
      if (!inside) continue;
      const float s = (x[z.axis] - z.inner) * z.per_width;
      rate += z.strength * s * s;
    }
    if (!(rate > 0)) return;
    const Vec4 v = velocity[i];
    velocity[i] = make_vec4((1 / (1 + rate * clock->dt)) * xyz(v), v.w);
  }
};

}  // namespace

void damp_velocities(ParticleSet& particles, const std::vector<DampingZone>& zones, const Domain& domain,
                     const ClockState* clock) {
  Damp damp{};
  damp.dimension = domain.dimension;
  for (const DampingZone& zone : zones) {
    FlatZone& flat = damp.zone[damp.zones++];
    for (int a = 0; a < 3; ++a) flat.min[a] = component(zone.min, a), flat.max[a] = component(zone.max, a);
    flat.axis = zone.axis();
    const float low = flat.min[flat.axis], high = flat.max[flat.axis];
    flat.inner = zone.upper() ? low : high;
    flat.per_width = (zone.upper() ? 1 : -1) / (high - low);
    flat.strength = zone.strength;
  }
  damp.position = particles.get<Vec4>("position").data();
  damp.velocity = particles.get<Vec4>("velocity").data();
  damp.foreign = foreign_flags(particles);
  damp.clock = clock;
  parallel_for(particles.device(), "damping", particles.count(), damp);
}

}  // namespace riffle
