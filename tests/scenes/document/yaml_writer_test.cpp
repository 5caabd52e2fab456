#include "scenes/document/yaml_writer.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <random>

#include "same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

TEST(YamlWriter, EveryShippedSceneComesBackTheSame) {
  for (const std::string& path : shipped_scenes()) {
    SCOPED_TRACE(path);
    const scenes::SceneSource source = scenes::load_source(path);
    const std::string text = scenes::to_yaml(source.root, "here");
    const scenes::SceneSource again = scenes::parse_source(text, path);
    expect_same_scene(scenes::build_scene(source), scenes::build_scene(again));
    EXPECT_EQ(scenes::to_yaml(again.root, "here"), text);
  }
}

TEST(YamlWriter, LooksLikeTheScenesThatAreShipped) {
  const scenes::SceneSource source = scenes::parse_source(
      "bodies:\n- box:\n    min: [0, 0, 0]\n    max:\n    - 0.5\n    - 0.5\n    - 0.5\n  fluid: water\n"
      "fluids: [{name: water, color: '#2973d9'}]\nparticles: {spacing: 1.0e-1}\ndescription: \"A box: half full\"\n"
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\npicture: {camera: {position: [0, 0, 5], target: [0, 0, 0]}}\n"
      "solver:\n",
      "s.yaml");
  EXPECT_EQ(scenes::to_yaml(source.root, "s.yaml"),
            "# Riffle scene, written from s.yaml\n"
            "description: \"A box: half full\"\n"
            "\n"
            "domain:\n"
            "  min: [0, 0, 0]\n"
            "  max: [1, 1, 1]\n"
            "\n"
            "particles:\n"
            "  spacing: 1.0e-1\n"
            "\n"
            "fluids:\n"
            "  - name: water\n"
            "    color: \"#2973d9\"\n"
            "\n"
            "bodies:\n"
            "  - fluid: water\n"
            "    box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
            "\n"
            "solver: ~\n"
            "\n"
            "picture:\n"
            "  camera:\n"
            "    position: [0, 0, 5]\n"
            "    target: [0, 0, 0]\n");
}

TEST(YamlWriter, TextsThatYamlMisreadsComeBack) {
  for (const char* text : {"",
                           " ",
                           "~",
                           "null",
                           "2",
                           "1e3",
                           "true",
                           "no",
                           "a: b",
                           "a #b",
                           "#fff",
                           "- a",
                           "[a]",
                           "{a: b}",
                           "a, b",
                           "'a'",
                           "\"a\"",
                           "a\nb",
                           "a\tb",
                           " a",
                           "a ",
                           "&a",
                           "*a",
                           "!a",
                           "|",
                           ">",
                           "%a",
                           "@a",
                           "`a`",
                           "?",
                           "? a",
                           ":",
                           "a:",
                           "---",
                           "...",
                           "\xc3\xa9t\xc3\xa9",
                           "back\\slash",
                           "a\r\nb",
                           "\x01",
                           "=",
                           "<<",
                           "0x1F",
                           "1_000",
                           "12:30:45"}) {
    const std::string written = scenes::string_text(text);
    const scenes::SceneSource block = scenes::parse_source("name: " + written + "\n", "s.yaml");
    EXPECT_EQ(block.root.members[0].value.text, text) << written;
    const scenes::SceneSource flow =
        scenes::parse_source("{a: [" + written + ", 1], b: {name: " + written + "}}", "s.yaml");
    EXPECT_EQ(flow.root.members[0].value.items[0].text, text) << written;
    EXPECT_EQ(flow.root.members[1].value.members[0].value.text, text) << written;
    EXPECT_EQ(scenes::to_yaml(block.root, "x"), "# Riffle scene, written from x\nname: " + written + "\n");
  }
}

// YAML readers take a quoted text that looks like a number as a text; without quotes it would be a number.
TEST(YamlWriter, QuotesThatMeanSomethingStay) {
  const scenes::SceneSource source = scenes::parse_source("{name: \"2\", description: water, seed: 3}", "s.yaml");
  EXPECT_EQ(scenes::flow_text(source.root), "{name: \"2\", description: water, seed: 3}");
}

TEST(YamlWriter, NumbersAreShortAndReadBackToTheBit) {
  EXPECT_EQ(scenes::number_text(0.1f), "0.1");
  EXPECT_EQ(scenes::number_text(1000.0f), "1000");
  EXPECT_EQ(scenes::number_text(1e-6f), "1.0e-6");
  EXPECT_EQ(scenes::number_text(2.5e-7), "2.5e-7");
  EXPECT_EQ(scenes::number_text(1e30), "1.0e+30");
  EXPECT_EQ(scenes::number_text(-0.0f), "-0");
  EXPECT_EQ(scenes::vector_text(std::vector<float>{0, -9.81f, 0}), "[0, -9.81, 0]");
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    const std::string text = scenes::number_text(value);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);  // as the loader does, through double precision
    ASSERT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(read)), std::bit_cast<std::uint32_t>(value)) << text;
  }
}

}  // namespace riffle
