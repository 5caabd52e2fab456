#pragma once
/// The scene as the panels change it, and what undo brings back: changes of the scene, and runs that were left. Edits are
/// made on the window's side and sent to the simulation at once.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/playback/color_ranges.h"
#include "app/desktop/playback/run_track.h"
#include "app/desktop/playback/worker_status.h"

namespace riffle {
struct SceneOptions;
struct SavedScene;
}  // namespace riffle

namespace riffle::scenes {
class EditedScene;
struct Edit;
struct Parameter;
struct Scene;
struct SceneSource;
struct IdleKey;
struct Warning;
}  // namespace riffle::scenes

namespace riffle::desktop {

class Worker;

/// How two lists of a scene's keys differ: "solver.temperature from 1 to 0.5".
std::string what_differs(const std::vector<scenes::Parameter>& before, const std::vector<scenes::Parameter>& after);

class SceneEditor {
 public:
  /// @param asked_after [s] on the wall: an older run that cannot be kept is not left without a question
  /// @param lost_after [s] of computing: runs that redo leads to are not forgotten without a question if they took longer
  explicit SceneEditor(Worker& worker, double asked_after = 60, double lost_after = 300);
  ~SceneEditor();
  SceneEditor(const SceneEditor&) = delete;
  SceneEditor& operator=(const SceneEditor&) = delete;

  /// Follows the worker: another scene begins without edits, and what the simulation refused is undone.
  void follow(const WorkerStatus& status);

  bool has_scene() const { return edited_ != nullptr; }
  const scenes::Scene* scene() const;  ///< with its edits, at once; nullptr without a scene
  const std::vector<scenes::Parameter>& parameters() const;
  const scenes::Parameter* find(const std::string& path) const;  ///< nullptr if the scene has no such key
  bool is_edited(const std::string& path) const;
  std::string third_axis_note() const;                       ///< as EditedScene's
  std::string note_of_change(const std::string& key) const;  ///< as EditedScene's
  std::string color_note() const;                            ///< which colours gave way to the solver; "": none
  bool anything_edited() const;

  void open(const SceneOptions& options, bool play = true);
  void start_again();  ///< from time 0

  /// Another picture.color_by brings the picture.range with it that its quantity had before.
  /// @param value YAML. @param goes_on part of the same movement of a slider as the last change
  void set(const std::string& path, const std::string& value, bool goes_on = false);
  void set_together(const std::vector<scenes::Edit>& edits);  ///< as EditedScene's
  /// Why set_together() would be refused; "": it would not. Costs as much as the edit.
  std::string why_refused(const std::vector<scenes::Edit>& edits) const;
  void reset(const std::string& path);
  void reset_all();
  bool can_reset(const std::string& path, bool required) const;       ///< as EditedScene's
  void add_entry(const std::string& list, const std::string& shape);  ///< as EditedScene's
  /// As EditedScene's. @param scale  nullopt: as it fits, and scaling_note() says where that is not 1
  void add_mesh(const std::string& file, std::optional<float> scale = std::nullopt);
  const std::string& scaling_note() const { return scaling_note_; }  ///< of the last mesh that was added; "": none
  void forget_scaling_note() { scaling_note_.clear(); }
  void add_probe(Vec3 place);  ///< as EditedScene's
  void copy_entry(const std::string& path);
  void remove_entry(const std::string& path);

  /// The last change of the scene, start or opening. A run that ended with it comes back as it was left.
  /// An edit that was refused is taken back alone: its message goes.
  bool can_undo() const { return !done_.empty() || !error_.empty(); }
  bool can_redo() const { return !undone_.empty(); }
  std::string what_undo_takes() const;   ///< "gravity from 1 to 2", "the opening of tank"; "": nothing
  std::string what_redo_brings() const;  ///< the same: what the last undo took back
  /// Of a state that undo or redo leads to: "before gravity from 1 to 2", "after the opening of tank"; "" for others.
  std::string step_at(std::uint64_t state) const;
  void undo();
  void redo();

