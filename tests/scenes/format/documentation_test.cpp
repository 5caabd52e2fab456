#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenes/document/yaml_writer.h"
#include "scenes/format/format.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Keywords of draft 2020-12 that the schema uses, each with the type its value must have.
void expect_valid_schema(const nlohmann::json& schema, const std::string& path) {
  ASSERT_TRUE(schema.is_object()) << path;
  for (const auto& [word, value] : schema.items()) {
    const std::string at = path + "/" + word;
    if (word == "$schema" || word == "title" || word == "description" || word == "pattern")
      EXPECT_TRUE(value.is_string()) << at;
    else if (word == "type")
      EXPECT_TRUE(value.is_string()) << at;
    else if (word == "minimum" || word == "maximum" || word == "exclusiveMinimum" || word == "multipleOf")
      EXPECT_TRUE(value.is_number()) << at;
    else if (word == "minItems" || word == "maxItems")
      EXPECT_TRUE(value.is_number_unsigned()) << at;
    else if (word == "additionalProperties")
      EXPECT_TRUE(value.is_boolean()) << at;
    else if (word == "required" || word == "enum")
      EXPECT_TRUE(value.is_array() && !value.empty()) << at;
    else if (word == "items")
      expect_valid_schema(value, at);
    else if (word == "properties") {
      for (const auto& [name, inner] : value.items()) expect_valid_schema(inner, at + "/" + name);
    } else if (word == "anyOf" || word == "oneOf") {
      EXPECT_TRUE(value.is_array() && !value.empty()) << at;
      for (const auto& inner : value) expect_valid_schema(inner, at);
    } else {
      EXPECT_EQ(word, "default") << at << " is no keyword that this test knows";
    }
  }
}

}  // namespace

TEST(Documentation, CommittedSchemaIsUpToDate) {
  EXPECT_EQ(file_text(RIFFLE_SOURCE_DIR "/scenes/library/scene.schema.json"), scenes::scene_format_as_json_schema())
      << "build the target scene-format and commit what it writes";
}

TEST(Documentation, CommittedPageIsUpToDate) {
  EXPECT_EQ(file_text(RIFFLE_SOURCE_DIR "/docs/scene-format.md"), scenes::scene_format_as_markdown())
      << "build the target scene-format and commit what it writes";
}

TEST(Documentation, SchemaUsesOnlyKeywordsOfTheDraftWithValuesOfTheirTypes) {
  const auto schema = nlohmann::json::parse(scenes::scene_format_as_json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  expect_valid_schema(schema, "");
}

TEST(Documentation, EveryKeyHasASentence) {
  const std::function<void(const scenes::Record&)> look = [&](const scenes::Record& record) {
    for (const auto& key : record.keys) {
      EXPECT_TRUE(key.doc.ends_with(".")) << key.name;
      EXPECT_FALSE(key.forms.empty()) << key.name;
      for (const auto& form : key.forms)
        if (form.record) look(*form.record);
    }
  };
  look(scenes::scene_format());
}

// A default that its own checks refuse would be documented, stored, and impossible to write.
TEST(Documentation, EveryDefaultPassesTheChecks) {
  const std::function<void(const scenes::Record&, const std::string&)> look = [&](const scenes::Record& record,
                                                                                  const std::string& prefix) {
    for (const auto& key : record.keys) {
      const scenes::Value& value = key.default_value;
      if (!value.is_empty() && !(value.is_text() && value.text().empty())) {
        const std::string said = complaint(
            good_scene_with("fluids: [{name: water}]\n"
                            "solids: [{name: post, box: {min: [0.7, 0, 0], max: [1, 1, 1]}},\n"
                            "         {name: bob, box: {min: [0.3, 0.8, 0.3], max: [0.4, 0.9, 0.4]},\n"
                            "          motion: free, density: 500}]\n"
                            "joints: [{type: hinge, solid: bob, at: [0.3, 0.9, 0.3]}]\n"
                            "inlets: [{rectangle: {center: [0.2, 1, 0.7], width: 0.1, height: 0.1}, speed: 1},\n"
                            "         {disc: {center: [0.5, 1, 0.2], radius: 0.06}, speed: 1}]\n"
                            "outlets: [{box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}]\n"
                            "damping: [{box: {min: [0, 0, 0], max: [1, 1, 1]}, strength: 1}]\n"
                            "probes: [{point: [0.1, 0.1, 0.1]}]\n"
                            "events: [{step: 1, set: {gravity: [0, -5, 0]}}]\n"),
            {prefix + key.name + "=" + scenes::flow_text(scenes::node_from(value))});
        EXPECT_EQ(said.find("found"), std::string::npos) << said;
      }
      for (const auto& form : key.forms)
        if (form.record && key.name != "sphere" && key.name != "with" && key.name != "without")
          look(*form.record, prefix + key.name + (form.kind == scenes::Form::Kind::List ? "[0]." : "."));
    }
  };
  look(scenes::scene_format(), "");
}

}  // namespace riffle
