#include "sim/reductions.h"

#include <cmath>

#include "core/device/atomic.h"
#include "core/device/reduce.cuh"
#include "neighbors/traverse.cuh"
#include "sim/halo.h"
#include "sim/motion/gravity_field.h"
#include "sim/walls/boundary.h"

namespace riffle {

namespace {

struct Sums {
  double kinetic, potential, internal, momentum[3], mass, compression, compression_max, speed2_max, acceleration2_max;
  std::uint64_t hash;
  int count, non_finite, outside;
  std::uint32_t non_finite_key;  ///< 2^32 - 1 - id of the non-finite particle with the smallest id; 0: none
};

// Stafford's variant 13 of the 64-bit finaliser: every input bit reaches every output bit.
RIFFLE_INLINE std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct Measure {
  MeasureInput in;

  RIFFLE_HD static Sums identity() { return {}; }

  RIFFLE_HD static Sums combine(Sums a, const Sums& b) {
    a.kinetic += b.kinetic;
    a.potential += b.potential;
    a.internal += b.internal;
    for (int k = 0; k < 3; ++k) a.momentum[k] += b.momentum[k];
    a.mass += b.mass;
    a.compression += b.compression;
    a.compression_max = fmax(a.compression_max, b.compression_max);
    a.speed2_max = fmax(a.speed2_max, b.speed2_max);
    a.acceleration2_max = fmax(a.acceleration2_max, b.acceleration2_max);
    a.hash += b.hash;  // a sum, so that the particles' order does not matter
    a.count += b.count;
    a.non_finite += b.non_finite;
    a.outside += b.outside;
    a.non_finite_key = a.non_finite_key > b.non_finite_key ? a.non_finite_key : b.non_finite_key;
    return a;
  }

  /// Elastic energy per mass of the Tait equation, the integral of p / rho^2 from rest; 0 if pressure is clamped.
  RIFFLE_HD double internal_energy(double compression, std::uint32_t f) const {
    if (compression <= 1 && !in.negative_pressure) return 0;
    const double gamma = in.exponent;
    const double power = gamma == 1 ? log(compression) : (pow(compression, gamma - 1) - 1) / (gamma - 1);
    return double{in.stiffness[f]} / in.rest_density[f] * (power + 1 / compression - 1);
  }

  RIFFLE_HD Sums operator()(std::int64_t i) const {
    Sums s{};
    if (in.foreign && in.foreign[i] != 0) return s;
    s.count = 1;
    const Vec4 x = in.position[i], v = in.velocity[i];
    const Vec4 a = in.acceleration ? in.acceleration[i] : Vec4{};
    const float rho = in.density ? in.density[i] : 0.0f;  // 0 before the first step as well
    std::uint64_t h = mix(in.id[i] + 0x9e3779b97f4a7c15ull);
    const float state[6] = {x.x, x.y, x.z, v.x, v.y, v.z};
    for (float value : state) h = mix(h ^ float_bits(value));
    if (in.compression) h = mix(h ^ float_bits(in.compression[i]));
    s.hash = h;
    if (!is_finite(xyz(x)) || !is_finite(xyz(v)) || !is_finite(xyz(a)) || !is_finite(rho)) {
      s.non_finite = 1;
      s.non_finite_key = 0xffffffffu - in.id[i];
      return s;
    }
    const std::uint32_t f = in.fluid_count == 1 ? 0 : in.fluid[i];
    const double m = in.mass[f];
    const double vx = v.x, vy = v.y, vz = v.z;
    s.mass = m;
    s.kinetic = 0.5 * m * (vx * vx + vy * vy + vz * vz);
    s.momentum[0] = m * vx;
    s.momentum[1] = m * vy;
    s.momentum[2] = m * vz;
    s.potential = -m * (double{in.gravity.x} * (double{x.x} - in.domain.min.x) +
                        double{in.gravity.y} * (double{x.y} - in.domain.min.y) +
                        double{in.gravity.z} * (double{x.z} - in.domain.min.z));
    s.speed2_max = vx * vx + vy * vy + vz * vz;
    s.acceleration2_max = double{a.x} * a.x + double{a.y} * a.y + double{a.z} * a.z;
    if (rho > 0) {
      const double compression = double{rho} / in.rest_density[f];
      if (in.compressible) s.internal = m * internal_energy(compression, f);
      s.compression = compression > 1 ? compression - 1 : 0;
      s.compression_max = s.compression;
    }
    for (int k = 0; k < in.domain.dimension; ++k)
      if (in.domain.axis[k] == Axis::Walled &&
          !(component(xyz(x), k) >= component(in.domain.min, k) && component(xyz(x), k) <= component(in.domain.max, k)))
        s.outside = 1;
    return s;
  }
};

struct CountOwn {
  const std::uint32_t* foreign;

  RIFFLE_HD static int identity() { return 0; }
  RIFFLE_HD static int combine(int a, int b) { return a + b; }
  RIFFLE_HD int operator()(std::int64_t i) const { return foreign[i] != 0 ? 0 : 1; }
};

struct SumByFluid {
  MeasureInput in;

