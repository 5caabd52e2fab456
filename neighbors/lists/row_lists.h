#pragma once
/// Neighbour lists of those queries that have neighbours, where most have none: a fluid's particles near a wall, and wall
/// particles in the fluid. CUDA only: on the CPU nothing is listed. Private to neighbors/.

#include "core/device/workspace.h"
#include "neighbors/lists/late_count.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

struct RowCounters;

class RowLists {
 public:
  explicit RowLists(const Device& device);

  /// Chooses the queries in whose cell the search of static sources has something near.
  void choose(const GridView& sources, const Vec4* queries, int count);
  /// Chooses the queries whose mark is not 0, and sets all marks to 0. marks: (count)
  void choose(std::uint8_t* marks, int count);

  /// Lists the sources of the chosen queries, and sets the mark of each source that is in a list. Waits the first time,
  /// when lists grow, and rarely to see whether they should. Without memory for lists the marks are set nevertheless,
  /// and the view's rows search the grid; the log says so once.
  /// marks: (sources), or nullptr
  /// exact: every chosen query has a list. Otherwise a few search the grid while numbers grow, and which ones they are
  /// depends on the timing of threads; their sums are rounded differently. Waits twice in each build.
  void list(const GridView& grid, const NeighborQuery& query, int sources, std::uint8_t* marks, bool exact = false);

  const RowView& view() const { return view_; }
  void forget();  ///< other particles have come
  std::size_t memory_bytes() const { return memory_.bytes(); }
  /// Approximate [bytes] for `rows` of so many queries.
  /// longest: neighbours of a query, but for few
  static double estimate(double queries, double rows, double longest);

 private:
  void begin(int count);
  void resize(int width, std::uint32_t rows);
  void fit(const GridView& grid, const NeighborQuery& query, int sources, std::uint8_t* marks, bool exact);
  void launch(const GridView& grid, const NeighborQuery& query, int sources, std::uint8_t* marks);
  RowCounters counters() const;  ///< waits
  const std::uint32_t* rows() const;

  Device device_;
  int width_ = 0;     ///< 0: no lists yet
  int capacity_ = 0;  ///< rows that there are lists for
  int launched_ = 0;  ///< rows that a launch has threads for; more are visited in turns
  int queries_ = 0;
  std::size_t least_pool_ = 0;  ///< [quads]
  bool short_of_memory_ = false;
  std::uint64_t builds_ = 0, next_look_ = 0;  ///< from which build on crowded lists are looked at
  RowView view_;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& query_ = memory_.make();     ///< (queries) RowView::query
  Buffer<ListQuad>& quads_ = memory_.make();          ///< ListView::quads
  Buffer<ListQuad>& pool_ = memory_.make();           ///< ListView::pool
  Buffer<std::uint32_t>& count_ = memory_.make();     ///< (capacity)
  Buffer<std::uint32_t>& counters_ = memory_.make();  ///< a RowCounters
  LateCount rows_known_, crowding_known_;
};

}  // namespace riffle
