#include "app/command/scene_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command/option_checks.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "core/text/log.h"
#include "neighbors/method.h"
#include "scenes/catalog.h"

namespace riffle {

void add_scene_options(CLI::App& command, SceneOptions& scene) {
  command.add_option("SCENE", scene.scene, "a scene's name (`riffle list` has them) or a YAML file")
      ->required()
      ->type_name("");
  add_scene_changes(command, scene);
}

void add_scene_changes(CLI::App& command, SceneOptions& scene) {
  std::vector<std::string> searches;
  for (const auto& info : neighbor_methods()) searches.emplace_back(info.name);
  searches.emplace_back("auto");
  add_device_option(command, scene.device);
  command
      .add_option("--neighbors", scene.neighbors,
                  "neighbour search, as --set neighbors.method=...; auto times them all and takes the fastest")
      ->check(one_of("neighbour search", searches))
      ->type_name(fmt::format("{}", fmt::join(searches, "|")));
  command
      .add_option("--set", scene.overrides,
                  "key.path=value, in place of the scene's: --set particles.spacing=0.01; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command.add_option("--seed", scene.seed, "seed of everything random, as --set seed=...")
      ->check(whole_number())
      ->type_name("S");
}

namespace {

scenes::SceneSource source_of(const SceneOptions& options, const std::vector<std::string>& overrides) {
  if (options.text) {
    scenes::SceneSource source = scenes::parse_source(*options.text, options.scene, overrides);
    source.is_new = options.is_new;
    return source;
  }
  if (is_state_file(options.scene))
    throw InputError(fmt::format(
        "{0}: is no scene, it is meant for a state of a run; `riffle resume {0}` goes on from one", options.scene));
  return scenes::load_source(scenes::find_scene(options.scene), overrides);
}

/// Whether another quantity is shown than the one that the scene's own range of colours is meant for.
bool range_is_of_another_quantity(const SceneOptions& options) {
  constexpr std::string_view kColor = "picture.color_by=", kRange = "picture.range=";
  std::string wanted;
  for (const std::string& text : options.overrides) {
    if (text.starts_with(kRange)) return false;
    if (text.starts_with(kColor)) wanted = text.substr(kColor.size());
  }
  if (wanted.empty()) return false;
  const scenes::SceneSource own = source_of(options, {});
  const scenes::Node* const picture = own.root.find("picture");
  if (picture == nullptr || picture->find("range") == nullptr) return false;
  const scenes::Node* const color = picture->find("color_by");
  const std::string meant = color && color->text != "auto" ? color->text : "speed";
  return wanted != meant && wanted != "auto";
}

}  // namespace

scenes::SceneSource source_with_options(const SceneOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (!options.neighbors.empty()) overrides.push_back("neighbors.method=" + options.neighbors);
  if (options.seed) overrides.push_back("seed=" + std::to_string(*options.seed));
  if (range_is_of_another_quantity(options)) {
    log::info("picture.range is auto: the scene's own is meant for another quantity");
    overrides.push_back("picture.range=auto");
  }
  return source_of(options, overrides);
}

scenes::Scene build_and_warn(const scenes::SceneSource& source, const scenes::RunAhead& run) {
  scenes::Scene scene = scenes::build_scene(source);
  scene.warnings = scenes::warnings_ahead(scene, run);
  for (const auto& warning : scene.warnings) log::warn("{}", warning.message());
  return scene;
}

scenes::Scene load_with_options(const SceneOptions& options) { return build_and_warn(source_with_options(options)); }

scenes::Scene load_without_events(const SceneOptions& options) {
  scenes::Scene scene = load_with_options(options);
  if (!scene.events.empty())
    log::warn("{}: its events are not played here, only by `riffle run` and in the window", scene.path);
  scene.events.clear();
  return scene;
}

}  // namespace riffle
