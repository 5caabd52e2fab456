#include "app/run/run_guard.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "core/text/log.h"

namespace riffle {

/// State number n goes to the slot of its trailing zeros in binary: slot 0 has the last odd one, slot 1 the last one that is
/// twice an odd number, and so on. The states then lie about 0, 1, 2 and 4 intervals back.
void RunGuard::keep(const Simulation& simulation, UnwrappedPositions* unwrapped) {
  if (gave_up_) return;
  const std::uint64_t number = kept_++;
  const std::size_t last_slot = states_.size() - 1;
  std::size_t slot = 0;
  if (several_ && number == 0) slot = last_slot;
  if (several_ && number > 0)
    slot = std::min<std::size_t>(last_slot, static_cast<std::size_t>(std::countr_zero(number)));
  if (full_ && states_[slot].empty()) slot = newest();  // what has memory already is used again
  HeldState& state = states_[slot];
  try {
    state.take(simulation);
    if (unwrapped == nullptr) return;
    SimulationState turns;
    turns.attributes.push_back({"id", simulation.particles().get<std::uint32_t>("id").to_host()});
    turns.count = simulation.particle_count();
    unwrapped->add_to(turns, simulation);
    state.set_turns(std::move(turns.turns));
  } catch (const Unavailable& lack) {
    state.clear();
    const auto held = std::count_if(states_.begin(), states_.end(), [](const HeldState& s) { return !s.empty(); });
    gave_up_ = held == 0;
    if (gave_up_)
      log::warn("no state is held to go back to after a fault: {}", lack.what());
    else if (!full_)
      log::warn("only {} of {} states are held to go back to after a fault: {}", held, states_.size(), lack.what());
    full_ = true;
  }
}

std::size_t RunGuard::newest() const {
  std::size_t newest = 0;
  for (std::size_t k = 1; k < states_.size(); ++k)
    if (!states_[k].empty() && (states_[newest].empty() || states_[k].step() > states_[newest].step())) newest = k;
  return newest;
}

const HeldState* RunGuard::last() const {
  const HeldState& last = states_[newest()];
  return last.empty() ? nullptr : &last;
}

const HeldState* RunGuard::go_back(double time) {
  const HeldState *newest = nullptr, *oldest = nullptr;
  for (const HeldState& state : states_) {
    if (state.empty()) continue;
    if (oldest == nullptr || state.step() < oldest->step()) oldest = &state;
    const bool far_enough = time - state.time() >= 2 * last_way_;
    if (far_enough && (newest == nullptr || state.step() > newest->step())) newest = &state;
  }
  const HeldState* const chosen = newest != nullptr ? newest : oldest;
  if (chosen == nullptr) return nullptr;
  last_way_ = std::max(last_way_, time - chosen->time());
  const std::uint64_t step = chosen->step();
  for (HeldState& state : states_)
    if (!state.empty() && state.step() > step) state.clear();
  return chosen;
}

std::size_t RunGuard::memory_bytes() const {
  std::size_t sum = 0;
  for (const HeldState& state : states_) sum += state.memory_bytes();
  return sum;
}

}  // namespace riffle
