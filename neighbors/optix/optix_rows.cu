#include "neighbors/optix/optix_rows.h"

#include <string>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "core/text/number_text.h"
#include "neighbors/lists/csr_list.h"
#include "neighbors/optix/write_launch.cuh"
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

/// Estimates the pairs from the counts of evenly spread queries.
struct ScaleCounts {
  const std::uint64_t* count;
  double factor;

  RIFFLE_HD static double identity() { return 0; }
  RIFFLE_HD static double combine(double a, double b) { return a + b; }
  RIFFLE_HD double operator()(std::int64_t k) const { return factor * static_cast<double>(count[k]); }
};

/// How many times the free memory an estimate may exceed: the count finds what exceeds it by little.
constexpr double kEstimateFactor = 2;

}  // namespace

OptixRows::OptixRows(const Device& device) : device_(device) {}

double OptixRows::estimate(const SearchLoad& load) {
  constexpr double growth = 1 + 1.0 / 8;  // grow_csr_entries()
  return double(load.particles) * (sizeof(std::uint64_t) + growth * sizeof(std::uint32_t) * load.neighbors);
}

void OptixRows::run(OptixContext& optix, const OptixLaunch& launch, int threads) {
  if (records_.empty()) write_records(device_, optix.records(OptixPrograms::Neighbors), records_);
  write_launch(device_, launch, launch_);
  optix.launch(device_, OptixPrograms::Neighbors, launch_.data(), threads, records_.data());
}

void OptixRows::begin() {
  sums_.resize(1);
  sums_.fill_zero();
}

void OptixRows::require_room(double pairs, int queries, std::size_t free) const {
  const double bytes = pairs * sizeof(std::uint32_t);
  if (bytes <= kEstimateFactor * double(free)) return;
  const auto number = [](double value) { return std::to_string(static_cast<unsigned long long>(value)); };
  throw Unavailable("rtnn by OptiX lists every pair: about " + number(pairs) + " pairs of " + std::to_string(queries) +
                    " particles take about " + bytes_text(bytes) + ", " + bytes_text(static_cast<double>(free)) +
                    " are free on the " + std::string(to_string(device_.kind)) +
                    "; use a smaller support radius, or neighbors.structure: lbvh, which keeps no list");
}

// Counting what cannot be listed might take hours. A ray's time grows with its query's neighbours, which it meets one
// by one. Crowds that would make even these few rays slow are known before (MortonOrder::estimate_pairs).
void OptixRows::sample(OptixContext& optix, OptixLaunch launch, int queries) {
  constexpr int sampled = 1024;
  if (queries < 64 * sampled) return;
  launch.stride = queries / sampled;
  run(optix, launch, sampled);
  partial_.resize(reduction_blocks(sampled));
  reduce_into(device_, "sampled rows", sampled, ScaleCounts{start_.data(), double(queries) / sampled}, partial_,
              &sums_.data()->sampled);
}

OptixSums OptixRows::trace(OptixContext& optix, OptixLaunch launch, int queries, bool ascending, int most_moved) {
  if (queries > optix::kMostRays)
    throw Unavailable("OptiX casts " + std::to_string(optix::kMostRays) + " rays at a time, and there are " +
                      std::to_string(queries) + " queries; use neighbors.structure: lbvh");
  pairs_ = 0;
  if (queries == 0) return {};
  const auto n = static_cast<std::size_t>(queries);
  start_.resize(n + 1);
  start_.fill_zero();
  const std::size_t free = free_memory(device_) + neighbor_.bytes();
  launch.start = start_.data();
  launch.neighbor = nullptr;
  launch.sums = sums_.data();
  launch.most_pairs = kEstimateFactor * double(free) / sizeof(std::uint32_t);
  launch.most_moved = most_moved;
  sample(optix, launch, queries);
  run(optix, launch, queries);
  exclusive_scan(device_, start_.data(), start_.data(), n + 1, scratch_);
  copy_on_device(device_, &sums_.data()->pairs, start_.data() + n, sizeof(std::uint64_t));
  OptixSums sums;
  copy_to_host(device_, &sums, sums_.data(), sizeof sums);
  require_room(sums.crowd, queries, free);
  require_room(sums.sampled, queries, free);
  pairs_ = sums.pairs;
  if (pairs_ == 0 || sums.moved > most_moved) return sums;
  grow_csr_entries(neighbor_, pairs_);
  launch.neighbor = neighbor_.data();
  run(optix, launch, queries);
  if (ascending) parallel_for(device_, "sort rows", queries, SortOptixRows{start_.data(), neighbor_.data()});
  return sums;
}

}  // namespace riffle
