#pragma once
/// Which particles are in contact: nearer to each other than the support radius, directly or through others.

#include "sim/simulation.h"

namespace riffle {

struct ContactReport {
  int particles = 0;
  int alone = 0;   ///< without any neighbour
  int apart = 0;   ///< outside of the largest group of particles in contact, those without a neighbour among them
  int groups = 0;  ///< a particle without a neighbour is one too
  int most_neighbors = 0;  ///< of a particle
  /// Neighbours where particles lie as densely as the setup says; 0 where solvers let the density vary as they like.
  double usual_neighbors = 0;
};

/// Builds a search of its own. Waits. @throws Unavailable if memory is short
ContactReport measure_contact(const Simulation& simulation);  ///< as it is now
ContactReport measure_contact(const SimulationState& state, const Device& device);

}  // namespace riffle
