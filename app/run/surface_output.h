#pragma once
/// The surfaces that a run writes: at its end, or at regular times and at its end.

#include <optional>
#include <string>

#include "app/report/report.h"
#include "app/run/numbered_files.h"
#include "app/run/surface_export.h"

namespace riffle {

class SurfaceOutput {
 public:
  /// @param every [s] simulated between two files; 0: only the last one
  /// @param goes_on the time [s] of the state that the run goes on from @param step [s] of its last steps
  /// @throws InputError as surface_format_row(), FluidSurface and NumberedFiles::go_on_after()
  SurfaceOutput(std::filesystem::path file, double every, const Simulation& simulation, std::string scene,
                std::optional<double> goes_on, double step = 0);

  /// Writes a file if one is due. @param time [s] as far as it is known
  /// @throws RuntimeFailure with the file and the reason, Unavailable if memory is short
  void after_step(Simulation& simulation, double time);

  /// Goes on with the files from that time [s] on, to which the simulation has gone back.
  void take_back(double time);

  /// The last file, unless it is there, and the list of all. @throws likewise
  void finish(Simulation& simulation);

  std::string gaps() const { return series_ ? series_->gaps() : ""; }  ///< of the files of before; as NumberedFiles
  std::string left_over() const { return series_ ? series_->left_over() : ""; }  ///< likewise

  const RunReport::Surface& report() const { return report_; }  ///< after finish()
  double seconds() const { return seconds_; }                   ///< [s] of wall time that all of this took

 private:
  void write(Simulation& simulation);

  std::filesystem::path file_;
  std::string scene_;
  SimulationSurface surface_;
  std::optional<NumberedFiles> series_;
  RunReport::Surface report_;
  double seconds_ = 0;
};

}  // namespace riffle
