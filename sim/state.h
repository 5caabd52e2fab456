#pragma once
/// A simulation's state in the host's memory: to go back to, or to go on from with another setup or on another device.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/step_control.h"

namespace riffle {

struct SimulationState {
  SimulationSetup setup;  ///< of the simulation that it was saved from
  ClockState clock;
  bool started = false;  ///< what the solver carries from step to step is there; see Solver::started()
  int count = 0;         ///< fluid particles

  /// Each (count), in the order in which the particles stood: "position", "velocity", "id", "fluid", and what the solver
  /// has added, with what is only shown between steps, such as "density".
  std::vector<AttributeValues> attributes;

  /// nullptr where there is none of that name and type.
  template <class T>
  const std::vector<T>* find(std::string_view name) const {
    for (const AttributeValues& attribute : attributes)
      if (attribute.name == name) return std::get_if<std::vector<T>>(&attribute.values);
    return nullptr;
  }

  /// @throws InputError naming the attribute where find() has none.
  template <class T>
  const std::vector<T>& require(std::string_view name) const {
    const std::vector<T>* values = find<T>(name);
    if (values == nullptr) throw_missing(name);
    return *values;
  }

  std::size_t bytes() const;  ///< of host memory

 private:
  [[noreturn]] static void throw_missing(std::string_view name);
};

/// That setup can go on from the state: particles mean the same in both.
/// @throws InputError saying why not: another dimension, spacing or kind of units (DPD's are reduced), a fluid that the
/// setup has not, particles outside of walls that stand elsewhere, or attributes that are missing or not of `count`.
void check_state(const SimulationState& state, const SimulationSetup& setup);

/// Whether a solver of that setup finds in the state's attributes what it carries from step to step. Otherwise it begins
/// as at time 0, from start_velocities(); see Simulation's constructor for what that costs.
bool carries_on(const SimulationState& state, const SimulationSetup& setup);

/// (count) velocities at the time of the positions; those of the state may be half a step ahead.
std::vector<Vec4> start_velocities(const SimulationState& state);

}  // namespace riffle
