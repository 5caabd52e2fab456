/// Solids from mesh files, as scenes write them.

#include "scenes/document/edited_scene.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"
#include "tests/sim/meshes/example_meshes.h"
#include "tests/support/scratch.h"

namespace riffle::test {
namespace {

const char* const kTank =
    "domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.05}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}\n";

struct MeshScenes : ::testing::Test {
  Scratch folder;
  MeshScenes() {
    std::filesystem::create_directory(folder / "meshes");
    write_text(folder / "meshes/ball.obj", obj_text(ball_mesh({}, 1, 32)));
  }
  scenes::Scene scene(const std::string& solids) const {
    return scenes::parse_scene(std::string(kTank) + "solids:\n" + solids, folder / "s.yaml");
  }
};

TEST_F(MeshScenes, AMeshIsReadFromTheScenesFolderAndPlaced) {
  const scenes::Scene found = scene(
      "  - name: shell\n    color: '#ff8000'\n"
      "    mesh: {file: meshes/ball.obj, scale: [0.3, 0.2, 0.3], rotation: [0, 0, 90], at: [1.2, 0.5, 0.5]}\n"
      "    without: [{box: {min: [1.2, 0.5, 0], max: [2, 1, 1]}}]\n");
  const SolidRegion& solid = found.simulation.solid_regions.at(0);
  EXPECT_EQ(solid.shape, Shape::Mesh);
  ASSERT_NE(solid.surface, nullptr);
  EXPECT_EQ(solid.placement, (MeshPlacement{{0.3f, 0.2f, 0.3f}, {0, 0, 90}, {1.2f, 0.5f, 0.5f}}));
  const Bounds bounds = bounds_of(solid);
  EXPECT_NEAR(bounds.max.x - bounds.min.x, 0.4, 1e-3) << "what was along y";
  EXPECT_NEAR(bounds.max.y - bounds.min.y, 0.6, 1e-3);
  EXPECT_TRUE(contains(solid, {1.1f, 0.6f, 0.5f}, 3));
  EXPECT_FALSE(contains(solid, {1.3f, 0.6f, 0.5f}, 3)) << "left out";
  ASSERT_EQ(found.inputs.size(), 1u);
  EXPECT_TRUE(riffle::contains(found.inputs[0], "meshes/ball.obj"));
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(MeshScenes, OneScaleIsThatOfAllAxesAndTheRestHasDefaults) {
  const SolidRegion solid =
      scene("  - mesh: {file: meshes/ball.obj, scale: 0.2, at: [1, 0.5, 0.5]}\n").simulation.solid_regions[0];
  EXPECT_EQ(solid.placement, (MeshPlacement{{0.2f, 0.2f, 0.2f}, {}, {1, 0.5f, 0.5f}}));
}

TEST_F(MeshScenes, AWrittenSceneIsTheSameScene) {
  for (const char* mesh :
       {"{file: meshes/ball.obj, scale: 0.2, at: [1, 0.5, 0.5]}",
        "{file: meshes/ball.obj, scale: [0.2, 0.3, 0.2], rotation: [10, -20, 30], at: [1, 0.5, 0.5]}"}) {
    const scenes::Scene before = scene(std::string("  - mesh: ") + mesh + "\n");
    const std::string text = scenes::to_yaml(scenes::document_of(before), "a test");
    expect_same_scene(before, scenes::parse_scene(text, folder / "s.yaml"));
  }
}

TEST_F(MeshScenes, AnInletFlowsOutOfAFlatPart) {
  write_text(folder / "meshes/box.obj", obj_text(box_mesh({-50, 0, -50}, {50, 100, 50})));
  const auto with = [&](const std::string& mesh, const std::string& rest = "speed: 1") {
    return std::string(kTank) + "inlets:\n  - {mesh: {file: meshes/box.obj, scale: 0.002, at: [1.2, 0.7, 0.5]" + mesh +
           "}, " + rest + "}\n";
  };
  const std::string file = folder / "s.yaml";
  const scenes::Scene found = scenes::parse_scene(with(", normal: [0, -1, 0]"), file);
  const InletSetup& inlet = found.simulation.inlets.at(0);
  ASSERT_NE(inlet.mesh.region, nullptr);
  EXPECT_NEAR(inlet.mesh.region->area, 0.04, 1e-6);
  EXPECT_NEAR(inlet.mesh.region->middle[1], 0.7, 1e-6);
  ASSERT_EQ(found.inputs.size(), 1u);
  expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(found), "a test"), file), found);
  const scenes::Scene nearest = scenes::parse_scene(with(", near: [1, 0.8, 0.5]"), file);
  EXPECT_NEAR(nearest.simulation.inlets.at(0).mesh.region->normal[0], -1, 1e-6);
  expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(nearest), "a test"), file), nearest);
  const std::pair<std::string, const char*> cases[] = {
      {with(""), "inlets[0].mesh: found neither normal nor near, by which the mouth is found"},
      {with(", normal: [0, 0, 0]"), "inlets[0].mesh.normal: found [0, 0, 0]; allowed: a vector of any length above 0"},
      {with(", normal: [1, 1, 0]"),
       "inlets[0].mesh: found no planar region with the normal [1, 1, 0]; there are: 0.04 m^2"},
      {with(", near: [1.2, 0.8, 0.5]"), "inlets[0].mesh: found 6 planar regions that are equally near"},
      {with(", normal: [0, -1, 0]", "direction: [1, 0, 0], speed: 1"),
       "inlets[0].direction: found beside `mesh`, from which fluid goes straight; allowed: none"},
      {with(", normal: [0, -1, 0]", "speed: 0"), "inlets[0].speed"},
      {with(", normal: [0, 1, 0]"),
       "inlets[0]: its nozzle, 0.2 m long from its mouth, is in a wall of the domain (y from 0 to 1 m)"},
      {std::string(kTank) + "inlets:\n  - {mesh: {file: meshes/none.obj, normal: [0, -1, 0]}, speed: 1}\n",
       "inlets[0].mesh.file: "},
  };
  for (const auto& [text, expected] : cases) {
    const auto said = [&]() -> std::string {
      try {
        scenes::parse_scene(text, file);
      } catch (const InputError& error) {
        return error.what();
      }
      return "";
    }();
    EXPECT_TRUE(riffle::contains(said, expected)) << expected << "\n" << said;
  }
  // A scene saved elsewhere finds the mesh.
  write_text(file, with(", normal: [0, -1, 0]"));
  scenes::EditedScene edited(scenes::load_source(file));
  EXPECT_THROW(edited.copy_entry("inlets[0]"), InputError);
  std::filesystem::create_directory(folder / "other");
  edited.save(folder / "other/t.yaml");
  EXPECT_NE(scenes::load_scene(folder / "other/t.yaml").simulation.inlets.at(0).mesh.region, nullptr);
}

