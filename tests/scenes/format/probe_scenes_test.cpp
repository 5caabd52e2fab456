/// Probes, as scenes write them, and what is refused.

#include "scenes/document/edited_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string with_probes(const std::string& probes) { return std::string(kTankScene) + "probes:\n" + probes; }

std::vector<ProbeSetup> probes_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return scenes::parse_scene(text, "s.yaml", overrides).probes;
}

const char* const kOfEveryKind =
    "  - {name: P1, point: [0.1, 0.2, 0.3], quantities: [pressure, speed], interpolation: linear}\n"
    "  - line: {from: [0, 0.1, 0.5], to: [2, 0.1, 0.5], points: 21}\n"
    "  - plane: {corner: [0, 0, 0.5], side: [2, 0, 0], other_side: [0, 1, 0], points: [4, 3]}\n"
    "  - {name: gauge, level: {from: [1, 0, 0.5], to: [1, 1, 0.5]}}\n"
    "  - flow: {corner: [1, 0, 0], side: [0, 0.5, 0], other_side: [0, 0, 1]}\n";

}  // namespace

TEST(ProbeScenes, EveryKindIsRead) {
  const std::vector<ProbeSetup> probes = probes_of(with_probes(kOfEveryKind));
  ASSERT_EQ(probes.size(), 5u);
  EXPECT_EQ(probes[0].kind, ProbeKind::Point);
  EXPECT_EQ(probes[0].name, "P1");
  EXPECT_EQ(probes[0].at, (Vec3{0.1f, 0.2f, 0.3f}));
  EXPECT_EQ(probes[0].quantities, (std::vector<Quantity>{Quantity::Pressure, Quantity::Speed}));
  EXPECT_EQ(probes[0].fit, ProbeFit::Linear);
  EXPECT_EQ(probes[1].kind, ProbeKind::Line);
  EXPECT_EQ(probes[1].to, (Vec3{2, 0.1f, 0.5f}));
  EXPECT_EQ(probes[1].points[0], 21);
  EXPECT_EQ(probes[1].fit, ProbeFit::Shepard);
  EXPECT_EQ(probes[2].kind, ProbeKind::Plane);
  EXPECT_EQ(probes[2].side, (Vec3{2, 0, 0}));
  EXPECT_EQ(probes[2].other_side, (Vec3{0, 1, 0}));
  EXPECT_EQ(probes[2].points[0] * 10 + probes[2].points[1], 43);
  EXPECT_EQ(probes[3].kind, ProbeKind::Level);
  EXPECT_EQ(probes[3].at, (Vec3{1, 0, 0.5f}));
  EXPECT_EQ(probes[4].kind, ProbeKind::Flow);
  EXPECT_EQ(warnings_of(with_probes(kOfEveryKind)), "");
  EXPECT_TRUE(probes_of(kTankScene).empty());
}

TEST(ProbeScenes, TheIntervalIsThatOfTheMovieUnlessGiven) {
  EXPECT_EQ(scenes::parse_scene(kTankScene, "s.yaml", {}).run.probe_interval, 0);
  EXPECT_EQ(scenes::parse_scene(kTankScene, "s.yaml", {"time.probe_interval=0.001"}).run.probe_interval, 0.001);
}

TEST(ProbeScenes, AChangeOfAProbeLeavesTheRunAlone) {
  scenes::EditedScene scene(scenes::parse_source(with_probes(kOfEveryKind), "s.yaml"));
  for (const auto& parameter : scene.parameters())
    EXPECT_TRUE(!parameter.path.starts_with("probes") || parameter.effect == scenes::Effect::Picture) << parameter.path;
}

