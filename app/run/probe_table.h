#pragma once
/// The file of --probes: a row for every sample of a scene's probes, at a rate of their own. It grows with the run, so that
/// a run that is killed leaves the rows up to then.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/run/row_file.h"
#include "scenes/scene.h"
#include "sim/probes/probe_meter.h"

namespace riffle {

/// "pressure_P1 [Pa]" and so on.
std::vector<std::string> probe_headings(const std::vector<ProbeColumn>& columns, const SimulationSetup& setup);

class ProbeTable {
 public:
  /// What is there under that name stays until the first row is written.
  /// @param every [s] simulated between rows; 0: as the scene has it
  /// @param goes_on  [s] of the state that the run goes on from: rows of the file before it stay, if the columns are the same
  ProbeTable(const scenes::Scene& scene, const Simulation& simulation, const std::filesystem::path& file,
             double every = 0, std::optional<double> goes_on = {});

  /// Call it once before the first step and after every step. Waits about once a second.
  /// @throws RuntimeFailure with the file and the reason
  void after_step(const Simulation& simulation);
  bool suits(const Simulation& simulation) const { return meter_.suits(simulation); }  ///< as ProbeMeter

  /// Measures a row of the present moment again, after a change with which the run goes on. The first call of after_step()
  /// of a table without rows. Waits. @throws as after_step()
  void after_change(Simulation& simulation);

  /// Writes the rows that the file lacks. Waits. @throws as after_step()
  void write();

  double seconds() const { return seconds_; }  ///< of wall time that files took so far

 private:
  std::string header_;
  ProbeMeter meter_;
  RowFile table_;
  std::optional<double> last_time_;  ///< [s] of the last row that the file has of this run
  std::chrono::steady_clock::time_point written_;
  double seconds_ = 0;
};

}  // namespace riffle
