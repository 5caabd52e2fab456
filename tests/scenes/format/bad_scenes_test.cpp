#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scenes/document/synonyms.h"
#include "scenes/format/format.h"
#include "scenes/missing_features.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

TEST(BadScenes, UnknownKeyIsRefusedAtItsPlaceWithTheNearestName) {
  const std::string said = complaint(spoiled("  spacing", "  spacng"));
  EXPECT_TRUE(contains(said, "s.yaml:4:3: particles.spacng: unknown key 'spacng'; did you mean 'spacing'?"));
  EXPECT_TRUE(contains(said, "s.yaml:4:3: particles: is incomplete; it needs spacing or number_density"));
}

TEST(BadScenes, KeyAtTheWrongLevelIsNamedWithItsRightPath) {
  EXPECT_TRUE(
      contains(complaint(good_scene_with("frames_per_second: 3\n")), "there is a key 'movie.frames_per_second'"));
}

TEST(BadScenes, ADecimalCommaIsToldWithWhatToWrite) {
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "0,1")),
                       "particles.spacing: found '0,1' (decimals have a point: write 0.1), allowed: a number above 0"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "1,200")), "(decimals have a point: write 1.200 or 1200)"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "2,5e-3")), "write 2.5e-3)"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "0,5 cm")), "(a plain number is expected, in m: write 0.005)"));
  EXPECT_FALSE(contains(complaint(spoiled("0.1", "1,2,3")), "write")) << "nobody knows what that is";
  // YAML takes the comma within braces for the end of the value.
  EXPECT_TRUE(contains(complaint(spoiled("particles:\n  spacing: 0.1", "particles: {spacing: 0,02}")),
                       "particles.02: unknown key '02'; decimals have a point: write 0.02 for spacing."));
}

// In a list YAML takes the comma for the end of the number.
TEST(BadScenes, ADecimalCommaInAListIsToldWithWhatToWrite) {
  const auto flat_scene = [](const std::string& gravity) {
    return "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\n"
           "bodies: [{box: {min: [0, 0], max: [1, 0.5]}}]\ngravity: " +
           gravity + "\n";
  };
  const auto flat = [&](const std::string& gravity) { return complaint(flat_scene(gravity)); };
  EXPECT_TRUE(contains(flat("[0, -9,81]"),
                       "s.yaml:5:10: gravity: found the list [0, -9,81], 3 numbers where 2 are allowed; write -9.81 "
                       "with a point. (A third number, which 2-D ignores, stands behind a blank.)"))
      << flat("[0, -9,81]");
  for (const char* compact : {"[0,-9,81]", "[0,-9,8]", "[0,-9,08]"})
    EXPECT_TRUE(contains(flat(compact), std::string("found the list ") + compact +
                                            ", 3 numbers where 2 are allowed; write -9." + (compact + 6)[0]))
        << flat(compact);
  EXPECT_TRUE(contains(complaint(flat_scene("[0, -9.81]"), {"gravity=[0,-9,81]"}),
                       "--set gravity: found the list [0,-9,81], 3 numbers where 2 are allowed; write -9.81"));
  EXPECT_TRUE(contains(flat("[0,5, -9,81]"), "4 numbers where 2 are allowed; write 0.5 and -9.81 with a point"));
  EXPECT_TRUE(contains(flat("[0,5,-9,81]"), "4 numbers where 2 are allowed; write 0.5 and -9.81 with a point"));
  EXPECT_TRUE(contains(flat("[0, 5, -9, 81]"), "4 numbers where 2 are allowed; write 0.5 and -9.81 with a point"));
  EXPECT_TRUE(contains(flat("[0, 5, -9, 81]"), "found the list [0, 5, -9, 81], 4 numbers"));
  // The third number is that of a 3-D scene.
  for (const char* third : {"[0, -9, 81]", "[0, -9.81, 0]", "[0,-9,0]", "[0, -9,8.1]", "[0, -9.5,81]", "[0, -9,-81]",
                            "[0,-9, 81]", "[2,2, 1]", "[0,0, 0]", "[0, -9]", "[0,-9]"})
    EXPECT_EQ(flat(third), "") << third;
  EXPECT_TRUE(contains(flat("[0, -9.5, 8, 1]"), "found the list [0, -9.5, 8, 1], allowed: a list of 2 or 3 numbers"))
      << flat("[0, -9.5, 8, 1]");

  // A place has a third number that is ignored where the scene was 3-D.
  const auto ignored = [](const std::string& min, const std::string& max) {
    std::string said;
    for (const scenes::Warning& warning :
         scenes::parse_scene("dimension: 2\ndomain: {min: " + min + ", max: " + max +
                                 "}\nparticles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0], max: [1, 0.5]}}]\n",
                             "s.yaml")
             .warnings)
      said += warning.message();
    return said;
  };
  EXPECT_TRUE(contains(ignored("[0, 0]", "[10,10,10]"), "if 10,10 is one number, write 10.10"));
  for (const char* max : {"[10,10,10]", "[10, 10, 10]", "[1,2,3]"}) EXPECT_EQ(ignored("[0,0,0]", max), "") << max;

  const auto deep = [](const std::string& gravity) { return complaint(good_scene_with("gravity: " + gravity + "\n")); };
  EXPECT_TRUE(contains(deep("[0, -9,81, 0]"),
                       "found the list [0, -9,81, 0], 4 numbers where 3 are allowed; write -9.81 "
                       "with a point"))
      << deep("[0, -9,81, 0]");
  EXPECT_FALSE(contains(deep("[0, -9,81, 0]"), "behind a blank"));
  EXPECT_TRUE(contains(deep("[0.5, -9, 81, -2]"), "4 numbers where 3 are allowed; write -9.81 with a point"));
  EXPECT_TRUE(contains(deep("[0,5, -9,81, 1,5]"), "write 0.5 and -9.81 and 1.5 with a point"));
  EXPECT_TRUE(contains(deep("[0, -9, 81, 0]"), "allowed: a list of 3 numbers")) << "-9.81 or 81.0";
  EXPECT_EQ(deep("[0, -9,81]"), "") << "three numbers, as there must be";
  EXPECT_TRUE(contains(complaint(good_scene_with(""), {"gravity=[0, -9,81, 0]"}),
                       "--set gravity: found the list [0, -9,81, 0], 4 numbers where 3 are allowed; write -9.81"));
}

