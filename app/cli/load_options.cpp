#include "app/cli/commands.h"
#include "core/error.h"
#include "core/text/log.h"
#include "scenes/catalog.h"
#include "scenes/load.h"

namespace riffle {

SceneSource source_with_options(const SceneOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (options.automatic_neighbors) overrides.push_back("neighbors.method=auto");
  if (options.neighbors) overrides.push_back("neighbors.method=" + std::string(to_string(*options.neighbors)));
  if (options.seed) overrides.push_back("seed=" + std::to_string(*options.seed));
  return load_source(find_scene(options.scene), overrides);
}

Scene load_with_options(const SceneOptions& options) {
  Scene scene = load_scene(find_scene(options.scene), options.overrides);
  NeighborSetup& neighbors = scene.simulation.neighbors;
  if (options.automatic_neighbors && scene.simulation.deterministic)
    throw InputError("--neighbors: found 'auto', which chooses by time, so that runs differ, and " + scene.path +
                     " is deterministic; allowed there: a method by name");
  if (options.neighbors) neighbors.method = *options.neighbors;
  if (options.neighbors || options.automatic_neighbors) neighbors.automatic = options.automatic_neighbors;
  if (options.seed) scene.simulation.seed = *options.seed;
  for (const auto& warning : scene.warnings) log::warn("{}", warning.message());
  return scene;
}

}  // namespace riffle
