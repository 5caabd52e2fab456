#pragma once
/// The radial distribution function g(r) of a run, averaged over its states.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/measure/distribution_range.h"
#include "sim/measure/observables.h"

namespace riffle::desktop {

/// The data that the window shows. A published one never changes.
struct DistributionView {
  std::vector<double> r, g;  ///< (bins) [m], and relative to the fluid's density
  int states = 0;            ///< that it is averaged over
  double from = 0, to = 0;   ///< [s] simulated: of the first and the last of them
  double neighbors = 0;      ///< mean number within the support radius; NaN: g does not reach so far
  /// Least and largest share of the domain that the particles of a state would fill at rest. A state from kFull on counts
  /// relative to its density in the whole domain, any other relative to that at rest.
  double least_filled = 1, most_filled = 1;
  bool has_walls = false;  ///< particles at a face of the domain lack neighbours beyond it
  std::string why_none;    ///< why there is no g(r); "" if there is

  static constexpr double kFull = DistributionRange::kFull;
};

class PairDistribution {
 public:
  static constexpr int kBins = DistributionRange::kBins;
  static constexpr double kLeastInterval = 0.25;  ///< [s] of wall time between states
  static constexpr double kMostShare = 0.02;      ///< largest share of the time for counting

  void show(bool on);  ///< off forgets what was counted
  bool shown() const { return on_; }
  void begin_again();  ///< the states before do not count any more

  /// @param moment the simulation's @param wall [s] on a clock that only grows
  bool due(std::uint64_t moment, double wall) const { return on_ && (!view_ || (moment != moment_ && wall >= next_)); }
  /// Waits. A state that is no later than the one before begins again: the run went back. A state of fewer than two
  /// particles does not count.
  void sample(Simulation& simulation, double wall);

  std::shared_ptr<const DistributionView> view() const { return view_; }  ///< nullptr before the first state

 private:
  void add(Simulation& simulation, DistributionView& view);
  static void take_over(const DistributionView& before, DistributionView& view);

  bool on_ = false;
  std::optional<RadialDistribution> sum_;
  double reach_ = 0;  ///< [m] of the sum
  std::shared_ptr<const DistributionView> view_;
  std::uint64_t moment_ = 0;  ///< of the last state
  double next_ = 0;           ///< [s] on the wall
};

}  // namespace riffle::desktop
