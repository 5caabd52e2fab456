#pragma once
/// `method: auto` chooses the neighbour search from the times of real steps. This file has no clock and no device:
/// before each step the simulation calls next(), carries out its task, and reports how long that took.
///
/// A round of measuring tries the search in use, then every other method, then the fastest with skins of 0.05, 0.1 and
/// 0.2. Each runs kWarmUp steps, then kTimed steps whose median counts. A skin's list lives for many steps and costs
/// most when it is rebuilt, so there the mean over whole lives counts. All of them are steps of the run and find the
/// same neighbours. The cost of measuring is the time beyond that of as many steps with the chosen search. After the
/// first round another one begins only if this cost, with that expected of the next round, stays below kShare of the
/// run's time.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neighbors/search_stats.h"
#include "sim/setup.h"

namespace riffle {

struct SearchChoice {
  NeighborMethod method = NeighborMethod::Hoetzlein;
  float skin = 0;  ///< in support radii
  friend bool operator==(const SearchChoice&, const SearchChoice&) = default;
};

std::string describe(const SearchChoice& choice);  ///< "hoetzlein", "hoetzlein with skin 0.1"

struct TuningCandidate {
  SearchChoice search;
  double step_ms = 0;   ///< of a whole step, if it was measured
  std::string skipped;  ///< why it was not measured; "" if it was
};

struct TuningReport {
  SearchChoice chosen;
  std::string reason;                       ///< one line: the choice, its time and the others'
  std::vector<TuningCandidate> candidates;  ///< of the last finished round
  std::uint64_t measured_at_step = 0;       ///< the step at which that round began
  int times_measured = 0;                   ///< rounds finished
  bool measuring = true;                    ///< a round is in progress
  double cost_ms = 0;                       ///< cost of measuring so far
};

class NeighborTuner {
 public:
  static constexpr int kWarmUp = 2, kTimed = 5;
  static constexpr int kLongestLife = 64;  ///< [steps] timed at most for one list
  static constexpr double kTooSlow = 3;  ///< times the fastest so far: a slower search is dropped after one timed step
  static constexpr double kWorthwhile = 0.95;    ///< of the present time per step: a change must bring at least this
  static constexpr double kShare = 0.01;         ///< of the run's time, for measuring
  static constexpr int kLookAtSpeed = 200;       ///< [steps]
  static constexpr int kLookAtOccupancy = 1000;  ///< [steps]; waits for the device

  /// The simulation's next task: change its search and call next() again, or make a step.
  struct Task {
    std::optional<NeighborSetup> change;
    bool timed = false;  ///< measure the step, between synchronisations
    bool look = false;   ///< read the occupancy after the step
  };

  /// @param start    where it begins; settings that it does not choose are kept
  /// @param methods  to try; see sensible_methods()
  /// @param slow     [m/s] below it a change of speed does not matter
  NeighborTuner(const NeighborSetup& start, std::vector<NeighborMethod> methods, float slow);

  /// @param step       taken so far
  /// @param max_speed  [m/s] the newest known
  /// @throws Unavailable if no method can work here, with each one's reason
  Task next(std::uint64_t step, float max_speed);

  void changed(double ms);               ///< the change is done and took that long
  void refused(const std::string& why);  ///< the change, or the step after it, threw and changed nothing
  void timed(double ms, bool rebuilt);   ///< rebuilt: the step rebuilt the search; with a skin it may keep it
  void seen(const OccupancyStats& now);  ///< after a step with Task::look

  const TuningReport& report() const { return report_; }

 private:
  struct Trial {
    SearchChoice search;
    std::vector<double> plain_ms, rebuild_ms;  ///< timed steps
    double spent_ms = 0;                       ///< everything, the change included
    int steps = 0;
    int age = 0, lives = 0,
        life_steps = 0;  ///< age of the list; lives and their steps, of lists that ended in a timed step
    double step_ms = 0;  ///< 0: unknown
    std::string skipped;
    bool sits_out = false;

    explicit Trial(const SearchChoice& choice) : search(choice) {}
    bool finished() const;
    double result() const;
  };
  enum class Phase { Measuring, Choosing, Settled };

  void begin_round(const std::string& why);
  void advance();
  void choose();
  void settle();
  Task settled_task();
  std::string drift() const;
  bool affordable() const;
  double run_ms() const;
  double fastest() const;  ///< [ms] in this round so far; infinity
  NeighborSetup setup_for(const SearchChoice& choice) const;
  std::string reason() const;

  NeighborSetup start_;
  std::vector<NeighborMethod> methods_;
  float slow_;
  TuningReport report_;

  Phase phase_ = Phase::Measuring;
  std::vector<Trial> trials_;
  std::size_t at_ = 0;
  bool variants_added_ = false;
  std::optional<SearchChoice> in_use_;
  std::string why_round_, stays_;  ///< why the round began; why the search in use stays although another is faster
  std::vector<TuningCandidate> sit_out_;   ///< methods that an earlier round dropped
  std::optional<SearchChoice> incumbent_;  ///< in use when the round began

  std::uint64_t step_ = 0, round_began_ = 0, settled_at_ = 0;
  float speed_ = 0, reference_speed_ = 0;
  std::optional<OccupancyStats> occupancy_, reference_occupancy_;
  bool look_done_ = false;
  int rounds_ = 0;                                 ///< rounds started
  double run_before_ms_ = 0, cost_before_ms_ = 0;  ///< the round
  double round_ms_ = 0, change_ms_ = 0;            ///< the round, and its change to the chosen search
  double chosen_ms_ = 0, expected_excess_ms_ = 0;
};

/// All methods of the table; the oracle only for up to 4,096 particles.
std::vector<NeighborMethod> sensible_methods(int particles);

}  // namespace riffle
