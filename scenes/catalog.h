#pragma once
/// Scenes by name.

#include <string>
#include <vector>

namespace riffle {

struct CatalogEntry {
  std::string name;  ///< the file's name without .yaml: what `riffle run` takes
  std::string path;
  std::string description;  ///< from the file; why it cannot be used when it has mistakes
};

/// Where scenes are looked for by name: ./scenes, the installed share/riffle/scenes, the source tree.
std::vector<std::string> scene_folders();

/// Every scene of scene_folders(), sorted by name; the first folder wins where a name is in two.
std::vector<CatalogEntry> list_scenes();

/// A path as it is; a bare name as the scene of that name.
/// @throws InputError with the nearest name, when there is no such file and no such scene.
std::string find_scene(const std::string& name_or_path);

}  // namespace riffle
