#include "app/desktop/platform/user_settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace riffle {
namespace {

namespace fs = std::filesystem;

class UserSettingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "riffle-settings-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const std::string& text) const {
    fs::create_directories(folder_ / "riffle");
    std::ofstream(folder_ / "riffle/settings.json") << text;
  }

  fs::path folder_;
};

void expect_defaults(const desktop::UserSettings& settings) {
  const desktop::WindowPlace place;
  EXPECT_EQ(settings.window.width, place.width);
  EXPECT_EQ(settings.window.height, place.height);
  EXPECT_EQ(settings.window.maximized, false);
  EXPECT_EQ(settings.appearance, desktop::Appearance::Dark);
  EXPECT_TRUE(settings.vsync);
}

TEST_F(UserSettingsTest, WhatWasSavedComesBack) {
  desktop::UserSettings settings;
  settings.window = {12, 34, 800, 600, true};
  settings.appearance = desktop::Appearance::Light;
  settings.vsync = false;
  settings.sections = {{"timings", false}, {"picture", true}};
  settings.choices = {{"search_plot", "full builds"}};
  settings.scenes = {"/somewhere/a.yaml", "/elsewhere/b.yaml"};
  settings.exports.pictures = settings.exports.panels = true;
  settings.exports.size = desktop::ExportSize::FullHd;
  settings.exports.frames_per_second = 24;
  settings.exports.time = desktop::MovieTime::AsSeen;
  settings.exports.particle_ending = ".ply";
  settings.exports.interval = settings.exports.particle_interval = 0.5f;
  settings.exports.name = "a";
  settings.save();
  const desktop::UserSettings again = desktop::UserSettings::load();
  EXPECT_EQ(again.choices, settings.choices);
  EXPECT_EQ(again.window.x, 12);
  EXPECT_EQ(again.window.y, 34);
  EXPECT_EQ(again.window.width, 800);
  EXPECT_EQ(again.window.height, 600);
  EXPECT_TRUE(again.window.maximized);
  EXPECT_EQ(again.appearance, desktop::Appearance::Light);
  EXPECT_FALSE(again.vsync);
  EXPECT_EQ(again.sections, settings.sections);
  EXPECT_EQ(again.scenes, settings.scenes);
  EXPECT_TRUE(again.exports.pictures);
  EXPECT_TRUE(again.exports.panels);
  EXPECT_EQ(again.exports.size, desktop::ExportSize::FullHd);
  EXPECT_EQ(again.exports.frames_per_second, 24);
  EXPECT_EQ(again.exports.time, desktop::MovieTime::AsSeen);
  EXPECT_EQ(again.exports.particle_ending, ".ply");
  EXPECT_EQ(again.exports.interval, 0) << "it is in the unit of a scene";
  EXPECT_EQ(again.exports.particle_interval, 0);
  EXPECT_EQ(again.exports.name, "") << "every file would have it";
}

TEST_F(UserSettingsTest, EverySizeOfPicturesComesBack) {
  std::vector<desktop::ExportSize> sizes{desktop::ExportSize::Window, desktop::ExportSize::Scene};
  for (const desktop::FixedSize& fixed : desktop::kFixedSizes) sizes.push_back(fixed.size);
  EXPECT_EQ(sizes.size(), 7u);
  for (const desktop::ExportSize size : sizes) {
    desktop::UserSettings settings;
    settings.exports.size = size;
    settings.save();
    EXPECT_EQ(desktop::UserSettings::load().exports.size, size);
  }
}

TEST_F(UserSettingsTest, NoFileMeansDefaults) { expect_defaults(desktop::UserSettings::load()); }

TEST_F(UserSettingsTest, ABrokenFileMeansDefaults) {
  for (const char* text :
       {"", "{", "[]", "7", "null", "\"text\"", "\xff\xfe", R"({"width": "wide"})", R"({"appearance": 3})",
        R"({"maximized": "yes"})", R"({"sections": [1]})", R"({"scenes": "one"})", R"({"exports": 3})",
        R"({"exports": {"size": "huge"}})", R"({"exports": {"panels": "yes"}})"}) {
    write(text);
    SCOPED_TRACE(text);
    expect_defaults(desktop::UserSettings::load());
  }
}

TEST_F(UserSettingsTest, WhatIsMissingIsTheDefault) {
  write(R"({"appearance": "light", "exports": {"size": "scene", "frames_per_second": 1e9}})");
  const desktop::UserSettings settings = desktop::UserSettings::load();
  EXPECT_EQ(settings.appearance, desktop::Appearance::Light);
  EXPECT_EQ(settings.window.width, desktop::WindowPlace().width);
  EXPECT_EQ(settings.exports.size, desktop::ExportSize::Scene);
  EXPECT_EQ(settings.exports.particle_ending, ".vtp");
  EXPECT_EQ(settings.exports.frames_per_second, 60) << "at most";
}

// The X server ends a program that requests a window of a million pixels.
TEST_F(UserSettingsTest, NoWindowIsTooSmallToUseOrTooLargeToMake) {
  write(R"({"width": 3, "height": -5})");
  desktop::UserSettings settings = desktop::UserSettings::load();
  EXPECT_GE(settings.window.width, 640);
  EXPECT_GE(settings.window.height, 400);
  write(R"({"width": 1000000, "height": 2000000000})");
  settings = desktop::UserSettings::load();
  EXPECT_LE(settings.window.width, 16384);
  EXPECT_LE(settings.window.height, 16384);
}

TEST_F(UserSettingsTest, AFolderThatCannotBeMadeIsNoReasonToFail) {
  std::ofstream(folder_ / "file") << "not a folder";
  setenv("XDG_CONFIG_HOME", (folder_ / "file").c_str(), 1);
  EXPECT_EQ(desktop::UserSettings::folder(), "");
  EXPECT_EQ(desktop::UserSettings::layout_file(), "");
  desktop::UserSettings().save();
  expect_defaults(desktop::UserSettings::load());
}

TEST_F(UserSettingsTest, ARelativeConfigFolderIsIgnored) {  // as the XDG specification demands
  setenv("XDG_CONFIG_HOME", "somewhere", 1);
  const char* home = std::getenv("HOME");
  const std::string before = home ? home : "";
  setenv("HOME", folder_.c_str(), 1);
  EXPECT_EQ(desktop::UserSettings::folder(), (folder_ / ".config/riffle").string());
  setenv("HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace riffle
