#pragma once
/// A small good scene that tests spoil one line at a time.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "scenes/load.h"

namespace riffle {

inline const char* const kGoodScene =
    "dimension: 3\n"
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    "particles:\n"
    "  spacing: 0.1\n"
    "bodies:\n"
    "  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n";

/// kGoodScene with more lines below it.
inline std::string good_scene_with(std::string_view more) { return fmt::format("{}{}", kGoodScene, more); }

/// Paths of the scenes that come with the program; at least one.
inline std::vector<std::string> shipped_scenes() {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(RIFFLE_SOURCE_DIR "/scenes/library"))
    if (file.path().extension() == ".yaml") paths.push_back(file.path().string());
  EXPECT_FALSE(paths.empty());
  return paths;
}

/// kGoodScene with `from` replaced by `to`.
inline std::string spoiled(const std::string& from, const std::string& to) {
  std::string text = kGoodScene;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// The loader's message about it; "" if there is none.
inline std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    scenes::parse_scene(text, "s.yaml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string warnings_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::string lines;
  for (const auto& warning : scenes::parse_scene(text, "s.yaml", overrides).warnings) lines += warning.message() + "\n";
  return lines;
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
}

/// A block of water in a box.
inline constexpr const char* kTankScene =
    "domain: {min: [0, 0, 0], max: [2, 1, 1]}\n"
    "particles: {spacing: 0.05}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}\n";

}  // namespace riffle
