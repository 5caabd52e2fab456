#pragma once
/// Neighbour lists of one step, with a length that follows the particles. Private to neighbors/.

#include "core/device/workspace.h"
#include "core/read_once.h"
#include "neighbors/lists/late_count.h"
#include "neighbors/query.h"
#include "neighbors/search_memory.h"
#include "neighbors/search_stats.h"
#include "neighbors/search_view.h"

namespace riffle {

class NeighborSearch;
struct ListCounters;

class NeighborList {
 public:
  explicit NeighborList(const Device& device);

  /// Lists the neighbours of every query particle. Returns false if memory is too short for them, then and until
  /// forget(). Waits the first time, when lists grow, and rarely to see whether they should. A particle with very many
  /// neighbours has its list in a pool, so that it does not lengthen all others.
  /// exact: every particle has a list. Otherwise a few search the grid while numbers grow, and which ones they are
  /// depends on the timing of threads; their sums are rounded differently. Waits in each build.
  bool build(const GridView& grid, const NeighborQuery& query, bool exact = false);

  /// The same by the search's own traversal. Waits for the longest list each time. Returns false also if few particles
  /// have very many neighbours: lists of their length would take too much memory.
  bool build(const NeighborSearch& search, const Vec4* positions);

  /// Other particles have come: what was crowded or too large for the memory need not be so now.
  void forget();

  /// grid: of the search; none if the lists are by a search's own traversal
  ListView view(const GridView& grid = {}) const { return {grid, quads_.data(), count_.data(), width_, pool_.data()}; }
  ListStats stats() const;  ///< waits
  /// The same, but waits only once for each number: the window asks ten times a second, also while nothing is built.
  /// @param build number of the build that made the lists
  const ListStats& stats_of_build(std::uint64_t build) const {
    return stats_.of(build, [this] { return stats(); });
  }
  /// Approximate [bytes] of lists of such particles.
  static double estimate(const SearchLoad& load);
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  template <class Make>
  bool if_memory_suffices(const Make& make);
  void build_lists(const GridView& grid, const NeighborQuery& query, bool exact);
  bool build_lists(const NeighborSearch& search, const Vec4* positions);
  void launch(const GridView& grid, const NeighborQuery& query, std::uint32_t few);
  void resize(int width, int particles);
  int fitting_width(int particles, std::uint32_t longest);  ///< for the lists just counted; waits
  ListCounters counters() const;                            ///< waits

  Device device_;
  int width_ = 0;  ///< 0: no lists yet
  bool short_of_memory_ = false;
  std::size_t least_pool_ = 0;                ///< [quads]
  std::uint64_t builds_ = 0, next_look_ = 0;  ///< from which build on crowded lists are looked at
  Workspace memory_{device_};
  Buffer<ListQuad>& quads_ = memory_.make();          ///< ListView::quads
  Buffer<ListQuad>& pool_ = memory_.make();           ///< ListView::pool
  Buffer<std::uint32_t>& count_ = memory_.make();     ///< (count)
  Buffer<std::uint32_t>& counters_ = memory_.make();  ///< a ListCounters
  LateCount crowding_known_;
  mutable ReadOnce<ListStats> stats_;  ///< by the number of the build
};

}  // namespace riffle
