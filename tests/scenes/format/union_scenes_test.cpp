/// Planes and unions as scenes write them: bodies, solids and outlets.

#include "scenes/document/edited_scene.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "sim/start/sampling.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

const char* const kUnionFrame =
    "domain: {min: [0, 0, 0], max: [2, 1, 1]}\n"
    "particles: {spacing: 0.05}\n";

std::string filled(const std::string& body) { return std::string(kUnionFrame) + "bodies:\n  - " + body; }

/// Beside a column of water.
std::string with_solid(const std::string& solid, const std::string& frame = kUnionFrame) {
  return frame + "bodies:\n  - box: {min: [0, 0, 0], max: [0.4, 0.8, 1]}\nsolids:\n  - " + solid;
}

scenes::Scene read(const std::string& text) { return scenes::parse_scene(text, "s.yaml"); }

const char* const kUpright = "plane: {point: [1, 0.4, 0.5], normal: [0, 1, 0]}";

}  // namespace

TEST(PlaneScenes, APlaneIsReadAndCutAtTheDomain) {
  const BodySetup body = read(filled("plane: {point: [1, 0.4, 0.5], normal: [0, 3, 0]}\n")).simulation.bodies[0];
  EXPECT_EQ(body.shape, Shape::Plane);
  EXPECT_EQ(body.point, (Vec3{1, 0.4f, 0.5f}));
  EXPECT_EQ(body.normal, (Vec3{0, 3, 0})) << "as it is written";
  EXPECT_EQ(body.max, (Vec3{2, 1, 1}));
  EXPECT_EQ(warnings_of(filled("plane: {point: [1, 0.4, 0.5], normal: [0, 3, 0]}\n")), "");
  EXPECT_EQ(count_particles(read(filled("plane: {point: [1, 0.4, 0.5], normal: [0, 3, 0]}\n")).simulation),
            count_particles(read(filled("fill: {level: 0.4}\n")).simulation));
  const std::string flat =
      "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\nbodies:\n  - ";
  EXPECT_EQ(count_particles(read(flat + "plane: {point: [1, 0.5], normal: [0.01, 1]}\n").simulation), 400);
  EXPECT_EQ(count_particles(read(flat + "plane: {point: [1, 0.5, 7], normal: [0.01, 1, 3]}\n").simulation), 400)
      << "a third component does not matter in 2-D";
}

TEST(PlaneScenes, ASolidPlaneIsASlopeThatWaterGoesRound) {
  const std::string text = with_solid("plane: {point: [1, 0.3, 0.5], normal: [-1, 2, 0]}\n    name: slope\n");
  EXPECT_EQ(warnings_of(text), "");
  EXPECT_EQ(read(text).simulation.solid_regions[0].shape, Shape::Plane);
  EXPECT_EQ(warnings_of(with_solid("box: {min: [1, 0, 0], max: [2, 0.6, 1]}\n    without: "
                                   "[{plane: {point: [1.5, 0.3, 0.5], normal: [1, -1, 0]}}]\n")),
            "")
      << "a box cut by a plane";
}

TEST(PlaneScenes, PlanesThatDoNotCrossTheDomainAreRefused) {
  const auto body = [](const std::string& keys) { return complaint(filled("plane: {" + keys + "}\n")); };
  EXPECT_TRUE(
      contains(body("point: [1, 0.4, 0.5], normal: [0, 0, 0]"),
               "bodies[0].plane: found the normal [0, 0, 0], which points nowhere; allowed: any length above 0"));
  EXPECT_TRUE(contains(body("point: [1, 0.4, 0.5], normal: [0, .nan, 0]"), "bodies[0].plane.normal"));
  EXPECT_TRUE(contains(body("point: [1, .inf, 0.5], normal: [0, 1, 0]"), "bodies[0].plane.point"));
  EXPECT_TRUE(contains(body("point: [1, 0.4, 0.5]"), "normal"));
  EXPECT_TRUE(contains(body("point: [1, -0.2, 0.5], normal: [0, 2, 0]"),
                       "bodies[0].plane: has nothing of the domain behind it: along its normal the plane is at -0.2 m, "
                       "and the domain goes from 0 to 1 m; allowed: a `point` in between"));
  EXPECT_TRUE(contains(body("point: [1, 1.5, 0.5], normal: [0, 2, 0]"),
                       "bodies[0].plane: has all of the domain behind it: along its normal the plane is at 1.5 m"));
  EXPECT_EQ(body("point: [1, 1, 0.5], normal: [0, 2, 0]"), "") << "a full tank";
  EXPECT_TRUE(contains(complaint(with_solid("plane: {point: [1, 1, 0.5], normal: [0, 1, 0]}\n")),
                       "solids[0].plane: has all of the domain behind it"));
  EXPECT_TRUE(contains(complaint(with_solid("plane: {point: [1, 0, 0.5], normal: [0, 1, 0]}\n")),
                       "solids[0].plane: has nothing of the domain behind it"));
  EXPECT_TRUE(contains(complaint(with_solid("box: {min: [1, 0, 0], max: [2, 0.6, 1]}\n    with: "
                                            "[{plane: {point: [1, 5, 0.5], normal: [0, 1, 0]}}]\n")),
                       "solids[0].with[0].plane: has all of the domain behind it"));
  EXPECT_TRUE(contains(warnings_of(with_solid("box: {min: [1, 0, 0], max: [2, 0.6, 1]}\n    without: "
                                              "[{plane: {point: [1, -5, 0.5], normal: [0, 1, 0]}}]\n")),
                       "solids[0].without[0]: has no effect: it lies outside the solid"));
}