TEST_F(MeshScenes, ASceneSavedElsewhereFindsItsMesh) {
  const std::string file = folder / "s.yaml";
  write_text(file, std::string(kTank) + "solids:\n  - mesh: {file: meshes/ball.obj, scale: 0.2, at: [1, 0.5, 0.5]}\n");
  scenes::EditedScene edited(scenes::load_source(file));
  std::filesystem::create_directory(folder / "elsewhere");
  edited.save(folder / "elsewhere/t.yaml");
  EXPECT_NE(scenes::load_scene(folder / "elsewhere/t.yaml").simulation.solid_regions.at(0).surface, nullptr);
}

TEST_F(MeshScenes, ACopyStandsBesideIt) {
  scenes::EditedScene edited(scenes::parse_source(
      std::string(kTank) + "solids:\n  - mesh: {file: meshes/ball.obj, scale: 0.15, at: [0.8, 0.5, 0.5]}\n",
      folder / "s.yaml"));
  edited.copy_entry("solids[0]");
  const auto& solids = edited.scene().simulation.solid_regions;
  ASSERT_EQ(solids.size(), 2u);
  EXPECT_EQ(solids[1].file, solids[0].file);
  EXPECT_GT(length2(solids[1].placement.at - solids[0].placement.at), 0.3f * 0.3f * 0.9f);
  const Vec3 moved = bounds_of(solids[1]).min - bounds_of(solids[0]).min;
  EXPECT_LT(length2(moved - (solids[1].placement.at - solids[0].placement.at)), 1e-8f);
}