TEST(BadScenes, ANumberWithAUnitIsToldInTheUnitOfTheKey) {
  const auto spacing = [](const std::string& text) { return complaint(spoiled("0.1", text)); };
  EXPECT_TRUE(contains(spacing("20 mm"), "found '20 mm' (a plain number is expected, in m: write 0.02), allowed:"));
  EXPECT_TRUE(contains(spacing("2cm"), "in m: write 0.02)"));
  EXPECT_TRUE(contains(spacing("50 \u00b5m"), "in m: write 5e-05)"));
  EXPECT_TRUE(contains(spacing("0.1 m"), "in m: write 0.1)"));
  EXPECT_TRUE(contains(spacing("3 furlongs"), "(a plain number is expected, in m), allowed"));
  EXPECT_TRUE(contains(complaint(good_scene_with("time: {end: 500 ms}\n")), "in s: write 0.5)"));
  EXPECT_TRUE(contains(complaint(good_scene_with("fluids: [{name: water, rest_density: 1.2 g/cm3}]\n")),
                       "in kg/m^3: write 1200)"));
  // In DPD a millimetre is no part of the unit of length.
  EXPECT_TRUE(contains(complaint(good_scene_with("solver: {type: dpd}\ntime: {end: 500 ms}\n")),
                       "found '500 ms' (a plain number is expected), allowed"));
}

