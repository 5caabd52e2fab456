#include "scenes/load.h"

#include <filesystem>

#include "scenes/review.h"

namespace riffle {

Scene parse_scene(const std::string& text, const std::string& path, const std::vector<std::string>& overrides) {
  Problems problems;
  KeyLocations locations;
  Node root = parse_document(text, path, problems);
  for (const auto& assignment : overrides) apply_override(root, assignment, problems);
  SceneDraft draft = read_document(root, problems, locations);
  Scene scene = review(std::move(draft), locations, problems);
  problems.throw_if_any();
  scene.path = path;
  if (scene.name.empty()) scene.name = std::filesystem::path(path).stem().string();
  return scene;
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_scene_text(path), path, overrides);
}

}  // namespace riffle
