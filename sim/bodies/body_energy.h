#pragma once
/// The energy of free solids.

#include <span>

#include "sim/bodies/free_body.h"

namespace riffle {

struct SimulationSetup;

/// Sums over all free solids [J], in 2-D per metre of depth. Springs of joints and the force that the scene gives a solid have
/// no part in them.
struct BodiesEnergy {
  double kinetic = 0;    ///< m v^2 / 2 + w . I w / 2: of the centres of mass, and of the rotation about them
  double potential = 0;  ///< -m g . (x - c) in the gravity of that moment; c is the lower corner of the domain

  friend bool operator==(const BodiesEnergy&, const BodiesEnergy&) = default;
};

/// @param bodies, masses  (regions), or empty: none is free; regions with a mass of 0 count for nothing
/// @param time  [s] of the gravity
BodiesEnergy energy_of(std::span<const BodyState> bodies, std::span<const BodyMass> masses,
                       const SimulationSetup& setup, double time);

}  // namespace riffle