TEST(ProbeScenes, WhatAProbeCannotBeIsRefusedWithItsPlaceAndWhatIsAllowed) {
  const struct {
    const char *probe, *message;
  } cases[] = {
      {"point: [3, 0.5, 0.5]",
       "leads to [3, 0.5, 0.5], which lies outside the domain; allowed: from [0, 0, 0] to [2, 1, 1]"},
      {"line: {from: [0, 0, 0], to: [1, 1, 2]}", "probes[0].line.to: leads to [1, 1, 2]"},
      {"line: {from: [1, 0, 0], to: [1.02, 0, 0]}",
       "found a length of 0.02 m; allowed: more than half a particle spacing"},
      {"flow: {corner: [0, 0, 0], side: [0, 1, 0]}", "has no other_side; allowed in a 3-D scene: with both sides"},
      {"flow: {corner: [0, 0, 0], side: [0, 0.01, 0], other_side: [0, 0, 1]}", "found a side of 0.01 m"},
      {"plane: {corner: [1, 0.5, 0], side: [0, 0.6, 0], other_side: [0, 0, 1]}", "leads to [1, 1.1, 0]"},
      {"plane: {corner: [1, 0, 0.5], side: [0, 0.6, 0], other_side: [0, 0.1, 1]}", "leads to [1, 0.1, 1.5]"},
      {"{point: [1, 1, 1], quantities: [speed, speed]}", "names speed twice"},
      {"{point: [1, 1, 1], quantities: []}", "quantities"},
      {"{point: [1, 1, 1], quantities: [vorticity]}", "found 'vorticity', allowed: pressure, velocity_x"},
      {"{name: error_mean, point: [1, 1, 1]}", "found 'error_mean', with which `density` would be another column"},
      {"{name: \"a\\nb\", point: [1, 1, 1]}", "which has a control character; allowed: text on one line"},
      {"{name: a}", "it needs point or line or plane or level or flow"},
  };
  for (const auto& c : cases) {
    const std::string entry = c.probe[0] == '{' ? c.probe : "{" + std::string(c.probe) + "}";
    EXPECT_TRUE(contains(complaint(with_probes("  - " + entry + "\n")), c.message)) << c.probe;
  }
}

TEST(ProbeScenes, TwoProbesHaveTwoNames) {
  EXPECT_TRUE(contains(complaint(with_probes("  - {name: a, point: [1, 0, 0]}\n  - {name: a, point: [1, 1, 1]}\n")),
                       "probes[1].name: found 'a', the name of probes[0] too"));
  EXPECT_TRUE(contains(complaint(with_probes("  - {name: probe_2, point: [1, 0, 0]}\n  - {point: [1, 1, 1]}\n")),
                       "found 'probe_2', the name of probes[0] too"));
  EXPECT_TRUE(contains(complaint(with_probes("  - {name: cut_2, point: [1, 0, 0]}\n"
                                             "  - {name: cut, line: {from: [0, 0, 0], to: [1, 0, 0]}}\n")),
                       "leads to a second column 'pressure_cut_2'"));
}

TEST(ProbeScenes, APointInAStillSolidIsRefusedAndInADrivenOneIsNot) {
  const std::string solid = "solids:\n  - {name: post, box: {min: [1, 0, 0], max: [1.5, 1, 1]}";
  const std::string probe = "probes: [{point: [1.2, 0.5, 0.5]}]\n";
  EXPECT_TRUE(contains(complaint(kTankScene + solid + "}\n" + probe),
                       "probes[0].point: found [1.2, 0.5, 0.5], inside the solid 'post'; allowed: a place that the "
                       "fluid can reach"));
  EXPECT_EQ(complaint(kTankScene + solid + ", motion: {velocity: [0.01, 0, 0]}}\n" + probe), "");
  EXPECT_EQ(complaint(kTankScene + solid + "}\nprobes: [{point: [1, 0.5, 0.5]}]\n"), "") << "on its surface";
}

TEST(ProbeScenes, TooManyPlacesAndNumbersAreRefused) {
  EXPECT_TRUE(contains(complaint(with_probes("  - {plane: {corner: [0, 0, 0], side: [1, 0, 0], other_side: [0, 1, 0], "
                                             "points: [100, 100]}}\n")),
                       "have 40000 numbers together; allowed: at most 4096"));
  EXPECT_TRUE(
      contains(complaint(with_probes("  - {flow: {corner: [0, 0, 0.5], side: [2, 0, 0], other_side: [0, 1, 0]}}\n"),
                         {"particles.spacing=0.001", "bodies[0].box.max=[0.01, 0.01, 0.01]"}),
               "places together"));
}

TEST(ProbeScenes, WhatASolverDoesNotHaveIsLeftOutAndSaid) {
  const std::string text = with_probes("  - {point: [1, 0.5, 0.5], quantities: [pressure, speed]}\n");
  EXPECT_EQ(warnings_of(text), "");
  EXPECT_TRUE(contains(warnings_of(text, {"solver.type=pbf"}),
                       "probes[0].quantities: pressure is left out: particles of solver.type pbf do not have it"));
  EXPECT_EQ(warnings_of(with_probes("  - {point: [1, 0.5, 0.5]}\n"), {"solver.type=pbf"}), "");
  EXPECT_TRUE(
      contains(warnings_of(with_probes("  - {level: {from: [1, 0, 0], to: [1, 1, 0]}, interpolation: linear}\n")),
               "probes[0].interpolation: has no effect on a level"));
}

TEST(ProbeScenes, InTwoDimensionsTheyHaveNoThirdNumber) {
  const scenes::Scene scene = scenes::parse_scene(with_probes(kOfEveryKind), "s.yaml", {"dimension=2"});
  for (const ProbeSetup& probe : scene.probes) {
    EXPECT_EQ(probe.at.z, 0);
    EXPECT_EQ(probe.other_side, (Vec3{}));
  }
}

