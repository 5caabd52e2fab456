#pragma once
/// What a report says of g(r), of mean square displacements and of the diffusion coefficient.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/measure/blocked_structure.h"
#include "sim/setup.h"

namespace riffle {

/// Of this run.
struct StructureReport {
  std::string radial_distribution, displacements;  ///< files; "": none
  int states = 0;                                  ///< that g(r) is averaged over
  std::size_t blocks = 0, windows = 0;             ///< that are complete
  double from = 0, to = 0;                         ///< [s] simulated: the first state and the last one
  std::optional<double> changed =
      {};                   ///< [s] simulated: what was measured before a change of parameters there does not count
  std::string change = {};  ///< it, in words
  double fit_from = 0, lag = 0;  ///< [s] of the straight line
  BlockMean diffusion;           ///< [m^2/s] of all particles
  struct OfFluid {
    std::string name;
    BlockMean diffusion;  ///< [m^2/s] NaN: not known
  };
  std::vector<OfFluid> diffusion_of;  ///< of each fluid, where there are several
  double exponent = 0;                ///< displacements grow as this power of the lag
  bool is_curved = false;             ///< the coefficient depends on the lags of the line
};

nlohmann::ordered_json to_json(const StructureReport& structure);

/// Lines of the summary.
std::string structure_text(const StructureReport& structure, const SimulationSetup& setup);

}  // namespace riffle
