#pragma once
/// How a fluid is ordered and how it spreads, with errors: g(r) and mean square displacements over blocks of a run that follow
/// each other. Both are measured by observables.h.

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "sim/measure/distribution_range.h"
#include "sim/measure/observables.h"

namespace riffle {

/// A mean over blocks and its standard error.
struct BlockMean {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  ///< NaN for fewer than kLeastBlocks blocks
};

/// The spread of fewer blocks says little about their mean.
inline constexpr std::size_t kLeastBlocks = 4;

BlockMean block_mean(const std::vector<double>& blocks);

/// Whether displacements are no straight line: both halves differ by more than twice the error, or the exponent is more than 0.1
/// off 1. NaN says nothing.
bool is_no_line(const BlockMean& bend, double exponent);

/// g(r) of states that follow each other.
class BlockedDistribution {
 public:
  static constexpr int kBins = DistributionRange::kBins;
  static constexpr std::size_t kMostBlocks = 32;  ///< with as many, blocks are joined in pairs

  explicit BlockedDistribution(const SimulationSetup& setup);

  /// The state as it is now, in the range of distribution_range.h. Fewer than two particles add nothing. Waits.
  void add(const Simulation& simulation);

  struct Row {
    double radius;  ///< [m] middle of the bin
    BlockMean g;
  };
  std::vector<Row> rows() const;  ///< g is 0 before the first state
  /// g of the pairs of two fluids, or of one; NaN where they have none.
  std::vector<Row> rows(int fluid, int other) const;
  int states() const;
  std::size_t blocks() const;  ///< that are complete: of equally many states

 private:
  template <class Values>
  std::vector<Row> rows_of(const Values& values_of) const;

  double reach_;
  int per_block_ = 1;                       ///< states
  std::vector<RadialDistribution> blocks_;  ///< the last one may not be complete
};

/// Mean square displacements over windows of a run that follow each other, each from its own start, without the motion of the
/// centre of mass.
class BlockedDisplacement {
 public:
  /// @param lag  [s] length of a window  @param every  [s] between states
  BlockedDisplacement(double lag, double every);

  /// The state as it is now. Between two states no particle may move by half of a periodic axis. Waits.
  void add(const Simulation& simulation);

  struct Row {
    double lag;                            ///< [s] mean of the windows
    BlockMean msd;                         ///< [m^2]
    std::vector<BlockMean> of_fluid = {};  ///< (fluids of the scene) likewise
  };
  /// Of the complete windows. While there is none, of the one that is not complete.
  std::vector<Row> rows() const;
  std::size_t windows() const { return windows_.size(); }  ///< complete ones

  double fit_from() const { return kFitFrom * lag_; }  ///< [s]
  double lag() const { return lag_; }                  ///< [s] likewise the end of the fit

  /// Slope of a straight line through each window's displacements of lags from fit_from() on, over twice the dimension [m^2/s].
  /// A window with fewer than kLeastFitted of them does not count; NaN without any that does.
  BlockMean diffusion() const;
  BlockMean diffusion(std::size_t fluid) const;  ///< of the particles of a fluid
  BlockMean bend()
      const;  ///< [m^2/s] by how much that slope is larger in the later half of these lags than in the earlier half
  double exponent() const;                                           ///< growth_exponent() of rows()
  bool is_curved() const { return is_no_line(bend(), exponent()); }  ///< the slope depends on the lags that are fitted

  static constexpr int kLeastFitted = 5;

 private:
  static constexpr double kFitFrom = 0.2;  ///< as a share of the window: particles first fly, then diffuse

  using Samples = std::vector<MeanSquareDisplacement::Sample>;

  void fit(const MeanSquareDisplacement& window);

  double lag_, every_, begin_ = 0;
  std::optional<MeanSquareDisplacement> current_;
  std::vector<Samples> windows_;
  std::vector<double> diffusions_, bends_;      ///< of windows with enough states
  std::vector<std::vector<double>> of_fluids_;  ///< (fluids) likewise
};

/// Of displacements that grow as a power of the lag, over lags from `from` [s] on: 1 in diffusion, 2 in flight. NaN for fewer than
/// two rows.
double growth_exponent(const std::vector<BlockedDisplacement::Row>& rows, double from);

}  // namespace riffle
