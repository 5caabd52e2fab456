#include <algorithm>
#include <filesystem>

#include "scenes/catalog.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/parameters.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

TEST(GoodScenes, ShortestSceneHasTheDocumentedDefaults) {
  const scenes::Scene scene = scenes::parse_scene(kGoodScene, "folder/pool.yaml");
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(scene.name, "pool");
  ASSERT_EQ(scene.simulation.fluids.size(), 1u);
  EXPECT_EQ(scene.simulation.fluids[0].name, "water");
  EXPECT_EQ(scene.simulation.domain.axis[2], Axis::Walled);
  EXPECT_EQ(scene.simulation.gravity, (Vec3{0, -9.81f, 0}));
  EXPECT_FALSE(scene.picture.camera_given);
}

// The format's defaults are stored by the loader; a program that fills SimulationSetup itself has those of setup.h.
TEST(GoodScenes, DefaultsDoNotDriftFromThoseOfTheSetup) {
  const scenes::Scene scene = scenes::parse_scene(kGoodScene, "s.yaml");
  const SimulationSetup setup;
  EXPECT_EQ(scene.simulation.support_ratio, setup.support_ratio);
  EXPECT_EQ(scene.simulation.gravity, setup.gravity);
  EXPECT_EQ(scene.simulation.wcsph.kernel, setup.wcsph.kernel);
  EXPECT_EQ(scene.simulation.wcsph.speed_of_sound, setup.wcsph.speed_of_sound);
  EXPECT_EQ(scene.simulation.wcsph.tait_exponent, setup.wcsph.tait_exponent);
  EXPECT_EQ(scene.simulation.wcsph.artificial_viscosity, setup.wcsph.artificial_viscosity);
  EXPECT_EQ(scene.simulation.wcsph.negative_pressure, setup.wcsph.negative_pressure);
  EXPECT_EQ(scene.simulation.wcsph.damping_rate, setup.wcsph.damping_rate);
  EXPECT_EQ(scene.simulation.wcsph.damping_time, setup.wcsph.damping_time);
  EXPECT_EQ(scene.simulation.step.fixed, setup.step.fixed);
  EXPECT_EQ(scene.simulation.step.cfl, setup.step.cfl);
  EXPECT_EQ(scene.simulation.step.max, setup.step.max);
  EXPECT_EQ(scene.simulation.neighbors.method, setup.neighbors.method);
  EXPECT_EQ(scene.simulation.deterministic, setup.deterministic);
  EXPECT_EQ(scene.simulation.seed, setup.seed);
  const FluidSetup fluid;
  const scenes::Scene named = scenes::parse_scene(good_scene_with("fluids: [{name: water}]\n"), "s.yaml");
  EXPECT_EQ(named.simulation.fluids[0].rest_density, fluid.rest_density);
  EXPECT_EQ(named.simulation.fluids[0].viscosity, fluid.viscosity);
  EXPECT_NEAR(named.simulation.fluids[0].color.x, fluid.color.x, 0.005);
  EXPECT_NEAR(named.simulation.fluids[0].color.y, fluid.color.y, 0.005);
  EXPECT_NEAR(named.simulation.fluids[0].color.z, fluid.color.z, 0.005);
  const scenes::RunSetup run;
  EXPECT_EQ(scene.run.end_time, run.end_time);
  EXPECT_EQ(scene.run.frames_per_second, run.frames_per_second);
  EXPECT_EQ(scene.run.time_scale, run.time_scale);
  const scenes::PictureSetup picture;
  EXPECT_EQ(scene.picture.width, picture.width);
  EXPECT_EQ(scene.picture.height, picture.height);
  EXPECT_EQ(scene.picture.color_by, picture.color_by);
  EXPECT_EQ(scene.picture.colormap, picture.colormap);
  EXPECT_EQ(scene.picture.particle_scale, picture.particle_scale);
  EXPECT_EQ(scene.picture.cut, picture.cut);
  EXPECT_EQ(scene.picture.background, picture.background);
  EXPECT_TRUE(scene.picture.legend && scene.picture.caption && scene.picture.box && scene.picture.solids);
}

