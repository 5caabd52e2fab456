#pragma once
/// A scene with all that it is made from, as a state file has it.

#include <filesystem>
#include <string>
#include <vector>

#include "scenes/load.h"

namespace riffle {

/// A file that the scene is made from. Its name is relative to the scene's folder.
struct SceneFile {
  std::string name, bytes;

  friend bool operator==(const SceneFile&, const SceneFile&) = default;
};

struct SavedScene {
  std::string name;  ///< of its file: "dam_break.yaml"
  std::string text;  ///< YAML, with what --set changed; names of files are those below
  std::vector<SceneFile> files;

  std::size_t bytes() const;
};

/// Reads the files. @throws InputError for one that cannot be read
SavedScene saved_scene(const scenes::SceneSource& source);

/// The scene's files in a folder of their own while it lives, so that they can be read by their names.
class UnpackedScene {
 public:
  /// @throws RuntimeFailure if the files cannot be written
  explicit UnpackedScene(const SavedScene& scene);
  ~UnpackedScene();
  UnpackedScene(const UnpackedScene&) = delete;
  UnpackedScene& operator=(const UnpackedScene&) = delete;

  /// The path that the text has for the loader; its folder has the files.
  const std::string& path() const { return path_; }
  bool has_files() const { return !folder_.empty(); }

 private:
  std::filesystem::path folder_;  ///< "": there are no files
  std::string path_;
};

}  // namespace riffle
