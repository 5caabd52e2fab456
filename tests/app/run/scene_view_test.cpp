/// The content and drawing of a scene's pictures: from the scene's file to the PNG and the movie.

#include "app/run/scene_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include "app/command/scene_options.h"
#include "app/run/particle_export.h"
#include "app/run/recorder.h"
#include "core/math/cross_product.h"
#include "render/gl/offscreen_context.h"
#include "render/media/png.h"
#include "render/media/process.h"
#include "render/media/video.h"
#include "scene_folder.h"
#include "scenes/load.h"
#include "sim/solver.h"

namespace riffle::test {
namespace {

class SceneView : public SceneFolder {
 protected:
  scenes::Scene dpd() {
    return scenes::load_scene(write("dpd.yaml",
                                    "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\n"
                                    "particles: {spacing: 0.7}\n"
                                    "gravity: [0, 0, 0]\n"
                                    "solver: {type: dpd}\n"
                                    "time: {step: 0.02}\n"
                                    "bodies:\n  - box: {min: [0, 0, 0], max: [4, 4, 4]}\n"));
  }
};

TEST_F(SceneView, ThePicturesBoxHasTheDomainsFaces) {
  Domain domain;
  domain.dimension = 2;
  domain.axis[0] = Axis::Periodic;
  domain.axis[1] = Axis::Walled;
  const render::BoxView box = box_of(domain);
  EXPECT_TRUE(box.two_dimensional);
  EXPECT_EQ(box.axis[0], Axis::Periodic);
  EXPECT_EQ(box.axis[1], Axis::Walled);
  EXPECT_EQ(box.axis[2], Axis::Open);
}

TEST_F(SceneView, NumbersOfDpdAreInReducedUnitsAndOthersInSi) {
  EXPECT_EQ(color_scale(dpd()).unit, "r_c/\u03c4");
  EXPECT_EQ(color_scale(scenes::load_scene(scene_)).unit, "m/s");
  EXPECT_EQ(picture_caption(dpd(), 1.25, 1000), "t = 1.250 \u03c4   1,000 particles");
  EXPECT_EQ(picture_caption(scenes::load_scene(scene_), 1.25, 1000), "t = 1.250 s   1,000 particles");
}

TEST_F(SceneView, TheCaptionHasTheTimeOfTheFileThatTheParticlesComeFrom) {
  write("p.csv", "# time 0.6 step 3\nx,y,z\n0.1,0.1,0.1\n");
  write("q.csv", "# time 0.7 step 4\nx,y,z\n0.5,0.1,0.1\n");
  const std::string head = "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n";
  const scenes::Scene one = scenes::load_scene(write("one.yaml", head + "bodies: [{particles: {file: p.csv}}]\n"));
  EXPECT_EQ(picture_caption(one, 0, 1), "t = 0.600 s   1 particles");
  EXPECT_EQ(picture_caption(one, 0.25, 1), "t = 0.600 s + 0.250 s   1 particles");
  const scenes::Scene two = scenes::load_scene(
      write("two.yaml", head + "bodies: [{particles: {file: p.csv}}, {particles: {file: q.csv}}]\n"));
  EXPECT_EQ(picture_caption(two, 0.25, 2), "t = 0.250 s   2 particles") << "the files have no common time";
}

// The range of dam_break is of speeds: 0 to 4 kg/m^3 would be one colour.
TEST_F(SceneView, AnotherQuantityOnTheCommandLineLeavesTheScenesOwnRange) {
  SceneOptions options;
  options.scene = "dam_break";
  const auto picture = [&](std::vector<std::string> overrides) {
    options.overrides = std::move(overrides);
    return scenes::build_scene(source_with_options(options)).picture;
  };
  EXPECT_EQ(picture({}).range_max, 4);
  EXPECT_FALSE(picture({"picture.color_by=speed"}).automatic_range);
  EXPECT_TRUE(picture({"picture.color_by=density"}).automatic_range);
  EXPECT_FALSE(picture({"picture.color_by=density", "picture.range=[0, 4]"}).automatic_range);
}

// By themselves the particles lie lower than the run began, and are fast: another speed would follow from them.
TEST_F(SceneView, ParticlesFromAFileLookAsInTheRunThatWroteThem) {
  const std::string head =
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\ntime: {step: 0.002}\n"
      "picture: {look: fluid}\n";
  const scenes::Scene run = scenes::load_scene(
      write("run.yaml", head + "bodies: [{box: {min: [0, 0, 0], max: [0.5, 1, 0.5]}, velocity: [1, 0, 0]}]\n"));
  Simulation simulation(run.simulation, Device{});
  for (int step = 0; step < 60; ++step) simulation.step();
  const auto settled = [](scenes::Scene scene) {
    settle_picture(scene, true);
    return scene.picture.foam;
  };
  const auto most_speed = [](scenes::Scene scene) {
    scene.picture.color_by = Quantity::Speed;
    return color_scale(scene).max;
  };
  for (const char* name : {"p.vtp", "p.ply", "p.csv"}) {
    write_particles(folder_ / name, read_particles(simulation, run.name));
    const std::string body = std::string("bodies: [{particles: {file: ") + name + "}}]\n";
    const scenes::Scene drawn = scenes::load_scene(write("drawn.yaml", head + body));
    EXPECT_NEAR(settled(drawn), settled(run), 1e-5f * settled(run)) << name;
    EXPECT_NEAR(most_speed(drawn), most_speed(run), 1e-5f * most_speed(run)) << name;
    EXPECT_GT(std::fabs(0.8f * expected_speed(drawn.simulation) - settled(run)), 0.01f * settled(run))
        << "the steps do not follow the file";
  }
}

TEST_F(SceneView, ATransparentStillHasAlphaAndAMoviesFrameHasNone) {
  if (!render::OffscreenContext::create(std::nullopt, nullptr)) GTEST_SKIP() << "needs an off-screen OpenGL";
  scenes::Scene scene = scenes::load_scene(scene_);
  scene.picture.width = 320, scene.picture.height = 240;
  scene.picture.transparent = true;
  Simulation simulation(scene.simulation, Device{});
  Recorder(scene, simulation, "").save_picture(folder_ / "clear.png", simulation, 0);
  const render::Image clear = render::read_png(folder_ / "clear.png");
  ASSERT_EQ(clear.alpha.size(), 320u * 240u);
  EXPECT_EQ(clear.alpha.front(), 0);
  EXPECT_EQ(*std::max_element(clear.alpha.begin(), clear.alpha.end()), 255);
  scene.picture.background = Vec3{0.1f, 0.1f, 0.2f};
  Recorder(scene, simulation, "").save_picture(folder_ / "for_dark.png", simulation, 0);
  const render::Image for_dark = render::read_png(folder_ / "for_dark.png");
  EXPECT_EQ(for_dark.alpha.front(), 0) << "a colour of the window and of movies";
  const auto brightest =
      [](const render::Image& image) {  // of the caption, at the lower left, whose thin strokes cover 95 % of a pixel
        int most = 0;
        for (std::size_t y = 220; y < 240; ++y)
          for (std::size_t x = 0; x < 80; ++x)
            if (image.alpha[y * 320 + x] > 200) most = std::max<int>(most, image.rgb[3 * (y * 320 + x)]);
        return most;
      };
  EXPECT_GT(brightest(for_dark), 180) << "light text for a dark page";
  scene.picture.background.reset();
  scene.picture.transparent = false;
  Recorder(scene, simulation, "").save_picture(folder_ / "usual.png", simulation, 0);
  EXPECT_TRUE(render::read_png(folder_ / "usual.png").alpha.empty());
}

TEST_F(SceneView, LegendHasTheFluidsInTheOrderOfTheSceneFile) {
  const scenes::Scene scene = scenes::load_scene(write("two.yaml",
                                                       "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                                                       "particles: {spacing: 0.1}\n"
                                                       "fluids:\n  - {name: water}\n  - {name: air}\n  - {name: oil}\n"
                                                       "bodies:\n"
                                                       "  - {fluid: oil, box: {min: [0, 0, 0], max: [1, 0.2, 1]}}\n"
                                                       "  - {fluid: water, box: {min: [0, 0.3, 0], max: [1, 0.5, 1]}}\n"
                                                       "  - {fluid: air, box: {min: [0, 0.6, 0], max: [1, 0.8, 1]}}\n"
                                                       "picture: {color_by: fluid}\n"));
  std::vector<std::string> names;
  for (const render::PaletteEntry& entry : color_scale(scene).palette) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"water", "air", "oil"}));
}

