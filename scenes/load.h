#pragma once
/// From a YAML file to a Scene, with everything checked before the first step.

#include <memory>
#include <string>
#include <vector>

#include "scenes/document/document.h"
#include "scenes/scene.h"

namespace riffle::scenes {

/// @param path       the file; find_scene() turns a name into one
/// @param overrides  "key.path=value", as given to --set, later ones win; list items as bodies[0] or bodies.0
/// @throws InputError with one line per mistake, each "file:line:column: key.path: what was found, what is allowed";
///         a mistake in an override has "--set key.path" in place of the file.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for text in memory; `path` is only for messages.
Scene parse_scene(const std::string& text, const std::string& path, const std::vector<std::string>& overrides = {});

/// The name of a scene without `name`.
std::string name_of_file(const std::string& path);

/// A scene as it is written, overrides included; panels show and change its keys.
struct SceneSource {
  std::string path;  ///< the file, for messages
  Node root;
  /// Keeps the scene's files in a folder of their own as long as a copy of it exists; nullptr: they are where the user has
  /// them.
  std::shared_ptr<const void> unpacked = nullptr;
  std::shared_ptr<const std::string> text = nullptr;  ///< as it was read, with its comments; nullptr: there is none
  bool is_new = false;                                ///< it has no file, even if there is one at `path`
};

/// Checks only that the text is YAML. @throws InputError as load_scene() does
SceneSource load_source(const std::string& path, const std::vector<std::string>& overrides = {});
SceneSource parse_source(const std::string& text, const std::string& path,
                         const std::vector<std::string>& overrides = {});

/// @throws InputError as load_scene() does
Scene build_scene(const SceneSource& source);

}  // namespace riffle::scenes
