#pragma once
/// Energies, errors, temperatures and mixing along a run. Samples are rare, because each reads all particles.

#include <memory>
#include <string>
#include <vector>

#include "app/desktop/playback/series_history.h"
#include "app/run/growth_theory.h"
#include "sim/simulation.h"

namespace riffle::desktop {

enum class DiagnosticGroup { Energy, Density, Temperature, Momentum, Mixing, Pairs };

struct DiagnosticChannel {
  DiagnosticGroup group = DiagnosticGroup::Energy;
  std::string name;  ///< "kinetic"
  friend bool operator==(const DiagnosticChannel&, const DiagnosticChannel&) = default;
};

/// The channels at one moment, and their values.
struct DiagnosticSample {
  std::vector<DiagnosticChannel> channels;
  std::vector<double> values;
};
DiagnosticSample sample_diagnostics(Simulation& simulation);  ///< waits for the device

/// The data that the window shows. A published view never changes.
struct DiagnosticsView {
  std::vector<DiagnosticChannel> channels;
  SeriesHistory history;
  GrowthTheory theory;
  double sample_ms = 0;  ///< duration of the last sample
};

class DiagnosticsRecord {
 public:
  static constexpr double kLeastInterval = 0.25;  ///< [s] of wall time between samples
  static constexpr double kMostShare = 0.05;      ///< largest share of the time for sampling

  /// Whether a sample is due. @param wall [s] on a clock that only runs forward
  /// @param stepping false: the simulation is paused; nothing is due, and samples of later times stay
  bool due(double time, double wall, bool stepping) const;

  /// Adds a sample. If time has gone back since the last one, forgets the samples of later times. Waits for the device.
  void sample(Simulation& simulation, double wall);

  std::shared_ptr<const DiagnosticsView> view() const { return view_; }  ///< nullptr before the first sample

 private:
  void follow_theory(const Simulation& simulation);

  DiagnosticsView now_;
  GrowthTheory theory_at_start_;
  std::shared_ptr<const DiagnosticsView> view_;
  double next_ = 0;  ///< [s] wall time of the next sample
};

}  // namespace riffle::desktop
