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
#include <string_view>

#include "core/device/algorithms.h"
#include "core/device/buffer.h"
#include "core/math/domain.h"
#include "neighbors/kept_search.h"
#include "neighbors/search_settings.h"
#include "neighbors/search_stats.h"
#include "neighbors/search_view.h"

namespace riffle {

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
  /// with a non-finite position has no neighbours. With a skin, build() keeps the search and does nothing else while the
  /// number of particles is the same and no particle has moved so far that a query of h could miss one. Their order is
  /// then unchanged and wants_reorder() is false. The test runs on the device, so such a build waits. The skin is cut to
  /// the space that periodic axes leave.
  /// unmoved: so many positions, the first ones, stay as they are while builds have this number: all later builds in a row
  /// with the same number, domain and h have the same values there. A method may then sort them only once
  /// (`hoetzlein` does). The result is that of a build with 0. A build with another number, or forget(), ends the row.
  /// @throws InputError or Unavailable as make_grid() does.
  void build(const Vec4* positions, int count, const Domain& domain, float h, int unmoved = 0);

  /// Forgets what it keeps from build to build, and the last build: the next one gives what it would in a new search.
  /// Call it when places in the arrays have come to hold other particles. The memory stays.
  void forget();

  /// What it keeps from build to build, after the last build; empty where the next build depends on nothing but the
  /// particles. Waits.
  KeptSearch kept() const;

  /// In a new search: goes on as that of which `kept` is, so that sums over neighbours are added in the same order. The
  /// next build must be of the same domain and h. positions: (count) the present ones, in the same order.
  /// @return false: `kept` is not of such a search, and the next build gives what it gives in a new one
  bool restore(const KeptSearch& kept, const Vec4* positions, int count, const Domain& domain, float h);

  /// Optional, once the particles are in order(): lists the pairs within the build's radius, so that several traversals
  /// of the same positions need not search again. It lists where this pays (on CUDA), and always with a skin or
  /// `list_always`; otherwise it does nothing. The lists hold candidates, as a grid's cells do: later traversals stay
  /// exact under the contract above. Nothing is ever cut off: a few lists may be much longer than the others, and if
  /// there are many such, the next lists are all longer. Lists by another method than a grid fit all particles or are left out
  /// for this build. If memory is too short for lists, every traversal searches, and the log says so once.
  void list_neighbors(const Vec4* positions);

  /// Whether for_each_neighbor expects the particles in order(). Otherwise they keep the order they had at build.
  bool wants_reorder() const;

  /// (count) new position p holds the particle that was at order()[p] when build was called. Valid until the next
  /// build.
  const std::uint32_t* order() const;

  const Device& device() const { return device_; }
  const SearchSettings& settings() const { return settings_; }
  const SearchView& view() const { return view_; }                ///< the view that traversals of the particles use
  const SearchView& method_view() const { return method_view_; }  ///< the method's own, for external queries
  /// The structure of `rtnn`, "lbvh" or "optix"; "" for other methods. A build may change that of `auto`.
  std::string_view structure() const { return structure_of(method_view_); }
  const PeriodicWrap& wrap() const { return wrap_; }
  float build_radius() const { return h_build_; }
  int count() const { return count_; }
  std::uint64_t version() const {
    return version_;
  }  ///< grows with every build that a skin did not spare, and with forget()

  /// Tests whether a particle has moved so far since build that queries of radius h may miss a pair. Raises a flag on
  /// the device if twice a displacement reaches h_build - h, less an allowance for rounding, or if a position is no
  /// longer finite. Asynchronous.
  /// positions: (count), in the order the traversal expects. Needs settings().skin > 0.
  /// @return (1) on the device: 0 while queries are exact. Valid until the next build.
  const std::uint32_t* check_displacement(const Vec4* positions, float h);

  /// The same test, with the answer on the host. Waits.
  bool displacement_exceeds(const Vec4* positions, float h);

  OccupancyStats occupancy() const;  ///< waits
  SearchStats stats() const;         ///< waits
  ListStats list_stats() const;      ///< of the lists in use; waits
  std::size_t memory_bytes() const;  ///< allocated beyond the particles

 private:
  Device device_;
  SearchSettings settings_;
  std::unique_ptr<SearchMethod> method_;
  std::unique_ptr<NeighborList> list_;
  /// Whether the skin still covers queries of h.
  bool still_exact(const Vec4* positions, int count, const Domain& domain, float h);
  void list_rows(const Vec4* positions);
  void note_build(const Domain& domain, int count, float radius);
  bool keeps_order() const;
  bool lists_always() const { return settings_.list_always || settings_.skin > 0; }

  std::unique_ptr<CsrList> csr_list_;
  SearchView view_;
  SearchView method_view_;
  Domain domain_;
  bool kept_ = false;                 ///< the last build changed nothing
  std::uint64_t listed_version_ = 0;  ///< the build that the listed pairs belong to
  std::uint64_t builds_ = 0, list_builds_ = 0;
  bool short_of_rows_ = false;
  PeriodicWrap wrap_;
  float h_build_ = 0;
  int count_ = 0;
  std::uint64_t version_ = 0;
  Buffer<Vec4> built_positions_;
  Buffer<std::uint32_t> moved_too_far_;  ///< (1)
};

}  // namespace riffle
