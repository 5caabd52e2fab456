/// Inlets and outlets, as scenes write them, and what is refused.

#include <filesystem>
#include <fstream>

#include "scenes/document/edited_scene.h"
#include "scenes/document/list_entries.h"
#include "scenes/document/third_axis.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "sim/openings/nozzle.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string tank_with(const std::string& openings, const std::string& more = "") {
  return "dimension: 3\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
         "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.3, 1]}\n" +
         openings + more;
}

std::string tap_with(const std::string& rest, const std::string& disc = "{center: [0.5, 1, 0.5], radius: 0.1}") {
  return tank_with("inlets:\n  - {disc: " + disc + ", " + rest + "}\n");
}

std::string drain_with(const std::string& rest, const std::string& box = "{min: [0, 0, 0], max: [0.2, 0.2, 0.2]}") {
  return tank_with("outlets:\n  - {box: " + box + rest + "}\n");
}

/// Open along x.
std::string channel_with(const std::string& openings, int dimension = 2, const char* more = "") {
  return dimension == 2 ? "dimension: 2\ndomain: {min: [0, 0], max: [3, 1], axes: [open, walled]}\n"
                          "particles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [3, 0.3]}\n" +
                              openings + more
                        : "dimension: 3\ndomain: {min: [0, 0, 0], max: [3, 1, 0.5], axes: [open, walled, periodic]}\n"
                          "particles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0, 0], max: [3, 0.3, 0.5]}\n" +
                              openings + more;
}

std::string inflow_with(const std::string& rest, int dimension = 2) {
  return channel_with("inlets:\n  - {" + rest + "}\n", dimension);
}

std::string outflow_with(const std::string& rest, int dimension = 2) {
  return channel_with("outlets:\n  - {" + rest + "}\n", dimension);
}

std::filesystem::path table_file(const std::string& text) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "riffle_inflow_table.csv";
  std::ofstream(file) << text;
  return file;
}

}  // namespace

TEST(OpeningScenes, EveryKeyIsRead) {
  const SimulationSetup setup =
      scenes::parse_scene(
          "dimension: 3\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05, limit: 90000}\n"
          "fluids: [{name: water}, {name: oil, rest_density: 900}]\n"
          "inlets:\n"
          "  - {name: tap, fluid: oil, disc: {center: [0.5, 1, 0.5], radius: 0.1}, speed: 1.5, from: 0.1, until: 2, "
          "ramp: 0.2}\n"
          "  - {fluid: water, rectangle: {center: [0, 0.5, 0.5], width: 0.2, height: 0.1}, direction: [2, 0, 0], turn: "
          "30, rate: 0.01}\n"
          "outlets:\n"
          "  - {name: drain, box: {min: [0.8, 0, 0], max: [1, 0.1, 1]}, rate: 0.002, from: 1, until: 3,\n"
          "     without: [{sphere: {center: [1, 0, 0], radius: 0.05}}]}\n"
          "  - {sphere: {center: [0, 0, 0], radius: 0.1}}\n",
          "s.yaml")
          .simulation;
  EXPECT_EQ(setup.most_particles, 90000);
  EXPECT_TRUE(setup.bodies.empty());
  ASSERT_EQ(setup.inlets.size(), 2u);
  const InletSetup& tap = setup.inlets[0];
  EXPECT_EQ(std::tuple(tap.name, tap.fluid, tap.mouth, tap.radius, tap.speed, tap.rate, tap.from, tap.until, tap.ramp),
            std::tuple("tap", 1, Mouth::Disc, 0.1f, 1.5f, 0.0f, 0.1f, 2.0f, 0.2f));
  EXPECT_EQ(tap.center, (Vec3{0.5f, 1, 0.5f}));
  EXPECT_EQ(tap.direction, (Vec3{0, -1, 0}));
  const InletSetup& jet = setup.inlets[1];
  EXPECT_EQ(std::tuple(jet.mouth, jet.width, jet.height, jet.turn, jet.rate, jet.until),
            std::tuple(Mouth::Rectangle, 0.2f, 0.1f, 30.0f, 0.01f, INFINITY));
  EXPECT_EQ(jet.direction, (Vec3{2, 0, 0}));
  ASSERT_EQ(setup.outlets.size(), 2u);
  EXPECT_EQ(std::tuple(setup.outlets[0].name, setup.outlets[0].rate, setup.outlets[0].from, setup.outlets[0].until,
                       setup.outlets[0].without.size()),
            std::tuple("drain", 0.002f, 1.0f, 3.0f, 1u));
  EXPECT_EQ(setup.outlets[1].rate, -1);
  EXPECT_EQ(outlet_name(setup, 1), "outlet_2");
  EXPECT_EQ(inlet_name(setup, 1), "inlet_2");
}

