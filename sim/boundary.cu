#include "sim/boundary.h"

#include "neighbors/build_sorted.h"
#include "neighbors/traverse.h"

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

void add_kernel_sums(const Device& device, const std::vector<Vec4>& sites, const Domain& domain,
                     const SmoothingKernel& kernel, const Vec4* queries, int query_count, float* out) {
  NeighborSearch search(device, {.method = NeighborMethod::Hoetzlein, .deterministic = true});
  const Buffer<Vec4> sampled(device, std::span<const Vec4>(sites));
  Buffer<Vec4> sorted(device);
  build_sorted(search, sampled.data(), static_cast<int>(sites.size()), domain, kernel.h, sorted);
  for_each_neighbor_of(search, "boundary sums", sorted.data(), queries, query_count, kernel.h, KernelSum{kernel, out});
}

}  // namespace

Boundary::Boundary(const Device& device, const WallSamples& samples, const Domain& domain,
                   const SmoothingKernel& kernel, float particle_volume)
    : search_(device, {.method = NeighborMethod::Hoetzlein, .deterministic = true, .static_sources = true}),
      particles_(device, samples.wall.size()),
      solid_density_(device, samples.wall.size()) {
  const auto count = static_cast<int>(samples.wall.size());
  if (count == 0) return;  // a box without walls may be too large for a table of its cells
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
