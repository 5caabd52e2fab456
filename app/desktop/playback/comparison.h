#pragma once
/// Times every neighbour search on the particles of one moment of a run, one search after the other.

#include "app/desktop/playback/instruments_status.h"
#include "neighbors/audit/measure_search.h"
#include "sim/simulation.h"

namespace riffle::desktop {

/// Measured searches first, the fastest at the top; then those that wait; then those that were refused.
void sort_for_display(std::vector<ComparedSearch>& rows);

/// The medians of the stages, and median and range of their sums. The median of the sums is not the sum of the medians,
/// which may lie outside the range.
void take_times(ComparedSearch& row, const SearchMeasurement& measured);

class Comparison {
 public:
  static constexpr int kRuns = 5, kWarmUp = 1;
  static constexpr double kSeconds = 0.4;  ///< per search: no further run begins after this time

  /// Copies the present particles. One row per search; brute force is refused at once unless the particles are few.
  /// Waits for the device. @throws as allocating memory does
  void begin(Simulation& simulation);

  /// Measures the next search and waits for it. If it throws, its row gets the reason.
  void advance();

  bool running() const { return status_.running; }
  const ComparisonStatus& status() const { return status_; }

 private:
  void measure(ComparedSearch& row) const;

  Device device_;
  SimulationSetup setup_;
  Buffer<Vec4> now_{Device{}}, before_{Device{}};  ///< (particles), in the same order: now and one step ago
  ComparisonStatus status_;
};

}  // namespace riffle::desktop