TEST(PlaneScenes, PlanesStandStill) {
  EXPECT_TRUE(
      contains(complaint(with_solid(std::string(kUpright) + "\n    motion: free\n    density: 500\n")),
               "solids[0].motion: found free, and the solid has a plane. A plane cannot move, since it has no end "
               "and no mass; allowed: `none`, or a solid of another shape, for example a box"));
  EXPECT_TRUE(
      contains(complaint(with_solid(std::string(kUpright) + "\n    motion: {velocity: [0, 0.1, 0]}\n")),
               "solids[0].motion: moves a plane. A plane cannot move, since it has no end; allowed: `none`, or a "
               "solid of another shape, for example a box"));
  EXPECT_TRUE(contains(complaint(with_solid("box: {min: [1, 0.5, 0], max: [1.5, 0.9, 1]}\n    with: [{" +
                                            std::string(kUpright) + "}]\n    motion: free\n    density: 500\n")),
                       "solids[0].motion: found free, and the solid has a plane"));
}

// Its box is that of the domain's corner that lies behind it, here beyond a wall.
TEST(PlaneScenes, ASlopingOutletBelowAnOpenDomainIsNoneOutside) {
  const std::string open =
      "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: [walled, open, walled]}\nparticles: {spacing: 0.05}\n"
      "bodies:\n  - box: {min: [0, 0, 0], max: [0.4, 0.8, 1]}\noutlets:\n  - ";
  EXPECT_EQ(complaint(open + "plane: {point: [0, -0.5, 0], normal: [0.2, 1, 0]}\n"), "");
  EXPECT_TRUE(contains(complaint(open + "box: {min: [-0.5, 0, 0], max: [-0.1, 1, 1]}\n"),
                       "outlets[0]: lies wholly outside the domain, where no particle comes"));
}

TEST(PlaneScenes, ASlopeHasNoStepAtPeriodicFaces) {
  const std::string frame =
      "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: [periodic, walled, periodic]}\nparticles: {spacing: 0.05}\n";
  EXPECT_TRUE(contains(complaint(with_solid("plane: {point: [1, 0.3, 0.5], normal: [-1, 2, 0]}\n", frame)),
                       "solids[0].plane.normal: found -1 along the periodic axis x, where the plane would have a step "
                       "at the domain's faces; allowed: 0"));
  EXPECT_EQ(complaint(with_solid("plane: {point: [1, 0.3, 0.5], normal: [0, 2, 0]}\n", frame)), "");
  EXPECT_TRUE(contains(complaint(with_solid("box: {min: [0, 0, 0], max: [2, 0.3, 1]}\n    without: [{plane: {point: "
                                            "[1, 0.1, 0.5], normal: [1, -2, 0]}}]\n",
                                            frame)),
                       "solids[0].without[0].plane.normal: found 1 along the periodic axis x"));
}

