#pragma once
/// Range search and nearest neighbours of a point cloud by a grid of cells, with the calls and the promises of
/// PointSearch: what a tree of boxes is compared with, and the faster of both where points are spread evenly.
///
///   GridSearch search(device);
///   search.build(points, count, 3);
///   search.range_search(queries, query_count, radius, 32, {}, matches);   // any 32 within the radius
///   search.knn(queries, query_count, 8, infinity, {}, matches);           // the 8 nearest
///
/// Cells have levels, each twice as wide as the one before. A search takes the level that suits its radius or its K, and
/// looks its cells up in a table of that level. A query's rings of cells are searched until the K-th point is nearer than
/// the next ring. A query that has not ended after kMostRings of them, because it is in an empty part of the cloud or far
/// outside, walks over the sorted cells instead, and skips all that are too far away at once, whatever their number.

#include <cstdint>
#include <vector>

#include "core/timing/stage_timer.h"
#include "neighbors/points/point_cells.h"
#include "neighbors/points/point_search.h"

namespace riffle {

struct PointGridView;

/// An occupied cell, in a table.
struct alignas(16) PointCellEntry {
  std::uint32_t begin, end;  ///< its points in the sorted order; equal: the entry is empty
  std::uint32_t code_low, code_high;
};

/// Points sorted by Morton codes, which need several words.
class PointCellOrder {
 public:
  explicit PointCellOrder(const Device& device) : memory_(device), device_(device) {}

  /// Sorts by the code of the cell on a level. Stable; what is not finite comes last.
  void sort(const Vec4* points, int count, const PointCells& cells, int level);
  /// The order in which they are given.
  void keep(int count);
  const std::uint32_t* order() const { return order_.data(); }  ///< (count)
  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  Workspace memory_;
  Device device_;
  Buffer<std::uint32_t>& low_ = memory_.make();     ///< (count) codes' low words
  Buffer<std::uint32_t>& high_ = memory_.make();    ///< (count) high words, if there are any
  Buffer<std::uint32_t>& sorted_ = memory_.make();  ///< (count)
  Buffer<std::uint32_t>& index_ = memory_.make();   ///< (count)
  Buffer<std::uint32_t>& order_ = memory_.make();   ///< (count)
  ScratchMemory& scratch_ = memory_.make();
};

class GridSearch {
 public:
  static constexpr int kMostRings = 3;

  explicit GridSearch(const Device& device);

  /// points: (count) on the device; in 2-D z is 0. They are copied. Waits.
  /// @param cell_edge  of the finest cells [length]; 0: found from the points' density, whatever the box. Affects only
  ///                   speed. The radius of the searches is best. At most 2^21 cells lie along an axis: wider ones are
  ///                   made if there would be more
  /// @throws InputError for a negative count, a dimension other than 2 and 3, or an edge below 0 or not finite
  void build(const Vec4* points, int count, int dimension, float cell_edge = 0);

  /// Any K points with |x_q - x_p| < radius, or all if there are fewer; in no particular order, the same in every run.
  /// queries: (query_count) on the device. Of the settings, `order` AsGiven and Morton, and `count`, have a meaning.
  /// @throws InputError for a radius below 0 or NaN, a K below 1, or settings of a tree
  void range_search(const Vec4* queries, int query_count, float radius, int capacity,
                    const PointSearchSettings& settings, PointMatches& matches);

  /// The K nearest points with |x_q - x_p| < radius, which may be infinite, in ascending order of squared distance and,
  /// at equal distance, of index; fewer if there are fewer.
  void knn(const Vec4* queries, int query_count, int capacity, float radius, const PointSearchSettings& settings,
           PointMatches& matches);

  /// Times the stages from now on, under the names of PointSearch: build and the tables that searches make record
  /// "bvh"; searches record "opt" (sorting queries by cell), if they do that, and "search".
  void time_stages(StageTimer* timer) { timer_ = timer; }

  int count() const { return count_; }
  /// [length] of the cells of the last search; before it, of the finest.
  double cell_edge() const;
  /// Queries of the last knn() that its rings did not answer. Waits.
  std::int64_t walked() const;
  /// At most 110 bytes per point and 25 per query, and what sorting takes: a table has at most 4 entries of 16 bytes per
  /// point, however empty the box is.
  std::size_t memory_bytes() const;

 private:
  struct Request;
  void check(const Request& request) const;
  void prepare(const Request& request, PointMatches& matches) const;
  void order_queries(const Request& request);
  int level_for_radius(float radius) const;
  int level_for_nearest(int capacity) const;
  void make_table(int level);
  PointGridView view() const;

  Device device_;
  StageTimer* timer_ = nullptr;
  int count_ = 0;
  int finite_ = 0;  ///< points that are; they come first in the order
  PointCells cells_;
  std::vector<std::uint32_t> occupied_;  ///< (bits + 1) occupied cells of each level
  int level_ = -1;                       ///< of the table; -1: none
  bool direct_ = false;                  ///< the table has an entry for every cell, and no codes are compared
  PointCellOrder points_order_, query_order_;
  Workspace memory_{device_};
  Buffer<FinitePoints>& found_ = memory_.make();          ///< (1)
  Buffer<FinitePoints>& partial_ = memory_.make();        ///< for a reduction
  Buffer<Vec4>& sorted_ = memory_.make();                 ///< (count)
  Buffer<std::uint64_t>& code_ = memory_.make();          ///< (count) of finest cells, ascending
  Buffer<std::uint32_t>& steps_ = memory_.make();         ///< (22) adjacent points by the level on which they part
  Buffer<PointCellEntry>& table_ = memory_.make();        ///< (entries)
  Buffer<std::uint8_t>& left_ = memory_.make();           ///< (queries) 1: not answered yet
  Buffer<std::uint32_t>& walkers_ = memory_.make();       ///< (queries)
  Buffer<std::uint32_t>& walker_count_ = memory_.make();  ///< (1)
  ScratchMemory& scratch_ = memory_.make();
};

}  // namespace riffle
