#include "app/lammps/lammps_particles.h"

#include <algorithm>
#include <numeric>

namespace riffle {

LammpsParticleTable particles_for_lammps(const SimulationState& state) {
  const auto& id = state.require<std::uint32_t>("id");
  const auto& fluid = state.require<std::uint32_t>("fluid");
  const auto& position = state.require<Vec4>("position");
  const std::vector<Vec4> velocity = start_velocities(state);
  std::vector<std::size_t> order(id.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  LammpsParticleTable table;
  table.step = state.clock.step;
  table.time = state.clock.time;
  for (const std::size_t i : order) {
    table.id.push_back(id[i]);
    table.fluid.push_back(fluid[i]);
    table.position.push_back(xyz(position[i]));
    table.velocity.push_back(xyz(velocity[i]));
    if (!state.turns.empty()) table.turns.push_back(state.turns[i]);
  }
  return table;
}

LammpsParticleTable particles_for_lammps(Simulation& simulation) {
  return particles_for_lammps(simulation.save_state());
}

}  // namespace riffle