TEST_F(SceneView, StillsAreBetterThanFramesUpToFullHdWhereTheProcessorDraws) {
  scenes::Scene scene = scenes::load_scene(scene_);
  const auto quality = [&](int width, int height, bool software, render::Quality wanted = render::Quality::Auto) {
    scene.picture.width = width, scene.picture.height = height;
    render::RenderOptions options;
    options.quality = wanted;
    return still_options_of(options, scene.picture, software).quality;
  };
  EXPECT_EQ(quality(1920, 1080, true), render::Quality::Full);
  EXPECT_EQ(quality(1080, 1920, true), render::Quality::Full);
  EXPECT_EQ(quality(1920, 1082, true), render::Quality::Auto);
  EXPECT_EQ(quality(8192, 8192, true), render::Quality::Auto);
  EXPECT_EQ(quality(320, 240, false), render::Quality::Auto) << "a GPU decides by itself";
  for (const bool software : {false, true})
    EXPECT_EQ(quality(320, 240, software, render::Quality::Quick), render::Quality::Quick);
}

TEST_F(SceneView, StillsKeepEveryOtherOptionOfTheFrames) {
  render::RenderOptions options;
  options.look = render::Look::Fluid;
  options.legend_keeps_clear = true;
  options.fluid.foam_speed = 3;
  const render::RenderOptions still = still_options_of(options, scenes::load_scene(scene_).picture, true);
  EXPECT_EQ(still.look, render::Look::Fluid);
  EXPECT_TRUE(still.legend_keeps_clear);
  EXPECT_EQ(still.fluid.foam_speed, 3);
}