TEST(BadScenes, AKeyByAnotherOfItsNamesIsTold) {
  const std::string dpd = "solver: {type: dpd, gamma: 4.5, kT: 1}\n";
  EXPECT_TRUE(
      contains(complaint(good_scene_with(dpd)), "solver.gamma: unknown key 'gamma'; its name here is 'friction'."));
  EXPECT_TRUE(
      contains(complaint(good_scene_with(dpd)), "solver.kT: unknown key 'kT'; its name here is 'temperature'."));
  EXPECT_TRUE(
      contains(complaint(good_scene_with("time: {dt: 0.01}\n")), "'dt'; its name here is 'step'. Allowed here:"));
  EXPECT_TRUE(contains(complaint(good_scene_with("dt: 0.01\n")), "unknown key 'dt'; its name here is 'time.step'."));
  EXPECT_TRUE(contains(complaint(good_scene_with("fluids: [{name: a, mu: 1}]\n")),
                       "its name here is 'viscosity' (the kinematic one, which is the dynamic one over the density)."));
  EXPECT_TRUE(contains(complaint(good_scene_with("fluids: [{name: a, sigma: 1}]\n")), "is 'surface_tension'."));
  EXPECT_TRUE(contains(complaint(good_scene_with("solver: {type: dpd, sigma: 3}\n")), "its name here is 'noise'."));
}

TEST(BadScenes, OtherNamesOfKeysAreOfKeysThatThereAre) {
  const auto paths = scenes::all_key_paths();
  const auto is_key = [&](std::string_view name) {
    return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
      return path == name || path.ends_with("." + std::string(name));
    });
  };
  for (const scenes::Synonym& row : scenes::synonyms()) {
    EXPECT_TRUE(is_key(row.key)) << row.key;
    EXPECT_NE(scenes::key_meant_by(row.name, {}), "") << row.name;
    EXPECT_EQ(scenes::missing_feature(row.name), nullptr) << row.name << " is answered otherwise";
  }
}

TEST(BadScenes, WrongTypeIsRefused) {
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "small")),
                       "s.yaml:4:12: particles.spacing: found 'small', allowed: a number above 0 in m"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "[1, 2]")), "found the list [1, 2], allowed: a number"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "{a: 1}")), "found a map with the key 'a', allowed: a number"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "\"0.1\"")), "without quotes"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "")), "found nothing"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "0x10")), "a plain number is expected"));
  EXPECT_TRUE(contains(complaint(spoiled("dimension: 3", "dimension: 4")), "dimension: found '4', allowed: 2 or 3"));
  EXPECT_TRUE(contains(complaint(spoiled("dimension: 3", "dimension: 2.5")), "allowed: 2 or 3"));
  EXPECT_TRUE(contains(complaint(good_scene_with("deterministic: yes\n")), "(write true), allowed: true or false"));
  EXPECT_TRUE(contains(complaint(spoiled("particles:\n  spacing: 0.1", "particles: 0.1")),
                       "particles: found '0.1', allowed: a map"));
  EXPECT_TRUE(contains(complaint(good_scene_with("bodies2: 1\n")), "did you mean 'bodies'?"));
  EXPECT_TRUE(
      contains(complaint(spoiled("  - box:", "    box:")), "bodies: found a map with the key 'box', allowed: a list"));
  EXPECT_TRUE(contains(complaint(good_scene_with("  - 3\n")), "s.yaml:7:5: bodies[1]: found '3', allowed: a map"));
}

TEST(BadScenes, ATabIsFoundWhereItIs) {
  // The parser stops in the line after it.
  const std::string tabbed = spoiled("  spacing: 0.1", "\tspacing: 0.1");
  EXPECT_TRUE(
      contains(complaint(tabbed), "s.yaml:4:1: not valid YAML: found a tab in the indentation; allowed: spaces ("));
  EXPECT_TRUE(contains(complaint(spoiled("  spacing: 0.1", "  \tx: 1\n  spacing: 0.1")), "s.yaml:4:3: not valid"));
  // Tabs elsewhere are not what is wrong.
  EXPECT_TRUE(contains(complaint("# a\tb\n\t\n\t# c\nname: \"\t\"\nx: [1\n"), "s.yaml:6:"));
  EXPECT_EQ(complaint(spoiled("  spacing: 0.1", "\t# a comment\n  spacing:\t0.1")), "");
}

