#pragma once
/// The measurements that are made on a running simulation between its steps.

#include <memory>
#include <optional>
#include <string>

#include "app/desktop/playback/comparison.h"
#include "app/desktop/playback/diagnostics_record.h"
#include "app/desktop/playback/live_audit.h"
#include "app/desktop/playback/sampled/column_means.h"
#include "app/desktop/playback/sampled/height_profile.h"
#include "app/desktop/playback/sampled/pair_count.h"
#include "app/desktop/playback/sampled/pair_distribution.h"

namespace riffle::desktop {

class Instruments {
 public:
  /// Starts comparing all searches on the present particles, even if a comparison is in progress. Waits for the device.
  void compare(Simulation& simulation) { comparison_.begin(simulation); }
  void set_audit(const AuditSettings& settings) { audit_.set(settings); }
  void show_profile(std::optional<Quantity> quantity, LayerAxis axis) {
    profile_.show(quantity, axis);
  }  ///< nullopt: none

  ColumnMeans& means() { return means_; }
  PairDistribution& distribution() { return distribution_; }

  /// For another run: forgets the measurements, and keeps the settings of the audit and what is shown.
  void restart();

  const DiagnosticsRecord& diagnostics() const { return diagnostics_; }
  DiagnosticsRecord& diagnostics() { return diagnostics_; }

  /// Call this between two steps: makes at most one measurement that is due, and waits for it.
  /// @param wall [s] on a clock that only grows
  /// @param stepping the simulation runs: the comparison leaves it twice the time that it takes itself
  /// @param table of the run, for the means; nullptr: without them
  /// @throws as reading the particles does
  struct Look {
    bool done = false;                 ///< a measurement was made
    std::optional<std::string> fault;  ///< found by the audit, in words
  };
  Look look(Simulation& simulation, double wall, bool stepping, const RunSeries* table = nullptr);

  bool busy() const { return comparison_.running(); }  ///< look() still has work to do, whether or not steps are made
  InstrumentsStatus status() const {
    return {comparison_.status(), audit_.status(), diagnostics_.view(), pairs_.status(),
            profile_.view(),      means_.view(),   distribution_.view()};
  }

 private:
  Comparison comparison_;
  LiveAudit audit_;
  DiagnosticsRecord diagnostics_;
  PairCount pairs_;
  HeightProfile profile_;
  ColumnMeans means_;
  PairDistribution distribution_;
  double next_comparison_ = 0;  ///< [s] on the wall
};

}  // namespace riffle::desktop
