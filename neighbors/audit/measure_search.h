#pragma once
/// What a neighbour search costs on given particles, stage by stage.

#include <cstdint>
#include <string>
#include <vector>

#include "core/math/statistics.h"
#include "neighbors/brute/all_pairs.h"
#include "neighbors/neighbor_search.h"

namespace riffle {

struct SearchMeasureInput {
  ParticleCloud cloud;  ///< what every run is built from, in this order; a search's own output is never fed back

  /// (cloud.count) where the particles were one step ago. With in_previous_order the cloud is first put into the order
  /// that the search wants for these, as in a running simulation.
  const Vec4* previous = nullptr;
  bool in_previous_order = false;
  bool rebuild = false;  ///< before each timed build the same search is built on `previous`, untimed

  bool lists = false;  ///< list_neighbors() between reorder and query
  int runs = 20, warm_up = 3;
  double seconds = 20;       ///< no further run is begun after so long, warm-up included, but one is always done
  bool (*stop)() = nullptr;  ///< asked before every run; where it says so, it is as if the time were up
};

/// Times over the runs [ms].
struct SearchMeasurement {
  Spread build;         ///< NeighborSearch::build
  Spread reorder;       ///< positions gathered into order(), 16 bytes per particle; 0 where the search wants no order
  Spread list;          ///< list_neighbors; 0 where it was not asked for
  Spread query;         ///< for_each_neighbor that counts and writes 4 bytes per particle
  Spread total;         ///< of the sums of each run
  int runs = 0;         ///< done; fewer than asked for where the time was up
  bool listed = false;  ///< the search keeps lists here and the query read them
  int reordered_bytes = 0;         ///< per particle
  std::size_t memory_bytes = 0;    ///< NeighborSearch::memory_bytes after the last run
  std::vector<SearchCount> stats;  ///< NeighborSearch::stats().counts of the last run
  double mean = 0;                 ///< neighbours per particle
  std::uint32_t min = 0, max = 0;
  std::vector<std::uint32_t> neighbors;  ///< (count) of each particle of the cloud, as the last timed run found them
};

/// @throws what building throws: Unavailable or InputError where the search refuses these particles.
SearchMeasurement measure_search(const Device& device, const SearchSettings& settings, const SearchMeasureInput& input);

/// Counts compared with what looking at every pair gives.
struct CountCheck {
  std::uint64_t compared = 0, wrong = 0;
  std::string first;  ///< "particle 17 has 30 neighbours, 31 were found"; "" when none is wrong
};
CountCheck check_counts(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& particles,
                        const std::vector<NeighborDigest>& expected);

}  // namespace riffle