TEST(BadScenes, AWrongDimensionIsTheOnlyComplaint) {
  for (const char* wrong : {"4", "[2]", "", "two"})
    for (const bool flat : {true, false}) {
      std::string scene = spoiled("dimension: 3", std::string("dimension: ") + wrong);
      if (flat)
        for (std::size_t at; (at = scene.find("1, 1, 1]")) != scene.npos;) scene.erase(at, 3);
      const std::string said = complaint(scene);
      EXPECT_TRUE(contains(said, "dimension: found ")) << said;
      EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;
    }
}

TEST(BadScenes, MoreParticlesThanCanBeNumberedAreRefused) {
  // 1,280^3 still fit 31 bits, and would be numbered beyond them in whole blocks.
  const std::string large = spoiled("max: [1, 1, 1]", "max: [128, 128, 128]");
  const auto said = [&](const char* edge) {
    return complaint(large, {std::string("bodies[0].box.max=[") + edge + ", " + edge + ", " + edge + "]"});
  };
  EXPECT_TRUE(contains(said("128"), "makes about 2.1e+09 particles; at most 2000000000 can be numbered"));
  EXPECT_EQ(said("125"), "") << "1,250^3";
}

TEST(BadScenes, AWrongComponentIsPointedAt) {
  EXPECT_TRUE(
      contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, one, 1]")), "s.yaml:2:35: domain.max[1]: found 'one'"));
}

TEST(BadScenes, ThirdComponentIsRequiredInThreeDimensions) {
  EXPECT_TRUE(contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, 1]")),
                       "allowed: a list of 3 numbers in m (the scene is 3-D)"));
  EXPECT_TRUE(contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, 1, 1, 1]")), "allowed: a list of 3 numbers"));
}

TEST(BadScenes, NumberWithAUnitIsToldTheUnitToUse) {
  EXPECT_TRUE(
      contains(complaint(spoiled("0.1", "2 cm")), "found '2 cm' (a plain number is expected, in m: write 0.02)"));
}

TEST(BadScenes, AccelerationsSpeedsAndPacesBeyondMeasureAreRefused) {
  EXPECT_TRUE(contains(complaint(kGoodScene, {"gravity=[0, -1e38, 0]"}),
                       "gravity[1]: found '-1e38', allowed: a number from -1000000"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"bodies[0].velocity=[1e7, 0, 0]"}), "velocity[0]: found '1e7'"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"movie.frames_per_second=0.01"}), "allowed: a number from 0.1 to 240"));
}

TEST(BadScenes, WrongWordIsToldTheNearest) {
  EXPECT_TRUE(contains(complaint(good_scene_with("neighbors: {method: hoetzlien}\n")), "did you mean 'hoetzlein'?"));
  EXPECT_TRUE(contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, 1, 1], axes: [open, wall, open]")),
                       "domain.axes[1]: found 'wall' (did you mean 'walled'?)"));
  EXPECT_TRUE(contains(complaint(good_scene_with("solver: {speed_of_sound: atuo}\n")),
                       "(did you mean 'auto'?), allowed: auto, or a number above 0 in m/s"));
}

TEST(BadScenes, MissingValueIsNamedWithWhatItNeeds) {
  EXPECT_TRUE(contains(complaint(spoiled("particles:\n  spacing: 0.1\n", "")),
                       "s.yaml:1:1: particles: is missing; it needs a map with the keys spacing"));
  EXPECT_TRUE(contains(complaint(spoiled("min: [0, 0, 0], max: [1, 1, 1]", "max: [1, 1, 1]")),
                       "domain.min: is missing; it needs a list of 3 numbers in m"));
  EXPECT_TRUE(contains(complaint(spoiled("box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}", "velocity: [0, 0, 0]")),
                       "bodies[0]: is incomplete; it needs box or sphere"));
}

TEST(BadScenes, NegativeSpacingIsRefused) {
  for (const char* value : {"-0.1", "0", "-0.0"})
    EXPECT_TRUE(contains(complaint(spoiled("0.1", value)),
                         "particles.spacing: found '" + std::string(value) + "', allowed: a number above 0 in m"));
}

