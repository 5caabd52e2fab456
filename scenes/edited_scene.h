#pragma once
/// A scene and what was changed in it since it was loaded.

#include <optional>
#include <string>
#include <vector>

#include "scenes/load.h"
#include "scenes/parameters.h"

namespace riffle {

struct Edit {
  std::string path;                  ///< "bodies[0].box.min"
  std::optional<std::string> value;  ///< YAML in one line; nothing: the key is taken out

  bool operator==(const Edit&) const = default;
};

/// Always a scene that can run: an edit after which it could not is refused, and changes nothing.
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

  /// As in the source, with every key in it. @throws InputError when it cannot be so while other edits stay
  void reset(const std::string& path);
  void reset_all();

  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo();  ///< nothing happens when there is nothing to undo
  void redo();

  bool is_edited(const std::string& path) const;  ///< this key, or one in it, is not written as in the source
  const std::vector<Edit>& edits() const { return now_.edits; }               ///< one per path, the latest last
  const std::vector<std::string>& left_out() const { return now_.left_out; }  ///< keys that mean nothing at present

  const SceneSource& source() const { return source_; }          ///< without the edits
  const SceneSource& document() const { return now_.document; }  ///< with them
  const Scene& scene() const { return now_.scene; }              ///< of document()
  Scene build() const { return now_.scene; }
  std::vector<Parameter> parameters() const { return riffle::parameters(now_.document); }

  std::string to_yaml() const;

  /// The file is there whole or not at all. @throws RuntimeFailure with the reason
  void save(const std::string& path) const;

 private:
  struct State {
    std::vector<Edit> edits;
    std::vector<std::string> left_out;
    SceneSource document;
    Scene scene;
  };

  State state_of(std::vector<Edit> edits) const;
  void change_to(State state, const std::string& path, bool goes_on);

  SceneSource source_;
  State now_;
  std::vector<std::vector<Edit>> undo_, redo_;
  std::string last_changed_;  ///< path; "": by something else than set()
};

/// What a simulation of `from` needs to become one of `to`: the most of any key whose value differs; nothing when none
/// does.
std::optional<Effect> effect_of_change(const SceneSource& from, const SceneSource& to);

}  // namespace riffle
