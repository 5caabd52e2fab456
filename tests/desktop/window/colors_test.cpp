// What colours show: the quantities of the list, the legend, and the colours of fluids.

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;
using nlohmann::literals::operator""_json_pointer;

class Colors : public InterfaceTest {
 protected:
  /// A column that has begun to fall, and waits.
  void open_column() {
    write("scenes/column.yaml",
          "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.04}\n"
          "bodies:\n  - box: {min: [0, 0], max: [0.8, 0.8]}\ntime: {end: 0.3}\n");
    open({"scenes/column.yaml", "--device", "cpu"});
    ASSERT_TRUE(session().choose("speed", "fastest"));
    ASSERT_TRUE(session().wait_until("its end", [](const json& now) { return now["playing"] == false; }));
  }
  void open_section(const std::string& name, const std::string& with) {
    if (!session().has_widget(with)) {  // the last window may have left the section open
      ASSERT_TRUE(session().click("section." + name));
    }
    ASSERT_TRUE(session().wait_until("it is open", [&](const json&) { return session().has_widget(with); }));
  }
};

TEST_F(Colors, TheLegendNamesEachQuantityOfTheListWithItsUnit) {
  ASSERT_NO_FATAL_FAILURE(open_column());
  ASSERT_NO_FATAL_FAILURE(open_section("picture", "picture.color_by"));
  struct Row {
    std::string word, name, unit;
  };
  for (const Row& row :
       {Row{"vorticity", "vorticity", "1/s"}, Row{"pressure", "pressure", "Pa"}, Row{"velocity_x", "velocity x", "m/s"},
        Row{"acceleration", "acceleration", "m/s\u00b2"}, Row{"compression", "compression", ""},
        Row{"neighbors", "neighbours", ""}, Row{"density", "density", "kg/m\u00b3"}}) {
    ASSERT_TRUE(session().choose("picture.color_by", row.word));
    ASSERT_TRUE(session().wait_until("the legend of " + row.word, [&](const json& now) {
      return now.value("/color_scale/quantity"_json_pointer, "") == row.name &&
             now.value("/color_scale/unit"_json_pointer, "") == row.unit;
    })) << session().values()["color_scale"].dump();
    EXPECT_LT(session().values()["color_scale"]["range"][0], session().values()["color_scale"]["range"][1]);
    ASSERT_TRUE(session().wait_for_pictures(3));
    session().write_picture("color_" + row.word);
  }
  EXPECT_EQ(session().values()["notices"], 0);
}