TEST(BadScenes, NanAndInfinityAndWhatBecomesThemInSinglePrecisionAreRefused) {
  for (const char* value : {".nan", ".NaN", ".inf", "-.inf", "1e999"})
    EXPECT_TRUE(contains(complaint(spoiled("0.1", value)), "not a finite number")) << value;
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "1e60")), "too large for single precision"));
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "1e-60")), "zero in single precision"));
  EXPECT_NE(complaint(spoiled("0.1", "nan")), "");
  EXPECT_NE(complaint(spoiled("0.1", "inf")), "");
  EXPECT_TRUE(contains(complaint(good_scene_with("gravity: [0, .nan, 0]\n")), "gravity[1]: found '.nan'"));
}

TEST(BadScenes, EmptyFluidIsRefused) {
  EXPECT_TRUE(contains(complaint(spoiled("bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n", "bodies: []\n")),
                       "bodies: is missing, and there are no inlets"));
  EXPECT_TRUE(contains(complaint(spoiled("bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n", "")),
                       "bodies: is missing"));
  EXPECT_TRUE(contains(complaint(spoiled("max: [0.5, 0.5, 0.5]", "max: [0.5, 0.05, 0.5]")),
                       "s.yaml:6:5: bodies[0]: holds no particle at a spacing of 0.1 m"));
  EXPECT_TRUE(contains(complaint(spoiled("max: [0.5, 0.5, 0.5]", "max: [0.5, 0, 0.5]")),
                       "bodies[0].box: every component of max must be above that of min"));
}

TEST(BadScenes, FluidWhollyOutsideTheDomainIsRefused) {
  const std::string said =
      complaint(spoiled("min: [0, 0, 0], max: [0.5, 0.5, 0.5]", "min: [0, 1, 0], max: [0.5, 1.5, 0.5]"));
  EXPECT_TRUE(contains(
      said, "s.yaml:6:5: bodies[0]: lies wholly outside the domain: y from 1 to 1.5 m, the domain has 0 to 1 m"));
}

TEST(BadScenes, TurnedRoundDomainIsRefused) {
  EXPECT_TRUE(contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, -1, 1]")), "domain: found y from 0 to -1 m"));
}

TEST(BadScenes, NamesThatReferToNothingAreRefused) {
  const std::string two = good_scene_with("fluids: [{name: oil}, {name: water}]\n");
  EXPECT_TRUE(contains(complaint(two),
                       "bodies[0].fluid: is missing, and the scene has more than one fluid; allowed: oil, water"));
  EXPECT_TRUE(contains(complaint(two, {"bodies[0].fluid=watre"}),
                       "found 'watre' (did you mean 'water'?), allowed: oil, water"));
  EXPECT_TRUE(
      contains(complaint(good_scene_with("fluids: [{name: oil}, {name: oil}]\n")), "fluids[1].name: found 'oil'"));
}

TEST(BadScenes, PeriodicAxisBelowTwoSupportRadiiIsRefused) {
  EXPECT_TRUE(contains(complaint(spoiled("max: [1, 1, 1]", "max: [1, 1, 0.3], axes: periodic")),
                       "domain.axes: the periodic axis z is 0.3 m long"));
}

TEST(BadScenes, MoreParticlesThanIndicesIsRefusedAtOnce) {
  EXPECT_TRUE(contains(complaint(spoiled("0.1", "1e-7")), "which makes about 1.2e+20 particles"));
}

TEST(BadScenes, CameraThatSeesNothingIsRefused) {
  EXPECT_TRUE(contains(complaint(good_scene_with("picture: {camera: {position: [1, 1, 1], target: [1, 1, 1]}}\n")),
                       "same point"));
  EXPECT_TRUE(contains(complaint(good_scene_with("picture: {camera: {position: [0, 1, 0], target: [0, 0, 0]}}\n")),
                       "picture.camera.up"));
  EXPECT_TRUE(contains(complaint(good_scene_with("picture: {range: [2, 1]}\n")), "picture.range"));
  EXPECT_TRUE(contains(complaint(good_scene_with("picture: {size: [641, 480]}\n")), "even number"));
}

