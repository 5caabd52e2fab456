#include "scenes/document/comments.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenes/document/edited_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/scene_text.h"

namespace riffle {
namespace {

const char* const kText = R"(# My tank.
# Second line.

name: "a # is no comment"   # the name
domain: {min: [0, 0, 0], max: [1, 1, 1]}  # one metre

# How fine it is.
particles:
  # halve it for the paper
  spacing: 0.1  # [m]
description: |
  # text, no comment
  more
bodies:
  # the water
  - box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}
    velocity: [0.1, 0, 0]  # a push
  # a drop
  - sphere: {center: [0.7, 0.7, 0.5], radius: 0.2}
gravity: [0, -9.81, 0]  # on earth
# That is all.
)";

scenes::SceneSource source() { return scenes::parse_source(kText, "tank.yaml"); }

std::string saved(const scenes::EditedScene& scene, std::size_t* left_out = nullptr) {
  const scenes::Commented commented = scenes::with_comments(scene.to_yaml(), kText);
  if (left_out) *left_out = commented.left_out;
  return commented.yaml;
}

TEST(Comments, StayWithTheirKeys) {
  const scenes::EditedScene scene(source());
  std::size_t left_out = 7;
  const std::string text = saved(scene, &left_out);
  EXPECT_EQ(left_out, 0u);
  EXPECT_TRUE(text.starts_with("# Riffle scene, written from tank.yaml\n# My tank.\n# Second line.\n")) << text;
  EXPECT_TRUE(text.ends_with("# That is all.\n")) << text;
  for (const char* line : {"name: \"a # is no comment\"  # the name\n", "# How fine it is.\nparticles:\n",
                           "  # halve it for the paper\n  spacing: 0.1  # [m]\n", "velocity: [0.1, 0, 0]  # a push\n",
                           "gravity: [0, -9.81, 0]  # on earth\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
  EXPECT_EQ(text.find("# text, no comment"), text.rfind("# text, no comment")) << "it is a text\n" << text;
  scenes::Problems none;
  EXPECT_EQ(flow_text(scenes::parse_document(text, "", none)),
            flow_text(scenes::parse_document(scene.to_yaml(), "", none)));
  const scenes::EditedScene again(scenes::parse_source(text, "tank.yaml"));
  EXPECT_EQ(scenes::with_comments(again.to_yaml(), text).yaml, text) << "saved again it is the same";
}

TEST(Comments, FollowEntriesOfAList) {
  scenes::EditedScene scene(source());
  scene.set("gravity", "[0, -5, 0]");
  scene.remove_entry("bodies[0]");
  std::size_t left_out = 0;
  const std::string text = saved(scene, &left_out);
  EXPECT_EQ(left_out, 2u) << "the water and its push are gone\n" << text;
  EXPECT_NE(text.find("  # a drop\n  - sphere"), std::string::npos) << text;
  EXPECT_NE(text.find("gravity: [0, -5, 0]  # on earth\n"), std::string::npos) << text;
  EXPECT_EQ(scene.comments_left_out(), 2u);
  scene.undo();
  EXPECT_EQ(scene.comments_left_out(), 0u);
  scene.set("bodies[0].velocity", "[0.2, 0, 0]");
  EXPECT_NE(saved(scene).find("velocity: [0.2, 0, 0]  # a push\n"), std::string::npos) << saved(scene);
}

TEST(Comments, AreInTheFile) {
  const auto file = std::filesystem::temp_directory_path() / "riffle-comments-test.yaml";
  scenes::EditedScene(source()).save(file.string());
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  EXPECT_NE(text.str().find("# My tank.\n"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("# on earth\n"), std::string::npos) << text.str();
}

TEST(Comments, OfShippedScenesChangeNoValue) {
  for (const std::string& name : shipped_scenes()) {
    std::stringstream text;
    text << std::ifstream(name).rdbuf();
    const scenes::EditedScene scene(scenes::load_source(name));
    const scenes::Commented commented = scenes::with_comments(scene.to_yaml(), text.str());
    EXPECT_EQ(commented.left_out, 0u) << name;
    scenes::Problems none;
    EXPECT_EQ(flow_text(scenes::parse_document(commented.yaml, "", none)),
              flow_text(scenes::parse_document(scene.to_yaml(), "", none)))
        << name;
  }
}

}  // namespace
}  // namespace riffle