TEST(UnionScenes, FurtherShapesAreRead) {
  const std::string text = filled(
      "box: {min: [0, 0, 0], max: [1, 0.5, 1]}\n"
      "    with:\n"
      "      - sphere: {center: [1, 0.5, 0.5], radius: 0.3}\n"
      "      - plane: {point: [0, 0.1, 0], normal: [0, 1, 0]}\n"
      "    without: [{cylinder: {from: [0.5, 0, 0.5], to: [0.5, 1, 0.5], radius: 0.1}}]\n");
  const BodySetup body = read(text).simulation.bodies[0];
  ASSERT_EQ(body.with.size(), 2u);
  EXPECT_EQ(body.shape, Shape::Box);
  EXPECT_EQ(body.with[0].shape, Shape::Sphere);
  EXPECT_EQ(body.with[0].radius, 0.3f);
  EXPECT_EQ(body.with[1].shape, Shape::Plane);
  EXPECT_EQ(body.without.size(), 1u);
  EXPECT_EQ(warnings_of(text), "");
  const std::string solid = with_solid(
      "name: bolt\n    box: {min: [1, 0, 0.2], max: [1.6, 0.2, 0.8]}\n"
      "    with: [{cylinder: {from: [1.3, 0.1, 0.5], to: [1.3, 0.7, 0.5], radius: 0.15}}]\n"
      "    motion: free\n    density: 700\n");
  EXPECT_EQ(warnings_of(solid), "");
  EXPECT_EQ(read(solid).simulation.solid_regions.size(), 1u) << "one solid";
}

TEST(UnionScenes, BadUnionsAreRefusedWithTheirPlace) {
  const std::string box = "box: {min: [1, 0, 0], max: [1.6, 0.2, 1]}\n    with: ";
  EXPECT_TRUE(contains(complaint(with_solid(box + "[]\n")), "solids[0].with: found"));
  EXPECT_TRUE(contains(complaint(with_solid(box + "[{}]\n")), "solids[0].with[0]: is incomplete; it needs box or"));
  EXPECT_TRUE(contains(complaint(with_solid(box + "[{sphere: {center: [1, 0.2, 0.5], radius: 0.2}, with: [{box: {min: "
                                                  "[1, 0, 0], max: [2, 1, 1]}}]}]\n")),
                       "solids[0].with[0].with: unknown key 'with'"));
  EXPECT_TRUE(contains(complaint(with_solid(box + "[{box: {min: [1, 0, 0], max: [1, 1, 1]}}]\n")),
                       "solids[0].with[0].box: every component of max must be above that of min"));
  EXPECT_TRUE(
      contains(complaint(with_solid(box + "[{mesh: {file: a.stl}}]\n")), "solids[0].with[0].mesh: unknown key"));
  EXPECT_TRUE(contains(complaint(with_solid("box: {min: [1, 0, 0], max: [1.6, 0.2, 1]}\n    union: []\n")), "'with'"));
  EXPECT_TRUE(contains(complaint(with_solid("half_space: {}\n")), "'plane'"));
  EXPECT_TRUE(
      contains(warnings_of(with_solid("box: {min: [1, 0, 0], max: [1.6, 0.2, 1]}\n    with: [{box: {min: [1.25, "
                                      "0.1, 0], max: [1.3125, 0.8, 1]}}]\n")),
               "solids[0].with[0]: is 0.0625 m thick along x, less than two particle spacings"));
  EXPECT_TRUE(
      contains(complaint(with_solid("box: {min: [1, 0.3, 0.2], max: [1.04, 0.5, 0.7]}\n    with: [{box: {min: "
                                    "[1.02, 0.3, 0.2], max: [1.06, 0.5, 0.7]}}]\n")),
               "solids[0]: has no shape that is thick enough: the thickest is 0.04 m thick along x; allowed: at "
               "least one particle spacing (0.05 m)"));
}

TEST(UnionScenes, CrossPeriodicFacesAsOneOrGoOnThroughBoth) {
  const std::string frame =
      "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: [periodic, walled, walled]}\nparticles: {spacing: 0.05}\n";
  const std::string rod = "box: {min: [0, 0.8, 0.4], max: [2, 0.95, 0.6]}\n    with: [{sphere: {center: [";
  EXPECT_EQ(complaint(with_solid(rod + "1, 0.8, 0.5], radius: 0.15}}]\n", frame)), "") << "beads on a rod";
  EXPECT_TRUE(contains(complaint(with_solid(rod + "2, 0.8, 0.5], radius: 0.15}}]\n", frame)),
                       "solids[0].with[0]: sticks out through one face of the periodic axis x"));
  EXPECT_EQ(complaint(with_solid("sphere: {center: [1.9, 0.8, 0.5], radius: 0.12}\n    with: [{sphere: {center: [2.05, "
                                 "0.8, 0.5], radius: 0.12}}]\n",
                                 frame)),
            "");
  EXPECT_TRUE(
      contains(complaint(with_solid("box: {min: [-0.3, 0.8, 0.4], max: [1.2, 0.95, 0.6]}\n    with: [{box: {min: "
                                    "[1, 0.8, 0.4], max: [2.4, 0.95, 0.6]}}]\n",
                                    frame)),
               "solids[0]: is longer than the periodic axis x, and none of its shapes goes on through both faces"));
}

