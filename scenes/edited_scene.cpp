#include "scenes/edited_scene.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "core/output_files.h"
#include "scenes/key_path.h"
#include "scenes/yaml_writer.h"

namespace riffle {

namespace {

/// Numbers of items as [0], however they were given: two spellings of a path are one edit.
std::string spelled(const std::string& path) {
  std::string text;
  for (const auto& step : split_path(path))
    text = step.index ? text + "[" + std::to_string(*step.index) + "]" : child_path(text, step.name);
  return text.empty() ? path : text;
}

/// Of keys of which one must be given, the new one takes the place of the others.
void make_room(Node& root, const std::string& path) {
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

const Location kEdited{"", 0, 0};

/// The list that an item of is edited, where the scene has left it at its default: gravity[1].
void write_default_list(SceneSource& document, const std::string& path, Problems& problems) {
  const std::string list = path.substr(0, path.rfind('['));
  if (!path.ends_with(']') || find(document.root, list)) return;
  for (const Parameter& p : parameters(document))
    if (p.path == list && p.kind == Parameter::Kind::Vector && !p.is_word())
      put(document.root, list, p.default_value, kEdited, problems);
}

void apply(SceneSource& document, const Edit& edit, Problems& problems) {
  if (!edit.value) {
    take_out(document.root, edit.path);
    return;
  }
  // The one fluid of a scene that writes none down.
  if (is_inside(edit.path, "fluids[0]") && !document.root.find("fluids"))
    put(document.root, "fluids", "[{name: " + FluidSetup{}.name + "}]", kEdited, problems);
  make_room(document.root, edit.path);
  write_default_list(document, edit.path, problems);
  put(document.root, edit.path, *edit.value, kEdited, problems);
}

/// "" where there is nothing, which no value is.
std::string written_at(const SceneSource& source, const std::string& path) {
  const Node* node = find(source.root, path);
  return node ? flow_text(*node) : "";
}

}  // namespace

EditedScene::EditedScene(SceneSource source) : source_(std::move(source)) {
  now_.document = source_;
  now_.scene = build_scene(source_);
}

EditedScene::State EditedScene::state_of(std::vector<Edit> edits) const {
  State state;
  state.document = source_;
  Problems problems;
  for (const Edit& edit : edits) apply(state.document, edit, problems);
  problems.throw_if_any();
  state.left_out = keys_of_other_solvers(state.document);
  for (const auto& path : state.left_out) take_out(state.document.root, path);
  state.scene = build_scene(state.document);
  state.edits = std::move(edits);
  return state;
}

void EditedScene::change_to(State state, const std::string& path, bool goes_on) {
  redo_.clear();
  if (!goes_on || path != last_changed_) undo_.push_back(std::move(now_.edits));
  now_ = std::move(state);
  last_changed_ = path;
}

void EditedScene::set(const std::string& given, const std::string& value, bool goes_on) {
  const std::string path = spelled(given);
  std::vector<Edit> edits = now_.edits;
  std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, path); });
  State without, with;
  bool stands_alone = true;  // the scene could do without the edit that is replaced
  try {
    without = state_of(edits);
  } catch (const InputError&) {
    stands_alone = false;
  }
  edits.push_back({path, value});
  with = state_of(std::move(edits));
  for (const auto& stranger : with.left_out)
    if (is_inside(path, stranger) || is_inside(stranger, path)) {  // not left out of an older edit, but of this one
      SceneSource refused = with.document;
      Problems problems;
      apply(refused, {path, value}, problems);
      build_scene(refused);
    }
  const bool as_it_was = stands_alone && written_at(without.document, path) == written_at(with.document, path);
  change_to(as_it_was ? std::move(without) : std::move(with), path, goes_on);
}

void EditedScene::reset(const std::string& given) {
  const std::string path = spelled(given);
  if (!is_edited(path)) return;
  std::vector<Edit> edits = now_.edits;
  std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, path); });
  const bool edited_above =
      std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) { return is_inside(path, edit.path); });
  if (edited_above) {
    const Node* before = find(source_.root, path);
    edits.push_back({path, before ? std::optional(flow_text(*before)) : std::nullopt});
  }
  if (edits == now_.edits) return;  // a key that is left out at present
  change_to(state_of(std::move(edits)), "", false);
}

void EditedScene::reset_all() {
  if (!now_.edits.empty()) change_to(state_of({}), "", false);
}

void EditedScene::undo() {
  if (undo_.empty()) return;
  State before = state_of(std::move(undo_.back()));
  undo_.pop_back();
  redo_.push_back(std::move(now_.edits));
  now_ = std::move(before);
  last_changed_.clear();
}

void EditedScene::redo() {
  if (redo_.empty()) return;
  State after = state_of(std::move(redo_.back()));
  redo_.pop_back();
  undo_.push_back(std::move(now_.edits));
  now_ = std::move(after);
  last_changed_.clear();
}

bool EditedScene::is_edited(const std::string& path) const {
  return written_at(source_, path) != written_at(now_.document, path);
}

std::string EditedScene::to_yaml() const {
  return riffle::to_yaml(now_.document.root, std::filesystem::path(source_.path).filename().string());
}

void EditedScene::save(const std::string& path) const {
  prepare_file(path);
  write_text(path, to_yaml());
}

std::optional<Effect> effect_of_change(const SceneSource& from, const SceneSource& to) {
  std::map<std::string, Parameter> before;
  for (Parameter& p : parameters(from)) before[p.path] = std::move(p);
  std::optional<Effect> most;
  const auto count = [&](Effect effect) { most = std::min(most.value_or(effect), effect); };
  for (const Parameter& p : parameters(to)) {
    const auto was = before.find(p.path);
    if (was == before.end() || was->second.value != p.value) count(p.effect);
    if (was != before.end()) before.erase(was);
  }
  for (const auto& [path, gone] : before) count(gone.effect);
  return most;
}

}  // namespace riffle
