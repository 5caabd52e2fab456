#include "scenes/catalog.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/text/program_folder.h"
#include "core/text/suggestion.h"
#include "scenes/load.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"

#ifndef RIFFLE_SOURCE_SCENES
#define RIFFLE_SOURCE_SCENES ""
#endif

namespace riffle::scenes {

namespace fs = std::filesystem;

namespace {

void describe(const Scene& scene, CatalogEntry& entry) {
  entry.description = scene.description;
  entry.title = scene.name;
  entry.usable = true;
  entry.solver = scene.simulation.solver;
  entry.dimension = scene.simulation.domain.dimension;
  entry.particles = count_particles(scene.simulation);
}

std::vector<std::string> shipped_folders() { return shared_folders("scenes", RIFFLE_SOURCE_SCENES); }

bool is_shipped(const fs::path& folder) {
  std::error_code none;
  const auto folders = shipped_folders();
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& one) { return fs::equivalent(one, folder, none); });
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::vector<std::string> scene_folders() {
  const fs::path own = "scenes";
  std::vector<std::string> folders = shipped_folders();
  std::error_code error;
  if (fs::is_directory(own, error) && !is_shipped(own)) folders.insert(folders.begin(), own.string());
  return folders;
}

CatalogEntry describe_scene_file(const std::string& path) {
  CatalogEntry entry;
  entry.name = entry.title = fs::path(path).stem().string();
  entry.path = path;
  try {
    describe(load_scene(path), entry);
  } catch (const std::exception& mistake) {
    entry.description = "(has mistakes: " + first_line(mistake.what()) + ")";
  }
  return entry;
}

std::map<std::string, std::string> scene_files() {
  std::map<std::string, std::string> files;
  for (const auto& folder : scene_folders()) {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(folder, error))
      if (file.path().extension() == ".yaml") files.emplace(file.path().stem().string(), file.path().string());
  }
  return files;
}

std::vector<CatalogEntry> list_scenes() {
  std::vector<CatalogEntry> entries;
  for (const auto& [name, path] : scene_files()) {
    entries.push_back(describe_scene_file(path));
    entries.back().shipped = is_shipped(fs::path(path).parent_path());
  }
  return entries;
}

// "splash" takes 3.3 s of CPU time per simulated second, 0.6 of real time on two cores; "dam_break_pbf" takes several times
// as much.
const char* default_scene(DeviceKind device) { return device == DeviceKind::Cuda ? "dam_break_pbf_72k" : "splash"; }

std::string find_scene(const std::string& name_or_path) {
  std::error_code ignored;
  const fs::path given(name_or_path);
  const bool is_name = !given.has_parent_path() && !given.has_extension();
  if (!is_name || fs::is_regular_file(given, ignored)) return name_or_path;
  const auto files = scene_files();
  if (const auto found = files.find(name_or_path); found != files.end()) return found->second;
  if (fs::exists(given, ignored)) return name_or_path;  // a folder: the loader says what it is
  std::string looked_in;
  for (const auto& folder : scene_folders()) looked_in += (looked_in.empty() ? "" : ", ") + folder;
  std::vector<std::string> names;
  for (const auto& [name, path] : files) names.push_back(name);
  const std::string meant = suggestion(name_or_path, names, "; ");
  throw InputError("no scene is called '" + name_or_path + "'" +
                   (meant.empty() ? "; `riffle list` names them" : meant) + " (looked in " +
                   (looked_in.empty() ? "no folder" : looked_in) + ")");
}

}  // namespace riffle::scenes
