#pragma once
/// A state of a simulation that is kept in the memory of its device, so that keeping it takes no time: attributes are copied
/// there. What else a state has is small and lies in the host's memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/device/buffer.h"
#include "sim/simulation.h"

namespace riffle {

class HeldState {
 public:
  /// Replaces what is held by the present state. Waits for the step before it. Allocates memory only where there are more
  /// particles or attributes than before. @throws Unavailable if memory is short; nothing is held then
  void take(const Simulation& simulation);

  bool empty() const { return rest_.count == 0; }
  std::uint64_t step() const { return rest_.clock.step; }
  double time() const { return rest_.clock.time; }  ///< [s]
  void clear();

  /// How often particles have gone round a periodic box, for SimulationState::turns.
  void set_turns(std::vector<BoxTurns> turns) { rest_.turns = std::move(turns); }

  /// The same as Simulation::save_state() gave when it was taken. Waits. @throws std::logic_error if nothing is held
  SimulationState state() const;

  std::size_t memory_bytes() const;  ///< on the device

 private:
  using Storage = std::variant<Buffer<float>, Buffer<Vec4>, Buffer<std::uint32_t>>;
  struct Attribute {
    std::string name;
    Storage values;  ///< at least as many as there are particles
  };
  SimulationState rest_;  ///< without attributes
  std::vector<Attribute> attributes_;
};

/// Bytes that a HeldState of so many particles takes.
std::size_t held_state_bytes(const SimulationSetup& setup, std::int64_t count);

}  // namespace riffle