TEST(GoodScenes, PngFilesCanBeTransparentAndTheWindowHaveAColour) {
  const auto picture = [](const std::string& keys) {
    return scenes::parse_scene(good_scene_with("picture: {" + keys + "}\n"), "s.yaml").picture;
  };
  const Vec3 orange{1.0f, 128 / 255.0f, 0.0f};
  EXPECT_FALSE(picture("background: '#ff8000'").transparent);
  const scenes::PictureSetup both = picture("transparent: true, background: '#ff8000'");
  EXPECT_TRUE(both.transparent);
  EXPECT_EQ(both.background, orange);
  EXPECT_EQ(picture("background: auto").studio, scenes::StudioChoice::Auto);
  EXPECT_EQ(picture("background: light").studio, scenes::StudioChoice::Light);
  const scenes::PictureSetup dark = picture("transparent: true, background: dark");
  EXPECT_EQ(dark.studio, scenes::StudioChoice::Dark);
  EXPECT_EQ(dark.background, std::nullopt);
  EXPECT_TRUE(dark.transparent);
  for (const char* const word : {"dark", "light", "auto"}) {
    scenes::EditedScene edited(scenes::parse_source(kGoodScene, "s.yaml"));
    edited.set("picture.background", word);
    const std::vector<scenes::Parameter> all = scenes::parameters(edited.document());
    const auto shown = std::ranges::find(all, "picture.background", &scenes::Parameter::path);
    ASSERT_NE(shown, all.end());
    EXPECT_EQ(shown->text(), word);
    EXPECT_EQ(scenes::parse_scene(edited.to_yaml(), "s.yaml").picture.studio, edited.scene().picture.studio);
    edited.set("picture.background", "'#ff8000'");
    EXPECT_EQ(edited.scene().picture.studio, scenes::StudioChoice::Auto) << "a colour takes its place";
  }
  const scenes::PictureSetup by_word = picture("background: transparent");
  EXPECT_TRUE(by_word.transparent) << "as scenes of before have it";
  EXPECT_EQ(by_word.background, std::nullopt);
}

TEST(GoodScenes, EveryKeyReachesItsPlace) {
  const scenes::Scene scene = scenes::parse_scene(
      "name: everything\ndescription: all keys\ndimension: 3\n"
      "domain: {min: [-1, -2, -3], max: [4, 5, 6], axes: [open, walled, periodic]}\n"
      "gravity: [1, 2, 3]\nparticles: {spacing: 0.25, support_ratio: 2.5}\n"
      "fluids:\n  - {name: oil, rest_density: 900, viscosity: 1e-4, color: '#ff8000'}\n"
      "  - {name: brine, rest_density: 1100, viscosity: 2e-6, color: [0.25, 0.5, 1]}\n"
      "bodies:\n  - {fluid: brine, box: {min: [0, 0, 0], max: [1, 1, 1]}, velocity: [1, -1, 0.5], jitter: 0.1}\n"
      "  - {fluid: oil, sphere: {center: [3, 3, 3], radius: 0.75}}\n"
      "solver: {type: wcsph, kernel: cubic_spline, speed_of_sound: 40, tait_exponent: 1, artificial_viscosity: 0.2, "
      "negative_pressure: true, damping_rate: 20, damping_time: 0.125}\n"
      "neighbors: {method: brute_force}\ntime: {end: 0.5, step: 1e-4, cfl: 0.3, max_step: none}\n"
      "deterministic: true\nseed: 42\n"
      "picture: {size: [640, 480], camera: {position: [9, 9, 9], target: [1, 1, 1], up: [0, 0, 1], fov: 50}, color_by: "
      "density,\n"
      "          colormap: turbo, range: [900, 1100], particle_scale: 0.8,\n"
      "          cut: {axis: z, at: 0.25, other_side: true}, background: '#ff8000', transparent: true, floor: true, "
      "legend: false, "
      "caption: false,\n"
      "          box: false, solids: false}\n"
      "movie: {frames_per_second: 60, time_scale: 0.25}\n",
      "s.yaml");
  const SimulationSetup& setup = scene.simulation;
  EXPECT_EQ(scene.name, "everything");
  EXPECT_EQ(scene.description, "all keys");
  EXPECT_EQ(setup.domain.min, (Vec3{-1, -2, -3}));
  EXPECT_EQ(setup.domain.max, (Vec3{4, 5, 6}));
  EXPECT_EQ(setup.domain.axis[0], Axis::Open);
  EXPECT_EQ(setup.domain.axis[1], Axis::Walled);
  EXPECT_EQ(setup.domain.axis[2], Axis::Periodic);
  EXPECT_EQ(setup.gravity, (Vec3{1, 2, 3}));
  EXPECT_FLOAT_EQ(setup.support_radius(), 0.625f);
  ASSERT_EQ(setup.fluids.size(), 2u);
  EXPECT_EQ(setup.fluids[0].color, (Vec3{1.0f, 128 / 255.0f, 0.0f}));
  EXPECT_EQ(setup.fluids[1].color, (Vec3{0.25f, 0.5f, 1.0f}));
  EXPECT_FLOAT_EQ(setup.fluids[0].viscosity, 1e-4f);
  ASSERT_EQ(setup.bodies.size(), 2u);
  EXPECT_EQ(setup.bodies[0].fluid, 1);
  EXPECT_EQ(setup.bodies[0].velocity, (Vec3{1, -1, 0.5f}));
  EXPECT_FLOAT_EQ(setup.bodies[0].jitter, 0.1f);
  EXPECT_EQ(setup.bodies[1].shape, Shape::Sphere);
  EXPECT_EQ(setup.bodies[1].fluid, 0);
  EXPECT_FLOAT_EQ(setup.bodies[1].radius, 0.75f);
  EXPECT_EQ(setup.wcsph.kernel, KernelKind::CubicSpline);
  EXPECT_FLOAT_EQ(setup.wcsph.speed_of_sound, 40);
  EXPECT_FLOAT_EQ(setup.wcsph.tait_exponent, 1);
  EXPECT_FLOAT_EQ(setup.wcsph.artificial_viscosity, 0.2f);
  EXPECT_TRUE(setup.wcsph.negative_pressure);
  EXPECT_FLOAT_EQ(setup.wcsph.damping_rate, 20);
  EXPECT_FLOAT_EQ(setup.wcsph.damping_time, 0.125f);
  EXPECT_EQ(setup.neighbors.method, NeighborMethod::BruteForce);
  EXPECT_DOUBLE_EQ(scene.run.end_time, 0.5);
  EXPECT_FLOAT_EQ(setup.step.fixed, 1e-4f);
  EXPECT_FLOAT_EQ(setup.step.cfl, 0.3f);
  EXPECT_FLOAT_EQ(setup.step.max, 0);
  EXPECT_TRUE(setup.deterministic);
  EXPECT_EQ(setup.seed, 42u);
  EXPECT_TRUE(scene.picture.camera_given);
  EXPECT_EQ(scene.picture.camera.up, (Vec3{0, 0, 1}));
  EXPECT_FLOAT_EQ(scene.picture.camera.fov_degrees, 50);
  EXPECT_EQ(scene.picture.color_by, Quantity::Density);
  EXPECT_FALSE(scene.picture.automatic_range);
  EXPECT_FLOAT_EQ(scene.picture.range_max, 1100);
  EXPECT_EQ(scene.picture.cut, (scenes::CutSetup{2, 0.25f, true}));
  EXPECT_EQ(scene.picture.background, (Vec3{1.0f, 128 / 255.0f, 0.0f}));
  EXPECT_TRUE(scene.picture.transparent);
  EXPECT_EQ(scene.picture.floor, true);
  EXPECT_FALSE(scene.picture.legend || scene.picture.caption || scene.picture.box || scene.picture.solids);
  EXPECT_DOUBLE_EQ(scene.run.frame_interval(), 0.25 / 60);
}

