#include "sim/measure/distribution_range.h"

#include <algorithm>
#include <cmath>

namespace riffle {

double distribution_reach(const SimulationSetup& setup) {
  double reach = DistributionRange::kReach * double{setup.spacing};
  for (int axis = 0; axis < setup.domain.dimension; ++axis)
    if (setup.domain.periodic(axis)) reach = std::min(reach, 0.5 * double{component(setup.domain.extent(), axis)});
  return reach;
}

double filled_share(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  double share = simulation.particle_count();
  for (int axis = 0; axis < setup.domain.dimension; ++axis)
    share *= double{setup.spacing} / double{component(setup.domain.extent(), axis)};
  return share;
}

double distribution_volume(const Simulation& simulation) {
  if (filled_share(simulation) >= DistributionRange::kFull) return 0;
  const SimulationSetup& setup = simulation.setup();
  return simulation.particle_count() * std::pow(double{setup.spacing}, setup.domain.dimension);
}

}  // namespace riffle
