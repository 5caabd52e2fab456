#pragma once
/// Which scene a command takes, what is changed in it, and where it is computed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/device/device.h"
#include "scenes/load.h"

namespace CLI {
class App;
}

namespace riffle {

struct SceneOptions {
  std::string scene;                   ///< name or path
  std::vector<std::string> overrides;  ///< --set key.path=value
  DeviceRequest device = DeviceRequest::Auto;
  std::string neighbors;              ///< in place of the scene's neighbors.method; "": the scene's
  std::optional<std::uint64_t> seed;  ///< in place of the scene's
};

void add_scene_options(CLI::App& command, SceneOptions& scene);

/// Finds and reads the scene and applies the options to it, as if each were an override. @throws InputError
SceneSource source_with_options(const SceneOptions& options);

/// The same, checked and built; logs its warnings. @throws InputError
Scene load_with_options(const SceneOptions& options);

}  // namespace riffle
