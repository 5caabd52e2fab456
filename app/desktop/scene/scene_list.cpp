#include "app/desktop/scene/scene_list.h"

#include <algorithm>
#include <filesystem>

namespace riffle::desktop {

namespace fs = std::filesystem;

namespace {

std::string whole_path(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return failed ? "" : absolute.lexically_normal().string();
}

}  // namespace

SceneList::SceneList(const std::vector<std::string>& recent) : found_(scenes::list_scenes()) {
  for (auto path = recent.rbegin(); path != recent.rend(); ++path) note(*path);
  news_ = false;
}

void SceneList::note(const std::string& given) {
  std::error_code failed;
  const std::string path = whole_path(given);
  if (path.empty() || !fs::is_regular_file(path, failed)) return;
  const auto is_it = [&](const scenes::CatalogEntry& entry) {
    std::error_code none;
    return fs::equivalent(entry.path, path, none);
  };
  if (std::any_of(found_.begin(), found_.end(), is_it)) return;
  std::erase_if(recent_, is_it);
  recent_.insert(recent_.begin(), scenes::describe_scene_file(path));
  news_ = true;
  if (recent_.size() > kRecent) recent_.resize(kRecent);
}

void SceneList::leave_out_missing() {
  const auto is_missing = [](const scenes::CatalogEntry& entry) {
    std::error_code failed;
    return !fs::is_regular_file(entry.path, failed);
  };
  std::erase_if(found_, is_missing);
  std::erase_if(recent_, is_missing);
}

bool SceneList::is_recent(const std::string& path) const {
  const std::string whole = whole_path(path);
  return std::any_of(recent_.begin(), recent_.end(),
                     [&](const scenes::CatalogEntry& entry) { return entry.path == whole; });
}

std::string SceneList::told_apart(const scenes::CatalogEntry& entry) const {
  const auto has_same_name = [&](const scenes::CatalogEntry& other) {
    return other.path != entry.path && other.name == entry.name;
  };
  const bool alone = std::ranges::none_of(recent_, has_same_name) && std::ranges::none_of(found_, has_same_name);
  if (alone || entry.shipped) return entry.name;
  return entry.name + " in " + fs::path(entry.path).parent_path().string();
}

std::vector<std::string> SceneList::recent_paths() const {
  std::vector<std::string> paths;
  for (const scenes::CatalogEntry& entry : recent_) paths.push_back(entry.path);
  return paths;
}

}  // namespace riffle::desktop
