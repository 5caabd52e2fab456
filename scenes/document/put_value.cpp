#include "scenes/document/put_value.h"

#include <algorithm>

#include "scenes/document/flow_keys.h"
#include "scenes/document/key_path.h"
#include "scenes/document/parameters.h"
#include "scenes/format/format.h"

namespace riffle::scenes {

namespace {

/// Takes out the other keys of a group of which exactly one must be given.
void take_rivals_out(Node& root, const std::string& path) {
  const Record* record = &scene_format();
  std::string section;
  for (const auto& step : split_path(path)) {
    if (step.index) {
      section += "[" + step.name + "]";
      continue;
    }
    const auto& rivals = record->exactly_one_of;
    if (std::find(rivals.begin(), rivals.end(), step.name) != rivals.end())
      for (const auto& rival : rivals)
        if (rival != step.name) take_out(root, child_path(section, rival));
    section = child_path(section, step.name);
    const Key* key = record->find(step.name);
    if (!key || !key->forms.back().record) return;
    record = key->forms.back().record.get();
  }
}

/// Writes a list at its default before one of its items is edited: gravity[1].
void write_default_list(SceneSource& document, const std::string& path, const Location& at, Problems& problems) {
  const std::string list = path.substr(0, path.rfind('['));
  if (!path.ends_with(']') || find(document.root, list)) return;
  for (const Parameter& p : parameters(document))
    if (p.path == list && p.kind == Parameter::Kind::Vector && !p.is_word())
      put(document.root, list, p.default_value, at, problems);
}

}  // namespace

void make_way(SceneSource& document, const std::string& path, const Location& at, Problems& problems) {
  if (path.starts_with("fluids[")) write_the_fluid(document.root, at);
  take_rivals_out(document.root, path);
  for (const std::string& rival : flow_rivals(path)) take_out(document.root, rival);
  write_default_list(document, path, at, problems);
}

}  // namespace riffle::scenes
