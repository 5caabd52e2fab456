#pragma once
/// Candidates that the queries of one cell share, each coordinate in an array of its own: eight are tested with three loads.
/// For processors with AVX2; others test query by query.

#include <cstdint>
#include <limits>

#include "core/math/lanes.h"
#include "neighbors/hits/candidate_test.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"

namespace riffle {

#if RIFFLE_AVX2

struct CandidateBlock {
  static constexpr int kCapacity = 4096;  ///< 64 KB; 27 cells of 170 neighbours within h hold about 1,100

  int count = 0;
  alignas(32) float x[kCapacity + kLanes];
  alignas(32) float y[kCapacity + kLanes];
  alignas(32) float z[kCapacity + kLanes];
  alignas(32) std::int32_t index[kCapacity + kLanes];

  /// Appends the sources begin..end-1. @return whether they fit
  bool add(const Vec4* sources, int begin, int end) {
    if (end - begin > kCapacity - count) return false;
    int j = begin, n = count;
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (; j + kLanes <= end; j += kLanes, n += kLanes) {
      const LaneVec4 x_j = read(sources + j);
      _mm256_storeu_ps(x + n, x_j.x.v);
      _mm256_storeu_ps(y + n, x_j.y.v);
      _mm256_storeu_ps(z + n, x_j.z.v);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(index + n), _mm256_add_epi32(_mm256_set1_epi32(j), lanes));
    }
    for (; j < end; ++j, ++n) {
      x[n] = sources[j].x;
      y[n] = sources[j].y;
      z[n] = sources[j].z;
      index[n] = j;
    }
    count = n;
    return true;
  }

  /// Fills the last eight with what is near nothing.
  void finish() {
    for (int n = count; n % kLanes != 0; ++n) {
      x[n] = y[n] = z[n] = std::numeric_limits<float>::quiet_NaN();
      index[n] = 0;
    }
  }
};

/// Appends the candidates with |x_i - x_j| < h, in their order. Nearly every eight have a hit, so there is no branch.
template <bool Periodic>
RIFFLE_INLINE void collect_hits(const NeighborQuery& query, Vec3 x_i, const CandidateBlock& block, QueryHits& hits) {
  const __m256 x0 = _mm256_set1_ps(x_i.x), y0 = _mm256_set1_ps(x_i.y), z0 = _mm256_set1_ps(x_i.z);
  for (int k = 0; k < block.count; k += kLanes) {
    const __m256 x = _mm256_sub_ps(x0, _mm256_load_ps(block.x + k)), y = _mm256_sub_ps(y0, _mm256_load_ps(block.y + k)),
                 z = _mm256_sub_ps(z0, _mm256_load_ps(block.z + k));
    append_near<Periodic>(query, x, y, z, _mm256_load_si256(reinterpret_cast<const __m256i*>(block.index + k)), 0xff,
                          hits);
  }
}

#endif

}  // namespace riffle
