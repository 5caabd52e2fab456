#include "sim/walls/boundary.h"

#include "neighbors/build_sorted.h"
#include "neighbors/search_memory.h"
#include "neighbors/traverse.cuh"

namespace riffle {

namespace {

/// out[i] += sum_k W_ik over the sources, which may contain i itself.
struct KernelSum {
  SmoothingKernel kernel;
  float* out;

  struct State {
    float sum;
  };
  RIFFLE_HD State begin(int) const { return {0}; }
  RIFFLE_HD void neighbor(State& state, int, int, Vec3, float r2) const { state.sum += kernel.value(sqrtf(r2)); }
  RIFFLE_HD void end(State& state, int i) const { out[i] += state.sum; }
};

struct FinishBoundary {
  float particle_volume;
  const float* sum_inner;  ///< over the fluid's sites
  const float* sum_solid;  ///< over walls and what lies behind
  Vec4* particles;
  float* solid_density;

  RIFFLE_HD void operator()(std::int64_t b) const {
    particles[b].w = 1.0f / ((sum_inner[b] + sum_solid[b]) * particle_volume);
    solid_density[b] = 1.0f / particle_volume - sum_inner[b];
  }
};

/// Walls do not move: their search is built once.
SearchSettings wall_search_settings() {
  return {{.method = NeighborMethod::Hoetzlein}, /*deterministic=*/true, /*static_sources=*/true};
}

void add_kernel_sums(const Device& device, const std::vector<Vec4>& sites, const Domain& domain,
                     const SmoothingKernel& kernel, const Vec4* queries, int query_count, float* out) {
  NeighborSearch search(device, {{.method = NeighborMethod::Hoetzlein}, /*deterministic=*/true});
  const Buffer<Vec4> sampled(device, std::span<const Vec4>(sites));
  Buffer<Vec4> sorted(device);
  build_sorted(search, sampled.data(), static_cast<int>(sites.size()), domain, kernel.h, sorted);
  for_each_neighbor_of(search, "boundary sums", sorted.data(), queries, query_count, kernel.h, KernelSum{kernel, out});
}

}  // namespace

bool Boundary::serves(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel) const {
  const Device& own = particles_.device();
  return own == device && own.stream == device.stream && domain_ == setup.domain && spacing_ == setup.spacing &&
         support_ratio_ == setup.support_ratio && kernel_ == kernel.kind;
}

double Boundary::estimate_bytes(const Device& device, const SimulationSetup& setup, std::int64_t count) {
  if (count == 0) return 0;
  constexpr std::size_t per_particle = sizeof(Vec4) + sizeof(float);  // particles_, solid_density_
  const SearchLoad load{.device = device, .particles = count, .domain = setup.domain, .h = setup.support_radius()};
  return double(count) * per_particle + double(estimate_search_memory(wall_search_settings(), load));
}

std::shared_ptr<const Boundary> Boundary::make(const Device& device, const SimulationSetup& setup,
                                               const SmoothingKernel& kernel,
                                               const std::shared_ptr<const Boundary>& kept) {
  if (kept && kept->serves(device, setup, kernel)) return kept;
  return std::make_shared<const Boundary>(device, setup, kernel);
}

Boundary::Boundary(const Device& device, const SimulationSetup& setup, const SmoothingKernel& kernel)
    : domain_(setup.domain),
      spacing_(setup.spacing),
      support_ratio_(setup.support_ratio),
      kernel_(kernel.kind),
      search_(device, wall_search_settings()),
      particles_(device),
      solid_density_(device) {
  const WallSamples samples = sample_walls(setup);
  const Domain& domain = setup.domain;
  const auto particle_volume = static_cast<float>(setup.particle_volume());
  const auto count = static_cast<int>(samples.wall.size());
  if (count == 0) return;  // a box without walls may be too large for a table of its cells
  particles_.resize(samples.wall.size());
  solid_density_.resize(samples.wall.size());
  const Buffer<Vec4> sampled(device, std::span<const Vec4>(samples.wall));
  build_sorted(search_, sampled.data(), count, domain, kernel.h, particles_);

  Buffer<float> sum_inner(device, samples.wall.size()), sum_solid(device, samples.wall.size());
  sum_inner.fill_zero();
  sum_solid.fill_zero();
  add_kernel_sums(device, samples.inner, domain, kernel, particles_.data(), count, sum_inner.data());
  add_kernel_sums(device, samples.wall, domain, kernel, particles_.data(), count, sum_solid.data());
  add_kernel_sums(device, samples.outer, domain, kernel, particles_.data(), count, sum_solid.data());
  parallel_for(
      device, "boundary", count,
      FinishBoundary{particle_volume, sum_inner.data(), sum_solid.data(), particles_.data(), solid_density_.data()});
}

}  // namespace riffle
