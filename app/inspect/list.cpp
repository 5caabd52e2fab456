#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/command/command.h"
#include "core/text/printable.h"
#include "neighbors/method.h"
#include "scenes/catalog.h"

namespace riffle {

namespace {

struct ListOptions {
  bool names = false;
};

void add_list_options(CLI::App& command, ListOptions& options) {
  command.add_flag("--names", options.names, "only the names of the scenes, one a line; reads no scene");
}

int list_scenes_and_methods(const ListOptions& options) {
  if (options.names) {
    for (const auto& [name, file] : scenes::scene_files()) fmt::print("{}\n", printable_line(name));
    return 0;
  }
  const auto scenes = scenes::list_scenes();
  std::size_t width = 12;
  for (const auto& scene : scenes) width = std::max(width, scene.name.size());
  for (const auto& info : neighbor_methods()) width = std::max(width, info.name.size());
  fmt::print("Scenes (riffle run NAME):\n");
  for (const auto& scene : scenes)
    fmt::print("  {:<{}}  {}\n", printable_line(scene.name), width, printable_line(scene.description));
  if (scenes.empty()) fmt::print("  none found; give the path of a scene file instead\n");
  fmt::print("\nNeighbour searches (--neighbors NAME, or neighbors.method in a scene):\n");
  for (const auto& info : neighbor_methods()) fmt::print("  {:<{}}  {}\n", info.name, width, info.summary);
  fmt::print("  {:<{}}  times the others on the running scene and takes the fastest; not for deterministic runs\n",
             "auto", width);
  fmt::print(
      "neighbors.skin, 0 to 1 support radii, keeps what any of them found as a list while no particle has moved too "
      "far.\n");
  return 0;
}

}  // namespace

CommandRow list_command() {
  return command_row("list", "scenes and neighbour searches", add_list_options, list_scenes_and_methods);
}

}  // namespace riffle
