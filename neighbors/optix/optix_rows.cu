#include "neighbors/optix/optix_rows.h"

#include <numeric>
#include <string>
#include <vector>

#include "core/device/parallel.cuh"
#include "core/error.h"
#include "core/text/number_text.h"
#include "neighbors/lists/csr_list.h"
#include "neighbors/order/sort_ascending.h"

namespace riffle {

namespace {

struct SortOptixRows {
  const std::uint64_t* start;  ///< (queries + 1)
  std::uint32_t* neighbor;

  RIFFLE_HD void operator()(std::int64_t i) const {
    sort_ascending(neighbor + start[i], static_cast<std::int64_t>(start[i + 1] - start[i]));
  }
};

}  // namespace

OptixRows::OptixRows(const Device& device) : device_(device) {}

double OptixRows::estimate(const SearchLoad& load) {
  constexpr double growth = 1 + 1.0 / 8;  // grow_csr_entries()
  return double(load.particles) * (sizeof(std::uint64_t) + growth * sizeof(std::uint32_t) * load.neighbors);
}

void OptixRows::run(OptixContext& optix, const OptixLaunch& launch, int threads) {
  if (records_.empty()) records_.assign(optix.records());
  launch_.assign({&launch, 1});
  optix.launch(device_, launch_.data(), threads, records_.data());
}

// Allows for twice the free memory: the number is an estimate, and the count finds what exceeds it by little.
void OptixRows::require_room(double pairs, int queries) const {
  const double bytes = pairs * sizeof(std::uint32_t);
  const std::size_t free = free_memory(device_) + neighbor_.bytes();
  if (bytes <= 2 * double(free)) return;
  const auto number = [](double value) { return std::to_string(static_cast<unsigned long long>(value)); };
  throw Unavailable("rtnn by OptiX lists every pair: about " + number(pairs) + " pairs of " + std::to_string(queries) +
                    " particles take about " + bytes_text(bytes) + ", " + bytes_text(static_cast<double>(free)) +
                    " are free on the " + std::string(to_string(device_.kind)) +
                    "; use a smaller support radius, or neighbors.structure: lbvh, which keeps no list");
}

// Counting what cannot be listed might take hours. A ray's time grows with its query's neighbours, which it meets one
// by one. Crowds that would make even these few rays slow were refused earlier (MortonOrder::pairs_within_cubes).
void OptixRows::require_feasible(OptixContext& optix, OptixLaunch launch, int queries) {
  constexpr int sample = 1024;
  if (queries < 64 * sample) return;
  launch.stride = queries / sample;
  run(optix, launch, sample);
  std::vector<std::uint64_t> counts(sample);
  copy_to_host(device_, counts.data(), start_.data(), sample * sizeof(std::uint64_t));
  require_room(double(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})) / sample * queries, queries);
}

void OptixRows::trace(OptixContext& optix, OptixLaunch launch, int queries, bool ascending) {
  if (queries > optix::kMostRays)
    throw Unavailable("OptiX casts " + std::to_string(optix::kMostRays) + " rays at a time, and there are " +
                      std::to_string(queries) + " queries; use neighbors.structure: lbvh");
  pairs_ = 0;
  if (queries == 0) return;
  const auto n = static_cast<std::size_t>(queries);
  start_.resize(n + 1);
  start_.fill_zero();
  launch.start = start_.data();
  launch.neighbor = nullptr;
  require_feasible(optix, launch, queries);
  run(optix, launch, queries);
  exclusive_scan(device_, start_.data(), start_.data(), n + 1, scratch_);
  copy_to_host(device_, &pairs_, start_.data() + n, sizeof pairs_);
  if (pairs_ == 0) return;
  grow_csr_entries(neighbor_, pairs_);
  launch.neighbor = neighbor_.data();
  run(optix, launch, queries);
  if (ascending) parallel_for(device_, "sort rows", queries, SortOptixRows{start_.data(), neighbor_.data()});
}

}  // namespace riffle