/// Stills of the first and the last moment, and a movie with eight frames.
class StillsBesideAMovie : public SceneView {
 protected:
  void SetUp() override {
    if (!render::OffscreenContext::create(std::nullopt, nullptr)) GTEST_SKIP() << "needs an off-screen OpenGL";
    if (render::find_program("ffmpeg").empty()) GTEST_SKIP() << "needs ffmpeg";
    scene_of_it_ = scenes::load_scene(scene_);
    scene_of_it_.picture.width = 160, scene_of_it_.picture.height = 120;
    scene_of_it_.run.frames_per_second = 25;
    scene_of_it_.run.time_scale = 0.25f;  // a frame every hundredth of a second
  }

  /// @param movie, stills  which of them
  /// @return the movie's decoded frames, as hashes
  std::string run(const std::string& name, bool movie, bool stills) {
    Simulation simulation(scene_of_it_.simulation, Device{});
    const std::string file = folder_ / (name + ".mp4");
    Recorder recorder(scene_of_it_, simulation, movie ? file : "");
    const auto look = [&](const std::string& moment) {
      const StepReport clock = simulation.finish();
      recorder.record_until(clock.time, simulation);
      if (stills) recorder.save_picture(folder_ / (name + moment + ".png"), simulation, clock.time);
    };
    look("_begin");
    while (simulation.finish().time < 0.07) {
      simulation.step();
      recorder.record_until(simulation.finish().time, simulation);
      if (stills) recorder.save_picture(folder_ / "meanwhile.png", simulation, simulation.finish().time);
    }
    look("_end");
    if (!movie) return "";
    recorder.finish_movie();
    EXPECT_GE(recorder.movie_frames(), 8);
    return render::output_of({render::find_program("ffmpeg"), "-v", "error", "-i", file, "-f", "framemd5", "-"})
        .value_or("no movie");
  }

  scenes::Scene scene_of_it_;
};

// Steps that span several frames do not repeat a picture.
TEST_F(StillsBesideAMovie, EachFrameOfAMovieShowsAnotherMoment) {
  scene_of_it_.run.time_scale /= 20;
  scene_of_it_.simulation.bodies[0].velocity = {8, 0, 0};
  std::istringstream lines(run("slow", true, false));
  std::set<std::string> pictures;
  int frames = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    pictures.insert(line.substr(line.rfind(',') + 1));
    ++frames;
  }
  EXPECT_GT(frames, 130);
  EXPECT_GT(pictures.size(), 0.9 * frames);
}