TEST(OpeningScenes, AreWrittenAsTheyAreRead) {
  for (const std::string& text :
       {tap_with("speed: 1, direction: [0.5, -1, 0], until: 3", "{center: [0.5, 0.9, 0.5], radius: 0.1}"),
        drain_with(", rate: 0.01"), drain_with(""),
        tank_with("inlets:\n  - {polygon: {center: [0.5, 1, 0.5], corners: [[-0.1, -0.1], [0.1, -0.1], [0, 0.1]]}, "
                  "rate: 0.001}\n")}) {
    const scenes::Scene scene = scenes::parse_scene(text, "s.yaml");
    expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
  }
}

TEST(OpeningScenes, WhatCannotBeIsRefused) {
  EXPECT_EQ(complaint(tap_with("speed: 1")), "");
  EXPECT_EQ(complaint(drain_with("")), "");
  EXPECT_EQ(complaint(tap_with("speed: 1", "{center: [0.5, 0.35, 0.5], radius: 0.1}")), "")
      << "0.05 m above the one below";
  const std::pair<std::string, const char*> cases[] = {
      {tap_with("from: 1"), "inlets[0]: found none of speed, rate and table: nothing would flow; allowed: one of them"},
      {tap_with("speed: 1, rate: 2"), "inlets[0]: found 2 of speed, rate and table; allowed: one of them, above 0"},
      {tap_with("speed: -1"), "inlets[0].speed"},
      {tap_with("speed: nan"), "inlets[0].speed"},
      {tap_with("speed: 1, from: 2, until: 1"),
       "inlets[0].until: found 1, and `from` is 2; allowed: later than `from`"},
      {tap_with("speed: 1, direction: [0, 0, 0]"),
       "inlets[0].direction: found [0, 0, 0]; allowed: a vector of any length above 0"},
      {tap_with("speed: 1", "{center: [0.5, 1, 0.5], radius: 0.01}"),
       "inlets[0].disc.radius: found 0.01 m, which is narrower than a particle; allowed: at least 0.025 m"},
      {tap_with("speed: 1", "{center: [0.5, 1, 0.5], radius: 1e5}"), "is wider than 1024 of them; allowed"},
      {tap_with("speed: 1", "{center: [0.5, 2, 0.5], radius: 0.1}"),
       "is in a wall of the domain (y from 0 to 1 m) at [0.5, 1.975, 0.6]"},
      {tap_with("speed: 1", "{center: [0.95, 1, 0.5], radius: 0.1}"), "is in a wall of the domain (x from 0 to 1 m)"},
      {tap_with("speed: 1", "{center: [0.5, 0.3, 0.5], radius: 0.1}"),
       "inlets[0]: flows against a wall of the domain (y from 0 to 1 m): found 0.1 m of room, 2 layers of particles, "
       "behind "
       "the end of its nozzle, which is 0.2 m long, up to [0.5, -0.025, 0.6]; allowed: at least 0.15 m, 3 layers, "
       "which the "
       "support radius of 0.15 m reaches: move the inlet back by 0.05 m, or make that much room"},
      {tap_with("speed: 1e5") + "time: {step: 0.01}\n", "inlets[0]: flows"},
      {tap_with("speed: 1") + "solids:\n  - {name: post, box: {min: [0.4, 0.6, 0.4], max: [0.6, 0.9, 0.6]}}\n",
       "inlets[0]: its nozzle, 0.2 m long from `center` along `direction`, is in 'post'"},
      {tap_with("speed: 1") + "outlets:\n  - box: {min: [0.4, 0.9, 0.4], max: [0.6, 1, 0.6]}\n",
       "inlets[0]: its nozzle reaches into outlets[0], which would take its particles"},
      {tap_with("speed: 1}\n  - {disc: {center: [0.6, 1, 0.5], radius: 0.1}, speed: 1"),
       "inlets[1]: its nozzle meets that of inlets[0]"},
      {tap_with("name: a, speed: 1}\n  - {name: a, disc: {center: [0.2, 1, 0.2], radius: 0.1}, speed: 1"),
       "inlets[1].name: found 'a', which is already the name of inlets[0]"},
      {tap_with("fluid: oil, speed: 1"), "inlets[0].fluid"},
      {tap_with("speed: 1, fluid: water") + "fluids: [{name: water}, {name: oil}]\n", "bodies[0].fluid: is missing"},
      {tap_with("speed: 1") + "solver: {type: dpd}\n",
       "inlets: solver `dpd` has none: its particles would enter without"},
      {tank_with("inlets:\n  - {rectangle: {center: [0.5, 1, 0.5], width: 0.1, height: 0.01}, speed: 1}\n"),
       "inlets[0].rectangle.height: found 0.01 m, which is narrower than a particle"},
      {tank_with("inlets:\n  - {polygon: {center: [0.5, 1, 0.5], corners: [[-0.1, -0.1], [0.1, 0.1], [0.1, -0.1], "
                 "[-0.1, 0.1]]}, speed: 1}\n"),
       "inlets[0].polygon.corners: the edges from"},
      {drain_with(", rate: -1"), "outlets[0].rate"},
      {drain_with(", from: 3, until: 2"), "outlets[0].until"},
      {drain_with("", "{min: [0.2, 0, 0], max: [0, 1, 1]}"), "outlets[0].box"},
      {drain_with("", "{min: [2, 0, 0], max: [3, 1, 1]}"),
       "outlets[0]: lies wholly outside the domain, where no particle comes"},
      {drain_with("}\n  - {name: outlet_1, box: {min: [0.5, 0, 0], max: [0.6, 1, 1]}"),
       "outlets[1].name: found 'outlet_1'"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n",
       "bodies: is missing, and there are no inlets: the scene would have no particle"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05, limit: 10}\n"
       "inlets:\n  - {disc: {center: [0.5, 1], radius: 0.1}, speed: 1}\n",
       "particles.limit: found 10, and the scene starts with 16 particles; allowed: at least as many"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
       "inlets:\n  - {polygon: {center: [0.5, 1], corners: [[0, 0], [0.1, 0], [0, 0.1]]}, speed: 1}\n",
       "found a polygon in a 2-D scene, where mouths are slits"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_TRUE(contains(complaint(text), expected)) << expected << "\n" << complaint(text);
}

TEST(OpeningScenes, AFaceLetsInAndOut) {
  for (const int dimension : {2, 3}) {
    const std::string text = channel_with(
        "inlets:\n  - {name: up, face: x_min, level: 0.3, speed: 0.5}\n"
        "outlets:\n  - {name: down, face: x_max, speed: 0.5, from: 0.1}\n  - {face: x_min}\n",
        dimension);
    const scenes::Scene scene = scenes::parse_scene(text, "s.yaml");
    EXPECT_TRUE(scene.warnings.empty());
    const SimulationSetup& setup = scene.simulation;
    const InletSetup& inlet = setup.inlets.at(0);
    EXPECT_EQ(std::tuple(inlet.mouth, inlet.face, inlet.level, inlet.speed), std::tuple(Mouth::Face, 0, 0.3f, 0.5f));
    ASSERT_EQ(setup.outlets.size(), 2u);
    EXPECT_EQ(std::tuple(setup.outlets[0].face, setup.outlets[0].speed, setup.outlets[0].from),
              std::tuple(1, 0.5f, 0.1f));
    EXPECT_EQ(std::tuple(setup.outlets[1].face, setup.outlets[1].speed), std::tuple(0, -1.0f));
    EXPECT_EQ(setup.outlets[0].shape, Shape::Plane);
    EXPECT_EQ(setup.outlets[0].point.x, 3);
    EXPECT_EQ(setup.outlets[0].normal, (Vec3{-1, 0, 0}));
    expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
  }
  const scenes::Scene whole = scenes::parse_scene(inflow_with("face: x_max, rate: 0.2"), "s.yaml");
  EXPECT_EQ(whole.simulation.inlets.at(0).level, INFINITY);
  expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(whole), "a test"), "s.yaml"), whole);
}