  /// Whether a request waits for an answer, because the present run would be lost for good, or runs that redo leads to.
  bool asks() const { return bool(waiting_.go); }
  const std::vector<KeptStatus>& asks_about() const { return waiting_.forth; }  ///< the latter; none: the present run
  /// The request waits because its start takes long: why, in words; "": it waits for another reason.
  const std::string& asks_about_start() const { return waiting_.long_start; }
  const std::string& asks_about_opening() const {
    return waiting_.opening;
  }  ///< the scene that it opens; "": it is a change
  void answer(bool go_on);

  /// Why the loader refused the last change, in its words; "" if it did not.
  const std::string& error() const { return error_; }
  const std::string& error_path() const { return error_path_; }
  std::uint64_t refusals() const { return refusals_; }           ///< so far
  void refuse(const std::string& path, const std::string& why);  ///< a text that cannot be sent to the loader as it is
  void forget_error() { error_.clear(); }             ///< its field has its value again, or the user has read it
  std::uint64_t changes() const { return changes_; }  ///< of the scene that were asked for so far
  /// What reset_all() would take back, "solver.temperature from 1 to 0.5"; "": nothing.
  std::string changes_since_opened() const;

  std::size_t comments_left_out(const std::string& file) const;  ///< of the scene's file, by save(): as EditedScene's

  /// Writes the scene, which is called after that file from now on. What was edited while it ran is in it as events. Waits for a
  /// moment if the simulation has not taken the last edit yet. @throws RuntimeFailure
  void save(const std::string& file);

  /// What save() does with edits of the run, and what of the run it does not write; "": nothing.
  const std::string& save_text() const;

  /// What a state file of the present run has of the scene. @throws InputError for a file of the scene that cannot be read
  /// @param camera  in place of the scene's, as a value of picture.camera; "": the scene's
  SavedScene saved_scene(const std::string& camera = "") const;
  std::uint64_t state() const { return state_; }  ///< WorkerStatus::state to which the requests so far lead

  /// Names of the scenes, the present one and those that undo and redo lead to, whose changes are in no file: each once.
  /// A scene that redo leads to counts with the changes that redo brings back; what undo took from the present one does not.
  /// Scenes of the same name have their file behind it, and one that was opened several times says how often.
  std::vector<std::string> unsaved() const;
  bool present_is_unsaved() const { return edited_ && is_unsaved(edited_); }
  const std::vector<scenes::Warning>& warnings() const;        ///< of the scene with its edits
  const scenes::IdleKey* idle(const std::string& path) const;  ///< nullptr if the key does something

 private:
  enum class Act { Edit, Start, Open };
  enum class Trial { Refused, Same, Step };
  struct Step {
    Act act = Act::Edit;
    std::uint64_t state = 0;                               ///< to which undo, or redo, leads
    std::shared_ptr<scenes::EditedScene> other = nullptr;  ///< Open: the scene there
    std::string what = {};                                 ///< was done, for people
  };
  /// A scene as a file has it.
  struct InFile {
    std::shared_ptr<const scenes::EditedScene> scene;
    std::optional<std::string> yaml;  ///< as EditedScene::yaml_if_edited()
    bool has_run = false;             ///< the file begins as a run did, with its edits as events
  };
  struct Waiting {
    std::function<void()> go, stay;
    std::vector<KeptStatus> forth = {};
    std::string long_start = {}, opening = {};
  };

