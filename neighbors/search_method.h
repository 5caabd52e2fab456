#pragma once
/// The interface that a method implements. Private to neighbors/.

#include <memory>

#include "core/device/workspace.h"
#include "neighbors/grid/table_cells.h"
#include "neighbors/kept_search.h"
#include "neighbors/neighbor_search.h"
#include "neighbors/search_memory.h"

namespace riffle {

struct BuildInput {
  const Vec4* positions = nullptr;  ///< (count)
  int count = 0;
  Domain domain;
  float h = 0;
  int unmoved = 0;  ///< so many positions, the first ones, are those of the last build that had as many
};

inline Grid make_table_grid(const Device& device, const SearchSettings& settings, Vec3 finest,
                            const BuildInput& input) {
  return make_grid(input.domain, input.h,
                   table_cell_size(device, settings, finest, input.domain, input.h, input.count));
}

/// Number of cells in that table.
inline double count_table_cells(const SearchSettings& settings, Vec3 finest, const SearchLoad& load) {
  return count_cells(load.domain, load.h,
                     table_cell_size(load.device, settings, finest, load.domain, load.h, load.particles));
}

class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual void build(const BuildInput& input) = 0;
  virtual void forget() {}  ///< the next build uses nothing of the builds before
  /// What the next build takes over from the builds before, if that changes the order of particles or neighbours. Waits.
  virtual KeptBuilds kept() const { return {}; }
  /// Makes the next build go on as after the builds of which `kept` is. input: the particles in the order they had then.
  /// listed: they are traversed before the next build, at these positions, which are those of the last build.
  /// @return false: it has nothing to go on from, and nothing has changed
  virtual bool restore(const BuildInput& /*input*/, const KeptBuilds& /*kept*/, bool /*listed*/) { return false; }
  virtual SearchView view() = 0;                   ///< before the first build too, it is of the kind that builds give
  virtual const std::uint32_t* order() const = 0;  ///< nullptr: the particles keep their order
  virtual OccupancyStats occupancy() const = 0;
  virtual SearchStats stats() const { return {occupancy(), {}}; }
  virtual std::size_t memory_bytes() const = 0;
};

/// NeighborMethodInfo::make for a method that is one class.
template <class Method>
std::unique_ptr<SearchMethod> make_search(const Device& device, const SearchSettings& settings) {
  return std::make_unique<Method>(device, settings);
}

}  // namespace riffle