TEST(OpeningScenes, WhatAFaceCannotBeIsRefused) {
  EXPECT_EQ(complaint(inflow_with("face: x_min, speed: 1")), "");
  EXPECT_EQ(complaint(outflow_with("face: x_min")), "");
  const std::pair<std::string, const char*> cases[] = {
      {inflow_with("face: y_min, speed: 1"),
       "inlets[0].face: found y_min, and the axis y is walled; allowed: faces across open axes: x_min, x_max"},
      {tank_with("inlets:\n  - {face: x_min, speed: 1}\n"),
       "inlets[0].face: found x_min, and the axis x is walled; allowed: faces across open axes: none here, until "
       "domain.axes has an open axis"},
      {inflow_with("face: z_max, speed: 1", 3), "inlets[0].face: found z_max, and the axis z is periodic"},
      {inflow_with("face: z_max, speed: 1"), "inlets[0].face: found z_max in a 2-D scene; allowed: x_min, x_max"},
      {inflow_with("face: left, speed: 1"), "inlets[0].face: found 'left'"},
      {inflow_with("face: x_min, level: 1.2, speed: 1"),
       "inlets[0].level: found y = 1.2; allowed: from 0.05, a particle spacing above the domain's floor, to 1 m"},
      {inflow_with("face: x_min, level: 0.02, speed: 1"), "inlets[0].level: found y = 0.02; allowed: from 0.05"},
      {inflow_with("face: x_min, level: 0.3, rate: -1"), "inlets[0].rate"},
      {inflow_with("face: x_min"), "inlets[0]: found none of speed, rate and table: nothing would flow"},
      {inflow_with("face: x_min, speed: 1}\n  - {face: x_min, level: 0.5, speed: 1"),
       "inlets[1].face: is that of inlets[0] too; allowed: one inlet on a face"},
      {inflow_with("face: x_min, direction: [1, 0], speed: 1"),
       "inlets[0].direction: found beside `face`, from which fluid goes straight; allowed: none"},
      {inflow_with("disc: {center: [1, 0.9], radius: 0.1}, level: 0.3, speed: 1"),
       "inlets[0].level: found 0.3 beside disc, which has its own size; allowed with `face`"},
      {inflow_with("face: x_min, disc: {center: [1, 0.9], radius: 0.1}, speed: 1"), "has both"},
      {inflow_with("face: x_min, speed: 1") + "solver: {type: dpd}\n",
       "inlets: solver `dpd` has none: its particles would enter without"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [3, 1], axes: open}\nparticles: {spacing: 0.05}\n"
       "inlets:\n  - {face: y_min, level: 0.5, speed: 1}\n",
       "inlets[0].level: found on a level face; allowed: on a face across x or z"},
      {inflow_with("face: x_min, level: 0.3, speed: 1") +
           "solids:\n  - {name: bed, box: {min: [0, 0], max: [1, 0.1]}}\n",
       "inlets[0]: its nozzle, 0.2 m long from its mouth, is in 'bed'"},
      {outflow_with("face: y_max"), "outlets[0].face: found y_max, and the axis y is walled"},
      {outflow_with("face: x_max}\n  - {face: x_max"),
       "outlets[1].face: is that of outlets[0] too; allowed: one outlet on a face"},
      {outflow_with("face: x_max, rate: 0.1"),
       "outlets[0].rate: found beside `face`, at which all particles are taken out; allowed: none"},
      {outflow_with("face: x_max, without: [{sphere: {center: [3, 0.2], radius: 0.1}}]"),
       "outlets[0].without: found beside `face`"},
      {outflow_with("face: x_max, speed: -1"), "outlets[0].speed"},
      {outflow_with("box: {min: [2, 0], max: [3, 1]}, speed: 1"),
       "outlets[0].speed: found 1 beside a region, into which particles come as they do; allowed with `face`"},
      {channel_with("inlets:\n  - {disc: {center: [2.8, 0.9], radius: 0.1}, direction: [1, 0], speed: 1}\n"
                    "outlets:\n  - {face: x_max, speed: 1}\n"),
       "inlets[0]: its nozzle reaches into outlets[0], which would move its particles; allowed: one that lies apart"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [0.5, 1], axes: [open, walled]}\nparticles: {spacing: 0.05}\n"
       "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.3]}\noutlets:\n  - {face: x_max, speed: 1}\n",
       "outlets[0].speed: moves the particles over 0.3 m before the face, and the domain is 0.5 m long"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_TRUE(contains(complaint(text), expected)) << expected << "\n" << complaint(text);
}

