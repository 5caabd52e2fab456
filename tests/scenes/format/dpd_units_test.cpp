// Scenes of dpd are in reduced units: no message about one names a unit of SI.

#include <gtest/gtest.h>

#include <regex>

#include "core/error.h"
#include "scenes/document/parameters.h"
#include "scenes/load.h"
#include "tests/scenes/warned_scenes.h"

namespace riffle {
namespace {

/// The first unit of SI in the text, with what stands around it; "": there is none.
std::string si_unit_in(const std::string& text) {
  // A unit follows a number or the word "in"; "m" alone is DPD's mass.
  static const std::regex unit(
      R"(.{0,30}([0-9]|\bin) (s|m|m/s|m/s\^2|1/s|rad/s|m\^2/s|kg/m\^3|N/m|Pa|J)($|[ ,.;:)]).{0,20})");
  std::smatch found;
  return std::regex_search(text, found, unit) ? found.str() : "";
}

/// What is said about a scene: why it is refused, or its warnings.
std::string said_about(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    std::string said;
    for (const scenes::Warning& warning : scenes::parse_scene(text, "scene.yaml", overrides).warnings)
      said += warning.message() + "\n";
    return said;
  } catch (const InputError& refusal) {
    return refusal.what();
  }
}

const std::string kRich =
    "domain: {min: [0, 0, 0], max: [8, 8, 8], axes: [periodic, walled, periodic],\n"
    "         motion: {sway: {amplitude: [0.1, 0, 0], period: 10}}}\n"
    "particles: {number_density: 3}\ngravity: [0, -0.1, 0]\n"
    "bodies:\n  - {filling: random, velocity: [0, 0, 0], box: {min: [0, 0, 0], max: [8, 4, 8]}}\n"
    "solids:\n  - {name: post, sphere: {center: [4, 6, 4], radius: 1}, motion: {sway: {amplitude: [0, 0.1, 0], period: "
    "10}}}\n"
    "damping:\n  - {strength: 1, box: {min: [7, 0, 0], max: [8, 8, 8]}}\n"
    "probes:\n  - {point: [4, 2, 4]}\n"
    "start: {equilibration: 0.1}\nsolver: {type: dpd}\ntime: {step: 0.01, end: 1}\n";

TEST(DpdUnits, AWrongTemperatureIsRefusedInTheSameUnitWhateverIsWrongWithIt) {
  const std::string text = said_about(kRich, {"solver.temperature=abc"}),
                    below = said_about(kRich, {"solver.temperature=-1"});
  EXPECT_NE(text.find("in kT"), std::string::npos) << text;
  EXPECT_NE(below.find("in kT"), std::string::npos) << below;
}

TEST(DpdUnits, TheScenesOfTheTestCanRun) {
  const scenes::SceneSource source = scenes::parse_source(kRich, "rich.yaml", {});
  EXPECT_NO_THROW(scenes::build_scene(source));
  EXPECT_GT(scenes::parameters(source).size(), 60u);
}

TEST(DpdUnits, NoRefusalOfAKeyNamesAUnitOfSi) {
  const scenes::SceneSource source = scenes::parse_source(kRich, "rich.yaml", {});
  int with_units = 0;
  for (const scenes::Parameter& p : scenes::parameters(source))
    for (const char* value : {"nonsense", "-1e30", "[nonsense]"}) {
      const std::string said = said_about(kRich, {p.path + "=" + value});
      EXPECT_EQ(si_unit_in(said), "") << p.path << "=" << value << ": " << said;
      with_units += said.find(" in \u03c4") != std::string::npos || said.find(" in r_c") != std::string::npos;
    }
  EXPECT_GT(with_units, 20);
}

TEST(DpdUnits, TheTimeOfTheRunIsAllowedInTheUnitOfTheScene) {
  const auto said = [](const std::string& key, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = more;
    overrides.push_back(key);
    return said_about(kRich, overrides);
  };
  EXPECT_EQ(said("time.end=-1"), "--set time.end: found '-1', allowed: a number above 0 in \u03c4");
  EXPECT_EQ(said("time.end=2 s"),
            "--set time.end: found '2 s' (a plain number is expected), allowed: a number above 0 in \u03c4");
  EXPECT_EQ(said("time.end=-1", {"solver.cutoff=2"}), "--set time.end: found '-1', allowed: a number above 0")
      << "lengths and times then have no name";
  EXPECT_EQ(said_about("time: {end: -1}\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
                       "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"),
            "scene.yaml:1:13: time.end: found '-1', allowed: a number above 0 in s")
      << "others are in SI";
}

TEST(DpdUnits, NoWarningNamesAUnitOfSi) {
  int of_dpd = 0;
  for (const test::WarnedScene& scene : test::warned_scenes()) {
    if (!scene.particles.empty() || !scene.mesh.empty()) continue;
    const bool names_solver = scene.text.find("solver:") != std::string::npos;
    if (names_solver && scene.text.find("type: dpd") == std::string::npos) continue;
    const std::string said = said_about(names_solver ? scene.text : scene.text + "solver: {type: dpd}\n");
    EXPECT_EQ(si_unit_in(said), "") << scene.name << ": " << said;
    of_dpd += !said.empty();
  }
  EXPECT_GT(of_dpd, 10);
}

}  // namespace
}  // namespace riffle
