/// What is refused about meshes, and what they are warned of.

#include "scenes/review/findings.h"
#include "tests/scenes/scene_text.h"
#include "tests/sim/meshes/example_meshes.h"
#include "tests/support/scratch.h"

namespace riffle::test {
namespace {

struct MeshReview : ::testing::Test {
  Scratch folder;
  std::string domain = "domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.05}\ngravity: [0, 0, 0]\n";

  std::string text(const std::string& mesh) const {
    return domain + "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}\nsolids:\n  - mesh: {file: " + mesh + "}\n";
  }
  /// "" if there is nothing to complain of.
  std::string complaint_of(const std::string& mesh, const std::vector<std::string>& overrides = {}) const {
    try {
      scenes::parse_scene(text(mesh), folder / "s.yaml", overrides);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string warnings_of(const std::string& mesh) const {
    std::string lines;
    for (const auto& warning : scenes::parse_scene(text(mesh), folder / "s.yaml").warnings)
      lines += warning.message() + "\n";
    return lines;
  }
  void write(const std::string& name, const IndexedMesh& mesh) const { write_text(folder / name, obj_text(mesh)); }
};

/// The same without the triangles that lie above that.
IndexedMesh open_above(IndexedMesh mesh, float height) {
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return std::min({mesh.vertices[t[0]].y, mesh.vertices[t[1]].y, mesh.vertices[t[2]].y}) > height;
  });
  return mesh;
}

TEST_F(MeshReview, AGoodMeshHasNothingToComplainOf) {
  write("ball.obj", ball_mesh({}, 0.3f));
  EXPECT_EQ(complaint_of("ball.obj, at: [1.2, 0.5, 0.5]"), "");
  EXPECT_EQ(warnings_of("ball.obj, at: [1.2, 0.5, 0.5]"), "");
}

TEST_F(MeshReview, WhatIsWrongWithAFileIsRefusedWithItsPlace) {
  EXPECT_TRUE(contains(complaint_of("none.obj"), "s.yaml:7:18: solids[0].mesh.file: "));
  EXPECT_TRUE(contains(complaint_of("none.obj"), folder / "none.obj"));
  write_text(folder / "empty.stl", "");
  EXPECT_TRUE(contains(complaint_of("empty.stl"), "solids[0].mesh.file: "));
  EXPECT_TRUE(contains(complaint_of("a.txt"), "allowed: .stl, .obj, .ply, .gltf, .glb"));
}

TEST_F(MeshReview, TwoDimensionsHaveNoMeshes) {
  write("ball.obj", ball_mesh({}, 0.3f));
  EXPECT_TRUE(contains(complaint_of("ball.obj, at: [1, 0.5, 0.5]", {"dimension=2"}),
                       "solids[0].mesh: found a mesh in a 2-D scene; allowed: a polygon"));
}

TEST_F(MeshReview, SizesThatSuggestAnotherUnitAreRefusedWithIt) {
  write("ball.obj", ball_mesh({}, 0.3f));
  const std::string large = complaint_of("ball.obj, scale: 1000, at: [1, 0.5, 0.5]");
  EXPECT_TRUE(contains(large, "solids[0].mesh: is 600 x 600 x 600 m, more than 100 times as long as the domain"))
      << large;
  EXPECT_TRUE(contains(large, "a file in millimetres needs the scale 0.001")) << large;
  const std::string small = complaint_of("ball.obj, scale: 0.001, at: [1, 0.5, 0.5]");
  EXPECT_TRUE(contains(small, "smaller than the particle spacing (0.05 m)")) << small;
  EXPECT_TRUE(contains(small, "a scale 1000 times as large")) << small;
  EXPECT_TRUE(contains(complaint_of("ball.obj, scale: 1.0e20"), "solids[0].mesh.scale: puts corners beyond 1e+18"));
}

TEST_F(MeshReview, AMeshOutsideTheDomainIsRefused) {
  write("ball.obj", ball_mesh({}, 0.3f));
  EXPECT_TRUE(contains(complaint_of("ball.obj, at: [3, 0.5, 0.5]"), "solids[0]: lies wholly outside the domain"));
}

TEST_F(MeshReview, FluidInAMeshGetsAWarning) {
  write("ball.obj", ball_mesh({}, 0.3f));
  EXPECT_FALSE(contains(warnings_of("ball.obj, at: [0.5, 0.5, 0.5]"), "where solids are")) << "most of it is left";
  EXPECT_TRUE(contains(warnings_of("ball.obj, scale: 1.5, at: [0.3, 0.3, 0.5]"), "where solids are"));
}

TEST_F(MeshReview, AnOpenMeshGetsAWarningAndASheetIsRefused) {
  write("bowl.obj", open_above(ball_mesh({}, 0.3f), 0));
  const std::string bowl = warnings_of("bowl.obj, at: [1.2, 0.5, 0.5]");
  EXPECT_TRUE(contains(bowl, "solids[0].mesh.file: is open")) << bowl;
  EXPECT_TRUE(contains(bowl, "looks like a bowl is solid up to its rim")) << bowl;
  IndexedMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0.1f, 1}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  sheet.vertices[3].y = 0;
  write("sheet.obj", sheet);
  EXPECT_TRUE(contains(complaint_of("sheet.obj, scale: 0.5, at: [1, 0.5, 0.2]"), "encloses no volume"));
  // A ball that lost one of 2,208 triangles is a ball.
  IndexedMesh chipped = ball_mesh({}, 0.3f);
  chipped.triangles.erase(chipped.triangles.begin() + 700);
  write("chipped.obj", chipped);
  EXPECT_EQ(warnings_of("chipped.obj, at: [1.2, 0.5, 0.5]"), "");
}

TEST_F(MeshReview, AHeapOfTrianglesSaysNotWhatIsInside) {
  IndexedMesh heap;
  for (int k = 0; k < 60; ++k) {
    const auto at = [&](int j) {
      const auto part = [&](double step) { return static_cast<float>(std::fmod((3 * k + j + 1) * step, 1.0)); };
      return 0.6f * Vec3{part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019702)};
    };
    for (int j = 0; j < 3; ++j) heap.vertices.push_back(at(j));
    heap.triangles.push_back({static_cast<std::uint32_t>(3 * k), static_cast<std::uint32_t>(3 * k + 1),
                              static_cast<std::uint32_t>(3 * k + 2)});
  }
  write("heap.obj", heap);
  const std::string found = complaint_of("heap.obj, at: [1, 0.2, 0.2]");
  EXPECT_TRUE(contains(found, "encloses no volume") || contains(found, "does not say what is inside")) << found;
}

