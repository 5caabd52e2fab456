#include "scenes/document/changed_keys.h"

#include <algorithm>
#include <set>

#include "scenes/document/parameters.h"

namespace riffle::scenes {

std::string change_text(const KeyChange& change) {
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  return change.key + " from " + shown(change.from) + " to " + shown(change.to);
}

std::vector<KeyChange> changed_keys(const std::vector<Parameter>& before, const std::vector<Parameter>& after) {
  std::vector<KeyChange> changes;
  for (const char* list : {"fluids", "bodies", "solids", "joints", "inlets", "outlets", "damping", "probes"}) {
    const auto entries = [&](const std::vector<Parameter>& parameters) {
      std::set<std::string> sections;
      for (const Parameter& p : parameters)
        if (p.section.starts_with(std::string(list) + "[")) sections.insert(p.section);
      return sections.size();
    };
    const std::size_t old = entries(before), now = entries(after);
    if (old != now)
      changes.push_back({list, std::to_string(old), std::to_string(now) + (now == 1 ? " entry" : " entries")});
  }
  if (!changes.empty()) return changes;  // the numbers of the other entries may be others now
  for (const Parameter& p : after) {
    const auto old = std::find_if(before.begin(), before.end(), [&](const Parameter& b) { return b.path == p.path; });
    if (old != before.end() && old->value != p.value) changes.push_back({p.path, old->value, p.value});
  }
  return changes;
}

}  // namespace riffle::scenes
