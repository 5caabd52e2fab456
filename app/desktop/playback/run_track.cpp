#include "app/desktop/playback/run_track.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

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
    if (!now.empty()) changes.push_back({{place.step, std::move(now)}, true});
  }
  const auto edits = static_cast<std::size_t>(std::ranges::count_if(changes, &TrackedChange::is_edit));
  if (edits == 0) return {document, 0, ""};
  RunScene made{scenes::with_changes(*track.start, document, plain(changes), played), edits, ""};
  try {
    scenes::build_scene(made.source);
    const scenes::KeyValues left =
        scenes::changed_values(after(*track.start, changes), scenes::document_after(document, played));
    for (const auto& [path, value] : left)
      made.lost += (made.lost.empty() ? "no event leads to this value: " : ", ") + path;
  } catch (const InputError& why) {
    made.lost = why.what();
  }
  return made.lost.empty() ? made : RunScene{document, 0, made.lost};
}

std::string outside_text(const RunPlace& place) {
  if (!place.track) return "";
  if (place.starts_again) return "";
  const std::uint64_t step = place.document == place.track->document ? RunPlace::kLast : place.step;
  const auto count = [&](OutsideAct::Kind kind) {
    return std::ranges::count_if(place.track->outside,
                                 [&](const OutsideAct& act) { return act.kind == kind && act.step < step; });
  };
  std::vector<std::string> acts;
  const auto times = [](std::ptrdiff_t n) { return n == 1 ? std::string("once") : fmt::format("{} times", n); };
  if (const auto hands = count(OutsideAct::Kind::Hand); hands > 0)
    acts.push_back(fmt::format("the hand moved the fluid or a solid {}", times(hands)));
  if (count(OutsideAct::Kind::Pace) > 0) acts.push_back("time.pace eased its steps");
  if (count(OutsideAct::Kind::Device) > 0) acts.push_back("it went on on another device");
  if (count(OutsideAct::Kind::End) > 0) acts.push_back("it went on past time.end, which had shortened a step");
  if (acts.empty()) return "";
  return fmt::format("The run had what its scene does not have: {}. The saved scene leads to other particles.",
                     fmt::join(acts, "; "));
}

}  // namespace riffle::desktop