TEST(ProbeScenes, OfAFlatSceneBecomeThreeDimensionalWithIt) {
  scenes::EditedScene scene(
      scenes::parse_source("dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
                           "bodies: [{box: {min: [0, 0], max: [0.5, 0.5]}}]\n"
                           "probes:\n  - point: [0.1, 0.2]\n  - level: {from: [1, 0], to: [1, 1]}\n"
                           "  - flow: {corner: [1, 0], side: [0, 1]}\n",
                           "s.yaml"));
  scene.set("dimension", "3");
  const scenes::Scene& deep = scene.scene();
  const float middle = 0.5f * deep.simulation.domain.max.z;
  ASSERT_EQ(deep.probes.size(), 3u);
  EXPECT_EQ(deep.probes[0].at, (Vec3{0.1f, 0.2f, middle}));
  EXPECT_EQ(deep.probes[1].to, (Vec3{1, 1, middle}));
  EXPECT_EQ(deep.probes[2].at, (Vec3{1, 0, 0}));
  EXPECT_EQ(deep.probes[2].side, (Vec3{0, 1, 0}));
  EXPECT_EQ(deep.probes[2].other_side, (Vec3{0, 0, 2 * middle}));
}

TEST(ProbeScenes, NewOnesOfEveryKindFitTheSceneAndHaveNamesOfTheirOwn) {
  for (const char* dimension : {"2", "3"}) {
    scenes::EditedScene scene(scenes::parse_source(kTankScene, "s.yaml"));
    scene.set("dimension", dimension);
    for (const char* kind : {"point", "line", "plane", "level", "flow", "point"}) scene.add_entry("probes", kind);
    scene.add_probe({0.123f, 0.4f, std::string(dimension) == "3" ? 0.5f : 0});
    scene.copy_entry("probes[0]");
    const std::vector<ProbeSetup>& probes = scene.scene().probes;
    ASSERT_EQ(probes.size(), 8u);
    EXPECT_EQ(probes[0].name, "probe_1");
    EXPECT_EQ(probes[1].name, "probe_1_2");
    EXPECT_EQ(probes[1].at, probes[0].at);
    EXPECT_EQ(probes[5].kind, ProbeKind::Flow);
    EXPECT_EQ(probes[4].name, "level_1") << "the first level, though the fifth probe";
    EXPECT_EQ(probes[7].at.x, 0.123f);
    scene.remove_entry("probes[1]");
    scenes::EditedScene again(scenes::parse_source(scene.to_yaml(), "s.yaml"));
    EXPECT_EQ(again.scene().probes, scene.scene().probes);
    while (!scene.scene().probes.empty()) scene.remove_entry("probes[0]");
    EXPECT_FALSE(contains(scene.to_yaml(), "probes"));
  }
}

TEST(ProbeScenes, ANewPointLiesInNoSolid) {
  scenes::EditedScene scene(scenes::parse_source(
      kTankScene + std::string("solids: [{box: {min: [0.8, 0.2, 0.2], max: [1.2, 0.8, 0.8]}}]\n"), "s.yaml"));
  scene.add_entry("probes", "point");
  EXPECT_EQ(scene.scene().probes.size(), 1u);
}

TEST(ProbeScenes, ANewLevelPassesBesideTheSolids) {
  scenes::EditedScene scene(scenes::parse_source(
      kTankScene + std::string("solids: [{box: {min: [0.8, 0.2, 0.2], max: [1.2, 0.8, 0.8]}}]\n"), "s.yaml"));
  scene.add_entry("probes", "level");
  scene.add_entry("probes", "level");
  ASSERT_EQ(scene.scene().probes.size(), 2u);
  const ProbeSetup& level = scene.scene().probes[0];
  const bool under_it = level.at.x > 0.8f && level.at.x < 1.2f && level.at.z > 0.2f && level.at.z < 0.8f;
  EXPECT_FALSE(under_it) << level.at.x << " " << level.at.z;
  EXPECT_EQ(level.at.x, level.to.x);
  EXPECT_EQ(level.at.z, level.to.z);
  EXPECT_EQ(scene.scene().probes[1].name, "level_2");
}

TEST(ProbeScenes, AGaugeAndASensorAreAnsweredByTheirKey) {
  for (const char* name : {"gauge", "sensors", "probe"})
    EXPECT_TRUE(contains(complaint(good_scene_with(std::string(name) + ": []\n")), "; its name here is 'probes'."))
        << name;
}

}  // namespace riffle