  RIFFLE_HD static FluidSums identity() { return {}; }
  RIFFLE_HD static FluidSums combine(FluidSums a, const FluidSums& b) {
    for (int f = 0; f < kMaxFluids; ++f) {
      a.count[f] += b.count[f];
      a.kinetic_energy[f] += b.kinetic_energy[f];
    }
    return a;
  }
  RIFFLE_HD FluidSums operator()(std::int64_t i) const {
    FluidSums s{};
    if (in.foreign && in.foreign[i] != 0) return s;
    const std::uint32_t f = in.fluid_count == 1 ? 0 : in.fluid[i];
    const Vec4 v = in.velocity[i];
    s.count[f] = 1;
    s.kinetic_energy[f] = 0.5 * in.mass[f] * (double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z);
    return s;
  }
};

}  // namespace

MeasureInput measure_input(const ParticleSet& particles, const SimulationSetup& setup, const float (&mass)[kMaxFluids],
                           double time) {
  MeasureInput input;
  input.count = particles.count();
  input.domain = setup.domain;
  input.gravity = apparent_gravity_at(gravity_sources(setup), time).gravity;
  input.fluid_count = static_cast<int>(setup.fluids.size());
  for (int f = 0; f < kMaxFluids; ++f) input.mass[f] = mass[f];
  input.position = particles.get<Vec4>("position").data();
  input.velocity = particles.get<Vec4>("velocity").data();
  if (particles.has("acceleration")) input.acceleration = particles.get<Vec4>("acceleration").data();
  input.fluid = particles.get<std::uint32_t>("fluid").data();
  input.id = particles.get<std::uint32_t>("id").data();
  input.foreign = foreign_flags(particles);
  return input;
}

int count_own(const ParticleSet& particles) {
  const std::uint32_t* foreign = foreign_flags(particles);
  return foreign ? reduce<int>(particles.device(), "count own", particles.count(), CountOwn{foreign})
                 : particles.count();
}

FluidSums sum_by_fluid(const Device& device, const MeasureInput& input) {
  return reduce<FluidSums>(device, "sums by fluid", input.count, SumByFluid{input});
}

Diagnostics measure(const Device& device, const MeasureInput& input) {
  const Sums s = reduce<Sums>(device, "diagnostics", input.count, Measure{input});
  Diagnostics d;
  d.kinetic_energy = s.kinetic;
  d.potential_energy = s.potential;
  d.internal_energy = s.internal;
  for (int k = 0; k < 3; ++k) d.momentum[k] = s.momentum[k];
  d.mass = s.mass;
  d.density_error_mean = s.count > 0 ? s.compression / s.count : 0;
  d.density_error_max = s.compression_max;
  d.max_speed = std::sqrt(s.speed2_max);
  d.max_acceleration = std::sqrt(s.acceleration2_max);
  d.non_finite = s.non_finite;
  if (s.non_finite > 0) d.first_non_finite = std::int64_t{0xffffffffu - s.non_finite_key};
  d.outside = s.outside;
  d.state_hash = s.hash;
  return d;
}

namespace {

struct NeighborCounts {
  std::uint64_t sum;
  std::uint32_t min, max;
};

struct CountNeighbors {
  std::uint32_t* out;
  struct State {
    std::uint32_t count;
  };
  RIFFLE_HD State begin(int) const { return {0}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float) const { ++state.count; }
  RIFFLE_HD void end(State& state, int i) const { out[i] = state.count; }
};

struct SummarizeCounts {
  const std::uint32_t* count;
  RIFFLE_HD static NeighborCounts identity() { return {0, 0xffffffffu, 0}; }
  RIFFLE_HD static NeighborCounts combine(NeighborCounts a, const NeighborCounts& b) {
    return {a.sum + b.sum, a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
  }
  RIFFLE_HD NeighborCounts operator()(std::int64_t i) const { return {count[i], count[i], count[i]}; }
};

}  // namespace

NeighborCountSummary count_neighbors(const NeighborSearch& search, const Vec4* positions, float h) {
  if (search.count() == 0) return {};
  Buffer<std::uint32_t> counts(search.device(), static_cast<std::size_t>(search.count()));
  for_each_neighbor(search, "count neighbours", positions, h, CountNeighbors{counts.data()});
  const auto sums =
      reduce<NeighborCounts>(search.device(), "summarise counts", search.count(), SummarizeCounts{counts.data()});
  return {double(sums.sum) / search.count(), sums.min, sums.max};
}

double mean_wall_neighbors(const Boundary& boundary, const Vec4* positions, int count, float h) {
  if (boundary.count() == 0 || count == 0) return 0;
  const Device& device = boundary.search().device();
  Buffer<std::uint32_t> counts(device, static_cast<std::size_t>(count));
  counts.fill_zero();  // particles far from walls are not visited
  for_each_neighbor_in_grid(boundary.search(), "count wall neighbours", boundary.particles(), positions, count, h,
                            CountNeighbors{counts.data()});
  return double(reduce<NeighborCounts>(device, "summarise counts", count, SummarizeCounts{counts.data()}).sum) / count;
}

}  // namespace riffle
