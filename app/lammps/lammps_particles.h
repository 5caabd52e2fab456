#pragma once
/// Particles for LAMMPS: in the order of their ids, positions and velocities of the same time.

#include <cstdint>
#include <vector>

#include "core/math/vec.h"
#include "sim/simulation.h"
#include "sim/state.h"

namespace riffle {

struct LammpsParticleTable {
  std::uint64_t step = 0;
  double time = 0;
  std::vector<std::uint32_t> id, fluid;
  std::vector<Vec3> position, velocity;
  std::vector<BoxTurns> turns;  ///< empty: they were not counted
};

/// Of a simulation before its first step. Waits.
LammpsParticleTable particles_for_lammps(Simulation& simulation);
LammpsParticleTable particles_for_lammps(const SimulationState& state);

}  // namespace riffle