TEST_F(MeshReview, ThinMeshesGetAWarningAndThinnerOnesAreRefused) {
  write("plate.obj", box_mesh({0, 0, 0}, {0.08f, 0.6f, 0.6f}));
  const std::string thin = warnings_of("plate.obj, at: [1, 0.2, 0.2]");
  EXPECT_TRUE(contains(thin, "solids[0].mesh: is thinner than two particle spacings (0.1 m) over ")) << thin;
  const std::string thinner = complaint_of("plate.obj, scale: [0.5, 1, 1], at: [1, 0.2, 0.2]");
  EXPECT_TRUE(contains(thinner, "solids[0].mesh: is thinner than a particle spacing (0.05 m) over ")) << thinner;
  EXPECT_EQ(warnings_of("plate.obj, scale: [2, 1, 1], at: [1, 0.2, 0.2]"), "");
}

TEST_F(MeshReview, AMeshThroughAPeriodicFaceComesInOnTheOtherSideAndOneThroughBothIsRefused) {
  domain = "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: periodic}\nparticles: {spacing: 0.05}\ngravity: [0, 0, 0]\n";
  write("bar.obj", box_mesh({1, 0.3f, -0.1f}, {1.4f, 0.7f, 1.1f}));
  EXPECT_TRUE(contains(complaint_of("bar.obj"), "solids[0].mesh: reaches both faces of the periodic axis z"));
  write("part.obj", box_mesh({1, 0.3f, 0.5f}, {1.4f, 0.7f, 1.1f}));
  EXPECT_EQ(complaint_of("part.obj"), "");
}

TEST_F(MeshReview, AGridThatMemoryMakesCoarseGetsAWarning) {
  domain =
      "domain: {min: [0, 0, 0], max: [900, 900, 900]}\nparticles: {spacing: 0.7}\ngravity: [0, 0, 0]\n"
      "solver: {type: dpd}\n";
  write("beam.obj", box_mesh({0, 0, 0}, {1, 1, 1}));
  std::string scene = text("beam.obj, scale: [1200, 6, 6], rotation: [0, 45, 35], at: [20, 20, 870]");
  scene.replace(scene.find("max: [0.5, 0.5, 1]"), 18, "max: [5, 5, 5]");
  std::string found;
  for (const auto& warning : scenes::parse_scene(scene, folder / "s.yaml").warnings) found += warning.message() + "\n";
  EXPECT_TRUE(contains(found, "solids[0].mesh: has distances on a grid of cells ")) << found;
}

// A turned mesh has corners that miss the floor by the rounding of a cosine.
TEST(PlaceText, RoundingErrorsAreZero) {
  SimulationSetup setup;
  setup.spacing = 0.025f;
  EXPECT_EQ(scenes::place_text(setup, Vec3{0.794389f, -5.40393e-18f, 0.292484f}), "[0.794389, 0, 0.292484]");
  EXPECT_EQ(scenes::place_text(setup, Vec3{1e-5f, -1e-4f, 0}), "[1e-05, -0.0001, 0]");
}

}  // namespace
}  // namespace riffle::test
