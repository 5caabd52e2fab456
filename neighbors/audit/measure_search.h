#pragma once
/// Measures the cost of a neighbour search on given particles, stage by stage.

#include <cstdint>
#include <string>
#include <vector>

#include "core/math/statistics.h"
#include "neighbors/brute/all_pairs.h"
#include "neighbors/fenns/tile_sums.h"
#include "neighbors/neighbor_search.h"
#include "neighbors/search_figures.h"

namespace riffle {

struct SearchMeasureInput {
  ParticleCloud cloud;  ///< input of every run, in this order; a search's own output is never fed back

  /// (cloud.count) positions one step ago. With in_previous_order the cloud is first put into the order that the search
  /// wants for these positions, as in a running simulation.
  const Vec4* previous = nullptr;
  bool in_previous_order = false;
  bool rebuild = false;  ///< before each timed build the same search is built on `previous`, untimed

  bool lists = false;                ///< list_neighbors() between reorder and query
  TileSums sums = TileSums::Gather;  ///< Scatter: only of `fenns`, and without lists
  int runs = 20, warm_up = 3;
  double seconds = 20;       ///< no run begins after this time, warm-up included, but at least one is done
  bool (*stop)() = nullptr;  ///< called before every run; true ends the measurement as if the time were up
};

/// Times over the runs [ms].
struct SearchMeasurement {
  struct Run {
    double build = 0, reorder = 0, list = 0, query = 0, total = 0;  ///< as below
  };
  std::vector<Run> each;
  Spread build;             ///< NeighborSearch::build
  Spread reorder;           ///< positions gathered into order(), 16 bytes per particle; 0 if the search wants no order
  Spread list;              ///< list_neighbors; 0 if not requested
  Spread query;             ///< for_each_neighbor that counts and writes 4 bytes per particle
  Spread total;             ///< of the sums of each run
  int runs = 0;             ///< completed runs; fewer than requested if the time was up
  bool listed = false;      ///< the search keeps lists here and the query read them
  int reordered_bytes = 0;  ///< per particle
  std::size_t memory_bytes = 0;       ///< NeighborSearch::memory_bytes after the last run
  std::vector<SearchFigure> figures;  ///< figures_of() the last run, and the edges of its cells [h]
  double mean = 0;                    ///< neighbours per particle
  std::uint32_t min = 0, max = 0;
  std::vector<std::uint32_t> neighbors;  ///< (count) of each particle of the cloud, as found by the last timed run
};

/// @throws the exceptions of build(): Unavailable or InputError if the search refuses these particles. std::logic_error if
/// the input does not fit together.
SearchMeasurement measure_search(const Device& device, const SearchSettings& settings, const SearchMeasureInput& input);

/// Counts compared with those from testing every pair.
struct CountCheck {
  std::uint64_t compared = 0, wrong = 0;
  std::string first;  ///< "particle 17 has 30 neighbours, 31 were found"; "" if none is wrong
};
CountCheck check_counts(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& particles,
                        const std::vector<NeighborDigest>& expected);

}  // namespace riffle
