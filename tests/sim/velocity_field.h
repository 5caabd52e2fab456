#pragma once
/// Initial velocities that no body can have.

#include <variant>
#include <vector>

#include "sim/simulation.h"

namespace riffle::test {

/// Gives every particle the velocity field(x) of its place x.
template <class Field>
void set_velocities(Simulation& simulation, const Field& field) {
  SimulationState state = simulation.save_state();
  const std::vector<Vec4> position = state.require<Vec4>("position");
  for (AttributeValues& attribute : state.attributes) {
    if (attribute.name != "velocity") continue;
    auto& velocity = std::get<std::vector<Vec4>>(attribute.values);
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = make_vec4(field(xyz(position[i])));
  }
  simulation.restore_state(state);
}

}  // namespace riffle::test
