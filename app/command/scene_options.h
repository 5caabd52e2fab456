#pragma once
/// The options that name a scene, change it and say where it is computed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "scenes/load.h"
#include "scenes/scene_events.h"

namespace CLI {
class App;
}

namespace riffle {

struct SceneOptions {
  std::string scene;                   ///< name or path
  std::vector<std::string> overrides;  ///< --set key.path=value
  DeviceRequest device = DeviceRequest::Auto;
  std::string neighbors;                 ///< in place of the scene's neighbors.method; "": the scene's
  std::optional<std::uint64_t> seed;     ///< in place of the scene's
  std::optional<std::string> text = {};  ///< YAML in place of the file's; `scene` is then only its name in messages
  bool is_new = false;                   ///< the text has no file, even if there is one of that name
};

void add_scene_options(CLI::App& command, SceneOptions& scene);

/// All but the scene itself.
void add_scene_changes(CLI::App& command, SceneOptions& scene);

/// Finds and reads the scene. Every option is applied to it as an override. @throws InputError
scenes::SceneSource source_with_options(const SceneOptions& options);

/// Checks and builds it; logs its warnings. @throws InputError
/// @param run  its scene has the warnings that are ahead of it
scenes::Scene build_and_warn(const scenes::SceneSource& source, const scenes::RunAhead& run = {});

/// Both. @throws InputError
scenes::Scene load_with_options(const SceneOptions& options);

/// Likewise, for who plays no events of a scene: a warning says so where it has some.
scenes::Scene load_without_events(const SceneOptions& options);

}  // namespace riffle
