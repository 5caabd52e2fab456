#pragma once
/// The neighbour search: one interface over all methods.
///
///   NeighborSearch search(device, {NeighborMethod::Hoetzlein});
///   search.build(positions, count, domain, h);
///   particles.reorder(search.order());            // carried attributes follow
///   for_each_neighbor(search, "density", positions, h, DensitySum{...});   // neighbors/traverse.cuh, in .cu files
///
/// Contract, the same for every method and both devices:
/// - exactly the pairs with |r_ij| < h, each once per i, never j == i, coincident particles included, no cap on their
/// number;
/// - particles outside the box are found; periodic axes shorter than 2h are refused, between 2h and 3h they are exact;
/// - positions may have moved since `build`: with h <= h_build the result is exact while twice the largest displacement
///   stays below h_build - h (check_displacement raises a flag on the device when it does not).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/algorithms.h"
#include "core/device/buffer.h"
#include "core/math/domain.h"
#include "neighbors/method.h"
#include "neighbors/search_view.h"

namespace riffle {

/// Whether `green` keeps a slot for every cell of the box.
enum class GridTable {
  Automatic,  ///< dense while there are at most a few cells per particle, else folded
  Dense,
  Folded,  ///< memory proportional to the particles, however large the box ("hashed" in scenes)
};

/// How `bucket` puts particles into its lists.
enum class BucketInsertion {
  Atomic,     ///< one exchange per particle
  Iterative,  ///< the paper's: everyone writes its cell's head, the winner is in, the others try again
};

/// When `bucket` gives its particles a new order. Between two orders a build is a re-sort: particles that changed cell
/// change lists, nothing else moves. For measurements, apart from Automatic; a deterministic search always orders.
enum class BucketRebuild {
  Automatic,  ///< once those that changed cell since the last order are more than a quarter of all
  Always,     ///< at every build: no re-sorts
  Never,      ///< order() is nullptr: lists of the particles as they stand, from the first build on
};

/// When `rtnn` makes its tree anew. Else a build is a refit: the boxes follow the particles, which stay in their order.
/// For measurements, apart from Automatic; a deterministic search always makes it anew.
enum class TreeRebuild {
  Automatic,  ///< once boxes have grown much
  Always,     ///< at every build
};

/// What `rtnn` searches its boxes with.
enum class TreeStructure {
  Automatic,  ///< OptiX where the GPU has RT cores, else the tree of our own
  Lbvh,       ///< the tree of our own (neighbors/tree/lbvh.h)
  Optix,      ///< the driver's OptiX, on CUDA only; where it is not to be had the log says why, and it is Lbvh
};

struct SearchSettings {
  NeighborMethod method = NeighborMethod::Hoetzlein;
  bool deterministic = false;       ///< the order of particles within a cell does not depend on the timing of threads
  bool static_sources = false;      ///< built once and queried from elsewhere: also marks the cells with nothing near
  bool track_displacement = false;  ///< keeps a copy of the positions for displacement_exceeds()
  bool list_always = false;         ///< list_neighbors() lists whatever the method and the device
  float skin = 0;        ///< Verlet list: the search is built for h + skin * h and kept while that is exact; 0: none
  float cell_ratio = 0;  ///< least edge of a cell in support radii, 0.25 to 4; 0: the method's own choice
  Int3 cell_count{};     ///< cells per axis, where they are to be given outright; 0: by cell_ratio
  GridTable table = GridTable::Automatic;               ///< of `green`
  BucketInsertion insertion = BucketInsertion::Atomic;  ///< of `bucket`
  BucketRebuild bucket_rebuild = BucketRebuild::Automatic;
  TreeRebuild tree_rebuild = TreeRebuild::Automatic;    ///< of `rtnn`
  TreeStructure tree_structure = TreeStructure::Automatic;
  int tree_leaf = 0;  ///< particles per leaf of `rtnn` by a tree, 1 to 256; 0: what is quickest on the device
  /// [bytes] of `thrust_pairs`: what a search may take beside the list of pairs, and keeps until the next build. What its
  /// particles and cells need comes first, a chunk of candidates gets the rest, or a quarter where that is more.
  std::size_t pair_memory = std::size_t{256} << 20;
};

/// How the particles are spread over the cells.
struct OccupancyStats {
  std::int64_t cells = 0;
  std::int64_t occupied = 0;
  std::uint32_t max = 0;  ///< particles in the fullest cell
  double mean = 0;        ///< particles per occupied cell
};

/// A count that only some methods have: rounds of the iterative insertion, the border's share, pairs listed ...
struct SearchCount {
  std::string name;
  double value = 0;
};

struct SearchStats {
  OccupancyStats occupancy;
  std::vector<SearchCount> counts;
};

class SearchMethod;
class NeighborList;
class CsrList;

class NeighborSearch {
 public:
  NeighborSearch(const Device& device, const SearchSettings& settings);
  ~NeighborSearch();
  NeighborSearch(NeighborSearch&&) noexcept;
  NeighborSearch& operator=(NeighborSearch&&) noexcept;

