#pragma once
/// The CPU's candidate test: eight at a time if the processor has AVX2.

#include <cstdint>

#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"

#if defined(__AVX2__) && defined(__FMA__) && !RIFFLE_ON_GPU
#include <immintrin.h>
#define RIFFLE_AVX2 1
#else
#define RIFFLE_AVX2 0
#endif

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

/// x, y, z of eight consecutive particles from their 16-byte records.
inline void load_transposed8(const Vec4* p, __m256& x, __m256& y, __m256& z) {
  const float* f = &p->x;
  const __m256 r0 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(f)), _mm_load_ps(f + 16), 1);
  const __m256 r1 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(f + 4)), _mm_load_ps(f + 20), 1);
  const __m256 r2 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(f + 8)), _mm_load_ps(f + 24), 1);
  const __m256 r3 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(f + 12)), _mm_load_ps(f + 28), 1);
  const __m256 xy01 = _mm256_unpacklo_ps(r0, r1), xy23 = _mm256_unpacklo_ps(r2, r3);
  const __m256 z01 = _mm256_unpackhi_ps(r0, r1), z23 = _mm256_unpackhi_ps(r2, r3);
  x = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(xy01), _mm256_castps_pd(xy23)));
  y = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(xy01), _mm256_castps_pd(xy23)));
  z = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(z01), _mm256_castps_pd(z23)));
}

/// The same for eight particles at any indices.
inline void gather_transposed8(const Vec4* p, const std::int32_t* index, __m256& x, __m256& y, __m256& z) {
  const auto record = [&](int k) { return _mm_load_ps(&p[index[k]].x); };
  const __m256 r0 = _mm256_insertf128_ps(_mm256_castps128_ps256(record(0)), record(4), 1);
  const __m256 r1 = _mm256_insertf128_ps(_mm256_castps128_ps256(record(1)), record(5), 1);
  const __m256 r2 = _mm256_insertf128_ps(_mm256_castps128_ps256(record(2)), record(6), 1);
  const __m256 r3 = _mm256_insertf128_ps(_mm256_castps128_ps256(record(3)), record(7), 1);
  const __m256 xy01 = _mm256_unpacklo_ps(r0, r1), xy23 = _mm256_unpacklo_ps(r2, r3);
  const __m256 z01 = _mm256_unpackhi_ps(r0, r1), z23 = _mm256_unpackhi_ps(r2, r3);
  x = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(xy01), _mm256_castps_pd(xy23)));
  y = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(xy01), _mm256_castps_pd(xy23)));
  z = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(z01), _mm256_castps_pd(z23)));
}

/// Tests eight candidates and appends hits among `allowed`; index: theirs.
RIFFLE_INLINE void append_hits8(const NeighborQuery& query, Vec3 x_i, __m256 x, __m256 y, __m256 z, __m256i index,
                                int allowed, QueryHits& hits) {
  x = _mm256_sub_ps(_mm256_set1_ps(x_i.x), x);
  y = _mm256_sub_ps(_mm256_set1_ps(x_i.y), y);
  z = _mm256_sub_ps(_mm256_set1_ps(x_i.z), z);
  if (query.wrap.any) {
    x = nearest_image8(x, query.wrap.length.x, query.wrap.inverse_length.x);
    y = nearest_image8(y, query.wrap.length.y, query.wrap.inverse_length.y);
    z = nearest_image8(z, query.wrap.length.z, query.wrap.inverse_length.z);
  }
  const __m256 r2 = _mm256_fmadd_ps(z, z, _mm256_fmadd_ps(y, y, _mm256_mul_ps(x, x)));
  const int mask = allowed & _mm256_movemask_ps(_mm256_cmp_ps(r2, _mm256_set1_ps(query.h2), _CMP_LT_OQ));
  if (mask == 0) return;
  if (hits.count > QueryHits::kCapacity - 8) [[unlikely]]
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
    __m256 x, y, z;
    gather_transposed8(query.sources, index, x, y, z);  // rereads the end of the last batch, without allowing it
    append_hits8(query, x_i, x, y, z, _mm256_load_si256(reinterpret_cast<const __m256i*>(index)), (1 << here) - 1,
                 hits);
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
    __m256 x, y, z;
    load_transposed8(query.sources + first, x, y, z);
    append_hits8(query, x_i, x, y, z, _mm256_add_epi32(_mm256_set1_epi32(first), lanes), 0xff << (j - first) & 0xff,
                 hits);
  }
#endif
  for (; j < end; ++j) append_if_near(query, x_i, j, hits);
}

}  // namespace riffle
