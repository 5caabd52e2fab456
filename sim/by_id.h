#pragma once
/// An attribute in an order that no neighbour search changes.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

/// The values (N) in ascending order of the particles' ids: while none is added or removed, a particle always has the
/// same place. New particles are behind the others. Waits.
/// @param values in the present order of the particles
template <class T>
std::vector<T> in_order_of_ids(const Simulation& simulation, const std::vector<T>& values) {
  const auto id = simulation.particles().get<std::uint32_t>("id").to_host();
  std::vector<T> sorted(values.size());
  if (std::all_of(id.begin(), id.end(), [&](std::uint32_t i) { return i < id.size(); })) {  // ids are unique
    for (std::size_t i = 0; i < values.size(); ++i) sorted[id[i]] = values[i];
    return sorted;
  }
  std::vector<std::uint32_t> places(id.size());
  std::iota(places.begin(), places.end(), 0u);
  std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  std::transform(places.begin(), places.end(), sorted.begin(), [&](std::uint32_t place) { return values[place]; });
  return sorted;
}

/// An attribute of all particles, on the host, in that order.
template <class T>
std::vector<T> by_id(const Simulation& simulation, const char* attribute) {
  return in_order_of_ids(simulation, simulation.particles().get<T>(attribute).to_host());
}

}  // namespace riffle
