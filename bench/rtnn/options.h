#pragma once
/// The command line of `riffle bench rtnn`.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/session.h"
#include "neighbors/points/point_structure.h"

namespace riffle::bench {

inline constexpr const char* kRtnnSweeps[] = {"none",  "radius",  "neighbors", "leaf",
                                              "width", "queries", "boxes",     "parts"};

struct RtnnBenchOptions : RowRuns {
  std::vector<std::string> clouds;  ///< names of cloud_kinds(), or files; none: three of the kinds
  std::int64_t count = 100000;      ///< points of generated clouds
  std::uint64_t seed = 1;
  bool drop_bad_points = false;         ///< in files, instead of refusing them
  double radius = 0;                    ///< 0: chosen so that a ball holds kRtnnMeanCount points on average
  int neighbors = 0;                    ///< K; 0: 32 of range search, 8 of nearest neighbours
  std::string search = "both";          ///< "range", "knn"
  std::string order = "both";           ///< of the points, and so of the queries: "shuffled", "file"
  std::string sweep = "none";           ///< what differs from table to table: one of kRtnnSweeps
  std::vector<std::string> structures;  ///< names of PointStructure, "all"; none: points
  int leaf = 0;                         ///< points per leaf; 0: the device's own
  DeviceRequest device = DeviceRequest::Auto;
  std::string csv, json;     ///< files; "-": standard output; "": none
  std::string command_line;  ///< as given, for the report

  bool sweeps(const char* what) const { return sweep == what; }
  std::vector<PointStructure> searched() const;  ///< of understood() options
  bool range() const { return search != "knn"; }
  bool knn() const { return search != "range"; }
  bool shuffled() const { return order != "file"; }
  bool in_order() const { return order == "file" || (order == "both" && sweep == "none"); }
};

void add_rtnn_bench_options(CLI::App& command, RtnnBenchOptions& options);

/// The options with the default clouds and structures if none are given. @throws InputError for options that do not fit together
RtnnBenchOptions understood(RtnnBenchOptions options);

}  // namespace riffle::bench
