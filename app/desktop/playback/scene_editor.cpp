#include "app/desktop/playback/scene_editor.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace riffle {

void SceneEditor::follow(const WorkerStatus& status) {
  if (status.loaded && status.scene_version != scene_version_) {
    scene_version_ = status.scene_version;
    refused_ = status.refused_edits;
    edited_.emplace(*status.source);
    parameters_ = edited_->parameters();
    error_.clear();
  }
  // The worker has said why; what the panels show must be what runs.
  if (edited_ && status.refused_edits != refused_) {
    refused_ = status.refused_edits;
    edited_->undo();
    parameters_ = edited_->parameters();
  }
}

const Parameter* SceneEditor::find(const std::string& path) const {
  const auto at =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.path == path; });
  return at == parameters_.end() ? nullptr : &*at;
}

std::string what_differs(const std::vector<Parameter>& before, const std::vector<Parameter>& after) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> changes;
  for (const Parameter& p : after) {
    const auto old = std::find_if(before.begin(), before.end(), [&](const Parameter& b) { return b.path == p.path; });
    if (old != before.end() && old->value != p.value)
      changes.push_back(p.path + " from " + old->value + " to " + p.value);
  }
  if (changes.empty()) return "the scene";  // entries of lists came or went
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + changes[i];
  return changes.size() > kNamed ? text + " and " + std::to_string(changes.size() - kNamed) + " more" : text;
}

template <class Change>
void SceneEditor::change(const std::string& path, const Change& change, bool goes_on) {
  if (!edited_) return;
  error_.clear();
  const SceneSource before = edited_->document();
  try {
    change();
  } catch (const std::exception& refusal) {
    error_ = refusal.what();
    error_path_ = path;
    return;
  }
  std::vector<Parameter> old = std::exchange(parameters_, edited_->parameters());
  if (!goes_on) before_ = std::move(old);
  send(before);
}

void SceneEditor::send(const SceneSource& before) {
  const auto effect = effect_of_change(before, edited_->document());
  if (!effect) return;
  worker_.edit({edited_->scene(), *effect, what_differs(before_, parameters_)});
}

void SceneEditor::set(const std::string& path, const std::string& value, bool goes_on) {
  change(
      path, [&] { edited_->set(path, value, goes_on); }, goes_on);
}
void SceneEditor::reset(const std::string& path) {
  change(path, [&] { edited_->reset(path); });
}
void SceneEditor::reset_all() {
  change("", [&] { edited_->reset_all(); });
}
void SceneEditor::add_entry(const std::string& list, const std::string& shape) {
  change(list, [&] { edited_->add_entry(list, shape); });
}
void SceneEditor::copy_entry(const std::string& path) {
  change(path, [&] { edited_->copy_entry(path); });
}
void SceneEditor::remove_entry(const std::string& path) {
  change(path, [&] { edited_->remove_entry(path); });
}
void SceneEditor::undo() {
  change("", [&] { edited_->undo(); });
}
void SceneEditor::redo() {
  change("", [&] { edited_->redo(); });
}

void SceneEditor::save(const std::string& file) const { edited_->save(file); }

}  // namespace riffle
