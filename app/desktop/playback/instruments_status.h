#pragma once
/// The results of the instruments so far, for the window.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/math/statistics.h"
#include "neighbors/audit/audit_search.h"
#include "neighbors/search_figures.h"
#include "neighbors/tree/tree_structures.h"

namespace riffle::desktop {

struct DiagnosticsView;
struct DistributionView;
struct MeansView;
struct ProfileView;

/// One search in the comparison of all searches.
struct ComparedSearch {
  enum class State { Waiting, Measured, Refused };

  NeighborMethod method = NeighborMethod::Hoetzlein;
  TreeStructure structure = TreeStructure::Automatic;  ///< of `rtnn`: named where there are several
  State state = State::Waiting;
  std::string reason;                                              ///< why it was refused
  double build_ms = 0, reorder_ms = 0, list_ms = 0, query_ms = 0;  ///< medians over the runs
  MedianRange total_ms;                                            ///< of a run's stages together
  int runs = 0;
  std::size_t memory_bytes = 0;
  double mean = 0;  ///< neighbours per particle

  std::string name() const { return search_name(method, structure); }
};

/// The compared moment, and the results so far.
struct ComparisonStatus {
  std::vector<ComparedSearch> rows;  ///< in the order of sort_for_display()
  bool running = false;
  std::uint64_t step = 0;
  double time = 0;  ///< [s]
  int particles = 0;
  std::string device_name;
  int rounds = 0;  ///< in each of them all searches in question were timed in turn
  std::optional<double>
      others;  ///< mean number of processors that other programs kept busy meanwhile; nothing: not known

  bool empty() const { return rows.empty(); }
  const ComparedSearch* fastest() const;  ///< the least median; nullptr while none is measured

  static constexpr double kLevel = 0.02;  ///< a smaller part of the time makes no difference to a run

  /// Whether the row may be as fast as the fastest: their ranges overlap, or they differ by less than kLevel.
  bool level_with_fastest(const ComparedSearch& row) const;
  bool has_one_fastest() const;  ///< one is measured, and no other is level with it
};

struct AuditSettings {
  bool on = false;
  int every = 100;                                      ///< steps
  NeighborMethod against = NeighborMethod::BruteForce;  ///< the reference; brute force tests every pair
};

struct AuditStatus {
  AuditSettings settings;
  std::uint64_t checks = 0, wrong_checks = 0;  ///< since it was switched on
  std::uint64_t step = 0;                      ///< of the last check
  double time = 0;                             ///< [s] of the last check
  std::string method;                          ///< checked last
  int compared = 0;                            ///< particles of the last check
  SearchAudit sum;                             ///< counts over all checks, without faults
  double ms = 0;                               ///< duration of the last check
  std::vector<std::string> first;              ///< pairs of the first wrong check, in words; at most 5
  std::string refused;  ///< why the last check could not be made, or why there is nothing to check; "" if it was made
};

/// One of the search's counts along the run.
struct SearchCourse {
  SearchFigure latest;
  std::vector<float> values;  ///< at the last counts of pairs, the newest last
};

/// Pairs within the support radius, each counted by both of its particles, and what the search counts.
struct PairCountStatus {
  double fluid = 0;      ///< neighbours per particle; 0: not counted yet
  double walls = 0;      ///< wall particles per particle
  double ms = 0;         ///< duration of the last count
  std::string why_none;  ///< why the last count could not be made; "" if it was made
  SearchStats search;    ///< of the step's own search
  /// What that search counts; empty before its first build. Another search begins without values.
  std::vector<SearchCourse> courses;
};

struct InstrumentsStatus {
  ComparisonStatus comparison;
  AuditStatus audit;
  std::shared_ptr<const DiagnosticsView> diagnostics;  ///< nullptr before the first sample
  PairCountStatus pairs;
  std::shared_ptr<const ProfileView> profile;            ///< nullptr while none is shown, and before its first sample
  std::shared_ptr<const MeansView> means;                ///< likewise
  std::shared_ptr<const DistributionView> distribution;  ///< likewise
};

}  // namespace riffle::desktop
