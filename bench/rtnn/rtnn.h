#pragma once
/// The measurements of `riffle bench rtnn` and their results.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/rtnn/line_fit.h"
#include "bench/rtnn/options.h"
#include "neighbors/audit/measure_search.h"
#include "neighbors/points/grid_search.h"
#include "neighbors/points/point_costs.h"
#include "neighbors/points/point_oracle.h"
#include "neighbors/points/point_search.h"

namespace riffle::bench {

struct RtnnCloud {
  std::string name;  ///< "lidar", or a file's
  std::string text;  ///< description for people
  std::vector<Vec4> points;
  std::int64_t dropped = 0;  ///< of a file
  std::string first_dropped;
  double origin[3] = {0, 0, 0};  ///< was subtracted from every point
};

enum class RtnnTask {
  Range,  ///< any K points of each ball
  Knn,    ///< the K nearest of each ball
  Count,  ///< the number of points in each ball, by the contract of simulations, so that a grid can be compared
};
std::string to_string(RtnnTask task);  ///< "range", "knn", "count"

/// A variant of the search.
struct RtnnVariant {
  std::string name;
  PointSearchSettings settings;
  std::string approximation;             ///< how its results differ from the exact ones; "": they do not
  std::optional<NeighborMethod> method;  ///< of Count
  bool grid = false;                     ///< a GridSearch in place of a tree: of Range and Knn
  bool oracle = false;                   ///< its bundles are those that measuring finds the best
};

/// Rows that are compared with one another.
struct RtnnCase {
  const RtnnCloud* cloud = nullptr;
  std::string input;  ///< the order of the queries: "shuffled", "in order", "raster", "random"
  PointStructure structure = PointStructure::Points;
  RtnnTask task = RtnnTask::Range;
  float radius = 0;
  int neighbors = 0;  ///< K; 0 of Count
  int leaf = 0;       ///< points per leaf; 0: the device's own
  std::string sweep;  ///< what differs from case to case: one of kRtnnSweeps; "": nothing
  std::vector<RtnnVariant> variants;
};

enum class RtnnState { Exact, Approximate, Wrong, Refused, LeftOut };
std::string to_string(RtnnState state);  ///< "ok", "approximate", "WRONG", "refused", "left out"

struct RtnnRow {
  std::string cloud, input, structure, sweep, variant, approximation, note;
  RtnnTask task = RtnnTask::Range;
  RtnnState state = RtnnState::Exact;
  bool fastest = false;  ///< among the exact rows
  std::int64_t points = 0, queries = 0;
  double radius = 0, ball_mean = 0;  ///< points per ball, including the query, over the checked queries
  int neighbors = 0, leaf = 0;
  /// [ms]; median -1 if there is no such stage. For Count: opt gathers the points, bvh builds the structure.
  Spread data, opt, bvh, first_search, search, total;
  int runs = 0;
  double speed_up = -1;           ///< NoOpt's total divided by this one's; -1 without NoOpt
  std::vector<SearchPart> parts;  ///< sets of queries that were searched one after the other, the narrowest first
  double calls_mean = -1;         ///< per query: points tested; in a structure of boxes, calls of the IS program
  std::int64_t calls = -1;        ///< of all queries
  double nodes_mean = -1;         ///< per query: nodes of the tree tested; -1 where they are not counted
  double found_mean = -1;         ///< per checked query
  double recall = -1;             ///< fraction of the correct points that were found
  double precision = -1;          ///< fraction of the found points that are correct
  std::int64_t structure_bytes = -1, result_bytes = -1;
  std::uint64_t compared = 0, wrong = 0;  ///< queries

  bool measured() const { return state != RtnnState::Refused && state != RtnnState::LeftOut; }
};

/// What a tree of boxes takes over their number: figure 15 of the paper.
struct RtnnBuildFit {
  std::string cloud, structure;
  LineFit line;  ///< [ms] over boxes
};

/// The constants of the cost model.
struct RtnnCosts {
  PointStructure structure;
  BoxCosts costs;
};

struct RtnnReport : BenchSession {
  std::vector<RtnnCloud> clouds;  ///< without their points
  std::vector<std::int64_t> cloud_points;
  std::vector<RtnnRow> rows;
  std::vector<RtnnBuildFit> fits;
  std::vector<RtnnCosts> costs;  ///< of the structures of boxes whose bundles were chosen

  bool wrong() const;  ///< any row
};

/// Mean number of points in a ball when no radius is given.
inline constexpr double kRtnnMeanCount = 64;
inline constexpr int kRtnnChecked = 1024;  ///< queries of each case whose answers are compared with what is there
inline constexpr int kRtnnWarmUp = 3;

/// A cloud, the queries to it, and the exact neighbours that its rows are compared with.
class RtnnInput {
 public:
  /// Every point is a query.
  RtnnInput(std::vector<Vec4> points, std::uint64_t seed);
  /// sorted: the same points, filled by the first input that needs it, for inputs with the same points to share
  RtnnInput(std::vector<Vec4> points, std::vector<Vec4> queries, std::uint64_t seed,
            std::shared_ptr<PointsByX> sorted = std::make_shared<PointsByX>());

  const std::vector<Vec4>& points() const { return points_; }
  const std::vector<Vec4>& queries() const { return own_queries_ ? queries_ : points_; }
  bool own_queries() const { return own_queries_; }                       ///< they are not the points
  const std::vector<std::uint32_t>& checked() const { return checked_; }  ///< queries, ascending

  /// (checked) the points within the radius of each, with at least `nearest` of the nearest ones. The last result is
  /// kept while the radius stays the same and `nearest` is usual.
  const std::vector<PointsWithin>& within(float radius, int nearest);

 private:
  std::vector<Vec4> points_, queries_;
  std::shared_ptr<PointsByX> sorted_;
  bool own_queries_ = false;
  std::vector<std::uint32_t> checked_;
  float radius_ = -1;
  std::size_t kept_ = 0;
  std::vector<PointsWithin> within_;
};

/// The points, or the first `count` of them, in an order that a seed determines.
std::vector<Vec4> shuffled_points(std::vector<Vec4> points, std::size_t count, std::uint64_t seed);

/// A query in each of per_axis^3 cells that divide the box round the points, in the order of the cells, x first.
std::vector<Vec4> raster_queries(const std::vector<Vec4>& points, int per_axis, std::uint64_t seed);

/// A row for each variant of the case; fewer when interrupted(). input: the case's cloud in the case's order. before: rows of
/// earlier cases, by which those are left out that would take too long (bench/rtnn/row_times.h).
std::vector<RtnnRow> measure_case(const Device& device, const RtnnCase& one, RtnnInput& input,
                                  const RtnnBenchOptions& options, const std::vector<RtnnRow>& before);

/// The variants that a sweep compares; without one ("") all, the approximate ones and the oracle's too.
std::vector<RtnnVariant> rtnn_variants(RtnnTask task, PointStructure structure, const std::string& sweep);

/// For each cloud and structure of a sweep over boxes, the line through the times of its trees.
std::vector<RtnnBuildFit> build_fits(const std::vector<RtnnRow>& rows);

std::string rtnn_head_text(const BenchSession& session, const std::vector<RtnnCloud>& clouds);
/// A table for each case. rows: of whole cases
std::string rtnn_tables_text(std::span<const RtnnRow> rows);
std::string rtnn_end_text(const RtnnReport& report);
std::string rtnn_csv(const RtnnReport& report);
nlohmann::ordered_json to_json(const RtnnReport& report);

}  // namespace riffle::bench
