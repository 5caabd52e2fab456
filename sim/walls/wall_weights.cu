#include "sim/walls/wall_weights.h"

#include "neighbors/build_sorted.h"
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

struct FinishWeights {
  float particle_volume;
  const float* sum_front;
  const float* sum_solid;  ///< over walls and what lies behind
  Vec4* particles;
  float* solid_density;

  RIFFLE_HD void operator()(std::int64_t b) const {
    particles[b].w = 1.0f / ((sum_front[b] + sum_solid[b]) * particle_volume);
    solid_density[b] = 1.0f / particle_volume - sum_front[b];
  }
};

void add_kernel_sums(const Device& device, const std::vector<Vec4>& sites, const Domain& domain,
                     const SmoothingKernel& kernel, const Vec4* queries, int query_count, float* out) {
  NeighborSearch search(device, {{.method = NeighborMethod::Hoetzlein}, /*deterministic=*/true});
  const Buffer<Vec4> sampled(device, std::span<const Vec4>(sites));
  Buffer<Vec4> sorted(device);
  build_sorted(search, sampled.data(), static_cast<int>(sites.size()), domain, kernel.h, sorted);
  for_each_neighbor_in_grid(search, "boundary sums", sorted.data(), queries, query_count, kernel.h,
                            KernelSum{kernel, out});
}

}  // namespace

SearchSettings wall_search_settings(float spacing) {
  SearchSettings settings{{.method = NeighborMethod::Hoetzlein}, /*deterministic=*/true, /*static_sources=*/true};
  settings.spacing = spacing;
  return settings;
}

void weigh_walls(const Device& device, const Domain& domain, double particle_volume, const SmoothingKernel& kernel,
                 float reach, const SolidSamples& sites, NeighborSearch& search, Buffer<Vec4>& particles,
                 Buffer<float>& solid_density) {
  const auto count = static_cast<int>(sites.wall.size());
  particles.resize(sites.wall.size());
  solid_density.resize(sites.wall.size());
  const Buffer<Vec4> sampled(device, std::span<const Vec4>(sites.wall));
  build_sorted(search, sampled.data(), count, domain, reach, particles);

  Buffer<float> sum_front(device, sites.wall.size()), sum_solid(device, sites.wall.size());
  sum_front.fill_zero();
  sum_solid.fill_zero();
  add_kernel_sums(device, sites.front, domain, kernel, particles.data(), count, sum_front.data());
  add_kernel_sums(device, sites.wall, domain, kernel, particles.data(), count, sum_solid.data());
  add_kernel_sums(device, sites.behind, domain, kernel, particles.data(), count, sum_solid.data());
  parallel_for(device, "boundary", count,
               FinishWeights{static_cast<float>(particle_volume), sum_front.data(), sum_solid.data(), particles.data(),
                             solid_density.data()});
}

}  // namespace riffle
