#pragma once
/// Scenes by name.

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "sim/setup.h"

namespace riffle {

struct CatalogEntry {
  std::string name;  ///< the file's name without .yaml: what `riffle run` takes
  std::string path;
  std::string description;  ///< from the file; why it cannot be used when it has mistakes
  std::string title;        ///< its `name`
  bool shipped = false;     ///< it came with the program, rather than from ./scenes of somebody else
  bool usable = false;      ///< what follows means something only then
  SolverKind solver = SolverKind::Wcsph;
  int dimension = 3;
  std::int64_t particles = 0;
};

/// Where scenes are looked for by name: ./scenes, the installed share/riffle/scenes, the source tree.
std::vector<std::string> scene_folders();

/// What the file says of itself. @throws nothing
CatalogEntry describe_scene_file(const std::string& path);

/// Every scene of scene_folders(), sorted by name; the first folder wins where a name is in two.
std::vector<CatalogEntry> list_scenes();

/// The scene that the program opens when none is named: one that a device of that kind moves about as fast as life.
const char* default_scene(DeviceKind device);

/// A path as it is; a bare name as the scene of that name.
/// @throws InputError with the nearest name, when there is no such file and no such scene.
std::string find_scene(const std::string& name_or_path);

}  // namespace riffle
