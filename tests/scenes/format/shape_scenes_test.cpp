/// Bodies of every shape, with holes and velocity fields, as scenes write them.

#include <unistd.h>

#include <fstream>

#include "scenes/document/edited_scene.h"
#include "sim/start/sampling.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

const char* const kFrame =
    "domain: {min: [0, 0, 0], max: [2, 1, 1]}\n"
    "particles: {spacing: 0.1}\n";

std::string with_bodies(const std::string& bodies) { return std::string(kFrame) + "bodies:\n" + bodies; }

std::string flat(std::string text) {
  for (const auto& [from, to] : {std::pair("[0, 0, 0]", "[0, 0]"), std::pair("[2, 1, 1]", "[2, 1]")})
    text.replace(text.find(from), std::string(from).size(), to);
  return "dimension: 2\n" + text;
}

BodySetup body_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return scenes::parse_scene(text, "s.yaml", overrides).simulation.bodies.at(0);
}

std::string polygon_with(const std::string& keys) {
  return with_bodies("  - polygon: {corners: [[0, 0], [1, 0], [0, 1]]" + keys + "}\n");
}

}  // namespace

TEST(ShapeScenes, ACylinderIsRead) {
  const std::string text = with_bodies("  - cylinder: {from: [1, 0, 0.5], to: [1, 1, 0.5], radius: 0.3}\n");
  const BodySetup body = body_of(text);
  EXPECT_EQ(body.shape, Shape::Cylinder);
  EXPECT_EQ(body.from, (Vec3{1, 0, 0.5f}));
  EXPECT_EQ(body.to, (Vec3{1, 1, 0.5f}));
  EXPECT_EQ(body.radius, 0.3f);
  EXPECT_EQ(warnings_of(text), "");
  EXPECT_TRUE(contains(complaint(text, {"bodies[0].cylinder.to=[1, 0, 0.5]"}),
                       "bodies[0].cylinder: found one place as both ends; allowed: two"));
  EXPECT_TRUE(
      contains(complaint(text, {"bodies[0].cylinder.radius=-1"}), "found '-1', allowed: a number above 0 in m"));
}

TEST(ShapeScenes, ACapsuleIsRead) {
  const std::string text = with_bodies("  - capsule: {from: [1, 0.3, 0.5], to: [1, 0.7, 0.5], radius: 0.2}\n");
  const BodySetup body = body_of(text);
  EXPECT_EQ(body.shape, Shape::Capsule);
  EXPECT_EQ(body.from, (Vec3{1, 0.3f, 0.5f}));
  EXPECT_EQ(body.to, (Vec3{1, 0.7f, 0.5f}));
  EXPECT_EQ(body.radius, 0.2f);
  EXPECT_EQ(warnings_of(text), "");
  EXPECT_EQ(complaint(text, {"bodies[0].capsule.to=[1, 0.3, 0.5]"}), "") << "a ball";
  EXPECT_TRUE(contains(complaint(text, {"bodies[0].capsule.radius=0"}), "found '0', allowed: a number above 0 in m"));
  EXPECT_TRUE(
      contains(complaint(with_bodies("  - pill: {from: [1, 0, 0.5], to: [1, 1, 0.5], radius: 0.3}\n")), "'capsule'"));
}