TEST_F(MeshScenes, AFileBecomesASolidOfTheSceneAndIsTakenBack) {
  write_text(folder / "millimetres.obj", obj_text(ball_mesh({5, 0, 0}, 150, 32)));
  write_text(folder / "s.yaml", kTank);
  scenes::EditedScene edited(scenes::load_source(folder / "s.yaml"));
  edited.add_mesh(folder / "millimetres.obj");
  edited.add_mesh(folder / "millimetres.obj");
  const auto& solids = edited.scene().simulation.solid_regions;
  ASSERT_EQ(solids.size(), 2u);
  EXPECT_EQ(solids[0].name, "millimetres");
  EXPECT_EQ(solids[1].name, "millimetres 2");
  EXPECT_EQ(solids[0].placement.scale, (Vec3{0.001f, 0.001f, 0.001f})) << "0.3 m across";
  for (const SolidRegion& solid : solids) {
    const Bounds bounds = bounds_of(solid);
    EXPECT_TRUE(bounds.min.x > 0 && bounds.min.y > -1e-3f && bounds.min.z > -1e-3f && bounds.max.x < 2.001f &&
                bounds.max.y < 1.001f && bounds.max.z < 1.001f);
  }
  std::filesystem::create_directory(folder / "elsewhere");
  edited.save(folder / "elsewhere/t.yaml");
  EXPECT_EQ(scenes::load_scene(folder / "elsewhere/t.yaml").simulation.solid_regions.size(), 2u);
  edited.undo();
  EXPECT_EQ(edited.scene().simulation.solid_regions.size(), 1u);
  edited.undo();
  EXPECT_TRUE(edited.scene().simulation.solid_regions.empty());
  const auto refusal = [&](const std::string& name, const std::string& text) -> std::string {
    try {
      edited.add_mesh(write_text(folder / name, text).string());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(riffle::contains(refusal("bad.stl", "nonsense"), "bad.stl: "));
  EXPECT_TRUE(
      riffle::contains(refusal("sliver.obj", "v 0 0 0\nv 1 0 0\nv 1 1e-7 0\nf 1 2 3\n"),
                       "sliver.obj: none of its 1 triangles has an area where corners nearer than a millionth"));
  EXPECT_TRUE(edited.scene().simulation.solid_regions.empty());
}

TEST_F(MeshScenes, AFileIsScaledOnlyByWhatIsNeededToFit) {
  const auto scene_of = [&](const std::string& domain, const std::string& spacing) {
    return scenes::EditedScene(scenes::load_source(
        write_text(folder / "t.yaml", "domain: {min: [0, 0, 0], max: " + domain + "}\nparticles: {spacing: " + spacing +
                                          "}\nbodies: [{box: {min: [0, 0, 0], max: [0.3, 0.1, 0.3]}}]\n")
            .string()));
  };
  const auto box = [&](Vec3 size) {
    return write_text(folder / "box.obj", obj_text(box_mesh({0, 0, 0}, size))).string();
  };
  const scenes::EditedScene tank = scene_of("[1, 0.6, 0.4]", "0.02");
  const auto fit = [&](const scenes::EditedScene& scene, Vec3 size) {
    return scenes::mesh_fit(box(size), scene.scene());
  };
  const scenes::MeshFit bowl = fit(tank, {0.34f, 0.17f, 0.34f});
  EXPECT_EQ(bowl.scale, 1) << "it fits, although it takes more than four fifths of the depth";
  EXPECT_EQ(bowl.why, "");
  EXPECT_NEAR(bowl.extent.y, 0.17f, 1e-6f);
  EXPECT_EQ(fit(tank, {1, 0.6f, 0.4f}).scale, 1) << "as large as the domain";
  const scenes::MeshFit wide = fit(tank, {0.6f, 0.3f, 0.6f});
  EXPECT_FLOAT_EQ(wide.scale, 0.66f) << "0.4 / 0.6, rounded down";
  EXPECT_EQ(wide.why, "0.6 x 0.3 x 0.6 m does not fit the domain of 1 x 0.6 x 0.4 m");
  const scenes::MeshFit millimetres = fit(tank, {340, 170, 340});
  EXPECT_FLOAT_EQ(millimetres.scale, 0.001f);
  EXPECT_TRUE(riffle::contains(millimetres.why, "so the file is taken to be in millimetres")) << millimetres.why;
  EXPECT_FLOAT_EQ(fit(tank, {34, 17, 34}).scale, 0.01f) << "centimetres";
  EXPECT_FLOAT_EQ(fit(tank, {6, 3, 6}).scale, 0.066f) << "0.06 m in centimetres would be three spacings long";
  EXPECT_EQ(fit(tank, {0.03f, 0.03f, 0.03f}).scale, 1) << "it is larger than a spacing";
  const scenes::MeshFit tiny = fit(tank, {0.003f, 0.002f, 0.001f});
  EXPECT_FLOAT_EQ(tiny.scale, 10);
  EXPECT_EQ(tiny.why, "0.003 x 0.002 x 0.001 m is smaller than the particle spacing of 0.02 m");
  const scenes::EditedScene channel = scene_of("[1, 0.6, 0.4], axes: [walled, walled, periodic]", "0.02");
  EXPECT_LT(fit(channel, {0.4f, 0.1f, 0.4f}).scale, 1) << "a mesh cannot go on through a periodic face";
}

TEST_F(MeshScenes, AFileIsAddedWithAScaleThatIsGiven) {
  scenes::EditedScene tank(scenes::load_source(write_text(folder / "s.yaml", kTank).string()));  // 2 x 1 x 1 m
  const auto file = write_text(folder / "box.obj", obj_text(box_mesh({0, 0, 0}, {3, 1, 1}))).string();
  const auto refusal = [&](float scale) -> std::string {
    try {
      tank.add_mesh(file, scale);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(riffle::contains(
      refusal(0.8f),
      "box.obj: is 2.4 x 0.8 x 0.8 m with the scale 0.8, which does not fit the domain of 2 x 1 x 1 m; "
      "allowed: a scale up to 0.66"));
  EXPECT_TRUE(riffle::contains(refusal(0), "found the scale 0; allowed: a number above 0"));
  EXPECT_TRUE(riffle::contains(refusal(NAN), "allowed: a number above 0"));
  EXPECT_EQ(refusal(0.25f), "");
  EXPECT_EQ(tank.scene().simulation.solid_regions.at(0).placement.scale, (Vec3{0.25f, 0.25f, 0.25f}));
}

TEST_F(MeshScenes, BodiesAndHolesAreNoMeshes) {
  const std::string mesh = "mesh: {file: meshes/ball.obj}";
  EXPECT_TRUE(riffle::contains(complaint(std::string(kTank) + "  - " + mesh + "\n"), "bodies[1].mesh: unknown key"));
  EXPECT_TRUE(riffle::contains(
      complaint(std::string(kTank) + "solids:\n  - box: {min: [1, 0, 0], max: [1.5, 1, 1]}\n    without: [{" + mesh +
                "}]\n"),
      "solids[0].without[0].mesh: unknown key"));
}

}  // namespace
}  // namespace riffle::test
