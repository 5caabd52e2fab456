#include "app/state/saved_scene.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "scenes/document/file_keys.h"
#include "scenes/document/yaml_writer.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

std::string contents_of(const fs::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in || (bytes.tellp() == std::ostringstream::pos_type(0) && fs::file_size(file) > 0))
    throw InputError(fmt::format("{}: cannot be read for the state: {}", file.string(), std::strerror(errno)));
  return std::move(bytes).str();
}

/// Whether a name stays within the folder that it is in.
bool stays_inside(const fs::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  for (const fs::path& part : name)
    if (part == ".." || part == ".") return false;
  return true;
}

/// The files that a .gltf names beside it; a .glb and other formats have all in one.
std::vector<std::string> files_beside(const fs::path& file, const std::string& bytes) {
  std::vector<std::string> names;
  if (file.extension() != ".gltf") return names;
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (!json.is_object() || !json.contains("buffers") || !json["buffers"].is_array()) return names;
  for (const auto& buffer : json["buffers"]) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
    const std::string uri = buffer["uri"];
    if (!uri.starts_with("data:") && stays_inside(uri)) names.push_back(uri);
  }
  return names;
}

}  // namespace

std::size_t SavedScene::bytes() const {
  std::size_t sum = text.size();
  for (const SceneFile& file : files) sum += file.name.size() + file.bytes.size();
  return sum;
}

SavedScene saved_scene(const scenes::SceneSource& source) {
  SavedScene saved;
  saved.name = fs::path(source.path).filename().string();
  const fs::path folder = fs::path(source.path).parent_path();
  scenes::Node root = source.root;
  std::map<fs::path, std::string> taken;  // the names that files have
  scenes::for_each_file(root, [&](std::string& name) {
    const fs::path file = folder / name;
    const auto [at, is_new] = taken.emplace(fs::weakly_canonical(file), "");
    if (is_new) {
      const fs::path own = fmt::format("{}", taken.size());
      at->second = (own / file.filename()).string();
      saved.files.push_back({at->second, contents_of(file)});
      const std::string bytes = saved.files.back().bytes;
      for (const std::string& beside : files_beside(file, bytes))
        saved.files.push_back({(own / beside).string(), contents_of(file.parent_path() / beside)});
    }
    name = at->second;
  });
  saved.text = scenes::to_yaml(root, saved.name);
  return saved;
}

UnpackedScene::UnpackedScene(const SavedScene& scene) : path_(scene.name) {
  if (scene.files.empty()) return;
  for (const SceneFile& file : scene.files)
    if (!stays_inside(file.name))
      throw InputError(
          fmt::format("a file of the scene is called \"{}\"; allowed: names within its folder", file.name));
  std::string pattern = (fs::temp_directory_path() / "riffle-scene-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw RuntimeFailure(fmt::format("{}: cannot be created: {}", pattern, std::strerror(errno)));
  folder_ = pattern;
  try {
    for (const SceneFile& file : scene.files) {
      fs::create_directories((folder_ / file.name).parent_path());
      write_stream(folder_ / file.name, [&](std::ostream& out) {
        out.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
      });
    }
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
  path_ = (folder_ / scene.name).string();
}

UnpackedScene::~UnpackedScene() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
  if (error) log::warn("{}: cannot be removed: {}", folder_.string(), error.message());
}

}  // namespace riffle
