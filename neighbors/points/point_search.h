#pragma once
/// Range search and nearest neighbours of a point cloud, as library calls (Zhu 2022, "RTNN: accelerating neighbor
/// search using hardware ray tracing"): a tree of boxes, and the paper's scheduling, partitioning and bundling.
///
///   PointSearch search(device);
///   search.build(points, count, 3);
///   search.range_search(queries, query_count, radius, 32, {}, matches);   // any 32 within the radius
///   search.knn(queries, query_count, 8, infinity, {}, matches);           // the 8 nearest
///
/// Distances are those of neighbors/separation.h, on open axes. A point at the query's place is a match like any other:
/// a query that is one of the points finds itself. What is not finite finds nothing and is never found.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/timing/stage_timer.h"
#include "neighbors/points/megacells.h"
#include "neighbors/points/point_structure.h"
#include "neighbors/points/query_bundles.h"
#include "neighbors/tree/lbvh.h"

namespace riffle {

/// The order in which queries are processed. Adjacent queries should search adjacent places.
enum class QueryOrder {
  AsGiven,
  Morton,    ///< along the Morton curve
  FirstHit,  ///< the paper's: along it by the first leaf within reach; with no radius, by the nearest leaf
};

/// How far away the K nearest points of a query may be if its megacell holds K points.
enum class MegacellReach {
  Circumscribed,  ///< as far as the cube's corners: always enough
  EqualVolume,    ///< the paper's heuristic, a ball of the cube's volume. Approximate: it may miss some of the nearest
};

struct PointSearchSettings {
  PointStructure structure = PointStructure::Points;
  QueryOrder order = QueryOrder::Morton;
  /// Partitions the queries by the size of the cube of cells that holds K points (Zhu 2022, section 5.1), and searches
  /// each part no farther than its cubes need. Waits.
  bool partition = false;
  /// Joins parts where another one costs more than its narrower search saves (section 5.2). Both costs are measured once
  /// per process.
  bool bundle = false;
  /// With `partition`, in place of `bundle`: for each of partitions(), any number that those of its bundle share.
  std::vector<int> bundles{};
  std::size_t grid_memory = std::size_t{1} << 30;  ///< [bytes] for the cells of `partition`, at most

  bool count = false;  ///< of range_search: fills PointMatches::count, which requires searching the whole ball. With
                       ///< Optix the tree of the points counts: a ray may meet a box twice

  // Approximations (sections 5.1 and 8). Found points are within the stated distance, but some may be missing.
  MegacellReach reach = MegacellReach::Circumscribed;  ///< of knn with `partition`
  bool sphere_test = true;  ///< of range_search; false: a point counts whose box of half-width r holds the query, up to
                            ///< sqrt(3) r away
  float box_scale = 1;      ///< of range_search, 0 < scale <= 1: boxes of half-width scale * r; fewer are found

  bool approximate() const { return reach != MegacellReach::Circumscribed || !sphere_test || box_scale != 1; }
};

/// Row-major: query q has the entries q * capacity .. (q + 1) * capacity - 1; unused ones hold -1 and infinity.
struct PointMatches {
  explicit PointMatches(const Device& device) : index(device), distance(device), count(device) {}
  int capacity = 0;             ///< K
  Buffer<std::int32_t> index;   ///< (queries * capacity) of the caller's points
  Buffer<float> distance;       ///< (queries * capacity)
  Buffer<std::uint32_t> count;  ///< (queries) number of points within the radius; empty unless requested
};

/// Queries that were searched together.
struct SearchPart {
  std::int64_t queries = 0;
  double reach = 0;    ///< how far they were searched; infinity: everywhere
  double box = 0;      ///< half-width of the points' boxes that hold all they need; infinity: everywhere
  bool sphere = true;  ///< whether a point in such a box may be out of range
};

/// What each query cost. Other structures than a tree of this program leave `nodes` empty.
struct SearchCounts {
  explicit SearchCounts(const Device& device) : calls(device), nodes(device) {}
  /// (queries) points tested: in a structure of boxes, the calls of the paper's IS program. Of PointSearch::met_twice(), only
  /// those of their rays
  Buffer<std::uint32_t> calls;
  Buffer<std::uint32_t> nodes;  ///< (queries) nodes of the tree tested, leaves included
};

struct PartsSearch;
class OptixPoints;
class PointBoxes;

class PointSearch {
 public:
  /// @param leaf_size  points per leaf of the tree, as of Lbvh
  explicit PointSearch(const Device& device, int leaf_size = 0);
  ~PointSearch();

  /// points: (count) on the device; in 2-D z is 0. They are copied.
  /// @throws InputError for a negative count or a dimension other than 2 and 3
  void build(const Vec4* points, int count, int dimension);

