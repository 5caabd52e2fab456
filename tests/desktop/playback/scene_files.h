#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/command/scene_options.h"

namespace riffle::test {

/// A scene of a thousand lattice sites, of which an eighth has a particle.
inline constexpr const char* kBlock =
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    "particles: {spacing: 0.1}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n";

/// Scenes in a folder of the test's own.
class SceneFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "riffle-scenes-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  SceneOptions scene(const std::string& text, const std::string& name = "block.yaml") {
    std::ofstream(folder_ / name) << text;
    SceneOptions options;
    options.scene = (folder_ / name).string();
    options.device = DeviceRequest::Cpu;
    return options;
  }

  std::filesystem::path folder_;
};

}  // namespace riffle::test
