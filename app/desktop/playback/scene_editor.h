#pragma once
/// The scene as the panels change it: edits on the window's side, sent to the simulation as they are made.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/playback/worker.h"
#include "scenes/document/edited_scene.h"

namespace riffle {

/// "solver.temperature from 1 to 0.5", of two lists of a scene's keys.
std::string what_differs(const std::vector<Parameter>& before, const std::vector<Parameter>& after);

class SceneEditor {
 public:
  explicit SceneEditor(Worker& worker) : worker_(worker) {}

  /// Follows the worker: another scene begins without edits, and an edit that the simulation refused is taken back.
  void follow(const WorkerStatus& status);

  bool has_scene() const { return edited_.has_value(); }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const Parameter* find(const std::string& path) const;
  bool is_edited(const std::string& path) const { return edited_ && edited_->is_edited(path); }
  bool anything_edited() const { return edited_ && edited_->anything_edited(); }
  const std::vector<std::string>& left_out() const { return edited_->left_out(); }
  const Scene& scene() const { return edited_->scene(); }

  /// @param value YAML. @param goes_on part of the same movement of a slider as the last change
  void set(const std::string& path, const std::string& value, bool goes_on = false);
  void reset(const std::string& path);
  void reset_all();
  void add_entry(const std::string& list, const std::string& shape);  ///< as EditedScene's
  void copy_entry(const std::string& path);
  void remove_entry(const std::string& path);
  bool can_undo() const { return edited_ && edited_->can_undo(); }
  bool can_redo() const { return edited_ && edited_->can_redo(); }
  void undo();
  void redo();

  /// Why the last change was refused, in the loader's words; "" when it was not.
  const std::string& error() const { return error_; }
  const std::string& error_path() const { return error_path_; }

  void save(const std::string& file) const;  ///< @throws RuntimeFailure

 private:
  template <class Change>
  void change(const std::string& path, const Change& change, bool goes_on = false);
  void send(const SceneSource& before);  ///< @param before  the document before the change

  Worker& worker_;
  std::optional<EditedScene> edited_;
  std::vector<Parameter> parameters_;
  std::vector<Parameter> before_;  ///< the last change, all of a slider's movement
  std::uint64_t scene_version_ = 0;
  std::uint64_t refused_ = 0;  ///< the last refusal that was dealt with
  std::string error_, error_path_;
};

}  // namespace riffle
