#include "app/run/event_player.h"

#include <algorithm>
#include <utility>

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
