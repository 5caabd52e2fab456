#pragma once
/// Scenes by name.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "sim/setup.h"

namespace riffle::scenes {

struct CatalogEntry {
  std::string name;  ///< the file's name without .yaml: what `riffle run` takes
  std::string path;
  std::string description;  ///< from the file; if it has mistakes, why it cannot be used
  std::string title;        ///< its `name`
  bool shipped = false;     ///< it came with the program; false for the user's own in ./scenes
  bool usable = false;      ///< it has no mistakes; the fields below are valid only then
  SolverKind solver = SolverKind::Wcsph;
  int dimension = 3;
  std::int64_t particles = 0;
};

/// Where scenes are looked for by name: ./scenes, then share/riffle/scenes of an installed program, otherwise the source tree.
std::vector<std::string> scene_folders();

/// The files of scene_folders() by the names of their scenes; of two with the same name, that of the first folder.
std::map<std::string, std::string> scene_files();

/// What the file says about itself. @throws nothing
CatalogEntry describe_scene_file(const std::string& path);

/// Every scene of scene_files(), sorted by name.
std::vector<CatalogEntry> list_scenes();

/// The scene that the program opens when none is named: one that such a device simulates in about real time.
const char* default_scene(DeviceKind device);

/// The path of a scene: a path is returned unchanged, a bare name is looked up in scene_folders().
/// @throws InputError with the nearest name if there is no such scene
std::string find_scene(const std::string& name_or_path);

}  // namespace riffle::scenes
