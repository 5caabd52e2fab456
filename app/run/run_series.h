#pragma once
/// Diagnostics along a run as a CSV table, one row per interval.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenes/scene.h"
#include "sim/simulation.h"
#include "validation/mixing.h"

namespace riffle {

/// The mixing of a scene with start.interface, as its particles are now; nothing for other scenes. Waits.
std::optional<MixingMeasures> mixing_of(const Simulation& simulation);

class RunSeries {
 public:
  /// @param every [s] simulated between rows; 0: as often as the movie's frames
  RunSeries(const scenes::Scene& scene, double every);

  /// Adds a row if one is due at the newest known step. Waits if so.
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