TEST(BadScenes, EveryMistakeOfAFileIsReportedInItsOrder) {
  const std::string said = complaint(
      "domian: 3\ndomain: {min: [0, 0, 0], max: [1, 1, 1], axis: open}\nparticles: {spacing: -1}\n"
      "bodies:\n  - box: {min: [2, 2, 2], max: [3, 3, 3]}\n  - boks: 3\ntime: {end: never}\n");
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n') + 1, 6) << said;
  EXPECT_LT(said.find("domian"), said.find("domain.axis"));
  EXPECT_LT(said.find("domain.axis"), said.find("particles.spacing"));
  EXPECT_LT(said.find("bodies[1].boks"), said.find("time.end"));
}

TEST(BadScenes, WhatIsNoSceneAtAllIsRefusedWithThePlace) {
  EXPECT_TRUE(contains(complaint("a: [1, 2\nb: }"), "s.yaml:2:"));
  EXPECT_TRUE(contains(complaint("a: [1, 2\nb: }"), "not valid YAML"));
  EXPECT_TRUE(contains(complaint("\tx: 1\n"), "s.yaml:1:1: not valid YAML: found a tab in the indentation; allowed: "));
  EXPECT_TRUE(contains(complaint(",\na: 1\n"), "s.yaml:1:1: not valid YAML"))
      << "yaml-cpp's own loader never returns from this";
  EXPECT_TRUE(contains(complaint(""), "the file is empty"));
  EXPECT_TRUE(contains(complaint("# only a comment\n"), "the file is empty"));
  EXPECT_TRUE(contains(complaint("just words"), "a scene is a map"));
  EXPECT_TRUE(contains(complaint("- 1\n- 2\n"), "a scene is a map"));
  EXPECT_TRUE(
      contains(complaint(std::string(kGoodScene) + "---\n" + kGoodScene), "a second YAML document begins here"));
  EXPECT_TRUE(contains(complaint("? [a, b]\n: 3\n"), "a key must be a plain word"));
}

TEST(BadScenes, KeyGivenTwiceIsRefused) {
  EXPECT_TRUE(contains(complaint(good_scene_with("dimension: 2\n")),
                       "s.yaml:7:1: dimension: is given twice; the first is at line 1"));
}

TEST(BadScenes, AliasThatContainsItselfOrExplodesEndsInAMessage) {
  EXPECT_TRUE(contains(complaint("a: &x [*x]\n"), "alias"));
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string inner = std::string("*a").append(std::to_string(i - 1));
    const std::string name = std::to_string(i);
    bomb.append("a").append(name).append(": &a").append(name).append(" [").append(inner);
    for (int k = 0; k < 8; ++k) bomb += ", " + inner;
    bomb += "]\n";
  }
  EXPECT_TRUE(contains(complaint(bomb), "too many values"));
  EXPECT_NE(complaint("a: " + std::string(100000, '[')), "");
}

TEST(BadScenes, FileThatCannotBeReadSaysWhy) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      scenes::load_scene(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("/nowhere/x.yaml"), "/nowhere/x.yaml: no such file");
  EXPECT_TRUE(contains(message("/tmp"), "is a folder"));
  EXPECT_TRUE(contains(message("/dev/zero"), "is a device"));
  const auto at = [](const char* name) {
    return (std::filesystem::temp_directory_path() / (name + std::to_string(getpid()) + ".yaml")).string();
  };
  ASSERT_EQ(mkfifo(at("riffle_pipe_").c_str(), 0600), 0);
  EXPECT_TRUE(contains(message(at("riffle_pipe_")), "is a pipe"));
  std::filesystem::remove(at("riffle_pipe_"));
  std::ofstream(at("riffle_large_")) << "name: " << std::string(5 << 20, 'x');
  EXPECT_TRUE(contains(message(at("riffle_large_")), "larger than 4 MiB"));
  std::filesystem::remove(at("riffle_large_"));
  const auto binary = std::filesystem::temp_directory_path() / ("riffle_binary_" + std::to_string(getpid()) + ".yaml");
  std::ofstream(binary, std::ios::binary) << "a: b" << '\0' << "\x01\x02";
  EXPECT_TRUE(contains(message(binary.string()), "not valid YAML"));
  std::filesystem::remove(binary);
}

}  // namespace riffle
