#include "app/run/event_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace riffle {

std::span<const scenes::SceneEvent> EventPlayer::take(std::uint64_t step) {
  const std::size_t first = std::exchange(played_, scenes::events_before(scene_, step + 1));
  return std::span(scene_.events).subspan(first, played_ - first);
}

std::vector<std::uint64_t> EventPlayer::to_come() const {
  std::vector<std::uint64_t> steps;
  for (const scenes::SceneEvent& event : std::span(scene_.events).subspan(played_)) steps.push_back(event.step);
  return steps;
}

bool EventPlayer::go_to(std::uint64_t step) {
  return std::exchange(played_, scenes::events_before(scene_, step)) != played_;
}

std::string text_of_events(std::span<const scenes::SceneEvent> events) {
  std::string text;
  for (const scenes::SceneEvent& event : events)
    for (const scenes::KeyChange& change : event.changes)
      text += (text.empty() ? "" : ", ") + scenes::change_text(change);
  return text.empty() ? "nothing is another" : text;
}

std::string text_of_moved_events(std::span<const scenes::SceneEvent> events, const ClockState& clock,
                                 const ShorterSteps& steps) {
  constexpr std::size_t kMost = 3;
  // The next step has the event's changes already.
  const auto first = std::ranges::find_if(events, [&](const auto& event) { return event.step > clock.step; });
  events = events.subspan(static_cast<std::size_t>(first - events.begin()));
  if (events.empty()) return "";
  std::string text;
  double before = clock.time, now = clock.time, fixed = steps.fixed;
  std::uint64_t step = clock.step;
  std::size_t told = 0;
  for (; told < std::min(events.size(), kMost) && fixed > 0; ++told) {
    const scenes::SceneEvent& event = events[told];
    const double length = static_cast<double>(event.step - step) * fixed;
    step = event.step;
    before += length;
    now += length * steps.share;
    text += fmt::format("{}that of step {} acts at {:.6g} {}, not at {:.6g} {}", told == 0 ? "" : ", ", step, now,
                        steps.unit, before, steps.unit);
    if (std::ranges::any_of(event.changes, [](const auto& change) { return change.key == "time.step"; })) fixed = 0;
  }
  std::vector<std::uint64_t> others;
  for (const scenes::SceneEvent& event : events.subspan(told)) others.push_back(event.step);
  if (!others.empty())
    text += fmt::format("{}{} {} earlier", told == 0 ? "" : ", ", scenes::steps_text(others),
                        others.size() == 1 ? "acts" : "act");
  return "events are of steps: " + text;
}

std::vector<StageStats> joined_stages(std::vector<StageStats> first, const std::vector<StageStats>& second) {
  for (const StageStats& later : second) {
    const auto same = std::ranges::find(first, later.name, &StageStats::name);
    if (same == first.end()) {
      first.push_back(later);
      continue;
    }
    const auto before = static_cast<double>(same->count), after = static_cast<double>(later.count);
    const double mean = (before * same->mean_ms + after * later.mean_ms) / std::max(1.0, before + after);
    const std::uint64_t count = same->count + later.count;
    if (later.count > 0) *same = later;
    same->mean_ms = mean;
    same->count = count;
  }
  return first;
}

}  // namespace riffle
