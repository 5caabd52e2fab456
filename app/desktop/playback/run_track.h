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
  enum class Kind { Hand, Pace, Device };
  std::uint64_t step = 0;  ///< steps that the run had made
  Kind kind = Kind::Hand;
  std::uint64_t times = 1;
};

struct TrackedChange : scenes::StepChange {
  bool is_edit = false;                                    ///< otherwise an event of the scene
  double time = std::numeric_limits<double>::quiet_NaN();  ///< [s] simulated; NaN: not known
};

/// Never changes while somebody else has it.
struct RunTrack {
  std::shared_ptr<const scenes::SceneSource> start;     ///< the scene as the run began with it
  std::vector<TrackedChange> changes;                   ///< edits and events, by their steps
  std::vector<OutsideAct> outside;                      ///< by their steps
  std::vector<std::uint64_t> shortened;                 ///< steps that an end has made shorter, counted from 1
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
  std::uint64_t made = 0;     ///< steps of the run up to its last moment
  double time = 0;            ///< [s] simulated: where it stands
};

struct RunScene {
  scenes::SceneSource source;
  std::size_t edits = 0;    ///< of the run, that are events of it
  std::string lost;         ///< why they are not, and the source is `document`; "": all are
  std::string beyond = {};  ///< of edits > 0: as beyond_end_text()
};

/// The scene that does what the run has done, and will do if it is left alone: `document` of the place, which has one, with the
/// edits as events, if there are any.
/// @param present  a run that stands at an earlier moment goes on from there; false: its later moments count if no edit
///                 was made since
RunScene scene_of_run(const RunPlace& place, bool present);

/// "The events of the steps 1175, 1425 act at t = 47 and later ...": that a run of the scene up to time.end does not come to them.
/// "" where it does, or nobody knows. @param track  of a run that had these events; nullptr: none
std::string beyond_end_text(const scenes::Scene& scene, const RunTrack* track);

/// Whether the run went on after a step that an end has made shorter.
bool passed_shortened_step(const RunPlace& place);

/// What acted on the run and is in no scene: "The run had what ..."; "" where there is nothing to say.
std::string outside_text(const RunPlace& place);

}  // namespace riffle::desktop
