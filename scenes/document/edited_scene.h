#pragma once
/// A scene and its edits since it was loaded.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenes/document/list_entries.h"
#include "scenes/document/parameters.h"
#include "scenes/load.h"

namespace riffle::scenes {

struct FreeSolidEdits;

struct Edit {
  std::string path;                  ///< "bodies[0].box.min"
  std::optional<std::string> value;  ///< YAML in one line; nothing: the key is taken out

  bool operator==(const Edit&) const = default;
};

/// Always a scene that can run: an edit that would break it is refused and changes nothing.
///
/// Adding or removing an entry of a list changes the base, which is the document without the edits. Edits of other entries
/// stay with their entries. reset() brings an added entry back to what it was when it was added.
///
/// When an edit chooses another solver, keys of the old solver are left out rather than refused; they come back when their
/// solver does. A solver with other units is refused, because all numbers would mean something else.
///
/// In 2-D an edit of two numbers keeps the third number of the list, so that the scene can become 3-D again. Numbers that
/// are missing then are chosen (scenes/document/third_axis.h), and third_axis_note() says what was chosen.
///
/// A solid that becomes free gets a density in the same edit, and one that becomes another loses the keys that only free
/// solids have (scenes/document/free_solid_keys.h). note_of_change() says what was chosen. Of `speed`, `rate` and `table` of an
/// inlet the one that is set takes the place of the other (scenes/document/flow_keys.h).
class EditedScene {
 public:
  /// @throws InputError when the scene has mistakes of its own
  explicit EditedScene(SceneSource source);

  /// @param value    YAML, as after the `=` of --set: "0.02", "[0, -9.81, 0]", "auto"; string_text() of a text
  /// @param goes_on  true: this edit continues the last one if that had the same path, as while a slider moves; one
  ///                 undo() takes both back
  /// @throws InputError with a line per mistake, "key.path: what was found, what is allowed"
  void set(const std::string& path, const std::string& value, bool goes_on = false);

  /// Several keys in one change, which undo() takes back as one: a thing that was moved. None of them is checked before all are
  /// set, so that a box may pass beyond where it was. @throws like set()
  void set_together(const std::vector<Edit>& wanted);

  /// A new last entry of `bodies` or `fluids` with values that fit the scene (scenes/document/list_entries.h).
  /// @param shape  of a body: as shapes_of_entries() has it; "": box  @throws InputError where there is no room, or as set() does
  void add_entry(const std::string& list, const std::string& shape = "");

  /// A new last solid from a mesh file (scenes/document/list_entries.h). @param scale  nullopt: that of mesh_fit()
  /// @throws like add_entry()
  void add_mesh(const std::string& file, std::optional<float> scale = std::nullopt);

  /// A new last probe that measures at this place [m]. @throws like add_entry()
  void add_probe(Vec3 place);

  /// A copy of "bodies[1]" behind it, with a place or a name of its own. @throws like add_entry()
  void copy_entry(const std::string& path);

  /// @throws InputError when the scene needs "bodies[1]"
  void remove_entry(const std::string& path);

  /// Takes back the edits of a key and of every key in it: as in the source, as the entry was added, or as a map was offered.
  /// @throws InputError when other edits need it
  void reset(const std::string& path);
  void reset_all();
  /// @param required  as Parameter has it. Whether reset() leads to a value: a key that only an edit has brought, and that cannot be left out, goes no further back.
  bool can_reset(const std::string& path, bool required) const;

  bool can_undo() const { return !undo_.empty(); }
  std::size_t undo_count() const { return undo_.size(); }  ///< how often undo() changes something
  bool can_redo() const { return !redo_.empty(); }
  std::size_t redo_count() const { return redo_.size(); }  ///< how often redo() changes something
  void join_last_two();                                    ///< one undo() takes the last two changes back
  void undo();                                             ///< nothing happens when there is nothing to undo
  void redo();

  bool is_edited(const std::string& path) const;  ///< reset() would change this key, or one in it
  bool anything_edited() const { return differs(now_.written); }
  const std::vector<Edit>& edits() const { return now_.written.edits; }       ///< one per path, the latest last
  const std::vector<std::string>& left_out() const { return now_.left_out; }  ///< keys that mean nothing at present

  const std::string& third_axis_note() const { return now_.written.third_axis_note; }  ///< "": nothing was chosen

  /// What the last change has chosen beside its key; "" if that was not this key, or if it has chosen nothing.
  std::string note_of_change(const std::string& key) const;

  const SceneSource& source() const { return *source_; }         ///< without the edits
  const SceneSource& document() const { return now_.document; }  ///< with them
  const Scene& scene() const { return now_.scene; }              ///< of document()
  std::vector<Parameter> parameters() const { return riffle::scenes::parameters(now_.document); }

  std::string to_yaml() const { return yaml_of(now_.document); }
  std::string yaml_of(const SceneSource& document) const;  ///< as to_yaml() writes another document of the same file

  /// The YAML to which redo() leads, so many times; nothing if that is the source, or if there is nothing to redo so often.
  std::optional<std::string> yaml_if_edited(std::size_t redone = 0) const;

  /// How many comments of the file save(path) leaves out, as their keys or entries are gone, or `name` is left out.
  std::size_t comments_left_out(const std::string& path, const SceneSource* in_its_place = nullptr) const;

  /// Writes the whole file or none of it, with the comments of the source where they still belong. Relative paths of files
  /// in it are changed to be right from its folder. Under another name than the source's, `name` is left out unless it was
  /// edited: the file's name is the scene's then.
  /// @param in_its_place  what is written in place of document(), with the same files
  /// @throws RuntimeFailure with the reason, also for a folder that is missing
  void save(const std::string& path, const SceneSource* in_its_place = nullptr) const;

 private:
  /// What undo() and redo() restore.
  struct Written {
    std::shared_ptr<const SceneSource> base;  ///< the source, with entries added and removed
    std::vector<Edit> edits;
    std::string third_axis_note = {};  ///< while the scene is 3-D
    std::string changed_key = {}, note_of_change = {};
  };
  struct State {
    Written written;
    std::vector<std::string> left_out;
    SceneSource document;
    Scene scene;
  };

  static SceneSource document_of(const Written& written);  ///< keys of other solvers are still in it
  /// What save(path) writes, but for the paths of files.
  Node root_for(const std::string& path, const SceneSource* in_its_place) const;
  bool differs(const Written& written) const { return !written.edits.empty() || written.base != source_; }
  static State state_of(Written written);
  Written with_third_axis(Written written) const;
  void take_along(const FreeSolidEdits& beside, std::vector<Edit>& edits) const;
  Written with_entry(const EntryPath& path, Node entry, std::size_t like) const;
  void insert_entry(const EntryPath& path, Node entry, std::size_t like);
  Written with_base(SceneSource base, std::vector<Edit> edits) const;
  void restore(std::vector<Written>& from, std::vector<Written>& to);  ///< nothing happens when `from` is empty
  void change_to(State state, const std::string& path, bool goes_on);

  std::shared_ptr<const SceneSource> source_;
  State now_;
  std::vector<Written> undo_, redo_;
  std::string last_changed_;  ///< path of the last set(); "" if another change came last
};

/// What a simulation of `from` needs to become one of `to`: the strongest effect of all keys whose values differ; nothing
/// when none differs.
std::optional<Effect> effect_of_change(const SceneSource& from, const SceneSource& to);

/// The keys whose values differ and need a new start.
std::vector<std::string> keys_of_the_start(const SceneSource& from, const SceneSource& to);

}  // namespace riffle::scenes
