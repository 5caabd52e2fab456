#include "app/desktop/scene/parameter_values.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/desktop/panels/actions.h"
#include "app/desktop/playback/scene_editor.h"

namespace riffle {
namespace {

scenes::Parameter number(double min, double max, bool above_min = false) {
  scenes::Parameter p;
  p.path = "solver.temperature";
  p.kind = scenes::Parameter::Kind::Number;
  p.min = min;
  p.max = max;
  p.above_min = above_min;
  return p;
}

scenes::Parameter valued(const std::string& path, const std::string& value) {
  scenes::Parameter p;
  p.path = path;
  p.value = value;
  return p;
}

TEST(ParameterValues, ADragNeverLeavesTheRange) {
  EXPECT_EQ(desktop::dragged_to(number(0, 1), 0.5, 0), 0);
  EXPECT_EQ(desktop::dragged_to(number(0, 1, true), 0.5, 0), 0.5)
      << "0 itself is not allowed, and next to nothing is not meant";
  EXPECT_EQ(desktop::dragged_to(number(0, 1), 0.5, 2), 0.5);
  EXPECT_EQ(desktop::dragged_to(number(0, 1), 0.5, NAN), 0.5);
  EXPECT_EQ(desktop::dragged_to(number(-INFINITY, INFINITY), 0.5, -7), -7);
}

TEST(ParameterValues, ADragGoesFromMultipleToMultiple) {
  scenes::Parameter even = number(2, 100);
  even.kind = scenes::Parameter::Kind::Whole;
  even.multiple_of = 2;
  EXPECT_EQ(desktop::dragged_to(even, 4, 5), 4);
  EXPECT_EQ(desktop::dragged_to(even, 4, 6), 6);
  EXPECT_EQ(desktop::dragged_to(even, 4, 3), 4);
  EXPECT_EQ(desktop::dragged_to(even, 4, 2), 2);
  EXPECT_EQ(desktop::number_as_text(even, 6), "6");
}

TEST(ParameterValues, AnOpenRangeHasEndsForTheMouse) {
  const desktop::ui::NumberDrag drag = desktop::drag_of(number(-INFINITY, INFINITY), 0);
  EXPECT_TRUE(std::isfinite(drag.min) && std::isfinite(drag.max));
  EXPECT_GT(drag.speed, 0);
  EXPECT_GT(desktop::drag_of(number(0, 1), 0.2).speed, desktop::drag_of(number(0, 1), 0.1).speed);
}

TEST(ParameterValues, AnEntryOfAMatrixIsReplacedOnBothSides) {
  const scenes::Parameter p = number(-INFINITY, INFINITY);
  EXPECT_EQ(desktop::with_entry(p, {25, 40, 40, 25}, 2, 0, 1, "30"), "[[25, 30], [30, 25]]");
  EXPECT_EQ(desktop::with_entry(p, {25, 40, 40, 25}, 2, 1, 1, "30"), "[[25, 40], [40, 30]]");
  EXPECT_EQ(desktop::with_entry(p, {1, 2, 3, 2, 4, 5, 3, 5, 6}, 3, 2, 0, "9"), "[[1, 2, 9], [2, 4, 5], [9, 5, 6]]");
  EXPECT_EQ(desktop::with_entry(p, {25, 40, 40, 25}, 2, 0, 1, "abc"), "[[25, abc], [40, 25]]") << "refused once";
  EXPECT_EQ(desktop::with_entry(number(0, 100), {25, 40, 40, 25}, 2, 1, 0, "-1"), "[[25, 40], [-1, 25]]");
}

TEST(ParameterValues, ALongNameIsBrokenWhereItsWordsEnd) {
  const auto letters = [](const std::string& text) { return static_cast<double>(text.size()); };
  EXPECT_EQ(desktop::broken_name("artificial_pressure_power", 20, letters), "artificial_pressure_\npower");
  EXPECT_EQ(desktop::broken_name("artificial_pressure_power", 12, letters), "artificial_\npressure_\npower");
  EXPECT_EQ(desktop::broken_name("artificial_pressure_power", 25, letters), "artificial_pressure_power");
  EXPECT_EQ(desktop::broken_name("box.min", 4, letters), "box.\nmin");
  EXPECT_EQ(desktop::broken_name("viscosity", 4, letters), "viscosity") << "one word stays whole";
  EXPECT_EQ(desktop::broken_name("", 4, letters), "");
}

TEST(ParameterValues, OneComponentIsReplacedByWhatWasTyped) {
  const scenes::Parameter p = number(-INFINITY, INFINITY);
  EXPECT_EQ(desktop::with_component(p, {0, -9.81, 2}, 1, "5"), "[0, 5, 2]");
  EXPECT_EQ(desktop::with_component(p, {0.5}, 0, "nonsense"), "[nonsense]") << "the loader says what is wrong with it";
}

TEST(ParameterValues, EntriesAreCalledByTheirPathAndWhatTheyAre) {
  const std::vector<scenes::Parameter> scene{valued("fluids[0].name", "water"), valued("bodies[0].fluid", "water"),
                                             valued("bodies[0].box.min", "[0, 0]"),
                                             valued("bodies[1].sphere.radius", "1")};
  EXPECT_EQ(desktop::section_title(scene, "fluids[0]"), "fluids[0]: water");
  EXPECT_EQ(desktop::section_title(scene, "bodies[0]"), "bodies[0]: box of water");
  EXPECT_EQ(desktop::section_title(scene, "bodies[1]"), "bodies[1]: sphere");
  for (const std::string shape : {"sphere.radius", "cylinder.radius", "polygon.corners", "fill.level"})
    EXPECT_EQ(desktop::section_title({valued("bodies[0]." + shape, "1"), valued("bodies[0].without[0].box.min", "0")},
                                     "bodies[0]"),
              "bodies[0]: " + shape.substr(0, shape.find('.')));
  EXPECT_EQ(desktop::section_title({valued("solids[0].sphere.radius", "1")}, "solids[0]"), "solids[0]: sphere");
  EXPECT_EQ(desktop::section_title({valued("solids[0].mesh.file", "a.obj")}, "solids[0]"), "solids[0]: mesh");
  EXPECT_EQ(
      desktop::section_title({valued("solids[1].name", "post"), valued("solids[1].cylinder.radius", "1")}, "solids[1]"),
      "solids[1]: post, cylinder");
  EXPECT_EQ(desktop::section_title({valued("inlets[0].name", "jet"), valued("inlets[0].fluid", "water"),
                                    valued("inlets[0].disc.radius", "1")},
                                   "inlets[0]"),
            "inlets[0]: jet, disc of water");
  EXPECT_EQ(desktop::section_title({valued("inlets[1].rectangle.width", "1")}, "inlets[1]"), "inlets[1]: rectangle");
  EXPECT_EQ(desktop::section_title({valued("outlets[0].name", "drain"), valued("outlets[0].sphere.radius", "1")},
                                   "outlets[0]"),
            "outlets[0]: drain, sphere");
  EXPECT_EQ(desktop::section_title(scene, "solver"), "solver");
}

TEST(ParameterValues, BackticksBecomeQuotes) {
  EXPECT_EQ(desktop::without_backticks("Of `unit` and `c`."), "Of \u201cunit\u201d and \u201cc\u201d.");
}

TEST(ParameterValues, WhatDiffersIsNamedWithBothValues) {
  const std::vector<scenes::Parameter> before{valued("a", "1"), valued("b", "2"), valued("c", "3"), valued("d", "4")};
  EXPECT_EQ(desktop::what_differs(before, {valued("a", "1"), valued("b", "0.5")}), "b from 2 to 0.5");
  EXPECT_EQ(desktop::what_differs(before, {valued("a", "0"), valued("b", "0"), valued("c", "0"), valued("d", "0")}),
            "a from 1 to 0, b from 2 to 0, c from 3 to 0 and 1 more");
  EXPECT_EQ(desktop::what_differs(before, before), "the scene");
  scenes::Parameter color = valued("fluids[0].color", "[0.752941, 0.12549, 0.482353]"),
                    word = valued("fluids[0].color", "auto");
  color.kind = scenes::Parameter::Kind::Color;
  EXPECT_EQ(desktop::what_differs({word}, {color}), "fluids[0].color from auto to #c0207b");
}

TEST(KeySearch, FindsWordsInNamesAndExplanations) {
  scenes::Parameter p;
  p.path = "solver.artificial_viscosity";
  p.doc = "Keeps shocks calm.";
  for (const char* words : {"", "visc", "artificial viscosity", "ARTIFICIAL_visc", "calm solver"})
    EXPECT_TRUE(desktop::matches(p, words)) << words;
  for (const char* words : {"gravity", "calm gravity"}) EXPECT_FALSE(desktop::matches(p, words)) << words;
}

// `flow: none` has no keys of its own yet, but they are what one looks for.
TEST(KeySearch, FindsWhatAMapMayHaveAndWhatPeopleCallIt) {
  const std::vector<scenes::Parameter> all =
      scenes::parameters(scenes::parse_source("domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
                                              "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.5, 1]}\n",
                                              "pool.yaml"));
  const auto found = [&](const std::string& words, const std::string& others = "") {
    std::vector<std::string> paths;
    for (const scenes::Parameter& p : all)
      if (desktop::matches(p, words, others)) paths.push_back(p.path);
    return paths;
  };
  EXPECT_EQ(found("standing wave"), std::vector<std::string>{"bodies[0].flow"});
  EXPECT_EQ(found("taylor"), std::vector<std::string>{"bodies[0].flow"});
  EXPECT_EQ(found("sway").size(), 1u) << "domain.motion";
  EXPECT_TRUE(found("drain").empty());
  EXPECT_EQ(found("drain", desktop::words_of_list("outlets")).size(), all.size());
  EXPECT_EQ(desktop::words_of_list("outlets").find("add"), std::string::npos) << "a button adds, a key does not";
}

TEST(ParameterValues, AMisspeltSearchHasTheWordsThatWereMeant) {
  std::vector<scenes::Parameter> keys(2);
  keys[0].path = "fluids[0].rest_density";
  keys[1].path = "solver.viscosity_model";
  EXPECT_EQ(desktop::meant_words(keys, "visocsity"), "viscosity");
  EXPECT_EQ(desktop::meant_words(keys, "rest densty"), "rest density");
  EXPECT_EQ(desktop::meant_words(keys, "surface"), "") << "nothing is near";
  EXPECT_EQ(desktop::meant_words(keys, "densty viscosity"), "") << "no key has both";
}

}  // namespace
}  // namespace riffle
