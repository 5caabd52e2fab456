#pragma once
/// Diagnostics along a run as a table: one row every so often, CSV.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenes/scene.h"
#include "sim/simulation.h"
#include "validation/mixing.h"

namespace riffle {

/// Of a scene with start.interface, as its particles are now; nothing for others. Waits.
std::optional<MixingMeasures> mixing_of(const Simulation& simulation);

class RunSeries {
 public:
  /// every: [s] simulated, between rows; 0: the movie's frames.
  RunSeries(const Scene& scene, double every);

  /// A row, if one is due at the newest step known. Waits where it is.
  void sample(Simulation& simulation);

  /// A row of the final state, unless it has one, and the file. @throws RuntimeFailure
  void finish(Simulation& simulation, const std::filesystem::path& file);

  std::size_t rows() const { return rows_; }

 private:
  void add_row(Simulation& simulation);

  double every_;
  std::uint64_t next_ = 0;  ///< multiple of every_ at which a row is due
  std::optional<double> last_time_;
  std::size_t rows_ = 0;
  std::string text_;
};

}  // namespace riffle
