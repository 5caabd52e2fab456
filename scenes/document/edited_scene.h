#pragma once
/// A scene and what was changed in it since it was loaded.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenes/document/list_entries.h"
#include "scenes/document/parameters.h"
#include "scenes/load.h"

namespace riffle {

struct Edit {
  std::string path;                  ///< "bodies[0].box.min"
  std::optional<std::string> value;  ///< YAML in one line; nothing: the key is taken out

  bool operator==(const Edit&) const = default;
};

/// Always a scene that can run: an edit after which it could not is refused, and changes nothing.
///
/// Entries that are added to a list or taken out of it change what edits are edits of (the base), and not the edits, of
/// which those of other entries keep theirs: an added entry goes back to what it said when it was added.
///
/// When an edit chooses another solver, keys that mean nothing with it are left out rather than refused; they are back as
/// soon as their solver is.
class EditedScene {
 public:
  /// @throws InputError when the scene has mistakes of its own
  explicit EditedScene(SceneSource source);

  /// @param value    YAML, as after the `=` of --set: "0.02", "[0, -9.81, 0]", "auto"; string_text() of a text
  /// @param goes_on  true: part of the same movement of a slider as the last change, if that was of the same path, and
  ///                 undone with it
  /// @throws InputError with a line per mistake, "key.path: what was found, what is allowed"
  void set(const std::string& path, const std::string& value, bool goes_on = false);

  /// A new last entry of `bodies` or `fluids` with values that fit the scene (scenes/document/list_entries.h).
  /// @param shape  of a body: "box", "sphere"; "": box  @throws InputError where there is no room, or as set() does
  void add_entry(const std::string& list, const std::string& shape = "");

  /// Another one behind "bodies[1]", alike but for what must be its own: a place, or a name. @throws like add_entry()
  void copy_entry(const std::string& path);

  /// @throws InputError when the scene cannot do without "bodies[1]"
  void remove_entry(const std::string& path);

  /// As in the source, or as the entry was added, with every key in it. @throws InputError when it cannot be so while other edits stay
  void reset(const std::string& path);
  void reset_all();

  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo();  ///< nothing happens when there is nothing to undo
  void redo();

  bool is_edited(const std::string& path) const;  ///< reset() would change this key, or one in it
  bool anything_edited() const { return !now_.written.edits.empty() || now_.written.base != source_; }
  const std::vector<Edit>& edits() const { return now_.written.edits; }       ///< one per path, the latest last
  const std::vector<std::string>& left_out() const { return now_.left_out; }  ///< keys that mean nothing at present

  const SceneSource& source() const { return *source_; }         ///< without the edits
  const SceneSource& document() const { return now_.document; }  ///< with them
  const Scene& scene() const { return now_.scene; }              ///< of document()
  Scene build() const { return now_.scene; }
  std::vector<Parameter> parameters() const { return riffle::parameters(now_.document); }

  std::string to_yaml() const;

  /// The file is there whole or not at all. @throws RuntimeFailure with the reason
  void save(const std::string& path) const;

 private:
  /// What undo and redo go back and forth between.
  struct Written {
    std::shared_ptr<const SceneSource> base;  ///< the source, with the entries that its lists have now
    std::vector<Edit> edits;
  };
  struct State {
    Written written;
    std::vector<std::string> left_out;
    SceneSource document;
    Scene scene;
  };

  static SceneSource document_of(const Written& written);  ///< keys of other solvers are still in it
  static State state_of(Written written);
  void insert_entry(const EntryPath& path, Node entry, std::size_t like);
  void change_base(SceneSource base, std::vector<Edit> edits);
  void change_to(State state, const std::string& path, bool goes_on);

  std::shared_ptr<const SceneSource> source_;
  State now_;
  std::vector<Written> undo_, redo_;
  std::string last_changed_;  ///< path; "": by something else than set()
};

/// What a simulation of `from` needs to become one of `to`: the most of any key whose value differs; nothing when none
/// does.
std::optional<Effect> effect_of_change(const SceneSource& from, const SceneSource& to);

}  // namespace riffle
