#include "app/desktop/playback/scene_edit.h"

#include <algorithm>

namespace riffle::desktop {

std::vector<KeyChange> joined(std::vector<KeyChange> first, const std::vector<KeyChange>& second) {
  for (const KeyChange& change : second) {
    const auto same = std::ranges::find(first, change.key, &KeyChange::key);
    if (same == first.end())
      first.push_back(change);
    else
      same->to = change.to;
  }
  std::erase_if(first, [](const KeyChange& change) { return change.from == change.to; });
  return first;
}

}  // namespace riffle::desktop
