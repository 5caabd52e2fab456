#pragma once
/// The scene as the panels change it. Edits are made on the window's side and sent to the simulation at once.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace riffle::scenes {
class EditedScene;
struct Parameter;
struct SceneSource;
}  // namespace riffle::scenes

namespace riffle::desktop {

class Worker;
struct WorkerStatus;

/// "solver.temperature from 1 to 0.5": how two lists of a scene's keys differ.
std::string what_differs(const std::vector<scenes::Parameter>& before, const std::vector<scenes::Parameter>& after);

class SceneEditor {
 public:
  explicit SceneEditor(Worker& worker);
  ~SceneEditor();
  SceneEditor(const SceneEditor&) = delete;
  SceneEditor& operator=(const SceneEditor&) = delete;

  /// Follows the worker: another scene begins without edits, and an edit that the simulation refused is undone.
  void follow(const WorkerStatus& status);

  bool has_scene() const { return edited_ != nullptr; }
  const std::vector<scenes::Parameter>& parameters() const;
  const scenes::Parameter* find(const std::string& path) const;  ///< nullptr if the scene has no such key
  bool is_edited(const std::string& path) const;
  bool anything_edited() const;

  /// @param value YAML. @param goes_on part of the same movement of a slider as the last change
  void set(const std::string& path, const std::string& value, bool goes_on = false);
  void reset(const std::string& path);
  void reset_all();
  void add_entry(const std::string& list, const std::string& shape);  ///< as EditedScene's
  void copy_entry(const std::string& path);
  void remove_entry(const std::string& path);
  bool can_undo() const;
  bool can_redo() const;
  void undo();
  void redo();

  /// Why the loader refused the last change, in its words; "" if it did not.
  const std::string& error() const { return error_; }
  const std::string& error_path() const { return error_path_; }

  void save(const std::string& file) const;  ///< @throws RuntimeFailure

 private:
  template <class Change>
  void change(const std::string& path, const Change& change, bool goes_on = false);
  void send(const scenes::SceneSource& before);  ///< @param before the document before the change

  Worker& worker_;
  std::unique_ptr<scenes::EditedScene> edited_;
  std::vector<scenes::Parameter> parameters_;
  std::vector<scenes::Parameter> before_;  ///< the last change, or all movements of a slider
  std::uint64_t scene_version_ = 0;
  std::uint64_t refused_ = 0;  ///< WorkerStatus::refused_edits that were dealt with
  std::string error_, error_path_;
};

}  // namespace riffle::desktop