TEST(OpeningScenes, AFaceCanBeEdited) {
  scenes::EditedScene edited(scenes::parse_source(channel_with(""), "s.yaml"));
  edited.add_entry("inlets", "face");
  edited.add_entry("outlets", "face");
  const SimulationSetup& setup = edited.scene().simulation;
  ASSERT_EQ(setup.inlets.size(), 1u);
  EXPECT_EQ(std::tuple(setup.inlets[0].mouth, setup.inlets[0].face, setup.inlets[0].level),
            std::tuple(Mouth::Face, 0, 0.5f));
  EXPECT_EQ(setup.outlets.at(0).face, 1);
  EXPECT_THROW(edited.copy_entry("inlets[0]"), InputError);
  EXPECT_THROW(edited.copy_entry("outlets[0]"), InputError);
  edited.set("inlets[0].level", "0.2");
  edited.set("outlets[0].speed", "0.5");
  EXPECT_EQ(edited.scene().simulation.outlets[0].speed, 0.5f);
  edited.set("dimension", "3");
  EXPECT_EQ(edited.scene().simulation.inlets.at(0).mouth, Mouth::Face);
  EXPECT_EQ(edited.scene().simulation.inlets[0].level, 0.2f);
  scenes::EditedScene walled(scenes::parse_source(drain_with(""), "s.yaml"));
  EXPECT_THROW(walled.add_entry("inlets", "face"), InputError);
  EXPECT_THROW(walled.add_entry("outlets", "face"), InputError);
}