TEST_F(StillsBesideAMovie, LeaveBothAsTheyAreAlone) {
  const std::string alone = run("movie", true, false);
  run("stills", false, true);
  EXPECT_EQ(run("both", true, true), alone);
  for (const char* moment : {"_begin.png", "_end.png"}) {
    const render::Image with = render::read_png(folder_ / (std::string("both") + moment));
    EXPECT_EQ(with.width, 160);
    EXPECT_EQ(with.rgb, render::read_png(folder_ / (std::string("stills") + moment)).rgb) << moment;
  }
  EXPECT_NE(render::read_png(folder_ / "both_begin.png").rgb, render::read_png(folder_ / "both_end.png").rgb)
      << "of a moment each";
}

TEST_F(SceneView, SeveralFluidsHaveTheirOwnColoursWhereTheSceneLeavesThatOpen) {
  scenes::Scene scene = scenes::load_scene(scene_);
  scene.picture.look = scenes::LookChoice::Spheres;
  scene.picture.color_by.reset();
  scenes::Scene two = scene;
  two.simulation.fluids.push_back(two.simulation.fluids[0]);
  for (const bool settled : {false, true}) {
    EXPECT_EQ(color_scale(scene).quantity, "speed");
    EXPECT_EQ(color_scale(two).quantity, "fluid");
    const auto palette = color_scale(two).palette;
    ASSERT_EQ(palette.size(), 2u);
    EXPECT_EQ(palette[0].rgb, two.simulation.fluids[0].color);
    EXPECT_GT(length2(palette[1].rgb - palette[0].rgb), 0.3f) << "neither has a colour of its own in the scene";
    if (settled) break;
    settle_picture(scene, true);
    settle_picture(two, true);
  }
}

TEST_F(SceneView, ASmallStillHasNoLegendOverItsParticles) {
  if (!render::OffscreenContext::create(std::nullopt, nullptr)) GTEST_SKIP() << "needs an off-screen OpenGL";
  scenes::Scene scene = scenes::load_scene(scene_);
  scenes::PictureSetup& picture = scene.picture;
  picture.width = 320, picture.height = 240;
  picture.look = scenes::LookChoice::Spheres, picture.color_by = Quantity::Speed,
  picture.quality = scenes::QualityChoice::Quick;
  picture.camera_given = true;
  picture.camera.orthographic = true;
  picture.camera.position = {0.25f, 0.25f, 5};
  picture.camera.target = {0.25f, 0.25f, 0};
  picture.camera.ortho_height = 0.3f;  // the particles reach beyond every edge
  Simulation simulation(scene.simulation, Device{});
  Recorder(scene, simulation, "").save_picture(folder_ / "still.png", simulation, 0);
  const auto context = render::OffscreenContext::create(std::nullopt, nullptr);
  render::RenderOptions options = render_options_of(scene);
  options.legend = false;
  render::Renderer bare(320, 240, Device{}, options);
  QuantityValues values;
  bare.draw(view_of(scene, simulation, values), camera_of(scene), color_scale(scene), box_of(scene.simulation.domain));
  EXPECT_EQ(render::read_png(folder_ / "still.png").rgb, bare.read_image().rgb);
}

TEST_F(SceneView, PicturesShowTheSolidsUnlessTheSceneLeavesThemOut) {
  if (!render::OffscreenContext::create(std::nullopt, nullptr)) GTEST_SKIP() << "needs an off-screen OpenGL";
  scenes::Scene scene = scenes::load_scene(scene_);
  Simulation simulation(scene.simulation, Device{});
  const Domain& domain = scene.simulation.domain;
  SolidRegion all;  // hides everything
  all.min = domain.min, all.max = domain.max;
  all.color = {0, 1, 0};
  scene.simulation.solid_regions = {all};
  scene.picture.look = scenes::LookChoice::Spheres;
  const auto green_pixels = [&](bool solids) {
    scene.picture.solids = solids;
    Recorder(scene, simulation, "").save_picture(folder_ / "solids.png", simulation, 0);
    const render::Image image = render::read_png(folder_ / "solids.png");
    int count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
      count += image.rgb[i + 1] > 60 && image.rgb[i] < 20 && image.rgb[i + 2] < 20;
    return count;
  };
  EXPECT_GT(green_pixels(true), 5000);
  EXPECT_EQ(green_pixels(false), 0);
}

