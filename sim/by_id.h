#pragma once
/// An attribute in an order that no neighbour search changes.

#include <cstdint>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

/// (N) on the host, in the order of the particles' ids: a particle always has the same place. Waits.
template <class T>
std::vector<T> by_id(const Simulation& simulation, const char* attribute) {
  const std::vector<T> values = simulation.particles().get<T>(attribute).to_host();
  const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted[id[i]] = values[i];
  return sorted;
}

}  // namespace riffle
