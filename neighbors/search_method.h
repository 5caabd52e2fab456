#pragma once
/// What a method implements. Private to neighbors/.

#include "neighbors/neighbor_search.h"

namespace riffle {

struct BuildInput {
  const Vec4* positions = nullptr;  ///< (count)
  int count = 0;
  Domain domain;
  float h = 0;
};

/// What the settings ask for, or the method's own choice of edges in support radii.
inline CellSize cell_size(const SearchSettings& settings, Vec3 own_choice) {
  const float r = settings.cell_ratio;
  return {r > 0 ? Vec3{r, r, r} : own_choice, settings.cell_count};
}

/// Beyond so many cells a table with an entry for each takes longer to fill and to read than it saves.
inline double most_dense_cells(int particles) { return 16.0 * particles + 1e6; }

/// The grid of a method with a table of cells, by the settings or else what is quickest in a dense fluid. On CUDA that
/// is cells short along x: rows then end close to where the ball does, and a row's many cells are still one range. The CPU
/// tests eight candidates at a time and would rather have long rows; and where the box has many times more such cells than
/// particles, the table costs more than they save.
inline Grid make_table_grid(const Device& device, const SearchSettings& settings, const BuildInput& input) {
  const CellSize coarse = cell_size(settings, {1, 1, 1});
  if (device.is_cuda() && !settings.static_sources) {
    const Grid fine = make_grid(input.domain, input.h, cell_size(settings, {0.25f, 1, 1}));
    if (fine.cell_count() <= most_dense_cells(input.count)) return fine;
  }
  return make_grid(input.domain, input.h, coarse);
}

class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual void build(const BuildInput& input) = 0;
  virtual SearchView view() const = 0;
  virtual const std::uint32_t* order() const = 0;  ///< nullptr: the particles stay where they are
  /// For queries that are not the particles, where the view is a TileView. queries: (count) on the device. Valid until the
  /// next call.
  virtual QueryBins bin_queries(const Vec4* queries, int count);
  /// The same where the view is a RayView: who may be within h of them, the particles having moved since the build by at
  /// most half of what its radius is larger.
  virtual CsrView list_queries(const Vec4* queries, int count, float h);
  virtual std::string_view structure() const { return {}; }
  virtual OccupancyStats occupancy() const = 0;
  virtual SearchStats stats() const { return {occupancy(), {}}; }
  virtual std::size_t memory_bytes() const = 0;
};

std::unique_ptr<SearchMethod> make_green_search(const Device& device, const SearchSettings& settings);
std::unique_ptr<SearchMethod> make_hoetzlein_search(const Device& device, const SearchSettings& settings);
std::unique_ptr<SearchMethod> make_fenns_search(const Device& device, const SearchSettings& settings);
std::unique_ptr<SearchMethod> make_bucket_search(const Device& device, const SearchSettings& settings);
std::unique_ptr<SearchMethod> make_thrust_pairs_search(const Device& device, const SearchSettings& settings);
std::unique_ptr<SearchMethod> make_rtnn_search(const Device& device, const SearchSettings& settings);

}  // namespace riffle
