#pragma once
/// A simulation's state in the host's memory. A simulation can go back to it, or go on from it with another setup or on
/// another device.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neighbors/kept_search.h"
#include "sim/bodies/free_bodies.h"
#include "sim/inheritance/inheritance.h"
#include "sim/openings/openings.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/step_control.h"

namespace riffle {

/// How often a particle has gone round a periodic box.
struct BoxTurns {
  std::int32_t along[3] = {};  ///< each axis
};

struct SimulationState {
  SimulationSetup setup;  ///< of the simulation that saved it
  ClockState clock;
  bool started = false;  ///< the attributes hold what the solver carries from step to step; see Solver::started()
  bool knows_last_step = false;  ///< as Simulation::knows_last_step()
  int count = 0;                 ///< fluid particles
  std::uint32_t next_id = 0;     ///< of the next new particle; 0, or too small: one above the largest id

  /// Each (count), in the particles' order when the state was saved: "position", "velocity", "id", "fluid" and what the
  /// solver added, including what is only shown between steps, such as "density".
  std::vector<AttributeValues> attributes;

  /// (count) since time 0, in the same order, where they are counted (sim/measure/unwrapped_positions.h); empty: nobody
  /// has counted. A simulation that goes on from the state takes no notice.
  std::vector<BoxTurns> turns;

  /// Of the particles in the same order; empty where the next step depends on nothing that a search keeps. A simulation
  /// with the same search goes on from it, so that sums are added in the same order.
  KeptSearch search;

  /// Empty: there is no free body. A simulation with another number of solids, or other shapes, starts with its bodies where its
  /// setup has them.
  KeptBodies bodies;

  /// Empty: there is no inlet and no outlet.
  KeptOpenings openings;

  KeptInheritance inheritance;

  /// nullptr if there is none of that name and type.
  template <class T>
  const std::vector<T>* find(std::string_view name) const {
    for (const AttributeValues& attribute : attributes)
      if (attribute.name == name) return std::get_if<std::vector<T>>(&attribute.values);
    return nullptr;
  }

  /// @throws InputError naming the attribute if find() has none.
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

/// Checks that the setup can go on from the state: particles mean the same in both.
/// @throws InputError with the reason: another dimension, spacing or kind of units (SI or reduced), a fluid that the
/// setup lacks, particles outside walls that the setup puts elsewhere, or attributes that are missing or not of
/// `count`.
void check_state(const SimulationState& state, const SimulationSetup& setup);

/// Whether the state's attributes hold what a solver of that setup carries from step to step. Otherwise the solver
/// begins as at time 0, from start_velocities(); Simulation's constructor says what that costs.
bool carries_on(const SimulationState& state, const SimulationSetup& setup);

/// (count) velocities at the time of the positions; those of the state may be half a step ahead.
std::vector<Vec4> start_velocities(const SimulationState& state);

}  // namespace riffle
