#pragma once
/// Energies, errors, temperatures and mixing along a run: sampled now and then, because a sample reads all particles.

#include <memory>
#include <string>
#include <vector>

#include "app/desktop/playback/series_history.h"
#include "app/run/growth_theory.h"
#include "sim/simulation.h"

namespace riffle {

enum class DiagnosticGroup { Energy, Density, Temperature, Momentum, Mixing };

struct DiagnosticChannel {
  DiagnosticGroup group = DiagnosticGroup::Energy;
  std::string name;  ///< "kinetic"
  friend bool operator==(const DiagnosticChannel&, const DiagnosticChannel&) = default;
};

/// Of one moment: channels and their values.
struct DiagnosticSample {
  std::vector<DiagnosticChannel> channels;
  std::vector<double> values;
};
DiagnosticSample sample_diagnostics(Simulation& simulation);  ///< waits

/// What the window shows. Nothing in it changes once it is given away.
struct DiagnosticsView {
  std::vector<DiagnosticChannel> channels;
  SeriesHistory history;
  GrowthTheory theory;
  double sample_ms = 0;  ///< that the last sample took
};

class DiagnosticsRecord {
 public:
  static constexpr double kLeastInterval = 0.25;  ///< [s] on the wall between samples
  static constexpr double kMostShare = 0.05;      ///< of the time, for sampling

  /// Whether a sample is due. @param wall [s] on a clock that only grows
  /// @param stepping false: time stands still, wherever it was set to, and what was recorded of later times stays
  bool due(double time, double wall, bool stepping) const;

  /// Samples. Time that has gone back since the last sample cuts what was recorded of later times. Waits.
  void sample(Simulation& simulation, double wall);

  std::shared_ptr<const DiagnosticsView> view() const { return view_; }  ///< nullptr before the first sample

 private:
  void follow_theory(const Simulation& simulation);

  DiagnosticsView now_;
  GrowthTheory theory_at_start_;
  std::shared_ptr<const DiagnosticsView> view_;
  double next_ = 0;  ///< [s] on the wall
};

}  // namespace riffle
