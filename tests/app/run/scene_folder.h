#pragma once
/// A folder of the test's own with a small scene in it.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/scratch.h"

namespace riffle::test {

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
}

class SceneFolder : public ::testing::Test {
 protected:
  SceneFolder()
      : scene_(write("small.yaml",
                     "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                     "particles: {spacing: 0.1}\n"
                     "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n")) {}

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  /// Below the folder, hidden ones too; the scenes are left out.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / ""))
      if (entry.is_regular_file() && entry.path().extension() != ".yaml")
        names.push_back(std::filesystem::relative(entry.path(), folder_ / "").string());
    std::sort(names.begin(), names.end());
    return names;
  }

  Scratch folder_;
  std::string scene_;  ///< path of a scene of 125 particles
};

}  // namespace riffle::test
