#pragma once
/// Plays the events of a scene along a run.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/timing/stage_timer.h"
#include "scenes/scene_events.h"

namespace riffle {

class EventPlayer {
 public:
  /// @param step  at which the run begins: earlier events have acted
  EventPlayer(const scenes::Scene& scene, std::uint64_t step) : scene_(scene) { go_to(step); }

  /// What the simulation has at present.
  const SimulationSetup& setup() const { return scenes::setup_after(scene_, played_); }

  /// Whether an event acts before the next step of a run that has made that many.
  bool due(std::uint64_t step) const { return played_ < scene_.events.size() && scene_.events[played_].step <= step; }

  /// Those that are due then; they have acted from here on.
  std::span<const scenes::SceneEvent> take(std::uint64_t step);

  /// Steps of those that have not acted.
  std::vector<std::uint64_t> to_come() const;

  /// The run goes back to a state of that step. @return whether setup() is another one
  bool go_to(std::uint64_t step);

 private:
  const scenes::Scene& scene_;
  std::size_t played_ = 0;
};

/// What the changes of these events say, "gravity from [0, -9.81, 0] to [0, -5, 0]".
std::string text_of_events(std::span<const scenes::SceneEvent> events);

/// Steps that become shorter.
struct ShorterSteps {
  double fixed = 0;  ///< [s] of a step before; 0: nobody knows how long the next ones are
  double share = 1;  ///< of it from here on
  std::string unit;  ///< of time
};

/// Events are of steps, so they act at other times with shorter ones: "events are of steps: that of step 300 acts at 1.5 s, not at
/// 3 s". "" without events. @param events from that clock on
std::string text_of_moved_events(std::span<const scenes::SceneEvent> events, const ClockState& clock,
                                 const ShorterSteps& steps);

/// The samples of two simulations, one after the other. Medians and the like are those of the second where it has some.
std::vector<StageStats> joined_stages(std::vector<StageStats> first, const std::vector<StageStats>& second);

}  // namespace riffle
