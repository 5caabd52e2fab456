#include "scenes/document/ways_to_give.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "scenes/document/edited_scene.h"

namespace riffle {
namespace {

const char* const kPool =
    "domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.1}\nfluids:\n  - name: oil\n  - name: water\n"
    "bodies:\n  - {fluid: water, box: {min: [0, 0, 0], max: [2, 0.5, 1]}}\n"
    "solids:\n  - box: {min: [1.4, 0, 0.3], max: [1.7, 0.6, 0.6]}\n";
const char* const kFlatPool =
    "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
    "fluids:\n  - name: oil\n  - name: water\nbodies:\n  - {fluid: water, box: {min: [0, 0], max: [2, "
    "0.5]}}\nsolids:\n  - box: {min: [1.4, 0], max: [1.7, 0.6]}\n";

/// Each way of each such key, until no other is found. @return the keys, and how many ways each has
std::map<std::string, std::size_t> try_all(const char* text) {
  std::map<std::string, std::size_t> tried;
  std::vector<std::string> wanted = {""};  // a map that has others in it
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    scenes::EditedScene scene(scenes::parse_source(text, "pool.yaml"));
    if (!wanted[w].empty())
      scene.set(wanted[w].substr(0, wanted[w].find(' ')), wanted[w].substr(wanted[w].find(' ') + 1));
    for (const scenes::Parameter& p : scene.parameters()) {
      if (p.kind != scenes::Parameter::Kind::Section || p.choices.empty() || tried.contains(p.path)) continue;
      const std::vector<scenes::WayToGive> ways = ways_to_give(p, scene.scene());
      tried[p.path] = ways.size();
      // A wave sets the swaying of a solid itself, which the loader says.
      if (p.path.ends_with(".motion.wave")) continue;
      for (const scenes::WayToGive& way : ways) {
        scenes::EditedScene changed = scene;
        EXPECT_NO_THROW(changed.set(p.path, way.value)) << p.path << " = " << way.value;
        EXPECT_TRUE(changed.is_edited(p.path)) << p.path;
        wanted.push_back(p.path + " " + way.value);
      }
    }
  }
  return tried;
}

TEST(WaysToGive, EveryKeyThatMayBeAMapCanBeGivenWithNumbersThatFit) {
  for (const char* text : {kPool, kFlatPool}) {
    const auto tried = try_all(text);
    for (const auto& [path, ways] : tried) {
      // The window makes these from what it shows: "Keep this view", and the cut of the section Picture.
      const bool of_view = path == "picture.camera" || path == "picture.cut";
      EXPECT_EQ(ways == 0, of_view) << path;
    }
    EXPECT_EQ(tried.at("bodies[0].flow"), 5u);
    for (const char* path :
         {"domain.motion", "domain.motion.sway", "domain.motion.rotation", "solids[0].motion", "solids[0].motion.sway",
          "solids[0].motion.rotation", "solids[0].motion.wave", "body_force"})
      EXPECT_TRUE(tried.contains(path)) << path;
  }
}

TEST(WaysToGive, AStandingWaveHasTheSurfaceOfItsBody) {
  scenes::EditedScene scene(scenes::parse_source(kPool, "pool.yaml"));
  for (const scenes::Parameter& p : scene.parameters())
    if (p.path == "bodies[0].flow") scene.set(p.path, ways_to_give(p, scene.scene()).back().value);
  const FlowSetup& flow = scene.scene().simulation.bodies[0].flow;
  EXPECT_EQ(flow.flow, Flow::StandingWave);
  EXPECT_EQ(flow.wavelength, 2);
  EXPECT_EQ(flow.depth, 0.5f);
  EXPECT_EQ(flow.center.y, 0.5f);
}

}  // namespace
}  // namespace riffle
