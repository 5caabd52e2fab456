#pragma once
/// How far g(r) of a simulation reaches, and the volume that it counts the particles in.

#include "sim/measure/observables.h"

namespace riffle {

struct DistributionRange {
  static constexpr double kReach = 4.5;  ///< largest distance, in particle spacings: some 380 neighbours in 3-D
  static constexpr int kBins = 90;
  static constexpr double kFull =
      0.98;  ///< share of the domain from which a fluid counts relative to its density there
};

/// [m] kReach spacings, or half of the shortest periodic axis.
double distribution_reach(const SimulationSetup& setup);

/// Share of the domain that the particles would fill at rest.
double filled_share(const Simulation& simulation);

/// [m^d] Of the particles at rest; 0, which is the domain's, from kFull on.
double distribution_volume(const Simulation& simulation);

}  // namespace riffle
