#pragma once
/// The measurements of `riffle bench neighbors` and their results.

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/neighbor_options.h"
#include "bench/particle_clouds.h"
#include "neighbors/audit/measure_search.h"
#include "neighbors/lists/double_pairs.h"

namespace riffle::bench {

/// A variant of a search: a method and its settings.
struct BenchVariant {
  std::string label;  ///< "hoetzlein", "fenns 18^3"
  SearchSettings settings;
  TileSums sums = TileSums::Gather;  ///< of `fenns`
  bool rebuild = false;              ///< the search is first built on the particles' places before they moved
};

/// A figure of a paper or another code. Times [ms]; negative: not given.
struct PublishedFigure {
  std::string label;   ///< "Hoetzlein", "green-full"
  std::string source;  ///< "FENNS paper, GTX 1080 Ti"
  double build_ms = -1, query_ms = -1, total_ms = -1;
  std::int64_t memory_bytes = -1;
  double neighbors = -1;
};

/// Rows that are compared with one another: one cloud, every method.
struct BenchGroup {
  std::string scenario;  ///< "fenns1"
  std::string table;     ///< the same for the groups of one plot: "r = 0.5"
  std::string sweep;     ///< what differs within such a table: "particles", "particles moved"; "": nothing
  double value = 0;      ///< the value of that parameter
  std::int64_t particles = 0;
  CloudOrder order = CloudOrder::Shuffled;
  bool builds_only = false;  ///< the fastest row is the one with the fastest build: the source timed nothing else
  std::function<BenchCloud()> make;
  std::function<std::vector<DoublePoint>()>
      make_doubles;  ///< the same particles in double precision; empty: not wanted
  std::vector<BenchVariant> variants;
  std::vector<PublishedFigure> published;
};

enum class RowState {
  Measured,
  Wrong,      ///< measured, but the neighbours were wrong
  Refused,    ///< the search refused these particles
  LeftOut,    ///< larger than --max-particles
  Published,  ///< a figure of a paper or another code
};
inline constexpr RowState kRowStates[] = {RowState::Measured, RowState::Wrong, RowState::Refused, RowState::LeftOut,
                                          RowState::Published};
std::string to_string(RowState state);  ///< "ok", "WRONG", "refused", "left out", "published"
std::optional<RowState> row_state_from(const std::string& name);

struct BenchRow {
  std::string scenario, table, sweep;
  double value = 0;
  std::string cloud;   ///< describes the particles
  std::string input;   ///< their order
  std::string method;  ///< the variant's label
  std::string source;  ///< "": measured here
  std::string note;
  RowState state = RowState::Measured;
  bool builds_only = false, fastest = false;
  std::int64_t particles = 0;
  double radius = 0;
  Spread build, reorder, list, query, total;  ///< [ms]; a published figure's medians, negative where not given
  int runs = 0;
  int reordered_bytes = 0;
  std::int64_t memory_bytes = -1;
  double neighbors_mean = -1;
  std::int64_t neighbors_min = -1, neighbors_max = -1;
  std::uint64_t compared = 0, wrong = 0;
  std::vector<SearchFigure> figures;  ///< what the search counted

  bool measured() const { return state == RowState::Measured || state == RowState::Wrong; }
  double deciding_ms() const { return builds_only ? build.median : total.median; }
};

/// A whole table and the session in which it was measured.
struct BenchReport : BenchSession {
  std::vector<BenchRow> rows;

  bool wrong() const;  ///< any row
};

/// How `bucket` builds. Other methods have one way only.
enum class BucketBuilds {
  AsInARun,  ///< its own choice
  Full,      ///< every build from scratch, so that no run profits from the one before
  Resort,    ///< a re-sort at every build but the first
};
void set_bucket_rebuild(SearchSettings& settings, BucketBuilds builds);

/// The groups of one scenario ("fenns1" ...; "scene": file and from_time of the options). @throws InputError
std::vector<BenchGroup> bench_groups(const std::string& scenario, const NeighborBenchOptions& options,
                                     const Device& device);
std::vector<BenchGroup> fenns_groups(int scenario, const NeighborBenchOptions& options);
std::vector<BenchGroup> bucket_groups(const NeighborBenchOptions& options);
std::vector<BenchGroup> scene_groups(const NeighborBenchOptions& options, const Device& device);

/// The requested searches with their own settings; rtnn also by OptiX if it is available.
/// @param count  brute force is left out above kBruteForceLimit
std::vector<BenchVariant> plain_variants(const NeighborBenchOptions& options, std::int64_t count);
inline constexpr std::int64_t kBruteForceLimit = 65536;

std::string bench_text(const BenchReport& report);
std::string bench_csv(const BenchReport& report);
/// The tables of docs/benchmarks.md and, of the scenarios fenns1 to fenns3, those of docs/papers.md. Of scenarios
/// whose builds are timed: a line for each size, a column for each search and for each figure of the paper.
std::string bench_markdown(const BenchReport& report);
nlohmann::ordered_json to_json(const BenchReport& report);
BenchReport bench_report_from(const nlohmann::ordered_json& json);  ///< @throws InputError

/// Marks the fastest correct row of every group, that is of the same scenario, table, value and input.
void mark_fastest(std::vector<BenchRow>& rows);

/// Writes a gnuplot script, its data and, where gnuplot is installed, an SVG picture per table.
/// @return what was written, or why there are no pictures, for people
std::string write_plots(const BenchReport& report, const std::string& folder);

}  // namespace riffle::bench
