#pragma once
/// The tables of --radial-distribution and --displacements, and the diffusion coefficient.

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/report/structure_report.h"
#include "scenes/scene.h"
#include "sim/measure/blocked_structure.h"

namespace riffle {

struct StructureWishes {
  std::filesystem::path radial_distribution, displacements;  ///< files; "": none
  double every = 0;                                          ///< [s] simulated between states; 0: as the movie's frames
  double from = 0;                                           ///< [s] simulated: the first state
  double lag = 0;  ///< [s] longest of the displacements; 0: a tenth of the time from `from` to `end`
  double end = std::numeric_limits<double>::infinity();  ///< [s] of the run
};

class StructureOutput {
 public:
  /// @throws InputError for a longest lag that does not fit the run
  StructureOutput(const scenes::Scene& scene, StructureWishes wishes);

  /// Call it before the first step and after every step. Waits for each state that is due. @param time [s] newest that is known
  /// @throws RuntimeFailure where states are so far apart that displacements are not known; from then on g(r) alone is measured.
  /// After other failures nothing is
  void after_step(Simulation& simulation, double time);

  /// The run has gone back: what was measured does not count.
  void begin_again();
  /// Nor does it where parameters were changed: states from then on are of another fluid, and due as before.
  /// @param time [s] simulated @param change  in words
  void begin_again(double time, const std::string& change);

  bool measures() const { return distribution_ || displacement_; }

  /// The files. One of which nothing was measured is left out, here and in the report.
  /// @param end [s] of the run  @return a line about each that is left out
  /// @throws RuntimeFailure with the file and the reason
  std::vector<std::string> write(double end);
  StructureReport report() const;
  double seconds() const { return seconds_; }  ///< of wall time so far

 private:
  std::string distribution_table() const;
  std::string displacement_table() const;
  void require_short_ways(const Simulation& simulation, double time) const;  ///< time [s] since the state before

  SimulationSetup setup_;
  StructureWishes wishes_;
  std::optional<BlockedDistribution> distribution_;
  std::optional<BlockedDisplacement> displacement_;
  double last_ = -1;               ///< multiple of `every` that is done
  bool has_none_ = true;           ///< no state since it began
  std::optional<double> changed_;  ///< [s] where parameters were changed last
  std::string change_;             ///< there, in words
  double first_ = 0, newest_ = 0;  ///< [s] states
  double seconds_ = 0;
};

}  // namespace riffle