TEST_F(Colors, TheEndsOfTheRangeAreTypedAndBelongToTheirQuantity) {
  ASSERT_NO_FATAL_FAILURE(open_column());
  ASSERT_NO_FATAL_FAILURE(open_section("picture", "range.most"));
  const json automatic = session().values()["color_scale"]["range"];
  const auto range = [&](const json& wanted) {
    return session().wait_until("the range " + wanted.dump(),
                                [&](const json& now) { return now["color_scale"]["range"] == wanted; });
  };
  ASSERT_TRUE(session().type("range.most", "1.5"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(range({automatic[0], 1.5}));
  ASSERT_TRUE(session().type("range.least", "0.25"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(range({0.25, 1.5}));
  session().write_picture("color_range");
  ASSERT_TRUE(session().type("range.least", "7"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_TRUE(range({0.25, 1.5})) << "the least value cannot be above the most";
  session().write_picture("color_range_refused");
  ASSERT_TRUE(session().choose("picture.color_by", "pressure"));
  ASSERT_TRUE(session().wait_until("another range", [](const json& now) {
    return now["color_scale"]["quantity"] == "pressure" && now["color_scale"]["range"] != json({0.25, 1.5});
  }));
  ASSERT_TRUE(session().choose("picture.color_by", "speed"));
  ASSERT_TRUE(range({0.25, 1.5}));
  ASSERT_TRUE(session().click("auto_range"));
  ASSERT_TRUE(range(automatic));
  EXPECT_EQ(session().values()["notices"], 0);
}

TEST_F(Colors, WhatAQuantityCostsIsACostOfPicturesAndOnlyWhileItIsChosen) {
  ASSERT_NO_FATAL_FAILURE(open_column());
  ASSERT_NO_FATAL_FAILURE(open_section("picture", "picture.color_by"));
  const auto costs = [&](const json&) { return session().has_widget("timings.colour values"); };
  ASSERT_TRUE(session().choose("picture.color_by", "vorticity"));
  ASSERT_TRUE(session().wait_until("a row of it", costs));
  EXPECT_FALSE(session().values()["timings"]["medians"].contains("colour values")) << "it is no stage of a step";
  ASSERT_TRUE(session().choose("picture.color_by", "speed"));
  ASSERT_TRUE(session().wait_until("none", [&](const json& now) { return !costs(now); }));
}

TEST_F(Colors, AQuantityThatParticlesLackIsGreyAndSaysWhy) {
  ASSERT_NO_FATAL_FAILURE(open_column());
  ASSERT_NO_FATAL_FAILURE(open_section("picture", "picture.color_by"));
  ASSERT_TRUE(session().choose("picture.color_by", "pressure"));
  ASSERT_TRUE(session().wait_for("picture.color_by", "pressure"));
  ASSERT_TRUE(session().click("picture.color_by"));
  for (const auto& [word, why] : {std::pair("temperature", "particles of solver.type wcsph do not have it"),
                                  std::pair("velocity_z", "particles of a scene with dimension 2 do not have it")}) {
    ASSERT_TRUE(session().rest_on(std::string("picture.color_by.") + word));
    ASSERT_TRUE(session().wait_until("the reason", [&, reason = why](const json& now) {
      return now["tip"].get<std::string>().find(reason) != std::string::npos;
    }));
  }
  session().write_picture("color_grey");
  ASSERT_TRUE(session().click("picture.color_by.temperature"));
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_EQ(session().values()["picture.color_by"], "pressure");
  EXPECT_EQ(session().values()["notices"], 0);
}

TEST_F(Colors, TheNumbersOfAParticleHaveTheQuantityWithItsUnit) {
  ASSERT_NO_FATAL_FAILURE(open_column());
  ASSERT_NO_FATAL_FAILURE(open_section("picture", "picture.color_by"));
  ASSERT_TRUE(session().choose("picture.color_by", "vorticity"));
  ASSERT_TRUE(session().wait_for("picture.color_by", "vorticity"));
  ASSERT_TRUE(session().drag(0.3f, 0.6f, 0.3f, 0.6f));
  ASSERT_TRUE(session().wait_until("a particle", [](const json& now) {
    return now.contains("picked") && !now["picked"].is_null() &&
           now.value("/picked_value/name"_json_pointer, "") == "vorticity [1/s]";
  }));
  EXPECT_NE(std::stof(session().values()["picked_value"]["value"].get<std::string>()), 0);
  session().write_picture("color_picked");
}

// Nobody gives the second fluid's colour: pictures find one that differs.
TEST_F(Colors, ThePanelShowsTheColourOfAFluidThatPicturesUse) {
  write("scenes/two.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\n"
        "fluids: [{name: water}, {name: oil, rest_density: 800}]\n"
        "bodies:\n  - {fluid: water, box: {min: [0, 0], max: [1, 0.3]}}\n"
        "  - {fluid: oil, box: {min: [0, 0.3], max: [1, 0.6]}}\n");
  open({"scenes/two.yaml", "--device", "cpu"});
  ASSERT_NO_FATAL_FAILURE(open_section("physics", "keys.fluids[1]"));
  ASSERT_TRUE(session().click("keys.fluids[1]"));
  ASSERT_TRUE(
      session().wait_until("its colour", [](const json& now) { return now.contains("shown.fluids[1].color"); }));
  const json shown = session().values()["shown.fluids[1].color"],
             palette = session().values()["color_scale"]["palette"];
  ASSERT_EQ(palette.size(), 2u);
  EXPECT_EQ(shown, palette[1]);
  EXPECT_NE(shown, palette[0]);
  session().write_picture("color_fluids");
}

}  // namespace
}  // namespace riffle::test