void keep(const FramedCamera& kept, scenes::Scene& scene) {
  scene.picture.camera_given = true;
  scene.picture.camera = kept.camera;
  scene.picture.camera_aspect = kept.aspect;
}

// Corners of the kept picture, at the target's distance, in a picture of another shape: -1..1.
float farthest_corner(const Camera& kept, float kept_aspect, const Camera& there, float aspect) {
  const auto half = [](const Camera& camera) { return std::tan(camera.fov_degrees * 3.14159265f / 360); };
  const float up = half(kept) / half(there);
  return std::max(up, up * kept_aspect / aspect);
}

// Whatever the shape of the window in which a view is kept, that window shows it again as it was, and every other picture
// shows all of it.
TEST_F(SceneView, AViewThatIsKeptIsWholeInPicturesOfEveryShape) {
  Camera shown;
  shown.position = {1, 2, 3};
  shown.fov_degrees = 50;
  shown.ortho_height = 2;
  using Size = std::pair<int, int>;
  for (const auto& [width, height] : {Size(400, 800), Size(920, 648), Size(1600, 400), Size(1280, 720)}) {
    scenes::Scene scene;
    keep(camera_to_keep(shown, scene, width, height), scene);
    const Camera again = camera_of(scene, width, height);
    EXPECT_EQ(again.fov_degrees, 50) << width;
    EXPECT_EQ(again.position, shown.position);
    EXPECT_EQ(again.ortho_height, 2) << "of a view of parallel rays";
    EXPECT_EQ(scene.picture.camera.fov_degrees, 50) << "the numbers do not depend on the window: " << width;
    for (const auto& [w, h] : {Size(400, 800), Size(920, 648), Size(1600, 400), Size(1280, 720)}) {
      const float kept_aspect = static_cast<float>(width) / static_cast<float>(height);
      const float aspect = static_cast<float>(w) / static_cast<float>(h);
      const float corner = farthest_corner(shown, kept_aspect, camera_of(scene, w, h), aspect);
      EXPECT_LT(corner, 1.001f) << width << " in " << w;
      EXPECT_GT(corner, 0.999f) << "no smaller than it must be: " << width << " in " << w;
    }
  }
}

// A view that is kept twice writes the same numbers.
TEST_F(SceneView, NumbersOfACameraThatNothingHasChangedAreKept) {
  scenes::Scene scene;
  for (const float fov : {30.0f, 35.0f, 41.5f})
    for (const auto& [width, height] : {std::pair(400, 800), std::pair(701, 480), std::pair(920, 648)}) {
      Camera shown;
      shown.position = {1, 2, 3};
      shown.fov_degrees = fov;
      const FramedCamera once = camera_to_keep(shown, scene, width, height);
      keep(once, scene);
      const FramedCamera kept = camera_to_keep(camera_of(scene, width, height), scene, width, height);
      EXPECT_EQ(kept.camera.fov_degrees, fov) << width;
      EXPECT_EQ(kept.camera.ortho_height, scene.picture.camera.ortho_height);
      EXPECT_EQ(kept.aspect, once.aspect);
    }
  FramedCamera framed{{}, 1280.0f / 720};
  Camera& kept = framed.camera;
  kept.position = {1, 2, 3};
  kept.fov_degrees = 30;
  EXPECT_EQ(camera_text(framed, scene, false, true), "{position: [1, 2, 3], target: [0, 0, 0], fov: 30}");
  kept.fov_degrees = 35;
  EXPECT_EQ(camera_text(framed, scene, false, false), "{position: [1, 2, 3], target: [0, 0, 0]}");
  EXPECT_EQ(camera_text(framed, scene, true, true), "{position: [1, 2, 3], target: [0, 0, 0], up: [0, 1, 0], fov: 35}");
  kept.up = {0, 0, 1};
  EXPECT_EQ(camera_text(framed, scene, false, false), "{position: [1, 2, 3], target: [0, 0, 0], up: [0, 0, 1]}");
  framed.aspect = 1.25f;
  kept.up = {0, 1, 0};
  EXPECT_EQ(camera_text(framed, scene, false, false), "{position: [1, 2, 3], target: [0, 0, 0], aspect: 1.25}");
}

