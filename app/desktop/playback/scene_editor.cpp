#include "app/desktop/playback/scene_editor.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/desktop/playback/scene_edit.h"
#include "app/desktop/playback/worker.h"
#include "scenes/document/edited_scene.h"

namespace riffle::desktop {

SceneEditor::SceneEditor(Worker& worker) : worker_(worker) {}
SceneEditor::~SceneEditor() = default;

void SceneEditor::follow(const WorkerStatus& status) {
  if (status.loaded && status.scene_version != scene_version_) {
    scene_version_ = status.scene_version;
    refused_ = status.refused_edits;
    edited_ = std::make_unique<scenes::EditedScene>(*status.source);
    parameters_ = edited_->parameters();
    error_.clear();
  }
  // The worker has said why. The panels must show the scene that runs.
  if (edited_ && status.refused_edits != refused_) {
    refused_ = status.refused_edits;
    edited_->undo();
    parameters_ = edited_->parameters();
  }
}

const std::vector<scenes::Parameter>& SceneEditor::parameters() const { return parameters_; }
bool SceneEditor::is_edited(const std::string& path) const { return edited_ && edited_->is_edited(path); }
bool SceneEditor::anything_edited() const { return edited_ && edited_->anything_edited(); }
bool SceneEditor::can_undo() const { return edited_ && edited_->can_undo(); }
bool SceneEditor::can_redo() const { return edited_ && edited_->can_redo(); }

const scenes::Parameter* SceneEditor::find(const std::string& path) const {
  const auto at =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const scenes::Parameter& p) { return p.path == path; });
  return at == parameters_.end() ? nullptr : &*at;
}

std::string what_differs(const std::vector<scenes::Parameter>& before, const std::vector<scenes::Parameter>& after) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> changes;
  for (const scenes::Parameter& p : after) {
    const auto old =
        std::find_if(before.begin(), before.end(), [&](const scenes::Parameter& b) { return b.path == p.path; });
    if (old != before.end() && old->value != p.value)
      changes.push_back(p.path + " from " + old->value + " to " + p.value);
  }
  if (changes.empty()) return "the scene";  // entries of lists were added or removed
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + changes[i];
  return changes.size() > kNamed ? text + " and " + std::to_string(changes.size() - kNamed) + " more" : text;
}

template <class Change>
void SceneEditor::change(const std::string& path, const Change& change, bool goes_on) {
  if (!edited_) return;
  error_.clear();
  const scenes::SceneSource before = edited_->document();
  try {
    change();
  } catch (const std::exception& refusal) {
    error_ = refusal.what();
    error_path_ = path;
    return;
  }
  std::vector<scenes::Parameter> old = std::exchange(parameters_, edited_->parameters());
  if (!goes_on) before_ = std::move(old);
  send(before);
}

void SceneEditor::send(const scenes::SceneSource& before) {
  const auto effect = scenes::effect_of_change(before, edited_->document());
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

}  // namespace riffle::desktop