TEST(UnionScenes, AreWrittenAsTheyAreRead) {
  const std::string text =
      "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: [walled, walled, open]}\nparticles: {spacing: 0.05}\n"
      "bodies:\n  - plane: {point: [0, 0.2, 0], normal: [0.1, 2, 0]}\n"
      "    with: [{capsule: {from: [0.5, 0.3, 0.5], to: [0.8, 0.4, 0.5], radius: 0.1}}]\n"
      "    without: [{plane: {point: [0.1, 0, 0], normal: [1, 0, 0]}}]\n"
      "solids:\n  - polygon: {corners: [[1, 0], [1.5, 0], [1.5, 0.5]], from: 0.2, to: 0.8}\n"
      "    with: [{box: {min: [1.5, 0, 0.2], max: [1.8, 0.5, 0.8]}}, {plane: {point: [0, 0.1, 0], normal: [0, 1, "
      "0]}}]\n"
      "outlets:\n  - plane: {point: [0, 0, -0.2], normal: [0, 0, 1]}\n"
      "    with: [{sphere: {center: [1, 0.5, 1.1], radius: 0.1}}]\n";
  const scenes::Scene scene = read(text);
  ASSERT_EQ(scene.simulation.outlets[0].with.size(), 1u);
  const std::string written = scenes::to_yaml(scenes::document_of(scene), "a test");
  SCOPED_TRACE(written);
  expect_same_scene(scenes::parse_scene(written, scene.path), scene);
}

TEST(UnionScenes, TheirNumbersAreEditedAndUndone) {
  scenes::EditedScene scene(scenes::parse_source(
      with_solid("name: bolt\n    box: {min: [1, 0, 0.2], max: [1.6, 0.2, 0.8]}\n"
                 "    with: [{cylinder: {from: [1.3, 0.1, 0.5], to: [1.3, 0.7, 0.5], radius: 0.15}}]\n"),
      "s.yaml"));
  const std::string before = scene.to_yaml();
  scene.set("solids[0].with[0].cylinder.radius", "0.2");
  EXPECT_EQ(scene.scene().simulation.solid_regions[0].with[0].radius, 0.2f);
  scene.undo();
  EXPECT_EQ(scene.to_yaml(), before);
  scene.copy_entry("solids[0]");
  const std::vector<SolidRegion>& solids = scene.scene().simulation.solid_regions;
  ASSERT_EQ(solids.size(), 2u);
  const Vec3 by = solids[1].min - solids[0].min;
  EXPECT_GT(length2(by), 0.01f);
  EXPECT_LT(length2(solids[1].with[0].from - solids[0].with[0].from - by), 1e-8f) << "all of it is moved";
  scene.undo();
  EXPECT_EQ(scene.to_yaml(), before);
}

TEST(PlaneScenes, AreAddedAsALevelAndAFloor) {
  for (const char* list : {"bodies", "solids", "outlets"}) {
    SCOPED_TRACE(list);
    scenes::EditedScene scene(scenes::parse_source(
        std::string(kUnionFrame) + "bodies:\n  - box: {min: [1, 0.5, 0.2], max: [1.6, 0.9, 0.8]}\n", "s.yaml"));
    const std::string before = scene.to_yaml();
    scene.add_entry(list, "plane");
    EXPECT_TRUE(scene.scene().warnings.empty()) << scene.scene().warnings[0].message();
    const SimulationSetup& setup = scene.scene().simulation;
    const Region& added = list == std::string("bodies")   ? static_cast<const Region&>(setup.bodies[1])
                          : list == std::string("solids") ? static_cast<const Region&>(setup.solid_regions[0])
                                                          : static_cast<const Region&>(setup.outlets[0]);
    EXPECT_EQ(added.shape, Shape::Plane);
    EXPECT_EQ(added.normal, (Vec3{0, 1, 0}));
    EXPECT_LT(added.point.y, 0.5f);
    EXPECT_GT(added.point.y, 0);
    scene.undo();
    EXPECT_EQ(scene.to_yaml(), before);
  }
}

}  // namespace riffle
