#pragma once
/// The true neighbours, found by testing every pair: benchmarks and audits compare the searches with them. It shares
/// nothing with the searches but separation(): no traversal, no grid, no order of particles.

#include <cstdint>
#include <vector>

#include "core/device/buffer.h"
#include "core/math/domain.h"
#include "core/math/vec.h"

namespace riffle {

/// A particle's neighbours in three numbers. Equal sets have equal digests. Sets that differ, even by a neighbour found
/// twice, have equal digests once in 2^64.
struct NeighborDigest {
  std::uint32_t count = 0;  ///< number of neighbours, with repeats
  std::uint32_t sum_a = 0;  ///< sum of a hash of j over neighbours
  std::uint32_t sum_b = 0;  ///< the same with another hash
  friend bool operator==(const NeighborDigest&, const NeighborDigest&) = default;
};

/// The last step of MurmurHash3: every bit of x changes half of the bits of the result.
RIFFLE_INLINE std::uint32_t mix_bits(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

RIFFLE_INLINE void add_neighbor(NeighborDigest& digest, std::uint32_t j) {
  ++digest.count;
  digest.sum_a += mix_bits(j + 0x9e3779b9u);
  digest.sum_b += mix_bits(j ^ 0x7f4a7c15u);
}

struct ParticleCloud {
  const Vec4* positions = nullptr;  ///< (count) on the device
  int count = 0;
  Domain domain;
  float h = 0;
};

/// The querying particles: indices into the cloud, on its device; all particles if `indices` is nullptr.
struct Askers {
  const std::uint32_t* indices = nullptr;  ///< (count)
  int count = 0;
};

/// (askers.count) on the device: all j with |r_ij| < h, j != i. Time grows with askers * particles. Waits.
Buffer<NeighborDigest> all_pairs_digests(const Device& device, const ParticleCloud& cloud, const Askers& askers);

/// The neighbours themselves, ascending, of particles that the host chooses.
std::vector<std::vector<std::uint32_t>> all_pairs_neighbors(const Device& device, const ParticleCloud& cloud,
                                                            const std::vector<std::uint32_t>& askers);

/// `count` different indices of 0..particles-1 in ascending order, pseudo-random but the same for a seed; all of them
/// if count is as large.
std::vector<std::uint32_t> random_particles(int particles, int count, std::uint64_t seed);

}  // namespace riffle
