#include "app/desktop/playback/run_track.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

std::vector<scenes::StepChange> plain(const std::vector<TrackedChange>& changes) {
  return {changes.begin(), changes.end()};
}

/// None of the start's own events: those that have acted are among the changes.
scenes::SceneSource after(const scenes::SceneSource& start, const std::vector<TrackedChange>& changes) {
  const scenes::SceneSource bare = scenes::document_after(start, 0);
  return scenes::document_after(scenes::with_changes(bare, bare, plain(changes), 0), changes.size());
}

}  // namespace

scenes::SceneSource RunTrack::in_force(std::uint64_t steps) const {
  RunTrack before = *this;
  before.cut(steps);
  return after(*start, before.changes);
}

void RunTrack::cut(std::uint64_t step) {
  std::erase_if(changes, [&](const TrackedChange& change) { return change.step >= step; });
  std::erase_if(outside, [&](const OutsideAct& act) { return act.step >= step; });
  std::erase_if(shortened, [&](std::uint64_t ended) { return ended > step; });
}

RunScene scene_of_run(const RunPlace& place, bool present) {
  const scenes::SceneSource& document = *place.document;
  if (!place.track || place.starts_again) return {document, 0, ""};
  RunTrack track = *place.track;
  const bool to_its_end = place.step == RunPlace::kLast || (!present && track.document == place.document);
  if (!to_its_end && place.step == 0) return {document, 0, ""};
  const std::size_t played = to_its_end ? track.played : place.played;
  std::vector<TrackedChange>& changes = track.changes;
  if (!to_its_end) {
    track.cut(place.step);
    scenes::KeyValues now =
        scenes::changed_values(after(*track.start, changes), scenes::document_after(document, place.played));
    if (!now.empty()) changes.push_back({{place.step, std::move(now)}, true, place.time});
  }
  const auto edits = static_cast<std::size_t>(std::ranges::count_if(changes, &TrackedChange::is_edit));
  if (edits == 0) return {document, 0, ""};
  RunScene made{scenes::with_changes(*track.start, document, plain(changes), played), edits, ""};
  try {
    track.changes = changes;
    made.beyond = beyond_end_text(scenes::build_scene(made.source), &track);
    const scenes::KeyValues left =
        scenes::changed_values(after(*track.start, changes), scenes::document_after(document, played));
    for (const auto& [path, value] : left)
      made.lost += (made.lost.empty() ? "no event leads to this value: " : ", ") + path;
  } catch (const InputError& why) {
    made.lost = why.what();
  }
  return made.lost.empty() ? made : RunScene{document, 0, made.lost};
}

std::string beyond_end_text(const scenes::Scene& scene, const RunTrack* track) {
  std::vector<double> times = scenes::event_times(scene);
  for (std::size_t i = times.size(); track && i < scene.events.size(); ++i) {
    const auto change = std::ranges::find(track->changes, scene.events[i].step, &TrackedChange::step);
    if (change == track->changes.end() || std::isnan(change->time)) break;
    times.push_back(change->time);
  }
  const std::size_t first = scenes::first_beyond_end(scene, times);
  if (first == times.size()) return "";
  std::vector<std::uint64_t> steps;
  for (std::size_t i = first; i < scene.events.size(); ++i) steps.push_back(scene.events[i].step);
  const char* const unit = units_of(scene.simulation).time;
  const bool one = steps.size() == 1;
  return fmt::format(
      "riffle run ends at {:g} {} (time.end), before {}, so {} not act there. With a time.end above {:.6g} {} {}.",
      scene.run.end_time, unit, scenes::steps_text(steps), one ? "it does" : "they do", times.back(), unit,
      one ? "it does" : "they do");
}

namespace {

/// Of the run that the scene of the place does; RunPlace::kLast: to its last moment.
std::uint64_t steps_of_scene(const RunPlace& place) {
  return place.document == place.track->document ? RunPlace::kLast : place.step;
}

}  // namespace

bool passed_shortened_step(const RunPlace& place) {
  if (!place.track || place.starts_again) return false;
  const std::uint64_t steps = std::min(steps_of_scene(place), place.made);
  return std::ranges::any_of(place.track->shortened, [&](std::uint64_t ended) { return ended < steps; });
}

std::string outside_text(const RunPlace& place) {
  if (!place.track) return "";
  if (place.starts_again) return "";
  const std::uint64_t step = steps_of_scene(place);
  const auto count = [&](OutsideAct::Kind kind) {
    std::uint64_t times = 0;
    for (const OutsideAct& act : place.track->outside)
      if (act.kind == kind && act.step < step) times += act.times;
    return times;
  };
  std::vector<std::string> acts;
  const auto times = [](std::uint64_t n) { return n == 1 ? std::string("once") : fmt::format("{} times", n); };
  if (const auto hands = count(OutsideAct::Kind::Hand); hands > 0)
    acts.push_back(fmt::format("the hand moved the fluid or a solid {}", times(hands)));
  if (count(OutsideAct::Kind::Pace) > 0) acts.push_back("time.pace eased its steps");
  if (count(OutsideAct::Kind::Device) > 0) acts.push_back("it went on on another device");
  if (passed_shortened_step(place)) acts.push_back("it went on after a step that its end, time.end, had shortened");
  if (acts.empty()) return "";
  return fmt::format("The run had what its scene does not have: {}. The saved scene leads to other particles.",
                     fmt::join(acts, "; "));
}

}  // namespace riffle::desktop
