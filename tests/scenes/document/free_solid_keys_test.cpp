/// A solid becomes free, or stops to be, in one edit of a scene.

#include <gtest/gtest.h>

#include "core/error.h"
#include "scenes/document/edited_scene.h"

namespace riffle {
namespace {

constexpr const char* kTank =
    "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
    "fluids: [{name: oil, rest_density: 900}]\n"
    "bodies:\n  - box: {min: [0, 0], max: [2, 0.4]}\n";

scenes::EditedScene tank(const std::string& solid, const std::string& rest = "") {
  return scenes::EditedScene(scenes::parse_source(
      kTank + std::string("solids:\n  - {name: crate, box: {min: [1, 0.5], max: [1.2, 0.6]}" + solid + "}\n" + rest),
      "s.yaml"));
}

const FreeBodySetup& crate(const scenes::EditedScene& scene) { return scene.scene().simulation.solid_regions[0].free; }

std::vector<std::string> idle_keys(const scenes::EditedScene& scene) {
  std::vector<std::string> keys;
  for (const scenes::IdleKey& key : scene.scene().idle_keys)
    if (key.key.starts_with("solids[0].")) keys.push_back(key.key.substr(10));
  return keys;
}

using Keys = std::vector<std::string>;
const Keys kOfFree = {"density", "mass", "velocity", "angular_velocity", "force"};

TEST(FreeSolidKeys, AStillSolidBecomesFreeWithTheDensityOfTheFluidAndSaysSo) {
  scenes::EditedScene scene = tank("");
  EXPECT_EQ(idle_keys(scene), kOfFree) << "they have no effect on a solid that stands still";
  scene.set("solids[0].motion", "free");
  EXPECT_TRUE(crate(scene).given);
  EXPECT_EQ(crate(scene).density, 900);
  EXPECT_EQ(idle_keys(scene), Keys{});
  EXPECT_NE(scene.note_of_change("solids[0].motion").find("solids[0].density is 900 now"), std::string::npos)
      << scene.note_of_change("solids[0].motion");
  EXPECT_EQ(scene.note_of_change("solids[0].density"), "");
  scene.set("solids[0].density", "500");
  EXPECT_EQ(crate(scene).density, 500);
  EXPECT_EQ(scene.note_of_change("solids[0].motion"), "") << "it was of the change before";
  EXPECT_EQ(scene.undo_count(), 2u);
  scene.undo();
  scene.undo();
  EXPECT_FALSE(scene.anything_edited());
  EXPECT_EQ(idle_keys(scene), kOfFree);
}

TEST(FreeSolidKeys, AFreeSolidStopsToBeFreeAndLosesWhatOnlyFreeOnesHave) {
  scenes::EditedScene scene = tank(", motion: free, density: 400, velocity: [0.1, 0]");
  scene.set("solids[0].motion", "none");
  EXPECT_FALSE(crate(scene).given);
  EXPECT_EQ(crate(scene).density, 0);
  EXPECT_EQ(idle_keys(scene), kOfFree);
  scene.set("solids[0].motion", "free");
  EXPECT_EQ(crate(scene).density, 400) << "that of the file";
  EXPECT_FALSE(scene.anything_edited());

  scene = tank("");
  scene.set("solids[0].motion", "free");
  scene.set("solids[0].angular_velocity", "[0, 0, 1]");
  scene.reset("solids[0].motion");
  EXPECT_FALSE(scene.anything_edited());
}

TEST(FreeSolidKeys, DensityAndMassTakeEachOthersPlace) {
  scenes::EditedScene scene = tank(", motion: free, density: 400");
  scene.set("solids[0].mass", "8");
  EXPECT_EQ(crate(scene).mass, 8);
  EXPECT_EQ(crate(scene).density, 0);
  scene.set("solids[0].density", "300");
  EXPECT_EQ(crate(scene).mass, 0);
  EXPECT_EQ(crate(scene).density, 300);
  EXPECT_THROW(scene.set("solids[0].density", "0"), InputError) << "one of them must be there";
}

TEST(FreeSolidKeys, AnEditThatFreesASolidInATurningTankIsStillRefusedWithTheReason) {
  std::string turning = kTank + std::string("solids:\n  - {name: crate, box: {min: [1, 0.5], max: [1.2, 0.6]}}\n");
  turning.insert(turning.find("max: [2, 1]") + 11,
                 ", motion: {rotation: {about: [1, 0], swing: {angle: 2, period: 2}}}");
  scenes::EditedScene scene(scenes::parse_source(turning, "s.yaml"));
  try {
    scene.set("solids[0].motion", "free");
    FAIL() << "a tank that turns has no free solids";
  } catch (const InputError& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("solids[0].motion: found free in a domain that turns"),
              std::string::npos)
        << refusal.what();
  }
}

TEST(FreeSolidKeys, InReducedUnitsTheDensityIsThatOfTheParticles) {
  scenes::EditedScene scene(scenes::parse_source(
      "domain: {min: [0, 0, 0], max: [8, 8, 8], axes: periodic}\nparticles: {number_density: 3}\ngravity: [0, 0, 0]\n"
      "bodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [8, 4, 8]}}\n"
      "solids:\n  - {name: post, sphere: {center: [4, 6, 4], radius: 1}}\n"
      "solver: {type: dpd}\ntime: {step: 0.01, end: 1}\n",
      "s.yaml"));
  scene.set("solids[0].motion", "free");
  EXPECT_NEAR(scene.scene().simulation.solid_regions[0].free.density, 3, 1e-5);
}

}  // namespace
}  // namespace riffle
