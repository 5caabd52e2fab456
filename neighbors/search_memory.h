#pragma once
/// Estimates how much memory a search will take, before it exists. Each method's estimate stands beside its buffers.

#include <cstddef>
#include <cstdint>

#include "core/device/device.h"
#include "core/math/domain.h"
#include "neighbors/search_settings.h"
#include "neighbors/search_view.h"

namespace riffle {

/// The particles on which a search is to be built.
struct SearchLoad {
  Device device;
  std::int64_t particles = 0;
  Domain domain;
  float h = 0;               ///< [m] radius of the queries, without the skin
  double neighbors = 0;      ///< mean number of neighbours of a particle within h
  bool listed = false;       ///< list_neighbors() is called after each build
  std::int64_t unmoved = 0;  ///< as NeighborSearch::build() gets it
  bool spare_lists = true;   ///< also counts lists that the search makes only while memory suffices
};

/// The memory that a method allocates for a load whose h and neighbors include the skin.
struct SearchMemory {
  double bytes = 0;
  PairLists lists = PairLists::Listed;
};

/// Approximate [bytes] that a NeighborSearch allocates beyond the particles: the method and, if it has any, its lists.
/// Of `rtnn` with `structure: auto`: of its own tree.
std::size_t estimate_search_memory(const SearchSettings& settings, const SearchLoad& load);

/// Approximate [bytes] of working memory for sort_pairs(). A pass sorts by 8 bits; several need keys and values once more.
inline double sort_memory(const Device& device, std::int64_t count, int key_bits = 32) {
  return device.is_cuda() && key_bits > 8 ? 2.0 * sizeof(std::uint32_t) * double(count) : 0;
}

}  // namespace riffle
