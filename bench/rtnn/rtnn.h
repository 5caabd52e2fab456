#pragma once
/// The measurements of `riffle bench rtnn` and their results.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/rtnn/options.h"
#include "neighbors/audit/measure_search.h"
#include "neighbors/points/grid_search.h"
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
};

/// Rows that are compared with one another.
struct RtnnCase {
  const RtnnCloud* cloud = nullptr;
  bool shuffled = true;
  RtnnTask task = RtnnTask::Range;
  float radius = 0;
  int neighbors = 0;  ///< K; 0 of Count
  int leaf = 0;       ///< points per leaf; 0: the device's own
  std::string sweep;  ///< what differs from case to case: "radius", "neighbors", "leaf"; "": nothing
  std::vector<RtnnVariant> variants;
};

enum class RtnnState { Exact, Approximate, Wrong, Refused };
std::string to_string(RtnnState state);  ///< "ok", "approximate", "WRONG", "refused"

struct RtnnRow {
  std::string cloud, input, sweep, variant, approximation, note;
  RtnnTask task = RtnnTask::Range;
  RtnnState state = RtnnState::Exact;
  bool fastest = false;  ///< among the exact rows
  std::int64_t points = 0;
  double radius = 0, ball_mean = 0;  ///< points per ball, including the query, over the checked queries
  int neighbors = 0, leaf = 0;
  /// [ms]; median -1 if there is no such stage. For Count: opt gathers the points, bvh builds the structure.
  Spread data, opt, bvh, first_search, search, total;
  int runs = 0;
  double speed_up = -1;    ///< NoOpt's total divided by this one's; -1 without NoOpt
  int parts = 0;           ///< sets of queries that were searched one after the other
  double found_mean = -1;  ///< per checked query
  double recall = -1;      ///< fraction of the correct points that were found
  double precision = -1;   ///< fraction of the found points that are correct
  std::int64_t structure_bytes = -1, result_bytes = -1;
  std::uint64_t compared = 0, wrong = 0;  ///< queries

  bool measured() const { return state != RtnnState::Refused; }
};

struct RtnnReport : BenchSession {
  std::vector<RtnnCloud> clouds;  ///< without their points
  std::vector<std::int64_t> cloud_points;
  std::vector<RtnnRow> rows;

  bool wrong() const;  ///< any row
};

/// Mean number of points in a ball when no radius is given.
inline constexpr double kRtnnMeanCount = 64;
inline constexpr int kRtnnChecked = 1024;  ///< queries of each case that are compared with every point
inline constexpr int kRtnnWarmUp = 3;

/// A cloud in one order, and the exact neighbours that its rows are compared with.
class RtnnInput {
 public:
  RtnnInput(const RtnnCloud& cloud, bool shuffled, std::uint64_t seed);

  const std::vector<Vec4>& points() const { return points_; }
  const std::vector<std::uint32_t>& checked() const { return checked_; }  ///< queries, ascending

  /// (checked) the points within the radius of each, with at least `nearest` of the nearest ones. The last result is
  /// kept while the radius stays the same and `nearest` is usual.
  const std::vector<PointsWithin>& within(float radius, int nearest);

 private:
  std::vector<Vec4> points_;
  std::vector<std::uint32_t> checked_;
  float radius_ = -1;
  std::size_t kept_ = 0;
  std::vector<PointsWithin> within_;
};

/// A row for each variant of the case; fewer when interrupted(). input: the case's cloud in the case's order.
std::vector<RtnnRow> measure_case(const Device& device, const RtnnCase& one, RtnnInput& input,
                                  const RtnnBenchOptions& options);

/// The exact variants and, with `approximations`, the approximate ones.
std::vector<RtnnVariant> rtnn_variants(RtnnTask task, bool approximations);

std::string rtnn_text(const RtnnReport& report);
std::string rtnn_csv(const RtnnReport& report);
nlohmann::ordered_json to_json(const RtnnReport& report);

}  // namespace riffle::bench