  /// positions: (count) on the search's device, any order. Asynchronous on CUDA. Positions must be finite: a particle
  /// that is not has no neighbours (count_non_finite() finds it).
  /// With a skin the search is kept, and nothing else is done, while the particles are the same in number and have not
  /// moved so far that a query of h could miss one: they stay as they are then, and wants_reorder() is false. That is
  /// asked of the device, so such a build waits. A skin is cut to what periodic axes leave room for.
  /// @throws InputError or Unavailable as make_grid() does.
  void build(const Vec4* positions, int count, const Domain& domain, float h);

  /// Optional, once the particles are in order(): lists the pairs within the build's radius, so that several traversals of
  /// the same positions do not search again. Only where that pays (a grid on CUDA, up to kMaxListWidth neighbours), and
  /// always with a skin or `list_always`; elsewhere it does nothing. The lists are candidates like the grid's cells: later
  /// traversals stay exact under the contract above. Nothing is ever cut off: a particle whose neighbours do not fit is
  /// searched for in the grid, and the next lists are longer.
  void list_neighbors(const Vec4* positions);
  static constexpr int kMaxListWidth = 88;

  /// Whether for_each_neighbor expects the particles in order(); otherwise they stay as they were at build.
  bool wants_reorder() const;

  /// (count) new position p holds the particle that was at order()[p] when build was called. Valid until the next
  /// build.
  const std::uint32_t* order() const;

  /// For for_each_neighbor_of, where the view is a TileView: the queries by coarse cell. Asynchronous.
  QueryBins bin_queries(const Vec4* queries, int count) const;

  /// For for_each_neighbor_of, where the view is a RayView: who may be within h of the queries, exact under the contract
  /// above. Valid until the next call. Waits.
  CsrView list_queries(const Vec4* queries, int count, float h) const;

  /// Of `rtnn`, what its boxes are searched with: "lbvh" or "optix". "" with the other methods.
  std::string_view structure() const;

  const Device& device() const { return device_; }
  const SearchSettings& settings() const { return settings_; }
  const SearchView& view() const { return view_; }                ///< what the particles themselves are served from
  const SearchView& method_view() const { return method_view_; }  ///< the method's own, for queries from elsewhere
  const PeriodicWrap& wrap() const { return wrap_; }
  float build_radius() const { return h_build_; }
  int count() const { return count_; }
  std::uint64_t version() const { return version_; }  ///< grows with every build that was not spared by a skin

  /// Looks whether a particle has moved, since build, so far that queries of radius h may miss a pair: raises a flag on the
  /// device when twice a displacement reaches h_build - h, less what rounding may add to it, or a position is no longer a
  /// number. Asynchronous.
  /// positions: (count), in the order the traversal expects. Needs settings().track_displacement.
  /// @return (1) on the device: 0 while queries are exact. Valid until the next build.
  const std::uint32_t* check_displacement(const Vec4* positions, float h);

  /// The same, as an answer for the host. Waits.
  bool displacement_exceeds(const Vec4* positions, float h);

  OccupancyStats occupancy() const;  ///< waits
  SearchStats stats() const;         ///< waits
  std::size_t memory_bytes() const;  ///< allocated beyond the particles

 private:
  Device device_;
  SearchSettings settings_;
  std::unique_ptr<SearchMethod> method_;
  std::unique_ptr<NeighborList> list_;
  /// Whether the skin still covers what queries of h ask for.
  bool still_exact(const Vec4* positions, int count, const Domain& domain, float h);
  bool lists_always() const { return settings_.list_always || settings_.skin > 0; }

  std::unique_ptr<CsrList> csr_list_;
  SearchView view_;
  SearchView method_view_;
  Domain domain_;
  bool kept_ = false;                 ///< the last build changed nothing
  std::uint64_t listed_version_ = 0;  ///< the build whose pairs are listed
  PeriodicWrap wrap_;
  float h_build_ = 0;
  int count_ = 0;
  std::uint64_t version_ = 0;
  Buffer<Vec4> built_positions_;
  Buffer<std::uint32_t> moved_too_far_;  ///< (1)
};

/// Particles with a coordinate that is NaN or infinite. Waits.
int count_non_finite(const Device& device, const Vec4* positions, int count);

}  // namespace riffle
