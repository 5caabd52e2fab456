#pragma once
/// What has changed along the steps of a run, from which a scene follows that does the same.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "scenes/scene_events.h"

namespace riffle::desktop {

/// Something that acts on a run and is no key of a scene.
struct OutsideAct {
  enum class Kind { Hand, Pace, Device, End };
  std::uint64_t step = 0;  ///< steps that the run had made
  Kind kind = Kind::Hand;
};

struct TrackedChange : scenes::StepChange {
  bool is_edit = false;  ///< otherwise an event of the scene
};

/// Never changes while somebody else has it.
struct RunTrack {
  std::shared_ptr<const scenes::SceneSource> start;     ///< the scene as the run began with it
  std::vector<TrackedChange> changes;                   ///< edits and events, by their steps
  std::vector<OutsideAct> outside;                      ///< by their steps
  std::shared_ptr<const scenes::SceneSource> document;  ///< the scene, as edited, at the last of the changes
  std::size_t played = 0;                               ///< its events that have acted then

  /// The values in force when the run had made that many steps, before those that change then.
  scenes::SceneSource in_force(std::uint64_t steps) const;

  /// The run goes on from there as another one.
  void cut(std::uint64_t step);
};

/// Where a run stands.
struct RunPlace {
  static constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

  std::shared_ptr<const RunTrack> track;                ///< nullptr: nobody follows the run
  std::shared_ptr<const scenes::SceneSource> document;  ///< the scene, as edited
  std::size_t played = 0;                               ///< its events that have acted
  /// Steps that the run has made, if it stands before changes of the track, or changes since are not in it yet; otherwise kLast.
  std::uint64_t step = kLast;
  bool starts_again = false;  ///< the run was started again and has made no step
};

struct RunScene {
  scenes::SceneSource source;
  std::size_t edits = 0;  ///< of the run, that are events of it
  std::string lost;       ///< why they are not, and the source is `document`; "": all are
};

/// The scene that does what the run has done, and will do if it is left alone: `document` of the place, which has one, with the
/// edits as events, if there are any.
/// @param present  a run that stands at an earlier moment goes on from there; false: its later moments count if no edit
///                 was made since
RunScene scene_of_run(const RunPlace& place, bool present);

/// What acted on the run and is in no scene: "The run had what ..."; "" where there is nothing to say.
std::string outside_text(const RunPlace& place);

}  // namespace riffle::desktop