TEST(OpeningScenes, ATableGivesTheFlow) {
  const auto file = table_file("t,speed\n0,0\n1,2\n2,2\n");
  const scenes::Scene scene = scenes::parse_scene(tap_with("table: " + file.string()), "s.yaml");
  ASSERT_EQ(scene.simulation.inlets[0].table.count, 3);
  EXPECT_NEAR(scene.simulation.inlets[0].table.fastest(0), 2, 0.2);
  EXPECT_EQ(scene.inputs, std::vector<std::string>{file.string()});
  table_file("t,rate\n0,1\n1,-1\n");
  EXPECT_TRUE(contains(complaint(tap_with("table: " + file.string())), "found -1 at t = 1; allowed: from 0 on"));
  table_file("t,volume\n0,1\n1,1\n");
  EXPECT_TRUE(
      contains(complaint(tap_with("table: " + file.string())), "found a column 'volume'; allowed: t, speed, rate"));
  std::filesystem::remove(file);
  EXPECT_TRUE(contains(complaint(tap_with("table: " + file.string())), "found no such file"));
}

// A body may be missing where there is an inlet, and everything that looks at bodies has to know.
TEST(OpeningScenes, AnEmptyTankCanBeEdited) {
  scenes::EditedScene edited(
      scenes::parse_source("dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
                           "inlets:\n  - {disc: {center: [0.5, 1], radius: 0.1}, speed: 1}\n",
                           "s.yaml"));
  edited.add_entry("bodies", "box");
  EXPECT_EQ(edited.scene().simulation.bodies.size(), 1u);
  edited.remove_entry("bodies[0]");
  EXPECT_TRUE(edited.scene().simulation.bodies.empty());
  for (const char* shape : {"disc", "rectangle"}) edited.add_entry("inlets", shape);
  edited.copy_entry("inlets[1]");
  for (const char* shape : {"box", "sphere", "polygon"}) edited.add_entry("outlets", shape);
  edited.copy_entry("outlets[0]");
  const SimulationSetup& setup = edited.scene().simulation;
  EXPECT_EQ(setup.inlets.size(), 4u);
  EXPECT_EQ(setup.outlets.size(), 4u);
  EXPECT_TRUE(edited.scene().warnings.empty());
  edited.set("inlets[0].speed", "0.5");
  edited.set("dimension", "3");
  const InletSetup& slit = edited.scene().simulation.inlets[3];
  EXPECT_EQ(slit.mouth, Mouth::Rectangle);
  EXPECT_EQ(slit.height, edited.scene().simulation.domain.extent().z);
  EXPECT_EQ(edited.scene().simulation.inlets.size(), 4u);
}

TEST(OpeningScenes, OtherWordsForThemLeadToTheKey) {
  std::string text = tap_with("speed: 1");
  text.replace(text.find("inlets:"), 7, "emitters:");
  EXPECT_TRUE(contains(complaint(text), "'inlets'")) << complaint(text);
  text = drain_with("");
  text.replace(text.find("outlets:"), 8, "sink:");
  EXPECT_TRUE(contains(complaint(text), "'outlets'")) << complaint(text);
}

}  // namespace riffle