TEST_F(SceneView, AFlatViewIsKeptByItsDistance) {
  const std::string flat =
      "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0], max: "
      "[1, 0.5]}}]\n";
  const scenes::Scene scene = scenes::parse_scene(flat, "s.yaml");
  Camera shown = camera_of(scene, 1280, 720);
  ASSERT_TRUE(shown.orthographic);
  shown.ortho_height *= 0.37f;
  shown.position.x += 0.2f, shown.target.x += 0.2f;
  const std::string text = camera_text(camera_to_keep(shown, scene, 701, 480), scene, false, false);
  const scenes::Scene again = scenes::parse_scene(flat + "picture: {camera: " + text + "}\n", "s.yaml");
  const Camera found = camera_of(again, 701, 480);
  EXPECT_TRUE(found.orthographic);
  EXPECT_NEAR(found.ortho_height, shown.ortho_height, 1e-5 * shown.ortho_height);
  EXPECT_EQ(found.target, shown.target);
  EXPECT_EQ(camera_text(camera_to_keep(found, again, 701, 480), again, false, false), text) << "twice is as once";

  // The window's camera stays as far away as it was at home, and is dragged before the view is kept again.
  shown.position.y += 0.1f, shown.target.y += 0.1f;
  const std::string dragged = camera_text(camera_to_keep(shown, again, 701, 480), again, false, false);
  const scenes::Scene third = scenes::parse_scene(flat + "picture: {camera: " + dragged + "}\n", "s.yaml");
  EXPECT_NEAR(camera_of(third, 701, 480).ortho_height, shown.ortho_height, 1e-5 * shown.ortho_height);
  EXPECT_EQ(third.picture.camera.position.z, again.picture.camera.position.z);
}

/// A tank that rolls and sways, and a camera beside it.
scenes::Scene rolling_scene() {
  return scenes::parse_scene(
      "domain: {min: [0, 0, 0], max: [1, 1, 1], motion: {rotation: {about: [0.5, 0, 0.5], axis: [0, 0.2, 1], rate: 1}, "
      "sway: {amplitude: [0.3, 0, 0], period: 1}}}\nparticles: {spacing: 0.1}\nbodies: [{box: {min: [0, 0, 0], max: "
      "[1, 0.5, 1]}}]\npicture: {camera: {position: [3, 2, 4], target: [0.5, 0.4, 0.5]}}\n",
      "s.yaml");
}

TEST_F(SceneView, ADomainThatMovesIsSeenFromTheWorld) {
  const scenes::Scene scene = rolling_scene();
  const Camera camera = scene.picture.camera;
  constexpr double kTime = 0.2;
  const Camera seen = camera_in_domain(camera, scene, kTime);
  for (const Vec3 place : {Vec3{0, 0, 0}, Vec3{1, 0.2f, 0.7f}, Vec3{0.3f, 1, 0.1f}}) {
    const Vec3 world = place_in_picture(place, scene, kTime);
    EXPECT_GT(length2(world - place), 0.005f);
    // The same distance, and the same place along the camera's axes.
    const auto along = [](const Camera& c, Vec3 x) {
      const Vec3 ahead = c.target - c.position, right = cross_product(ahead, c.up), way = x - c.position;
      return std::array{dot(way, ahead), dot(way, c.up), dot(way, right)};
    };
    const auto in_domain = along(seen, place), in_world = along(camera, world);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(in_domain[a], in_world[a], 1e-4) << a;
  }
}

TEST_F(SceneView, ADomainThatMovesCanBeSeenFromItself) {
  scenes::Scene scene = rolling_scene();
  scene.picture.seen_from = scenes::SeenFrom::Domain;
  const Camera camera = scene.picture.camera;
  EXPECT_EQ(camera_in_domain(camera, scene, 0.2).position, camera.position);
  EXPECT_EQ(place_in_picture({1, 2, 3}, scene, 0.2), (Vec3{1, 2, 3}));
}

TEST_F(SceneView, TheFloorDoesNotTurnWithTheDomain) {
  scenes::Scene scene = rolling_scene();
  EXPECT_EQ(render_options_of(scene).ground, false);
  scene.picture.seen_from = scenes::SeenFrom::Domain;
  EXPECT_EQ(render_options_of(scene).ground, std::nullopt);
  scene.picture.seen_from = scenes::SeenFrom::World;
  scene.picture.floor = true;
  EXPECT_EQ(render_options_of(scene).ground, true);
}

}  // namespace
}  // namespace riffle::test