TEST(ShapeScenes, APolygonIsRead) {
  const BodySetup body = body_of(polygon_with(", axis: y, from: 0.2"));
  EXPECT_EQ(body.shape, Shape::Polygon);
  EXPECT_EQ(body.corners, (std::vector<std::array<float, 2>>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(body.axis, 1);
  EXPECT_EQ(body.low, 0.2f);
  EXPECT_EQ(body.high, 1) << "the domain's upper face";
  EXPECT_EQ(body_of(polygon_with("")).axis, 2);
  EXPECT_EQ(body_of(flat(polygon_with(""))).axis, 2);
  EXPECT_EQ(count_particles(scenes::parse_scene(flat(polygon_with("")), "s.yaml").simulation), 55)
      << "sites on the diagonal are in it";
}

TEST(ShapeScenes, BadPolygonsAreRefusedWithTheirPlace) {
  EXPECT_TRUE(
      contains(complaint(polygon_with(""), {"bodies[0].polygon.corners=[[0, 0], [1, 1], [1, 0], [0, 1]]"}),
               "bodies[0].polygon: the edges from corners[0] to corners[1] and from corners[2] to corners[3] meet; "
               "allowed: edges that share nothing but a corner with the next"));
  EXPECT_TRUE(
      contains(complaint(polygon_with(""), {"bodies[0].polygon.corners=[[0, 0], [1, 1]]"}),
               "polygon.corners: found the list [[...], [...]], allowed: a list of 3 to 256 rows, each a list of "
               "2 numbers in m"));
  EXPECT_TRUE(contains(complaint(polygon_with(""), {"bodies[0].polygon.corners=[[0, 0], [1, 0, 2], [0, 1]]"}),
                       "bodies[0].polygon.corners[1]: found the list [1, 0, 2]"));
  EXPECT_TRUE(contains(complaint(polygon_with(""), {"bodies[0].polygon.corners=[[0, 0], [.nan, 0], [0, 1]]"}),
                       "polygon.corners"));
  EXPECT_TRUE(contains(complaint(polygon_with(", from: 0.5, to: 0.4")),
                       "bodies[0].polygon: goes from 0.5 to 0.4 m along z; `to` must be above `from`"));
  EXPECT_TRUE(contains(complaint(flat(polygon_with(", axis: x"))), "found the axis x in a 2-D scene; allowed: z"));
  EXPECT_TRUE(contains(complaint(polygon_with(", axis: w")), "polygon.axis: found 'w'"));
}

TEST(ShapeScenes, ShapesAreLeftEmpty) {
  const std::string text = with_bodies(
      "  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n"
      "    without:\n"
      "      - box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}\n"
      "      - sphere: {center: [1, 1, 0.5], radius: 0.2}\n");
  const BodySetup body = body_of(text);
  EXPECT_EQ(body.shape, Shape::Box);
  EXPECT_EQ(body.max, (Vec3{1, 1, 1})) << "the holes' sizes are their own";
  ASSERT_EQ(body.without.size(), 2u);
  EXPECT_EQ(body.without[0].max, (Vec3{0.5f, 0.5f, 1}));
  EXPECT_EQ(body.without[1].shape, Shape::Sphere);
  EXPECT_EQ(body.without[1].radius, 0.2f);
  EXPECT_EQ(warnings_of(text), "");
  EXPECT_LT(count_particles(scenes::parse_scene(text, "s.yaml").simulation), 750);
}

TEST(ShapeScenes, TwoDimensionalShapesIgnoreTheThirdComponent) {
  const auto count = [](const std::string& from, const std::string& to) {
    const std::string cylinder = "cylinder: {from: [" + from + "], to: [" + to + "], radius: ";
    const std::string text = flat(with_bodies("  - " + cylinder + "0.4}\n    without: [{" + cylinder + "0.2}}]\n"));
    return count_particles(scenes::parse_scene(text, "s.yaml").simulation);
  };
  EXPECT_EQ(count("1, 0", "1, 1"), 40);
  EXPECT_EQ(count("1, 0, 5", "1, 1, -3"), 40);
}

TEST(ShapeScenes, BadHolesAreRefusedWithTheirPlace) {
  const std::string text = with_bodies("  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n    without: [");
  EXPECT_TRUE(contains(complaint(text + "{box: {min: [0, 0, 0], max: [0, 1, 1]}}]\n"),
                       "s.yaml:5:21: bodies[0].without[0].box: every component of max must be above that of min"));
  EXPECT_TRUE(contains(complaint(text + "{}]\n"),
                       "s.yaml:5:15: bodies[0].without[0]: is incomplete; it needs box or sphere or cylinder or "
                       "capsule or plane or polygon"));
  EXPECT_TRUE(contains(complaint(text + "{box: {min: [0, 0, 0], max: [1, 1, 1]}, velocity: [0, 0, 0]}]\n"),
                       "bodies[0].without[0].velocity: unknown key 'velocity'"));
  EXPECT_TRUE(
      contains(complaint(text + "{box: {min: [-1, -1, -1], max: [2, 2, 2]}}]\n"),
               "bodies[0]: holds no particle at a spacing of 0.1 m; it needs that extent at least along every axis, "
               "and more than `without` takes away"));
  EXPECT_TRUE(contains(complaint(text + "3]\n"), "bodies[0].without[0]: found '3', allowed: a map"));
  EXPECT_TRUE(contains(warnings_of(text + "{sphere: {center: [1.8, 0.5, 0.5], radius: 0.1}}]\n"),
                       "bodies[0].without[0]: has no effect: it lies outside the body"));
}

TEST(ShapeScenes, TheDomainIsFilledUpToALevelAgainstGravity) {
  const std::string text = with_bodies("  - fill: {level: 0.4}\n");
  const auto filled = [&](const std::string& gravity) { return body_of(text, {"gravity=" + gravity}); };
  EXPECT_EQ(filled("[0, -9.81, 0]").max, (Vec3{2, 0.4f, 1}));
  EXPECT_EQ(filled("[0, -9.81, 0]").min, (Vec3{0, 0, 0}));
  EXPECT_EQ(filled("[0, 0, 0]").max, (Vec3{2, 0.4f, 1}));
  EXPECT_EQ(filled("[0, 9.81, 0]").min, (Vec3{0, 0.4f, 0}));
  EXPECT_EQ(filled("[0, 9.81, 0]").max, (Vec3{2, 1, 1}));
  EXPECT_EQ(filled("[-1, 0, 0]").max, (Vec3{0.4f, 1, 1}));
  EXPECT_EQ(body_of(flat(text)).max, (Vec3{2, 0.4f, 0}));
  EXPECT_EQ(body_of(text, {"bodies[0].fill.level=1"}).max, (Vec3{2, 1, 1})) << "to the brim";
  EXPECT_EQ(count_particles(scenes::parse_scene(text, "s.yaml").simulation), 20 * 4 * 10);
  EXPECT_EQ(warnings_of(text), "");
}

TEST(ShapeScenes, ALevelThatFillsNothingIsRefused) {
  const std::string text = with_bodies("  - fill: {level: 0.4}\n");
  EXPECT_TRUE(contains(
      complaint(text, {"bodies[0].fill.level=1.2"}),
      "--set bodies[0].fill.level: found 1.2 m; allowed: above 0 and at most 1 m, the domain's faces along y"));
  EXPECT_TRUE(contains(complaint(text, {"bodies[0].fill.level=0"}), "fill.level: found 0 m; allowed: above 0"));
  EXPECT_TRUE(
      contains(complaint(text, {"gravity=[1, -9.81, 0]"}),
               "bodies[0].fill: found gravity along 2 axes; allowed: along one, to which the level is perpendicular"));
  EXPECT_TRUE(contains(complaint(with_bodies("  - fill: {}\n")), "bodies[0].fill.level: is missing"));
  EXPECT_TRUE(contains(complaint(text, {"gravity=[0, x, 0]"}), "gravity[1]: found 'x'"));
}

TEST(ShapeScenes, OverlapsOfAnyShapesGetAWarning) {
  const std::string drum = "  - cylinder: {from: [1, 0, 0.5], to: [1, 1, 0.5], radius: 0.3}\n";
  const std::string box = "  - box: {min: [1, 0, 0], max: [2, 1, 1]}\n";
  EXPECT_TRUE(contains(warnings_of(with_bodies(drum + box)), "bodies[1]: overlaps bodies[0] at ["));
  EXPECT_TRUE(contains(warnings_of(with_bodies(drum + box)), "(compared at places of particles only)"));
  const std::string around = box + "    without: [{cylinder: {from: [1, 0, 0.5], to: [1, 1, 0.5], radius: 0.3}}]\n";
  EXPECT_EQ(warnings_of(with_bodies(drum + around)), "");
  EXPECT_EQ(warnings_of(with_bodies(drum + "  - box: {min: [1.3, 0, 0], max: [2, 1, 1]}\n")), "");
  // Two triangles that share a diagonal through lattice sites: both have the particles on it.
  const std::string lower = "  - polygon: {corners: [[0, 0], [1, 0], [0, 1]]}\n";
  EXPECT_TRUE(contains(warnings_of(with_bodies(lower + "  - polygon: {corners: [[1, 0], [1, 1], [0, 1]]}\n")),
                       "overlaps bodies[0]"));
  EXPECT_EQ(warnings_of(with_bodies(lower + "  - polygon: {corners: [[1, 0.1], [1, 1], [0.1, 1]]}\n")), "");
}

TEST(ShapeScenes, SolidBodiesOutsideTheDomainAreRefusedWhateverTheirShape) {
  EXPECT_TRUE(contains(complaint(with_bodies("  - cylinder: {from: [3, 0, 0.5], to: [3, 1, 0.5], radius: 0.3}\n")),
                       "bodies[0]: lies wholly outside the domain: x from 2.7 to 3.3 m"));
  EXPECT_TRUE(contains(warnings_of(with_bodies("  - polygon: {corners: [[0, 0], [1, 0], [0, 2]]}\n")),
                       "bodies[0]: lies partly outside the domain: y from 0 to 2 m"));
}

TEST(ShapeScenes, AFlowIsRead) {
  const std::string text = with_bodies(
      "  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n"
      "    velocity: [1, 0, 0]\n"
      "    flow:\n"
      "      standing_wave: {speed: 0.5, wavelength: 2, depth: 1, center: [0.25, 1, 0], along: z}\n");
  const FlowSetup flow = body_of(text).flow;
  EXPECT_EQ(flow.flow, Flow::StandingWave);
  EXPECT_EQ(std::tuple(flow.along, flow.across, flow.speed, flow.wavelength, flow.depth),
            std::tuple(2, 1, 0.5f, 2.0f, 1.0f));
  EXPECT_EQ(flow.center, (Vec3{0.25f, 1, 0}));
  const auto kind = [&](const std::string& word) {
    return body_of(with_bodies("  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n    flow: {" + word + "}\n")).flow.flow;
  };
  EXPECT_EQ(kind("shear: {rate: 2}"), Flow::Shear);
  EXPECT_EQ(kind("rotation: {rate: 2}"), Flow::Rotation);
  EXPECT_EQ(kind("strain: {rate: -2}"), Flow::Strain);
  EXPECT_EQ(kind("taylor_green: {speed: 1, wavelength: 1}"), Flow::TaylorGreen);
  EXPECT_EQ(body_of(with_bodies("  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n    flow: none\n")).flow.flow, Flow::None);
}

TEST(ShapeScenes, BadFlowsAreRefusedWithTheirPlace) {
  const auto said = [](const std::string& flow, bool in_2d = false) {
    const std::string text =
        with_bodies("  - sphere: {center: [1, 0.5, 0.5], radius: 0.4}\n    flow: {" + flow + "}\n");
    return complaint(in_2d ? flat(text) : text);
  };
  EXPECT_TRUE(contains(said("shear: {}"), "s.yaml:5:19: bodies[0].flow.shear.rate: is missing"));
  EXPECT_TRUE(contains(said("shear: {rate: 1, along: y}"),
                       "bodies[0].flow: found y along and across; allowed: two different axes"));
  EXPECT_TRUE(contains(said("shear: {rate: 1, across: z}", true),
                       "bodies[0].flow: found the axis z in a 2-D scene; allowed: x, y"));
  EXPECT_TRUE(contains(said("shear: {rate: 1}, strain: {rate: 1}"), "has both shear and strain; allowed: one of them"));
  EXPECT_TRUE(contains(said("vortex: {rate: 1}"), "unknown key 'vortex'"));
  EXPECT_TRUE(contains(said("rotation: {rate: 1e6, center: [9, 0, 0]}"), "allowed: at most 1e+06 m/s"));
  EXPECT_TRUE(contains(said("standing_wave: {speed: 1, wavelength: 1e-3, depth: 1}"), "allowed: at most 1e+06 m/s"))
      << "above the surface the wave grows without bound";
  EXPECT_TRUE(contains(said("taylor_green: {speed: 1, wavelength: 0}"), "allowed: a number above 0 in m"));
}

class ParticleScenes : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("riffle-particle-scenes-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "below");
    write("p.csv", "x,y,z,fluid\n0.5,0.5,0.5,0\n0.6,0.5,0.5,2\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string complaint_of(const std::string& particles) const {
    try {
      scenes::load_scene(write("s.yaml", with_bodies("  - particles: {" + particles + "}\n")));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(ParticleScenes, AFileIsFoundFromTheScenesFolder) {
  const auto scene =
      scenes::load_scene(write("below/s.yaml", with_bodies("  - particles: {file: ../p.csv, only: 2}\n")));
  const BodySetup& body = scene.simulation.bodies.at(0);
  ASSERT_TRUE(body.particles);
  EXPECT_EQ(body.min, (Vec3{0.6f, 0.5f, 0.5f}));
  EXPECT_EQ(count_particles(scene.simulation), 1);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(ParticleScenes, WhatIsWrongWithAFileIsRefusedWithItsPlace) {
  const std::string at = (folder_ / "s.yaml").string();
  EXPECT_TRUE(contains(complaint_of("file: none.csv"), at + ":4:23: bodies[0].particles.file: " +
                                                           (folder_ / "none.csv").string() + ": found no such file"));
  write("bad.csv", "x,y,z\n1,2,z\n");
  EXPECT_TRUE(contains(complaint_of("file: bad.csv"), "bad.csv:2: found 'z' for z; allowed: a number"));
  EXPECT_TRUE(contains(complaint_of("file: p.csv, only: 1"), "bodies[0].particles.only: found 1; allowed: all, 0, 2"));
  EXPECT_TRUE(
      contains(complaint_of("file: p.csv, only: 8"), "only: found '8', allowed: all, or a whole number from 0 to 7"));
  EXPECT_TRUE(contains(complaint_of("only: 1"), "particles.file: is missing"));
  write("far.csv", "x,y,z\n5,5,5\n");
  EXPECT_TRUE(contains(complaint_of("file: far.csv"), "bodies[0]: lies wholly outside the domain: x from 5 to 5 m"));
  EXPECT_TRUE(contains(complaint_of("file: p.csv}\n    without:\n      - box: {min: [0, 0, 0], max: [1, 1, 1]"),
                       "bodies[0]: holds no particle: `without` leaves out all of the file"));
  EXPECT_TRUE(
      contains(complaint_of("file: p.csv}\n    with:\n      - box: {min: [0, 0, 0], max: [1, 1, 1]"),
               at + ":6:7: bodies[0].with: found 1 shape beside `particles`, whose file says where all particles "
                    "are; allowed: none. A body of its own holds further shapes"));
}

// They would be folded onto the others without a word.
TEST_F(ParticleScenes, ParticlesOutsideAPeriodicBoxAreRefusedAndThoseOnItsFacesAreNot) {
  const auto said = [&](const std::string& axes, const std::string& particles, const std::string& more = "") {
    write("p.csv", "x,y,z\n" + particles);
    try {
      std::string lines;
      const std::string text = "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: " + axes +
                               "}\nparticles: {spacing: 0.1}\nbodies:\n  - particles: {file: p.csv}\n" + more;
      for (const auto& warning : scenes::load_scene(write("s.yaml", text)).warnings) lines += warning.message() + "\n";
      return lines;
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  const std::string inside = "0.5,0.5,0.5\n1.5,0.5,0.5\n", outside = inside + "2.5,0.5,0.5\n-0.25,0.5,0.5\n";
  EXPECT_TRUE(
      contains(said("[periodic, walled, walled]", outside),
               "bodies[0]: has 2 of 4 particles outside the periodic domain, where they would be among the "
               "others: x from -0.25 to 2.5 m, the domain has 0 to 2 m; allowed: particles in the domain and on "
               "its faces"));
  EXPECT_EQ(said("[periodic, walled, walled]", inside + "2,0.3,0.5\n0,0.7,0.5\n2.0000002,0.8,0.8\n"), "");
  EXPECT_EQ(said("[periodic, walled, walled]", outside,
                 "    without: [{box: {min: [2, 0, 0], max: [3, 1, 1]}}, {box: {min: [-1, 0, 0], max: [0, 1, 1]}}]\n"),
            "");
  EXPECT_TRUE(contains(said("walled", outside),
                       "bodies[0]: lies partly outside the domain with 2 of 4 particles: x from -0.25 to 2.5 m, the "
                       "domain has 0 to 2 m; a wall puts those beyond it back"));
  const std::string open = said("[open, walled, walled]", outside);
  EXPECT_TRUE(contains(open, "lies partly outside the domain with 2 of 4 particles"));
  EXPECT_FALSE(contains(open, "a wall puts"));
}

TEST_F(ParticleScenes, ThatLieOnTopOfEachOtherAreWarnedOf) {
  const auto warnings = [&](const std::string& particles, const std::vector<std::string>& overrides = {},
                            const std::string& axes = "walled") {
    write("p.csv", "x,y,z\n" + particles);
    std::string lines;
    const std::string text = "domain: {min: [0, 0, 0], max: [2, 1, 1], axes: " + axes +
                             "}\nparticles: {spacing: 0.1}\nbodies:\n  - particles: {file: p.csv}\n";
    for (const auto& warning : scenes::load_scene(write("s.yaml", text), overrides).warnings)
      lines += warning.message() + "\n";
    return lines;
  };
  const std::string apart = "0.5,0.5,0.5\n0.6,0.5,0.5\n0.53,0.5,0.5\n";
  EXPECT_EQ(warnings(apart), "");
  const std::string twice = warnings(apart + "0.6,0.5,0.5\n");
  EXPECT_TRUE(
      contains(twice,
               "bodies[0].particles: has 2 of 4 particles within 0.025 m of another one, and the nearest two are "
               "0 m apart, at [0.6, 0.5, 0.5]: there the fluid has more particles than it should have"));
  EXPECT_TRUE(contains(twice, "density continuity they stay on top of each other"));
  EXPECT_TRUE(contains(warnings(apart + "0.6,0.5,0.5\n", {"solver.density=summation"}), "density summation"));
  EXPECT_TRUE(contains(warnings(apart + "0.6,0.5,0.5\n", {"solver.type=pbf"}), "steps push them apart"));
  EXPECT_TRUE(contains(warnings("0.5,0.5,0.5\n0.52,0.5,0.5\n1,1,1\n"), "has 2 of 3 particles within 0.025 m"));
  EXPECT_EQ(warnings("0,0.5,0.5\n2,0.5,0.5\n"), "");
  EXPECT_TRUE(contains(warnings("0,0.5,0.5\n2,0.5,0.5\n", {}, "[periodic, walled, walled]"), "has 2 of 2 particles"))
      << "the two faces are one";
}

TEST_F(ParticleScenes, OverlapsWithAFileAreFoundAtItsPlaces) {
  const auto warnings = [&](const std::string& max) {
    std::string lines;
    const std::string text =
        with_bodies("  - particles: {file: p.csv}\n  - box: {min: [0, 0, 0], max: [" + max + ", 1, 1]}\n");
    for (const auto& warning : scenes::load_scene(write("s.yaml", text)).warnings) lines += warning.message() + "\n";
    return lines;
  };
  EXPECT_TRUE(contains(warnings("0.55"), "bodies[1]: overlaps bodies[0] at [0.5, 0.5, 0.5]"));
  const std::string apart = warnings("0.4");
  EXPECT_FALSE(contains(apart, "overlaps")) << apart;
  EXPECT_TRUE(contains(apart, "bodies[0].particles: takes particles of 2 fluids as one")) << apart;
}

TEST_F(ParticleScenes, ASceneSavedElsewhereFindsTheSameFile) {
  scenes::EditedScene scene(scenes::load_source(write("s.yaml", with_bodies("  - particles: {file: p.csv}\n"))));
  std::filesystem::create_directories(folder_ / "below");
  scene.save(folder_ / "below" / "t.yaml");
  EXPECT_EQ(count_particles(scenes::load_scene(folder_ / "below" / "t.yaml").simulation), 2);
  scene.save(folder_ / "u.yaml");
  const auto without_origin = [](const scenes::EditedScene& edited) {
    return edited.to_yaml().substr(edited.to_yaml().find('\n'));
  };
  EXPECT_EQ(without_origin(scenes::EditedScene(scenes::load_source(folder_ / "u.yaml"))), without_origin(scene));
  try {
    scene.copy_entry("bodies[0]");
    ADD_FAILURE() << "was copied";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "found a body by `particles`, whose copy would lie in the same place"));
  }
}

}  // namespace riffle
