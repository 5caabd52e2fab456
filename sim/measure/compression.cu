#include "sim/measure/compression.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "neighbors/build_sorted.h"
#include "neighbors/traverse.cuh"
#include "sim/halo.h"
#include "sim/lattice_ball.h"
#include "sim/measure/measuring_search.h"
#include "sim/walls/boundary.h"

namespace riffle {

namespace {

/// V_0 delta_i - 1 and the number of neighbours, of fluid and of walls.
struct MeasureCompression {
  SmoothingKernel kernel;
  float particle_volume;  ///< V_0 [m^d]
  bool of_walls;          ///< adds to the outputs
  float* compression;
  std::uint32_t* neighbors;

  struct State {
    float delta;
    std::uint32_t count;
  };
  using Source = float;  ///< V_b / V_0
  RIFFLE_HD State begin(int) const { return {of_walls ? 0.0f : kernel.value(0), 0}; }
  RIFFLE_HD Source fetch(int, Vec4 x_j) const { return of_walls ? x_j.w : 1.0f; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2, Source weight) const {
    state.delta += weight * kernel.value(quick_sqrt(r2));
    ++state.count;
  }
  RIFFLE_HD void end(State& state, int i) const {
    const float filled = particle_volume * state.delta;
    compression[i] = of_walls ? compression[i] + filled : filled - 1;
    neighbors[i] = of_walls ? neighbors[i] + state.count : state.count;
  }
};

/// Turns compressions in a search's order into densities in the particles' order.
struct ScatterDensity {
  float mass[kMaxFluids];  ///< of a particle [kg]
  bool several;            ///< fluids
  float particle_volume;
  const std::uint32_t* order;  ///< nullptr: both orders are the same
  const std::uint32_t* fluid;  ///< in the particles' order
  const float* compression;
  float* density;  ///< out [kg/m^3]

  RIFFLE_HD void operator()(std::int64_t p) const {
    const std::uint32_t i = order ? order[p] : static_cast<std::uint32_t>(p);
    density[i] = mass[several ? fluid[i] : 0] / particle_volume * (1 + compression[p]);
  }
};

CompressionStats summarize(std::vector<float> compression) {
  CompressionStats stats;
  stats.particles = static_cast<std::int64_t>(compression.size());
  if (compression.empty()) return stats;
  double sum = 0, absolute = 0;
  for (float& e : compression) {
    absolute += std::fabs(double{e});
    if (e < 0) e = 0;
    sum += e;
  }
  stats.mean = sum / double(compression.size());
  stats.mean_absolute = absolute / double(compression.size());
  const auto place = compression.begin() + static_cast<std::ptrdiff_t>(0.99 * double(compression.size() - 1));
  std::nth_element(compression.begin(), place, compression.end());
  stats.p99 = *place;
  stats.max = *std::max_element(place, compression.end());
  return stats;
}

}  // namespace

/// (count) in the search's order: whether the particle is not foreign.
std::vector<bool> own_in_order(const ParticleSet& particles, const NeighborSearch& search) {
  const auto n = static_cast<std::size_t>(particles.count());
  std::vector<bool> own(n, true);
  if (foreign_flags(particles) == nullptr) return own;
  const std::vector<std::uint32_t> flags = particles.get<std::uint32_t>("foreign").to_host();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  if (search.order()) copy_to_host(particles.device(), order.data(), search.order(), n * sizeof(std::uint32_t));
  for (std::size_t p = 0; p < n; ++p) own[p] = flags[order[p]] == 0;
  return own;
}

void find_compression(const NeighborSearch& search, const Vec4* positions, const SmoothingKernel& kernel,
                      float rest_volume, const Boundary& boundary, Buffer<float>& compression,
                      Buffer<std::uint32_t>& neighbors) {
  const auto n = static_cast<std::size_t>(search.count());
  compression.resize(n);
  neighbors.resize(n);
  MeasureCompression functor{kernel, rest_volume, false, compression.data(), neighbors.data()};
  for_each_neighbor(search, "compression", positions, kernel.h, functor);
  if (boundary.count() == 0) return;
  functor.of_walls = true;
  for_each_neighbor_in_grid(boundary.search(), "compression at walls", boundary.particles(), positions, search.count(),
                            kernel.h, functor);
}

CompressionDiagnostics measure_compression(const ParticleSet& particles, const SimulationSetup& setup,
                                           const SmoothingKernel& kernel, const Boundary& boundary,
                                           const float (&mass)[kMaxFluids], Buffer<float>& density) {
  const Device& device = particles.device();
  const int n = particles.count();
  const auto rest_volume = static_cast<float>(setup.particle_volume());
  NeighborSearch search(device, measuring_search(setup, /*deterministic=*/true));
  Buffer<Vec4> sorted(device);
  build_sorted(search, particles.get<Vec4>("position").data(), n, setup.domain, kernel.h, sorted);
  Buffer<float> compression(device);
  Buffer<std::uint32_t> neighbors(device);
  find_compression(search, sorted.data(), kernel, rest_volume, boundary, compression, neighbors);
  density.resize(static_cast<std::size_t>(n));
  ScatterDensity scatter{{},
                         setup.fluids.size() > 1,
                         rest_volume,
                         search.order(),
                         particles.get<std::uint32_t>("fluid").data(),
                         compression.data(),
                         density.data()};
  std::copy(std::begin(mass), std::end(mass), scatter.mass);
  parallel_for(device, "scatter densities", n, scatter);

  const std::size_t lattice_neighbors = lattice_sites(kernel.h, setup.domain.dimension, setup.spacing).size();
  const std::vector<bool> own = own_in_order(particles, search);
  const std::vector<float> of_all = compression.to_host();
  const std::vector<std::uint32_t> counts = neighbors.to_host();
  std::vector<float> all, interior;
  for (std::size_t i = 0; i < of_all.size(); ++i) {
    if (!own[i]) continue;
    all.push_back(of_all[i]);
    if (10 * std::uint64_t{counts[i]} >= 9 * lattice_neighbors) interior.push_back(of_all[i]);
  }
  CompressionDiagnostics result;
  result.interior = summarize(std::move(interior));
  result.all = summarize(std::move(all));
  return result;
}

}  // namespace riffle
