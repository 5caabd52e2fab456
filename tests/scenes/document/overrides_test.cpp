#include "tests/scenes/scene_text.h"

namespace riffle {

// The report of a run lists fluids[0] also where the scene leaves its only fluid out.
TEST(Overrides, TheFirstEntryOfAListThatIsNotThereIsMade) {
  const std::string scene =
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
      "bodies: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\n";
  const auto fluids = scenes::parse_scene(scene, "s.yaml", {"fluids[0].rest_density=800"}).simulation.fluids;
  ASSERT_EQ(fluids.size(), 1u);
  EXPECT_EQ(fluids[0].rest_density, 800);
  EXPECT_TRUE(contains(complaint(scene, {"fluids[1].rest_density=800"}), "fluids")) << "only the first";
  EXPECT_TRUE(contains(complaint(scene, {"probes[0].name=a"}), "probes[0]"));
}

TEST(Overrides, ReplaceAndAddValues) {
  const scenes::Scene scene =
      scenes::parse_scene(kGoodScene, "s.yaml",
                          {"particles.spacing=0.05", "time.end=7", "bodies[0].velocity=[1, 2, 3]",
                           "bodies.0.jitter=0.25", "domain.max[1]=2", "particles.spacing=0.25"});
  EXPECT_FLOAT_EQ(scene.simulation.spacing, 0.25f) << "the later one wins";
  EXPECT_DOUBLE_EQ(scene.run.end_time, 7);
  EXPECT_EQ(scene.simulation.bodies[0].velocity, (Vec3{1, 2, 3}));
  EXPECT_FLOAT_EQ(scene.simulation.bodies[0].jitter, 0.25f);
  EXPECT_FLOAT_EQ(scene.simulation.domain.max.y, 2);
}

TEST(Overrides, UnknownKeyIsRefusedLikeInTheFile) {
  EXPECT_TRUE(
      contains(complaint(kGoodScene, {"time.ent=3"}), "--set time.ent: unknown key 'ent'; did you mean 'end'?"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"timer.end=3"}), "unknown key 'timer'; did you mean 'time'?"));
}

TEST(Overrides, WrongValueIsRefusedAtTheOverride) {
  EXPECT_EQ(complaint(kGoodScene, {"particles.spacing=-1"}),
            "--set particles.spacing: found '-1', allowed: a number above 0 in m");
  EXPECT_TRUE(contains(complaint(kGoodScene, {"particles.spacing="}), "found nothing"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"bodies[0].velocity=[1,0"}), "is not a YAML value"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"bodies[0].box.min=[0.9,0.9,0.9]"}), "--set bodies[0].box.min"));
}

// YAML takes what follows # for a comment.
TEST(Overrides, AColourNeedsNoQuotes) {
  const std::string fluids = good_scene_with("fluids: [{name: water}]\n");
  const scenes::Scene scene = scenes::parse_scene(fluids, "s.yaml", {"fluids[0].color= #ff0000 "});
  EXPECT_EQ(scene.simulation.fluids[0].color, (Vec3{1, 0, 0}));
  EXPECT_TRUE(
      contains(complaint(fluids, {"fluids[0].color=#f00"}),
               "--set fluids[0].color: found '#f00', which is a comment in YAML, where # begins one; a text stands "
               "in quotes: \"#f00\", a colour has six digits: #rrggbb"));
  EXPECT_TRUE(contains(complaint(good_scene_with("fluids:\n  - name: water\n    color: #ff0000\n")),
                       "fluids[0].color: found nothing (YAML takes what follows # for a comment; a colour stands in "
                       "quotes), allowed"));
}

TEST(Overrides, WhatIsNoAssignmentIsRefused) {
  EXPECT_TRUE(contains(complaint(kGoodScene, {"particles.spacing"}), "has no '='"));
  for (const char* path : {"=3", ".a=3", "a..b=3", "a[=3", "a[x]=3", "a.=3"})
    EXPECT_TRUE(contains(complaint(kGoodScene, {path}), "is not a key path")) << path;
}

TEST(Overrides, IndexBeyondAListIsRefused) {
  EXPECT_TRUE(contains(complaint(kGoodScene, {"bodies[1].jitter=0"}),
                       "found '1' as an index into the list bodies; allowed: 0 to 0"));
  EXPECT_TRUE(contains(complaint(kGoodScene, {"bodies.water.jitter=0"}), "found 'water' as an index"));
}

TEST(Overrides, MayMendAMistakeOfTheFile) { EXPECT_EQ(complaint(spoiled("0.1", "-1"), {"particles.spacing=0.1"}), ""); }

TEST(Overrides, CameraKeyReplacesTheAutomaticCamera) {
  const std::string text = good_scene_with("picture: {camera: auto}\n");
  const scenes::Scene scene =
      scenes::parse_scene(text, "s.yaml", {"picture.camera.position=[0,0,5]", "picture.camera.target=[0,0,0]"});
  EXPECT_TRUE(scene.picture.camera_given);
  EXPECT_TRUE(contains(complaint(text, {"picture.camera.fov=20"}), "picture.camera.position: is missing"));
}

}  // namespace riffle