  void change(const std::string& path, std::function<void()> change, bool goes_on = false);
  void change_now(const std::string& path, const std::function<void()>& change, bool goes_on);
  Trial tried(const std::function<void()>& change);
  std::function<void()> taking_over(std::vector<std::string> paths, std::function<void()> change);
  std::size_t played() const;
  scenes::SceneSource in_force(const scenes::SceneSource& document) const;
  RunPlace settled_place() const;
  const RunScene& present_scene() const;
  void take_range_along(Quantity before, const std::string& range);
  void send(const scenes::SceneSource& before, std::uint64_t to, const std::function<void()>& refused,
            bool goes_on = false, bool takes_back = false);
  void note(Step step);
  void forget_undone();
  void go(std::vector<Step>& from, std::vector<Step>& to);
  void take(std::vector<Step>& from, std::vector<Step>& to);
  void settle(const WorkerStatus& status);
  void ask_about(const LongOpening& opening);
  bool go_to(std::uint64_t state);
  Quantity quantity() const;
  scenes::Scene scene_to_run() const;
  void rename_run();
  void set_solver(const std::string& value);

  /// What a solver could not show, as it was written.
  struct GivenUpColor {
    std::string color, range;
  };
  std::string named_as_saved(std::string text) const;
  std::string place_of(const scenes::Warning& warning) const;
  void show();  ///< the parameters and warnings of the scene as it is now
  std::vector<scenes::Parameter> shown_parameters() const;
  /// Whether no file has the scene. @param redone  how often redo leads on from the scene as it is
  bool is_unsaved(const std::shared_ptr<scenes::EditedScene>& scene, std::size_t redone = 0) const;
  std::size_t changes_after(std::size_t undone) const;
  std::string name_of(const std::shared_ptr<scenes::EditedScene>& scene) const;
  void unless_lost(std::function<void()> go, std::function<void()> stay = {});
  void unless_forth_is_lost(std::function<void()> go);
  bool much_is_forth(const std::vector<KeptStatus>& runs) const;
  std::vector<KeptStatus> runs_forth() const;

  Worker& worker_;
  double asked_after_, lost_after_;
  std::vector<KeptStatus> kept_;  ///< as in the status
  std::shared_ptr<scenes::EditedScene> edited_;
  std::vector<scenes::Parameter> parameters_;
  std::vector<scenes::Warning> warnings_;
  std::vector<scenes::Parameter> before_;  ///< the last change, or all movements of a slider
  std::uint64_t state_ = 0;                ///< WorkerStatus::state to which the requests so far lead
  RunPlace place_;                         ///< of the run, when it last stood in `state_`
  std::uint64_t step_ = 0;                 ///< steps of that run
  double time_ = 0;                        ///< [s] its time
  std::size_t shown_played_ = 0;           ///< events that parameters_ have
  /// What follows from place_ and the scene, until one of them is another.
  struct Followed {
    RunPlace place;
    std::shared_ptr<const scenes::EditedScene> edited;
    std::uint64_t changes = 0;
    RunScene scene;
    std::string text, beyond;
  };
  mutable std::optional<Followed> followed_;
  std::vector<Step> done_, undone_;                                          ///< the last one last
  std::map<std::shared_ptr<const scenes::EditedScene>, std::string> saved_;  ///< the file to which each was saved last
  /// What its file has then, with the places of its keys.
  std::map<std::shared_ptr<const scenes::EditedScene>, std::shared_ptr<const scenes::SceneSource>> saved_text_;
  std::map<std::string, std::vector<InFile>> in_files_;  ///< by the file: all scenes that have the text it has now
  std::map<std::shared_ptr<const scenes::EditedScene>, ColorRanges> color_ranges_;
  std::map<std::shared_ptr<const scenes::EditedScene>, GivenUpColor> given_up_;
  Waiting waiting_;
  std::uint64_t openings_asked_ = 0;  ///< LongOpening::number of the last one that was asked about
  bool would_be_lost_ = false;        ///< the present run, if another began
  double present_particles_ = 0;      ///< of the present run
  bool nothing_run_ = true;           ///< the run is at time 0 and has no later moments
  std::string scaling_note_;
  std::string error_, error_path_;
  std::uint64_t refusals_ = 0, changes_ = 0;
};

}  // namespace riffle::desktop
