#pragma once
/// Times every neighbour search on the particles of one moment of a run. The searches take turns, so that what else
/// the machine does meets all of them, in rounds that go on until their times can be told apart.

#include <vector>

#include "app/desktop/playback/instruments_status.h"
#include "app/desktop/timings/machine_load.h"
#include "neighbors/audit/measure_search.h"
#include "sim/simulation.h"

namespace riffle::desktop {

/// Measured searches first, the fastest at the top; then those that wait; then those that were refused.
void sort_for_display(std::vector<ComparedSearch>& rows);

/// The medians of the stages, and median and range of their sums. The median of the sums is not the sum of the medians,
/// which may lie outside the range.
void take_times(ComparedSearch& row, const std::vector<SearchMeasurement::Run>& runs);

/// Whether no two ranges overlap. Rows that are out of question (see Comparison::kOutOfQuestion) do not count.
bool told_apart(const ComparisonStatus& status);

class Comparison {
 public:
  static constexpr int kRuns = 3, kWarmUp = 1;  ///< per turn
  static constexpr int kLeastRounds = 2;        ///< unless the time is over: three runs tell little
  static constexpr double kTurnSeconds = 0.4;   ///< no further run of a turn begins after this time
  static constexpr double kSeconds = 3;         ///< of measuring; after it no turn begins but those of the first round
  static constexpr double kOutOfQuestion = 2;   ///< times as slow as the fastest: no more turns after the first round

  /// Copies the present particles. One row per search; brute force is refused at once unless the particles are few.
  /// Waits for the device. @throws as allocating memory does
  void begin(Simulation& simulation);

  /// Measures the search whose turn it is and waits for it. If it throws, its row gets the reason.
  void advance();

  bool running() const { return status_.running; }
  const ComparisonStatus& status() const { return status_; }

 private:
  /// A search, in the order in which they take turns.
  struct Contender {
    NeighborMethod method;
    TreeStructure structure;
    std::vector<SearchMeasurement::Run> runs;
  };

  ComparedSearch& row_of(const Contender& contender);
  bool in_question(const Contender& contender);  ///< whether it gets a turn in this round
  void take_turn(Contender& contender);
  void measure(Contender& contender, ComparedSearch& row) const;
  void look_at_load();
  void end();

  Device device_;
  SimulationSetup setup_;
  Buffer<Vec4> now_{Device{}}, before_{Device{}};  ///< (particles), in the same order: now and one step ago
  std::vector<Contender> contenders_;
  std::size_t next_ = 0;  ///< in contenders_
  double seconds_ = 0;    ///< of measuring so far
  MachineLoad load_;
  double looked_ = 0;                  ///< [s] when load_ was last asked
  double others_ = 0, looked_at_ = 0;  ///< [s] that other programs kept processors busy, of that long
  ComparisonStatus status_;
};

}  // namespace riffle::desktop
