#include "scenes/document/comments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "scenes/document/edited_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/scene_text.h"
#include "tests/support/scratch.h"

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
  EXPECT_EQ(scene.comments_left_out("tank.yaml"), 2u);
  scene.undo();
  EXPECT_EQ(scene.comments_left_out("tank.yaml"), 0u);
  scene.set("bodies[0].velocity", "[0.2, 0, 0]");
  EXPECT_NE(saved(scene).find("velocity: [0.2, 0, 0]  # a push\n"), std::string::npos) << saved(scene);
}

TEST(Comments, AreInTheFileButForThoseOfANameThatIsLeftOut) {
  const test::Scratch folder;
  scenes::EditedScene scene(source());
  const auto text_saved = [&](const char* name) {
    scene.save(folder / name);
    std::stringstream text;
    text << std::ifstream(folder / name).rdbuf();
    return text.str();
  };
  const auto comments = [](const std::string& text) { return std::ranges::count(text, '#'); };
  const std::string same = text_saved("tank.yaml"), other = text_saved("tank-edited.yaml");
  EXPECT_EQ(scene.comments_left_out(folder / "tank.yaml"), 0u);
  EXPECT_NE(same.find("  # the name\n"), std::string::npos) << same;
  EXPECT_EQ(scene.comments_left_out(folder / "tank-edited.yaml"), 1u);
  EXPECT_EQ(comments(other), comments(same) - 2) << "one comment, and one # of the name\n" << other;
  EXPECT_NE(other.find("# My tank.\n"), std::string::npos) << other;
  EXPECT_NE(other.find("# on earth\n"), std::string::npos) << other;
  scene.set("name", "mine");
  EXPECT_EQ(scene.comments_left_out(folder / "tank-edited.yaml"), 0u) << "an edited name is saved";
}

// A comment that is not found is neither saved nor counted, one that is made up splits a value.
TEST(Comments, BeginOutsideOfQuotesWordsAndBlocks) {
  const std::string rest = "domain: {min: [0, 0, 0], max: [1, 1, 1]}  # the room\nparticles: {spacing: 0.1}\n";
  const std::string bodies = "bodies: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}}]\n";
  const auto expect = [](const std::string& text, const std::vector<std::string>& comments) {
    const scenes::EditedScene scene(scenes::parse_source(text, "tank.yaml"));
    const scenes::Commented found = scenes::with_comments(scene.to_yaml(), text);
    EXPECT_EQ(found.left_out, 0u) << text;
    for (const std::string& comment : comments)
      EXPECT_NE(found.yaml.find("  " + comment), std::string::npos) << comment << " is not in\n" << found.yaml;
    const std::string plain = scene.to_yaml();
    const auto added = std::ranges::count(found.yaml, '#') - std::ranges::count(plain, '#');
    EXPECT_EQ(added, static_cast<std::ptrdiff_t>(comments.size())) << "in\n" << found.yaml << "from\n" << text;
  };
  for (const char* name :
       {"'it''s # one'", "\"it\\\"s # one\"", "rock 'n roll", "rock -\"n roll", "a, 'b", "5' tank", "rock\n  'n roll",
        "\n  'it''s\n  # one'", "a#b", "!!str 'a # b'", "|\n  # one\n\n  # two", ">-\n  it's\n  # one", "\"a\\\\\""})
    expect("name: " + std::string(name) + "\n" + rest + bodies, {"# the room"});
  expect("name: 'it''s # one'  # the name\n" + rest + bodies, {"# the name", "# the room"});
  expect("name: rock 'n roll  # it's mine\n" + rest + bodies, {"# it's mine", "# the room"});
  expect("name: |  # it's long\n  # one\n" + rest + bodies, {"# it's long", "# the room"});
  expect(rest + "bodies:\n  - box:  # a dam\n      {min: [0, 0, 0], max: [0.5, 0.5, 1]}  # wet\n",
         {"# the room", "# a dam", "# wet"});
  // In an entry the block ends with its key, not with the entry.
  const std::string probe =
      "\n    # where\n    point: [0.5, 0.5, 0.5]  # the middle\n    quantities: [density]  # often\n";
  expect(rest + bodies + "probes:\n  - name: >-\n      # no comment" + probe,
         {"# the room", "# where", "# the middle", "# often"});
  // Within brackets a value ends with a comma or a bracket.
  expect(rest + bodies +
             "probes: [{name: rock 'n roll, point: [0.5,  # it's x\n  0.5, 0.5], quantities: [density]}]  # 'one'\n",
         {"# the room", "# it's x", "# 'one'"});
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
