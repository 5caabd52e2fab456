#include "scenes/load.h"

#include <filesystem>

#include "scenes/review/review.h"
#include "scenes/scene_events.h"

namespace riffle::scenes {

namespace {

SceneSource parse(const std::string& text, const std::string& path, const std::vector<std::string>& overrides,
                  Problems& problems) {
  SceneSource source{path, parse_document(text, path, problems), nullptr, std::make_shared<const std::string>(text)};
  for (const auto& assignment : overrides) apply_override(source.root, assignment, problems);
  return source;
}

Scene build(const SceneSource& source, Problems& problems) {
  KeyLocations locations;
  SceneDraft draft = read_document(source.root, problems, locations);
  draft.scene.path = source.path;
  draft.scene.is_new = source.is_new;
  Scene scene = review(std::move(draft), locations, problems);
  if (problems.empty()) review_events(source, scene, problems);
  problems.throw_if_any();
  if (scene.name.empty()) scene.name = name_of_file(source.path);
  return scene;
}

}  // namespace

std::string name_of_file(const std::string& path) { return std::filesystem::path(path).stem().string(); }

Scene parse_scene(const std::string& text, const std::string& path, const std::vector<std::string>& overrides) {
  Problems problems;  // of both steps, so that one run reports all
  const SceneSource source = parse(text, path, overrides, problems);
  return build(source, problems);
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_scene_text(path), path, overrides);
}

SceneSource parse_source(const std::string& text, const std::string& path, const std::vector<std::string>& overrides) {
  Problems problems;
  SceneSource source = parse(text, path, overrides, problems);
  problems.throw_if_any();
  return source;
}

SceneSource load_source(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_source(read_scene_text(path), path, overrides);
}

Scene build_scene(const SceneSource& source) {
  Problems problems;
  return build(source, problems);
}

}  // namespace riffle::scenes
