#pragma once
/// Energies, errors, temperatures and mixing along a run, for the plots: the rows of the table that is saved as CSV.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/desktop/playback/scene_edit.h"
#include "app/desktop/playback/series_history.h"
#include "app/report/parameter_changes.h"
#include "app/run/growth_theory.h"
#include "app/run/run_series.h"
#include "sim/probes/probe.h"
#include "sim/simulation.h"

namespace riffle::desktop {

enum class DiagnosticGroup {
  Energy,
  Density,
  Temperature,
  Pressure,
  Momentum,
  Force,
  Torque,
  Mixing,
  Pairs,
  Domains,
  ProbePressure,
  ProbeVelocity,
  ProbeDensity,
  ProbeCompression,
  ProbeLevel,
  ProbeFlow,
};

/// Of what a probe measures.
constexpr bool is_of_probe(DiagnosticGroup group) { return group >= DiagnosticGroup::ProbePressure; }

/// A line of the plots.
struct DiagnosticChannel {
  DiagnosticGroup group = DiagnosticGroup::Energy;
  std::string name;          ///< "kinetic"
  std::string column;        ///< of the table, "kinetic_energy"; "" for a sum of others
  std::string subject = {};  ///< the solid whose force or torque it is, or the probe's place; "" for others
  std::string missing = {};  ///< of a probe's quantity: which particles lack it, so that nothing is added; "" otherwise
  friend bool operator==(const DiagnosticChannel&, const DiagnosticChannel&) = default;
};

/// A change of parameters with which the run went on.
struct ParameterMark {
  double time = 0, until = 0;  ///< [s] simulated: of the change; of a slider's last movement
  std::vector<KeyChange> changes;
};

/// The data that the window shows. A published view never changes.
struct DiagnosticsView {
  std::vector<DiagnosticChannel> channels;
  SeriesHistory history;
  std::size_t rows = 0;  ///< of the table, and of the present state
  GrowthTheory theory;
  std::vector<ParameterMark>
      marks;             ///< by time; those before the first row are left out, as all rows have their values
  double sample_ms = 0;  ///< duration of the last row
};

class DiagnosticsRecord {
 public:
  /// The rows so far are others: follow() takes all of them again.
  void begin_again() { now_.channels.clear(); }

  /// Takes over the rows of the table. Call it after every change of the table.
  void follow(const RunSeries& table, const Simulation& simulation);

  /// Adds a row of the present state to the view, until the next follow(). @param row  as of table.measure()
  void show_present(const RunSeries& table, const std::vector<double>& row, const Simulation& simulation);
  /// Notes a change of parameters at that time [s]; follow() shows it. @param goes_on  as SceneEdit's
  void mark(double time, const std::vector<KeyChange>& changes, bool goes_on);

  /// Notes where probes are from that time [s] on. A column that had numbers of another place before is marked.
  /// @param changes of the edit, goes_on as mark()'s @return whether something was marked
  bool mark_probes(double time, std::span<const ProbeSetup> probes, const std::vector<KeyChange>& changes,
                   bool goes_on);

  /// Before the first step: no column has numbers of another place.
  void forget_probes() { probes_.clear(); }

  /// A step begins at that time [s]. Changes of a later time, from which the run went back, are in force from here on.
  /// @return whether there were any
  bool go_on_from(double time);

  const std::vector<ParameterMark>& marks() const { return marks_; }  ///< by time
  std::vector<ParameterChange> changes() const;                       ///< the same, one by one
  /// Begins with the changes of a run that goes on. Call it before the first follow().
  void go_on_with(std::vector<ParameterMark> marks);

  bool shows_present() const { return shows_present_; }

  std::shared_ptr<const DiagnosticsView> view() const { return view_; }  ///< nullptr before the first follow()

 private:
  void publish(DiagnosticsView view);
  void follow_theory(const RunSeries& table, const Simulation& simulation, bool at_start);

  DiagnosticsView now_;
  GrowthTheory theory_at_start_;
  std::vector<ParameterMark> marks_;
  bool changed_before_ = false;               ///< parameters, before this record began
  std::map<std::string, ProbeSetup> probes_;  ///< by the name that its columns have: the last place of each
  std::shared_ptr<const DiagnosticsView> view_;
  bool shows_present_ = false;
};

}  // namespace riffle::desktop
