#pragma once
/// Range search and nearest neighbours of a point cloud, as library calls (Zhu 2022, "RTNN: accelerating neighbor search
/// using hardware ray tracing"): a tree of boxes, and the paper's scheduling, partitioning and bundling of the queries.
///
///   PointSearch search(device);
///   search.build(points, count, 3);
///   search.range_search(queries, query_count, radius, 32, {}, matches);   // any 32 within the radius
///   search.knn(queries, query_count, 8, infinity, {}, matches);           // the 8 nearest
///
/// Distances are those of neighbors/separation.h, on open axes. A point at the query's place is a match like any other, so
/// that a query that is one of the points finds itself. What is not finite finds nothing and is found by nobody.

#include <cstdint>
#include <vector>

#include "core/timing/stage_timer.h"
#include "neighbors/points/megacells.h"
#include "neighbors/tree/lbvh.h"

namespace riffle {

/// In which order queries are worked on. Queries next to each other should ask near each other.
enum class QueryOrder {
  AsGiven,
  Morton,    ///< along the Morton curve
  FirstHit,  ///< the paper's: along it by the first leaf within reach; with no radius, by the nearest leaf
};

/// How far the K nearest of a query may be whose megacell holds K points.
enum class MegacellReach {
  Circumscribed,  ///< as far as the cube's corners: never too little
  EqualVolume,    ///< the paper's heuristic, a ball of the cube's volume. Approximate: it may miss some of the nearest
};

struct PointSearchSettings {
  QueryOrder order = QueryOrder::Morton;
  /// Queries are parted by the size of the cube of cells that holds K points (Zhu 2022, section 5.1), each part is searched
  /// no farther than its cubes need. Waits.
  bool partition = false;
  /// Parts are put together where another launch costs more than the narrower search saves (section 5.2). What both cost
  /// is measured once per process.
  bool bundle = false;
  std::size_t grid_memory = std::size_t{1} << 30;  ///< [bytes] for the cells of `partition`, at most

  bool count = false;  ///< of range_search: PointMatches::count. The whole ball is searched for it

  // Approximations (sections 5.1 and 8). What they find is within the stated distance, but it may not be all.
  MegacellReach reach = MegacellReach::Circumscribed;  ///< of knn with `partition`
  bool sphere_test = true;  ///< of range_search; false: a point counts whose box of half-width r holds the query, up to
                            ///< sqrt(3) r away
  float box_scale = 1;      ///< of range_search, 0 < scale <= 1: boxes of half-width scale * r; fewer are found

  bool approximate() const { return reach != MegacellReach::Circumscribed || !sphere_test || box_scale != 1; }
};

/// Row-major: those of query q are the entries q * capacity .. (q + 1) * capacity - 1, the places left over -1 and infinity.
struct PointMatches {
  explicit PointMatches(const Device& device) : index(device), distance(device), count(device) {}
  int capacity = 0;             ///< K
  Buffer<std::int32_t> index;   ///< (queries * capacity) of the caller's points
  Buffer<float> distance;       ///< (queries * capacity)
  Buffer<std::uint32_t> count;  ///< (queries) all there are within the radius; empty unless asked for
};

/// Queries that were searched together.
struct SearchPart {
  std::int64_t queries = 0;
  double reach = 0;  ///< how far they were searched; infinity: everywhere
};

class PointSearch {
 public:
  /// @param leaf_size  points per leaf of the tree, as of Lbvh
  explicit PointSearch(const Device& device, int leaf_size = 0);

  /// points: (count) on the device; in 2-D z is 0. They are copied.
  /// @throws InputError for a negative count or a dimension other than 2 and 3
  void build(const Vec4* points, int count, int dimension);

  /// Any K points with |x_q - x_p| < radius, or all if there are fewer; in no particular order, the same in every run.
  /// queries: (query_count) on the device.
  /// @throws InputError for a radius below 0 or NaN, a K below 1, or settings out of range
  void range_search(const Vec4* queries, int query_count, float radius, int capacity,
                    const PointSearchSettings& settings, PointMatches& matches);

  /// The K nearest points with |x_q - x_p| < radius, which may be infinite, in ascending order of squared distance and where
  /// that is equal of index; fewer if there are fewer.
  void knn(const Vec4* queries, int query_count, int capacity, float radius, const PointSearchSettings& settings,
           PointMatches& matches);

  /// From now on the stages that Zhu 2022 tells apart (figure 12) are timed: "bvh" by build; "first search" (the pass that
  /// FirstHit sorts by), "opt" (sorting, partitioning and bundling queries) and "search" by the searches, where there is
  /// such a stage. The timer outlives this or nullptr is given: no more.
  void time_stages(StageTimer* timer) { timer_ = timer; }

  const std::vector<SearchPart>& parts() const { return parts_; }  ///< of the last search
  int count() const { return tree_.count(); }
  std::size_t memory_bytes() const;

 private:
  struct Request;
  void check(const Request& request) const;
  void prepare(const Request& request, PointMatches& matches) const;
  void schedule(const Request& request);
  void partition(const Request& request);
  template <class Kernel>
  void launch_parts(const char* name, Kernel kernel) const;

  Device device_;
  StageTimer* timer_ = nullptr;
  int dimension_ = 3;
  Lbvh tree_;
  Megacells cells_;
  MortonOrder query_codes_;
  Workspace memory_{device_};
  Buffer<Vec4>& sorted_ = memory_.make();                  ///< (count) points in the tree's order
  Buffer<std::uint32_t>& hit_ = memory_.make();            ///< (queries)
  Buffer<std::uint32_t>& sorted_hit_ = memory_.make();     ///< (queries)
  Buffer<std::uint32_t>& index_ = memory_.make();          ///< (queries)
  Buffer<std::uint32_t>& scheduled_ = memory_.make();      ///< (queries)
  Buffer<std::uint32_t>& width_of_ = memory_.make();       ///< (queries)
  Buffer<std::uint32_t>& part_of_ = memory_.make();        ///< (queries)
  Buffer<std::uint32_t>& sorted_part_ = memory_.make();    ///< (queries)
  Buffer<std::uint32_t>& parted_ = memory_.make();         ///< (queries)
  Buffer<std::uint32_t>& histogram_ = memory_.make();      ///< (widths + 1)
  Buffer<std::uint32_t>& part_of_width_ = memory_.make();  ///< (widths + 1)
  ScratchMemory& scratch_ = memory_.make();
  const std::uint32_t* query_order_ = nullptr;  ///< (queries); nullptr: as given
  std::vector<SearchPart> parts_;
};

}  // namespace riffle
