#pragma once
/// How much memory a search will take, before there is one. Each method's estimate stands beside its buffers.

#include <cstddef>
#include <cstdint>

#include "core/device/device.h"
#include "core/math/domain.h"
#include "neighbors/search_settings.h"
#include "neighbors/search_view.h"

namespace riffle {

/// The particles that a search is to be built on.
struct SearchLoad {
  Device device;
  std::int64_t particles = 0;
  Domain domain;
  float h = 0;           ///< [m] radius of the queries, without the skin
  double neighbors = 0;  ///< of a particle within h, on average
  bool listed = false;   ///< list_neighbors() is called after each build
};

/// What a method allocates for a load whose h and neighbors include the skin.
struct SearchMemory {
  double bytes = 0;
  PairLists lists = PairLists::OnRequest;
};

/// [bytes] that a NeighborSearch allocates beyond the particles, about: the method, and its lists where it has any.
/// May load the driver's OptiX, when the settings can choose it on that device.
std::size_t estimate_search_memory(const SearchSettings& settings, const SearchLoad& load);

/// [bytes] of the working memory that sort_pairs() needs, about.
inline double sort_memory(const Device& device, std::int64_t count) {
  return device.is_cuda() ? 2.0 * sizeof(std::uint32_t) * double(count) : 0;  // keys and values once more
}

}  // namespace riffle
