#include "neighbors/brute/all_pairs.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_set>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/separation.h"

namespace riffle {

namespace {

constexpr int kSlice = 4096;      ///< sources that one thread tests: a few queries fill a GPU too
constexpr int kVectorBatch = 16;  ///< distances computed before the first is compared, for the CPU's vector units

/// hit(j) for every neighbour of particle i among sources first..last-1.
template <bool Periodic, class Hit>
RIFFLE_INLINE void for_each_hit(const Vec4* x, std::uint32_t i, int first, int last, float h2,
                                const PeriodicWrap& given, const Hit& hit) {
  // A compile-time constant, so that no pair tests whether to wrap.
  const PeriodicWrap wrap = Periodic ? given : PeriodicWrap{};
  const Vec3 x_i = xyz(x[i]);
  int j = first;
  for (; j + kVectorBatch <= last; j += kVectorBatch) {
    float r2[kVectorBatch];
    for (int k = 0; k < kVectorBatch; ++k) r2[k] = squared_length(separation(x_i, xyz(x[j + k]), wrap));
    int near = 0;
    for (int k = 0; k < kVectorBatch; ++k) near += r2[k] < h2 ? 1 : 0;
    if (near == 0) continue;
    for (int k = 0; k < kVectorBatch; ++k)
      if (r2[k] < h2 && static_cast<std::uint32_t>(j + k) != i) hit(static_cast<std::uint32_t>(j + k));
  }
  for (; j < last; ++j)
    if (squared_length(separation(x_i, xyz(x[j]), wrap)) < h2 && static_cast<std::uint32_t>(j) != i)
      hit(static_cast<std::uint32_t>(j));
}

struct SliceWork {
  const Vec4* positions;
  int count;
  const std::uint32_t* askers;
  int asker_count;
  float h2;
  PeriodicWrap wrap;

  // Adjacent threads test the same sources.
  RIFFLE_HD int asker(std::int64_t index) const { return static_cast<int>(index % asker_count); }
  RIFFLE_HD std::uint32_t particle(int q) const { return askers ? askers[q] : static_cast<std::uint32_t>(q); }

  template <class Hit>
  RIFFLE_HD void look(std::int64_t index, const Hit& hit) const {
    const int first = static_cast<int>(index / asker_count) * kSlice;
    const int last = count - first < kSlice ? count : first + kSlice;
    if (wrap.any)
      for_each_hit<true>(positions, particle(asker(index)), first, last, h2, wrap, hit);
    else
      for_each_hit<false>(positions, particle(asker(index)), first, last, h2, wrap, hit);
  }
  std::int64_t size() const { return std::int64_t{asker_count} * ((std::int64_t{count} + kSlice - 1) / kSlice); }
};

struct DigestSlice {
  SliceWork work;
  NeighborDigest* digests;  ///< (askers) in and out

  RIFFLE_HD void operator()(std::int64_t index) const {
    NeighborDigest d;
    work.look(index, [&](std::uint32_t j) { add_neighbor(d, j); });
    if (d.count == 0) return;
    NeighborDigest& sum = digests[work.asker(index)];
    atomic_add(&sum.count, d.count);
    atomic_add(&sum.sum_a, d.sum_a);
    atomic_add(&sum.sum_b, d.sum_b);
  }
};

struct RecordSlice {
  SliceWork work;
  const std::uint64_t* start;  ///< (askers)
  std::uint32_t* used;         ///< (askers) in and out
  std::uint32_t* neighbor;     ///< (pairs) out

  RIFFLE_HD void operator()(std::int64_t index) const {
    const int q = work.asker(index);
    work.look(index, [&](std::uint32_t j) { neighbor[start[q] + atomic_add(&used[q], 1)] = j; });
  }
};

SliceWork slice_work(const ParticleCloud& cloud, const Askers& askers) {
  return {cloud.positions,   cloud.count,
          askers.indices,    askers.indices ? askers.count : cloud.count,
          cloud.h * cloud.h, periodic_wrap(cloud.domain)};
}

}  // namespace

Buffer<NeighborDigest> all_pairs_digests(const Device& device, const ParticleCloud& cloud, const Askers& askers) {
  const SliceWork work = slice_work(cloud, askers);
  Buffer<NeighborDigest> digests(device, static_cast<std::size_t>(work.asker_count));
  digests.fill_zero();
  parallel_for(device, "digest all pairs", work.size(), DigestSlice{work, digests.data()});
  synchronize(device);
  return digests;
}

std::vector<std::vector<std::uint32_t>> all_pairs_neighbors(const Device& device, const ParticleCloud& cloud,
                                                            const std::vector<std::uint32_t>& askers) {
  if (askers.empty()) return {};
  const Buffer<std::uint32_t> indices(device, askers);
  const Askers who{indices.data(), static_cast<int>(askers.size())};
  const std::vector<NeighborDigest> digests = all_pairs_digests(device, cloud, who).to_host();
  std::vector<std::uint64_t> start(askers.size() + 1, 0);
  for (std::size_t q = 0; q < askers.size(); ++q) start[q + 1] = start[q] + digests[q].count;
  const Buffer<std::uint64_t> device_start(device, start);
  Buffer<std::uint32_t> used(device, askers.size()), neighbor(device, start.back());
  used.fill_zero();
  const SliceWork work = slice_work(cloud, who);
  parallel_for(device, "record all pairs", work.size(),
               RecordSlice{work, device_start.data(), used.data(), neighbor.data()});
  const std::vector<std::uint32_t> all = neighbor.to_host();
  std::vector<std::vector<std::uint32_t>> lists(askers.size());
  for (std::size_t q = 0; q < askers.size(); ++q) {
    lists[q].assign(all.begin() + static_cast<std::ptrdiff_t>(start[q]),
                    all.begin() + static_cast<std::ptrdiff_t>(start[q + 1]));
    std::sort(lists[q].begin(), lists[q].end());
  }
  return lists;
}

std::vector<std::uint32_t> random_particles(int particles, int count, std::uint64_t seed) {
  std::vector<std::uint32_t> chosen;
  if (count >= particles) {
    chosen.resize(static_cast<std::size_t>(particles));
    std::iota(chosen.begin(), chosen.end(), 0u);
    return chosen;
  }
  std::mt19937_64 random(seed);
  std::unordered_set<std::uint32_t> seen;
  for (std::uint64_t n = static_cast<std::uint64_t>(particles - count); n < static_cast<std::uint64_t>(particles);
       ++n) {
    // Floyd's algorithm: one draw per sample, however large the share. The bias of a 64-bit remainder is below 2^-32.
    const auto draw = static_cast<std::uint32_t>(random() % (n + 1));
    chosen.push_back(seen.insert(draw).second ? draw : static_cast<std::uint32_t>(n));
    seen.insert(chosen.back());
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace riffle
