#pragma once
/// Small simulations that several tests start from, and their state by particle id.

#include <cmath>
#include <vector>

#include "sim/simulation.h"

namespace riffle::test {

/// A column of 1 x 2 (x 1) in the corner of a walled box of 4 x 3 (x 1) lengths, `across` particles to a length.
inline SimulationSetup column_setup(int dimension, int across, float length = 0.1f) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.max = {4 * length, 3 * length, length};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = length / static_cast<float>(across);
  setup.fluids.emplace_back();
  BodySetup column;
  column.max = {length, 2 * length, length};
  setup.bodies.push_back(column);
  return setup;
}

/// A periodic box of side 1 full of fluid without gravity, on a jittered lattice, with a smooth velocity field.
inline SimulationSetup periodic_setup(int dimension, int across) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.gravity = {};
  setup.spacing = 1.0f / static_cast<float>(across);
  setup.fluids.emplace_back();
  BodySetup box;
  box.max = {1, 1, 1};
  box.jitter = 0.2f;
  box.velocity = {1, 0.5f, -0.25f};
  setup.bodies.push_back(box);
  setup.wcsph.speed_of_sound = 20;
  return setup;
}

template <class T>
std::vector<T> by_id(const Simulation& simulation, const char* attribute) {
  const std::vector<T> values = simulation.particles().get<T>(attribute).to_host();
  const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted[id[i]] = values[i];
  return sorted;
}

inline void run_steps(Simulation& simulation, int steps) {
  for (int s = 0; s < steps; ++s) simulation.step();
}

inline void run_until(Simulation& simulation, double time) {
  simulation.set_time_limit(time);
  while (simulation.latest().time < time) simulation.step();
  simulation.finish();
}

}  // namespace riffle::test
