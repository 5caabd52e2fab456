#pragma once
/// The good states that a run holds on its device, to go back to after a fault (sim/guard/fault.h).

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/guard/held_state.h"
#include "sim/measure/unwrapped_positions.h"
#include "sim/simulation.h"

namespace riffle {

class RunGuard {
 public:
  /// [steps] between states. A fault is at most that many steps after the last good one.
  static constexpr std::uint64_t kEvery = 500;
  static constexpr int kMostRecoveries = 5;

  /// @param several  holds four, of which the oldest is four to eight intervals old, for recoveries; otherwise the last one
  explicit RunGuard(bool several) : several_(several) {}

  /// Holds the present state, which the caller has found to be good. Waits. Where memory is short a line of the log says so,
  /// and fewer states are held from then on, or none.
  /// @param unwrapped  nullptr: turns are not counted
  void keep(const Simulation& simulation, UnwrappedPositions* unwrapped);

  /// The newest good state; nullptr if none is held.
  const HeldState* last() const;

  /// The state of the next recovery: one twice as far before the fault as that of the last one, or the oldest there is.
  /// Later states are forgotten. nullptr if none is held.
  /// @param time  [s] of the fault
  const HeldState* go_back(double time);

  std::size_t memory_bytes() const;

 private:
  std::size_t newest() const;  ///< which state; one that is empty if all are

  bool several_;
  bool full_ = false;       ///< memory was short: no further state gets any
  bool gave_up_ = false;    ///< there was not enough for one
  std::uint64_t kept_ = 0;  ///< states so far
  double last_way_ = 0;     ///< [s] that the last recovery went back
  std::array<HeldState, 4> states_;
};

}  // namespace riffle
