#pragma once
/// The CPU's candidate test: eight at a time if the processor has AVX2.

#include <cstdint>

#include "core/math/lanes.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"

namespace riffle {

#if RIFFLE_AVX2

/// For each 8-bit mask, the permutation that brings the lanes of its set bits to the front.
struct PackTable {
  alignas(32) std::int32_t lane[256][8];
  constexpr PackTable() : lane{} {
    for (int mask = 0; mask < 256; ++mask) {
      int n = 0;
      for (int bit = 0; bit < 8; ++bit)
        if (mask & (1 << bit)) lane[mask][n++] = bit;
    }
  }
};
inline constexpr PackTable kPackTable;

/// nearest_image() of neighbors/separation.h on eight values, operation by operation.
inline __m256 nearest_image8(__m256 d, float length, float inverse_length) {
  const __m256 images =
      _mm256_round_ps(_mm256_mul_ps(d, _mm256_set1_ps(inverse_length)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  return _mm256_fmadd_ps(_mm256_set1_ps(-length), images, d);
}

/// Appends those of eight candidates that are near and among `allowed`. x, y, z: x_i - x_j before the nearest image is
/// taken; index: of the candidates.
template <bool Periodic>
RIFFLE_INLINE void append_near(const NeighborQuery& query, __m256 x, __m256 y, __m256 z, __m256i index, int allowed,
                               QueryHits& hits) {
  if constexpr (Periodic) {
    x = nearest_image8(x, query.wrap.length.x, query.wrap.inverse_length.x);
    y = nearest_image8(y, query.wrap.length.y, query.wrap.inverse_length.y);
    z = nearest_image8(z, query.wrap.length.z, query.wrap.inverse_length.z);
  }
  const __m256 r2 = _mm256_fmadd_ps(z, z, _mm256_fmadd_ps(y, y, _mm256_mul_ps(x, x)));
  const int mask = allowed & _mm256_movemask_ps(_mm256_cmp_ps(r2, _mm256_set1_ps(query.h2), _CMP_LT_OQ));
  if (hits.count > QueryHits::kCapacity - kLanes) [[unlikely]]
    hits.make_room();
  const int n = hits.count;
  const __m256i pack = _mm256_load_si256(reinterpret_cast<const __m256i*>(kPackTable.lane[mask]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(hits.index + n), _mm256_permutevar8x32_epi32(index, pack));
  _mm256_storeu_ps(hits.x + n, _mm256_permutevar8x32_ps(x, pack));
  _mm256_storeu_ps(hits.y + n, _mm256_permutevar8x32_ps(y, pack));
  _mm256_storeu_ps(hits.z + n, _mm256_permutevar8x32_ps(z, pack));
  _mm256_storeu_ps(hits.r2 + n, _mm256_permutevar8x32_ps(r2, pack));
  hits.count = n + __builtin_popcount(static_cast<unsigned>(mask));
}

/// The same from the candidates' places.
RIFFLE_INLINE void append_hits8(const NeighborQuery& query, Vec3 x_i, LaneVec3 x_j, __m256i index, int allowed,
                                QueryHits& hits) {
  const LaneVec3 d = x_i - x_j;
  if (query.wrap.any)
    append_near<true>(query, d.x.v, d.y.v, d.z.v, index, allowed, hits);
  else
    append_near<false>(query, d.x.v, d.y.v, d.z.v, index, allowed, hits);
}

#endif  // RIFFLE_AVX2

/// Appends j if |x_i - x_j| < h.
inline void append_if_near(const NeighborQuery& query, Vec3 x_i, int j, QueryHits& hits) {
  const PairTest pair = test_pair(x_i, xyz(query.sources[j]), query.wrap, query.h2);
  if (pair.near()) hits.append(j, pair.r_ij, pair.r2);
}

/// Appends those of the `count` listed candidates with |x_i - x_j| < h.
inline void collect_listed(const NeighborQuery& query, Vec3 x_i, const std::uint32_t* list, int count,
                           QueryHits& hits) {
  int k = 0;
#if RIFFLE_AVX2
  alignas(32) std::int32_t index[8] = {};
  for (; k < count; k += 8) {
    const int here = count - k < 8 ? count - k : 8;
    for (int lane = 0; lane < here; ++lane) index[lane] = static_cast<std::int32_t>(list[k + lane]);
    const LaneIndex lanes{index};
    const LaneVec3 x_j = xyz(read(query.sources, lanes));  // rereads the end of the last batch, without allowing it
    append_hits8(query, x_i, x_j, lanes.indices(), (1 << here) - 1, hits);
  }
#endif
  for (; k < count; ++k) {
    const auto j = static_cast<int>(list[k]);
    append_if_near(query, x_i, j, hits);
  }
}

/// Appends the candidates begin..end-1 with |x_i - x_j| < h.
[[gnu::always_inline]] inline void collect_hits(const NeighborQuery& query, Vec3 x_i, int begin, int end,
                                                QueryHits& hits) {
  int j = begin;
#if RIFFLE_AVX2
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (; j < end; j += 8) {
    // If a row is not a multiple of eight long, its last eight begin before j, and those in front are masked out. Rows
    // of a thin fluid hold about nine; one by one, the rest would cost as much as the eight.
    if (j + 8 > end && end < 8) break;
    const int first = j + 8 > end ? end - 8 : j;
    append_hits8(query, x_i, xyz(read(query.sources + first)), _mm256_add_epi32(_mm256_set1_epi32(first), lanes),
                 0xff << (j - first) & 0xff, hits);
  }
#endif
  for (; j < end; ++j) append_if_near(query, x_i, j, hits);
}

}  // namespace riffle
