/// Random edits of random keys, in and out of the file.

#include <algorithm>
#include <cmath>
#include <random>

#include "same_scene.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

class RandomEdits : public ::testing::TestWithParam<const char*> {
 protected:
  std::mt19937 random_{11};

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

  /// A value near the present one: most values far away are refused, because bodies leave their domain or hold no
  /// particle.
  double near(const scenes::Parameter& p, double value) {
    const double wanted = value * std::exp(uniform(-0.2, 0.2)) + (value == 0 ? uniform(0, 0.1) : 0);
    return std::clamp(wanted, std::max(p.min, -1e6), std::min(p.max, 1e6));
  }

  std::string number(const scenes::Parameter& p, scenes::Parameter::Kind kind, double value) {
    if (kind == scenes::Parameter::Kind::Whole)
      return std::to_string(static_cast<long>(near(p, value) / p.multiple_of) * p.multiple_of);
    return below(2) ? scenes::number_text(near(p, value)) : scenes::number_text(static_cast<float>(near(p, value)));
  }

  std::string value_for(const scenes::Parameter& p) {
    if (!p.choices.empty() && (p.kind == scenes::Parameter::Kind::Choice || below(4) == 0))
      return p.choices[below(p.choices.size())];
    const auto numbers = p.numbers();
    switch (p.kind) {
      case scenes::Parameter::Kind::Flag: return below(2) ? "true" : "false";
      case scenes::Parameter::Kind::Text: return scenes::string_text(p.text() + std::string(1, "a2 #:'\"-,"[below(9)]));
      case scenes::Parameter::Kind::Color:
        return below(2) ? "\"#12ab3F\"" : "[0.25, 1, " + scenes::number_text(uniform(0, 1)) + "]";
      case scenes::Parameter::Kind::Number:
      case scenes::Parameter::Kind::Whole: return number(p, p.kind, numbers.empty() ? 1 : numbers[0]);
      case scenes::Parameter::Kind::Vector: {
        std::string list;
        for (int c = 0; c < p.components; ++c) {
          const double now = static_cast<std::size_t>(c) < numbers.size() ? numbers[static_cast<std::size_t>(c)] : 0;
          list += (c ? ", " : "") + (p.component == scenes::Parameter::Kind::Choice ? p.choices[below(p.choices.size())]
                                                                                    : number(p, p.component, now));
        }
        return "[" + list + "]";
      }
      case scenes::Parameter::Kind::Matrix: return scenes::number_text(uniform(0, 50));
      case scenes::Parameter::Kind::Choice:
      case scenes::Parameter::Kind::Section: break;
    }
    return p.value;
  }

  /// @return the change of the lists' entries, if it was not refused
  std::string change_entries(scenes::EditedScene& scene) {
    const std::size_t which = below(4);
    const std::string list = which == 0 ? "fluids" : which == 1 ? "solids" : "bodies";
    const auto& setup = scene.scene().simulation;
    const std::size_t count = which == 0   ? setup.fluids.size()
                              : which == 1 ? setup.solid_regions.size()
                                           : setup.bodies.size();
    const std::string entry = list + "[" + std::to_string(below(std::max<std::size_t>(count, 1))) + "]";
    switch (below(3)) {
      case 0: {
        const auto shapes = scenes::shapes_of_entries(list);
        const std::string shape = shapes.empty() ? "" : shapes[below(shapes.size())];
        scene.add_entry(list, shape);
        return "added " + shape + " to " + list;
      }
      case 1: scene.copy_entry(entry); return "copied " + entry;
      default: scene.remove_entry(entry); return "removed " + entry;
    }
  }

  /// Makes one edit of any kind. @throws InputError if it is refused
  std::string edit(scenes::EditedScene& scene) {
    if (below(6) == 0) return change_entries(scene);
    const auto all = scene.parameters();
    const scenes::Parameter& p = all[below(all.size())];
    const std::string value = value_for(p);
    scene.set(p.path, value);
    return p.path + " = " + value;
  }
};

TEST_P(RandomEdits, ComeBackFromTheFileAndFromUndo) {
  const std::string path = RIFFLE_SOURCE_DIR "/scenes/library/" + std::string(GetParam()) + ".yaml";
  // Edits go with events of the scene, and some are refused because of them.
  const std::string key = path.ends_with("phase_separation.yaml") ? "mass" : "viscosity";
  scenes::EditedScene scene(scenes::parse_source(scenes::read_scene_text(path) +
                                                     "\nevents:\n  - {step: 9, set: {gravity: [0, -5, 0]}}\n"
                                                     "  - {step: 5, set: {fluids.0." +
                                                     key + ": 1.5, gravity.0: 1}}\n",
                                                 path));
  const std::string unedited = scene.to_yaml();
  int taken = 0, refused = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string before = scene.to_yaml();
    std::string done;
    try {
      done = edit(scene);
      ++taken;
    } catch (const InputError& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()), "");
      ASSERT_EQ(scene.to_yaml(), before);
      continue;
    }
    SCOPED_TRACE(done);
    const std::string text = scene.to_yaml();
    const scenes::SceneSource again = scenes::parse_source(text, scene.source().path);
    expect_same_scene(scenes::build_scene(again), scene.scene());
    ASSERT_EQ(scenes::EditedScene(again).to_yaml(), text);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  EXPECT_GT(taken, 30) << "too few to mean anything; refused: " << refused;
  const std::string edited = scene.to_yaml();
  while (scene.can_undo()) scene.undo();
  EXPECT_EQ(scene.to_yaml(), unedited);
  EXPECT_TRUE(scene.edits().empty());
  while (scene.can_redo()) scene.redo();
  EXPECT_EQ(scene.to_yaml(), edited);
  scene.reset_all();
  EXPECT_EQ(scene.to_yaml(), unedited);
}

INSTANTIATE_TEST_SUITE_P(Scenes, RandomEdits,
                         ::testing::Values("splash", "dam_break_pbf", "rayleigh_taylor_sph", "phase_separation"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace

}  // namespace riffle
