#pragma once
/// The interface that a method implements. Private to neighbors/.

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/device/workspace.h"
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

/// The cell size from the settings, or else the method's own choice of edges in support radii.
inline CellSize cell_size(const SearchSettings& settings, Vec3 own_choice) {
  const float r = settings.cell_ratio;
  return {r > 0 ? Vec3{r, r, r} : own_choice, settings.cell_count};
}

/// With more cells than this, a table with an entry per cell takes longer to fill and to read than it saves.
inline double most_dense_cells(std::int64_t particles) { return 16.0 * double(particles) + 1e6; }

/// The fastest cells of a table in a dense fluid on CUDA, as edges in support radii. They are short along x: rows then
/// end close to where the ball ends, and a row's many cells are still one range. With many neighbours they are divided
/// across too, so that rows leave out more of the ball's corners; with few, reading more rows costs more than that saves
/// (measured with 28 to 166 neighbours in 3-D). Walls are read by scattered queries, for which two parts are enough.
inline Vec3 fastest_cells(const SearchSettings& settings, float h) {
  const float spacings = settings.spacing > 0 ? h / settings.spacing : 0;
  const float parts = spacings < 2.3f ? 1 : settings.static_sources ? 2 : std::round(std::min(spacings, 4.6f) / 1.15f);
  return {settings.static_sources && parts < 2 ? 1 : 0.25f, 1 / parts, 1 / parts};
}

/// Cell size of a method with a table of cells: by the settings, or else the fastest. The CPU tests eight candidates at a
/// time and is faster with long rows. If the box has many times more short cells than particles, their table costs more
/// than they save, and the cells are larger.
inline CellSize table_cell_size(const Device& device, const SearchSettings& settings, const Domain& domain, float h,
                                std::int64_t particles) {
  if (device.is_cuda())
    for (const Vec3 edges : {fastest_cells(settings, h), Vec3{0.25f, 1, 1}}) {
      const CellSize fine = cell_size(settings, edges);
      if (count_cells(domain, h, fine) <= most_dense_cells(particles)) return fine;
      if (settings.static_sources) break;
    }
  return cell_size(settings, {1, 1, 1});
}

inline Grid make_table_grid(const Device& device, const SearchSettings& settings, const BuildInput& input) {
  return make_grid(input.domain, input.h, table_cell_size(device, settings, input.domain, input.h, input.count));
}

/// Number of cells in that table.
inline double count_table_cells(const SearchSettings& settings, const SearchLoad& load) {
  return count_cells(load.domain, load.h, table_cell_size(load.device, settings, load.domain, load.h, load.particles));
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
