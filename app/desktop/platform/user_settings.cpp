#include "app/desktop/platform/user_settings.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/text/log.h"
#include "core/text/output_files.h"

namespace riffle::desktop {

namespace fs = std::filesystem;

namespace {

constexpr int kLargest = 16384;  // [pixel]; an X server ends a program that asks for a window a million pixels wide

}  // namespace

std::string UserSettings::folder() {
  const char* xdg = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (xdg && fs::path(xdg).is_absolute())
    folder = fs::path(xdg) / "riffle";
  else if (home && *home)
    folder = fs::path(home) / ".config" / "riffle";
  else
    return "";
  std::error_code failed;
  fs::create_directories(folder, failed);
  return failed ? "" : folder.string();
}

std::string UserSettings::layout_file() { return folder().empty() ? "" : folder() + "/layout.ini"; }

UserSettings UserSettings::load() {
  UserSettings settings;
  if (folder().empty()) return settings;
  remove_leftovers(folder());
  const std::string file = folder() + "/settings.json";
  std::ifstream in(file);
  if (!in) return settings;
  try {
    const auto json = nlohmann::json::parse(in);
    const WindowPlace fallback;
    settings.window.x = json.value("x", fallback.x);
    settings.window.y = json.value("y", fallback.y);
    settings.window.width = std::clamp(json.value("width", fallback.width), 640, kLargest);
    settings.window.height = std::clamp(json.value("height", fallback.height), 400, kLargest);
    settings.window.remembered = json.contains("width") && json.contains("height");
    settings.window.maximized = json.value("maximized", false);
    settings.appearance = json.value("appearance", "dark") == "light" ? Appearance::Light : Appearance::Dark;
    settings.vsync = json.value("vsync", true);
    settings.sections = json.value("sections", settings.sections);
    settings.choices = json.value("choices", settings.choices);
    if (json.contains("exports")) take_kept_choices(json["exports"], settings.exports);
    settings.scenes = json.value("scenes", settings.scenes);
  } catch (const std::exception& broken) {
    log::warn("{} is not used: {}", file, broken.what());
    return {};
  }
  return settings;
}

void UserSettings::save() const {
  if (folder().empty()) {
    log::warn("the window's settings are not remembered: there is no folder for them below $XDG_CONFIG_HOME or $HOME");
    return;
  }
  const nlohmann::json json{{"x", window.x},
                            {"y", window.y},
                            {"width", window.width},
                            {"height", window.height},
                            {"maximized", window.maximized},
                            {"appearance", appearance == Appearance::Light ? "light" : "dark"},
                            {"vsync", vsync},
                            {"sections", sections},
                            {"choices", choices},
                            {"exports", kept_choices(exports)},
                            {"scenes", scenes}};
  try {
    write_text(folder() + "/settings.json", json.dump(2) + "\n");
  } catch (const std::exception& failure) {
    log::warn("the window's settings are not remembered: {}", failure.what());
  }
}

}  // namespace riffle::desktop
