#include "app/commands.h"
#include "core/log.h"
#include "scenes/catalog.h"
#include "scenes/load.h"

namespace riffle {

Scene load_with_options(const SceneOptions& options) {
  Scene scene = load_scene(find_scene(options.scene), options.overrides);
  if (options.neighbors) scene.simulation.neighbors.method = *options.neighbors;
  if (options.seed) scene.simulation.seed = *options.seed;
  for (const auto& warning : scene.warnings) log::warn("{}", warning.message());
  return scene;
}

}  // namespace riffle