  /// Any K points with |x_q - x_p| < radius, or all if there are fewer; in no particular order, the same in every run; by OptiX,
  /// which of more than K are found may differ from run to run.
  /// queries: (query_count) on the device.
  /// @throws InputError for a radius below 0 or NaN, a K below 1, or settings out of range
  void range_search(const Vec4* queries, int query_count, float radius, int capacity,
                    const PointSearchSettings& settings, PointMatches& matches);

  /// The K nearest points with |x_q - x_p| < radius, which may be infinite, in ascending order of squared distance and,
  /// at equal distance, of index; fewer if there are fewer.
  void knn(const Vec4* queries, int query_count, int capacity, float radius, const PointSearchSettings& settings,
           PointMatches& matches);

  /// Times the stages that Zhu 2022 distinguishes (figure 12) from now on: build records "bvh"; searches record "first
  /// search" (the pass that FirstHit sorts by), "opt" (sorting, partitioning and bundling queries), "search" and "count"
  /// (PointSearchSettings::count with Optix; otherwise the search counts), if they have such a stage. The timer must outlive this object or the next call with nullptr, which ends the timing.
  void time_stages(StageTimer* timer) { timer_ = timer; }

  /// Counts what the queries of each search cost from now on; nullptr ends the counting, which slows a search down. The
  /// pass that FirstHit sorts by is not counted. The counts must outlive this object or the next call.
  void count_work(SearchCounts* counts) { counts_ = counts; }

  const std::vector<SearchPart>& parts() const { return parts_; }  ///< of the last search
  /// What the last search had to bundle, the narrowest first; none if it was not to be partitioned.
  const std::vector<QueryPartition>& partitions() const { return partitions_; }
  /// (queries of the last search) the partition of each; empty without partitions. Waits.
  std::vector<std::uint32_t> partition_of_queries() const;
  /// Queries of the last search with Optix that met a point twice, so that the tree of the points answered them; only knn()
  /// of more than 15 points has any.
  std::int64_t met_twice() const { return met_twice_; }
  int count() const { return tree_.count(); }
  std::size_t memory_bytes() const;

 private:
  struct Request;
  void check(const Request& request) const;
  void prepare(const Request& request, PointMatches& matches) const;
  void schedule(const Request& request);
  void partition(const Request& request);
  double reach_of(const Request& request, int width) const;
  std::vector<std::uint32_t> count_widths(const Request& request);
  bool needs_finer_cells(const Request& request) const;
  static double whole_box(const Request& request);
  std::vector<int> bundles(const Request& request) const;
  void fit_boxes(const Request& request);
  void search(const Request& request, PointMatches& matches);
  int find_first_hits(const Request& request);
  void search_parts(const PartsSearch& search);
  OptixPoints& by_optix(double narrowest);

  Device device_;
  StageTimer* timer_ = nullptr;
  SearchCounts* counts_ = nullptr;
  int dimension_ = 3;
  Lbvh tree_;
  std::unique_ptr<PointBoxes> boxes_;
  Megacells cells_;
  MortonOrder query_codes_;
  Workspace memory_{device_};
  Buffer<Vec4>& sorted_ = memory_.make();                      ///< (count) points in the tree's order
  Buffer<std::uint32_t>& hit_ = memory_.make();                ///< (queries)
  Buffer<std::uint32_t>& sorted_hit_ = memory_.make();         ///< (queries)
  Buffer<std::uint32_t>& index_ = memory_.make();              ///< (queries)
  Buffer<std::uint32_t>& scheduled_ = memory_.make();          ///< (queries)
  Buffer<std::uint32_t>& width_of_ = memory_.make();           ///< (queries)
  Buffer<std::uint32_t>& part_of_ = memory_.make();            ///< (queries)
  Buffer<std::uint32_t>& sorted_part_ = memory_.make();        ///< (queries)
  Buffer<std::uint32_t>& parted_ = memory_.make();             ///< (queries)
  Buffer<std::uint32_t>& histogram_ = memory_.make();          ///< (widths + 1)
  Buffer<std::uint32_t>& part_of_width_ = memory_.make();      ///< (widths + 1)
  Buffer<std::uint32_t>& met_twice_queries_ = memory_.make();  ///< (1 + queries) PointLaunch::met_twice
  ScratchMemory& scratch_ = memory_.make();
  const std::uint32_t* query_order_ = nullptr;  ///< (queries); nullptr: the given order
  std::vector<QueryPartition> partitions_;
  std::vector<std::uint32_t> partition_of_width_;  ///< (widths + 1)
  std::vector<SearchPart> parts_;
  std::int64_t met_twice_ = 0;
  bool said_met_twice_ = false;         ///< in the log, once for all searches
  std::unique_ptr<OptixPoints> optix_;  ///< made by the first search in it
  bool optix_has_points_ = false;       ///< those of the last build
  double optix_farthest_ = 0;           ///< their largest coordinate, without its sign
};

}  // namespace riffle
