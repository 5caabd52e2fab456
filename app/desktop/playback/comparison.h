#pragma once
/// Every neighbour search on the particles as they are at one moment of a run, one search at a time.

#include <cstdint>
#include <string>
#include <vector>

#include "neighbors/audit/measure_search.h"
#include "neighbors/tree/tree_structures.h"
#include "sim/simulation.h"

namespace riffle {

struct ComparedSearch {
  enum class State { Waiting, Measured, Refused };

  NeighborMethod method = NeighborMethod::Hoetzlein;
  TreeStructure structure = TreeStructure::Automatic;  ///< of `rtnn`: named where there are several
  State state = State::Waiting;
  std::string reason;                                              ///< why it was refused
  double build_ms = 0, reorder_ms = 0, list_ms = 0, query_ms = 0;  ///< medians over the runs
  double least_ms = 0, most_ms = 0;                                ///< of a run's stages together
  int runs = 0;
  std::size_t memory_bytes = 0;
  double mean = 0;  ///< neighbours per particle

  std::string name() const { return search_name(method, structure); }
  double total_ms() const { return build_ms + reorder_ms + list_ms + query_ms; }
};

/// The moment and what has come out so far.
struct ComparisonStatus {
  std::vector<ComparedSearch> rows;  ///< as they are to be shown: the fastest first, then waiting, then refused
  bool running = false;
  std::uint64_t step = 0;
  double time = 0;  ///< [s]
  int particles = 0;
  std::string device_name;

  bool empty() const { return rows.empty(); }
  const ComparedSearch* fastest() const;  ///< nullptr while none is measured
};

/// Measured ones by their total, the fastest first; then those that wait, then those that were refused.
void sort_for_display(std::vector<ComparedSearch>& rows);

class Comparison {
 public:
  static constexpr int kRuns = 5, kWarmUp = 1;
  static constexpr double kSeconds = 0.4;  ///< per search: no further run is begun after so long

  /// Copies the particles as they are now. One row per search; brute force beyond a few particles is refused at once.
  /// Waits. @throws what allocating throws
  void begin(Simulation& simulation);

  /// Measures the next search. Waits for it. What it throws becomes its row's reason.
  void advance();

  bool running() const { return status_.running; }
  const ComparisonStatus& status() const { return status_; }

 private:
  void measure(ComparedSearch& row) const;

  Device device_;
  SimulationSetup setup_;
  Buffer<Vec4> now_{Device{}}, before_{Device{}};  ///< (particles), the same order
  ComparisonStatus status_;
};

}  // namespace riffle