TEST(GoodScenes, AnchorsAndAliasesWork) {
  const scenes::Scene scene = scenes::parse_scene(
      "domain: {min: &corner [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
      "bodies:\n  - box: {min: *corner, max: [0.5, 0.5, 0.5]}\n",
      "s.yaml");
  EXPECT_EQ(scene.simulation.bodies[0].min, (Vec3{0, 0, 0}));
}

TEST(GoodScenes, EmptyOptionalSectionIsAllDefaults) {
  EXPECT_EQ(complaint(good_scene_with("time:\n  # end: 3\nsolver:\n")), "");
}

TEST(GoodScenes, TwoDimensionsIgnoreTheThirdComponent) {
  const std::string flat = spoiled("dimension: 3", "dimension: 2");
  const scenes::Scene scene =
      scenes::parse_scene(flat, "s.yaml", {"bodies[0].velocity=[1, 2, 3]", "gravity=[0, -1, 7]"});
  EXPECT_EQ(scene.simulation.bodies[0].velocity, (Vec3{1, 2, 0}));
  EXPECT_EQ(scene.simulation.gravity, (Vec3{0, -1, 0}));
  EXPECT_EQ(scene.simulation.domain.max.z, 0);
  EXPECT_EQ(complaint("dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\n"
                      "bodies: [{sphere: {center: [0.5, 0.5], radius: 0.2}}]\n"),
            "");
}

TEST(GoodScenes, EveryShippedSceneLoadsWithoutWarningInBothDimensions) {
  int scenes = 0;
  for (const std::string& path : shipped_scenes()) {
    ++scenes;
    const scenes::Scene scene = scenes::load_scene(path);
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0].message();
    EXPECT_FALSE(scene.description.empty());
    const auto& solids = scene.simulation.solid_regions;
    if (std::any_of(solids.begin(), solids.end(), [](const Region& solid) { return solid.shape == Shape::Mesh; }))
      EXPECT_THROW(scenes::load_scene(path, {"dimension=2"}), InputError) << "a mesh has no area";
    else
      EXPECT_NO_THROW(scenes::load_scene(path, {"dimension=2"}));
  }
  EXPECT_GE(scenes, 2);
}

TEST(GoodScenes, ReferenceDamBreakHasExactly72000Particles) {
  EXPECT_EQ(count_particles(scenes::load_scene(RIFFLE_SOURCE_DIR "/scenes/library/dam_break_72k.yaml").simulation),
            72000);
}

TEST(Catalog, FindsAShippedSceneByNameAndSuggestsTheNearest) {
  EXPECT_TRUE(std::filesystem::is_regular_file(scenes::find_scene("dam_break")));
  try {
    scenes::find_scene("dam_braek");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean 'dam_break'?"));
  }
}

}  // namespace riffle
