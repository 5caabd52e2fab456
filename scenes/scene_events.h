#pragma once
/// Changes of a scene's keys at steps of its run: the key `events`. Edits of a running scene are kept as such.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenes/load.h"

namespace riffle::scenes {

/// Paths of keys with their values as YAML.
using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// Reviews the scene as it is after each event, up to the first mistake. Sorts Scene::events by their steps and fills what
/// follows from their keys.
/// @param scene  of the source without its events; it can run. Its events are in the order of the document
void review_events(const SceneSource& source, Scene& scene, Problems& problems);

/// How many events act before a run has made that many steps: those of earlier steps. Those of this step act with the
/// next one.
std::size_t events_before(const Scene& scene, std::uint64_t steps);

std::size_t events_before(const SceneSource& source, std::uint64_t steps);  ///< likewise

/// Where a run is, and what ends it.
struct RunAhead {
  std::uint64_t step = 0;     ///< steps that it has made
  double time = 0;            ///< [s] after them
  bool ends_by_scene = true;  ///< at time.end; false: an option says where
};

/// The warnings of a scene that a run from there on has something to do with: none of values that no longer hold, and none of
/// events that act.
std::vector<Warning> warnings_ahead(const Scene& scene, const RunAhead& run);

/// [s] The simulated times at which the events act, up to the first one before which a step is not fixed: from there on nobody
/// knows them.
std::vector<double> event_times(const Scene& scene);

/// The first event that acts at one of these times [s] and to which a run up to time.end does not come; times.size(): there is
/// none.
std::size_t first_beyond_end(const Scene& scene, const std::vector<double>& times);

/// "the events of the steps 1175, 1425 and 2 more": of the first ones of a list by their steps, which has some.
std::string steps_text(const std::vector<std::uint64_t>& steps);

/// What the simulation has after so many events.
const SimulationSetup& setup_after(const Scene& scene, std::size_t events);

/// The document as its first events leave it, by their steps, without `events`. @param source  of a scene that can run
SceneSource document_after(const SceneSource& source, std::size_t events);

/// What an event sets so that one document becomes the other, as far as a simulation takes notice. Both can run, and have no
/// events.
KeyValues changed_values(const SceneSource& from, const SceneSource& to);

/// What a run has changed when it had made that many steps.
struct StepChange {
  std::uint64_t step = 0;
  KeyValues set;
};

/// A scene that does what a run has done and will do.
/// @param start    the scene as the run began with it; its events are not taken
/// @param now      the scene as it is: names, picture and whatever else no simulation takes notice of are from it
/// @param changes  of the run, by their steps
/// @param played   events of `now` that have acted; those after them are to come
SceneSource with_changes(const SceneSource& start, const SceneSource& now, const std::vector<StepChange>& changes,
                         std::size_t played);

/// The node of a list of events: a map with `step` and `set`.
Node event_node(const StepChange& change);

struct TakenOver {
  KeyValues values;    ///< of the keys, by their events
  std::string events;  ///< what is left of `events`, as YAML; "": nothing
};
/// What an edit of keys at these paths takes over from the first `played` events: the keys that lie at one of the paths, in one,
/// or around one.
TakenOver take_over(const SceneSource& source, std::size_t played, const std::vector<std::string>& paths);

}  // namespace riffle::scenes
