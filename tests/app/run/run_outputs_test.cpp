#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "render/media/png.h"
#include "support/program.h"

namespace riffle {

using RunOutputs = ProgramTest;

TEST_F(RunOutputs, PicturesMovieAndReportLandWholeAndNothingElse) {
  if (!can_draw() || !has_tool("ffmpeg")) GTEST_SKIP() << "needs an off-screen OpenGL and ffmpeg";
  const Outcome outcome = riffle({"run", scene_, "--steps", "4", "--out", "o/p", "--image-every", "2", "--video",
                                  "o/movie.mp4", "--json", "o/r.json", "--set", "movie.time_scale=0.01"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(files(), (std::vector<std::string>{"o/movie.mp4", "o/p/final.png", "o/p/step_0000002.png",
                                               "o/p/step_0000004.png", "o/r.json"}));
  EXPECT_TRUE(read("o/p/final.png").starts_with("\x89PNG"));
  if (has_tool("ffprobe")) {
    EXPECT_EQ(movie_fault(folder_ / "o/movie.mp4", json("o/r.json")["movie"]["frames"]), "");
  }
  EXPECT_TRUE(contains(outcome.out, "o/p/final.png"));
  EXPECT_TRUE(contains(outcome.out, "o/movie.mp4"));
}

TEST_F(RunOutputs, MovieHasAFrameForEveryFrameTime) {
  if (!can_draw() || !has_tool("ffprobe")) GTEST_SKIP() << "needs an off-screen OpenGL, ffmpeg and ffprobe";
  // 0.01 s at 1000 frames per simulated second: frames at 0, 1, ... 10 ms, some of them closer together than the steps.
  const Outcome outcome = riffle(
      {"run", scene_, "--video", "m.mp4", "--set", "movie.frames_per_second=50", "--set", "movie.time_scale=0.05"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(movie_fault(folder_ / "m.mp4", 11), "");
}

TEST_F(RunOutputs, DefaultFolderIsNamedAfterTheScene) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  ASSERT_EQ(riffle({"run", scene_, "--steps", "1"}).exit_code, 0);
  EXPECT_EQ(files(), std::vector<std::string>{"output/small/final.png"});
}

TEST_F(RunOutputs, UnwritableFolderIsFoundBeforeTheFirstStep) {
  for (const auto& [option, path] :
       std::vector<std::pair<std::string, std::string>>{{"--out", scene_ + "/below_a_file"},
                                                        {"--out", "/proc/riffle"},
                                                        {"--out", scene_},
                                                        {"--video", "/proc/movie.mp4"},
                                                        {"--json", "/proc/riffle/r.json"},
                                                        {"--json", folder_.string()}}) {
    const Outcome outcome = riffle({"run", scene_, "--steps", "1000000000", option, path});  // would not end
    EXPECT_EQ(outcome.exit_code, 1) << option << " " << path;
    EXPECT_TRUE(contains(outcome.err, "riffle: ")) << option << " " << path;
    EXPECT_EQ(outcome.out, "");
  }
}

// Every name that the system takes is a name for an output, and others are refused before the first step.
TEST_F(RunOutputs, NamesAreAsLongAsTheSystemTakes) {
  const auto name = [](std::size_t bytes, const std::string& ending) {
    return std::string(bytes - ending.size(), 'x') + ending;
  };
  const Outcome longest =
      riffle({"run", scene_, "--steps", "2", "--no-picture", "--checkpoint", name(254, ".h5"), "--particles",
              name(255, ".gsd"), "--series", name(240, ".csv"), "--json", name(255, ".json")});
  EXPECT_EQ(longest.exit_code, 0) << longest.err;
  for (const std::string& file : {name(254, ".h5"), name(255, ".gsd"), name(240, ".csv"), name(255, ".json")})
    EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file.substr(240);
  for (const std::vector<std::string>& output :
       {std::vector<std::string>{"--particles", name(250, ".csv"), "--particles-every", "0.1"},
        {"--surface", name(250, ".vtp"), "--surface-every", "0.1"},
        {"--series", name(250, ".csv")},
        {"--checkpoint", name(256, ".h5")},
        {"--checkpoint", name(254, ".h5")},
        {"--json", name(256, ".json")}}) {
    std::vector<std::string> words = {"run", scene_, "--no-picture", "--steps", "1000000000"};  // would not end
    words.insert(words.end(), output.begin(), output.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << output[0];
    EXPECT_TRUE(contains(outcome.err, "cannot be the name of a file: File name too long; allowed: a shorter one"));
  }
}

// The companions for ParaView are XML, which has no place for such names.
TEST_F(RunOutputs, NamesThatAreNoUtf8AreRefusedWhereAnXmlFileNamesThem) {
  for (const std::vector<std::string>& output : {std::vector<std::string>{"--checkpoint", "a\xff.h5"},
                                                 {"--particles", "a\xff.h5"},
                                                 {"--particles", "a\xff.vtp", "--particles-every", "0.1"},
                                                 {"--surface", "a\xff.vtp", "--surface-every", "0.1"}}) {
    std::vector<std::string> words = {"run", scene_, "--no-picture", "--steps", "1000000000"};  // would not end
    words.insert(words.end(), output.begin(), output.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << output[0];
    EXPECT_TRUE(contains(outcome.err, output[0] + ": found the name 'a\\xff."));
  }
  EXPECT_EQ(riffle({"run", scene_, "--no-picture", "--steps", "1", "--checkpoint", "a\u00e4.h5", "--particles",
                    "a\xff.csv", "--json", "r.json"})
                .exit_code,
            0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a\u00e4.xmf"));
}

TEST_F(RunOutputs, ReportThatReplacesAFileIsWholeOrTheOldOneStays) {
  write("r.json", "old");
  const Outcome bad = riffle({"run", scene_, "--json", "r.json", "--set", "time.end=-1"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(read("r.json"), "old");
  EXPECT_EQ(riffle({"run", scene_, "--steps", "1", "--json", "r.json"}).exit_code, 0);
  EXPECT_EQ(json("r.json")["steps"], 1);
}

TEST_F(RunOutputs, RunWithoutOpenGLGoesOnWithoutPicturesAndSaysSoOnce) {
  const std::map<std::string, std::string> no_driver = {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json"},
                                                        {"LIBGL_DRIVERS_PATH", "/nowhere"},
                                                        {"ASAN_OPTIONS", "detect_leaks=1"}};
  const Outcome outcome =
      Program({"run", scene_, "--steps", "3", "--image-every", "1", "--json", "-"}, folder_, false, no_driver).wait();
  if (outcome.err.find("no pictures") == std::string::npos) GTEST_SKIP() << "OpenGL cannot be hidden on this machine";
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err.find("no pictures"), outcome.err.rfind("no pictures"));
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(report["pictures"].empty());
  ASSERT_EQ(report["warnings"].size(), 1u);
  EXPECT_TRUE(contains(report["warnings"][0], "no pictures"));
}

TEST_F(RunOutputs, InstabilityEndsTheRunWithTheStepTheCountAndARemedy) {
  const Outcome outcome = riffle({"run", scene_, "--set", "time.step=1e20", "--set", "time.end=1e30", "--set",
                                  "domain.axes=open", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "--set time.step: 1e+20 s is above the largest advisable step"));
  EXPECT_TRUE(contains(outcome.err, "of 125 particles"));
  EXPECT_TRUE(contains(outcome.err, "time.cfl"));
  EXPECT_GT(json("r.json")["diagnostics"]["non_finite"], 0);
  EXPECT_TRUE(json("r.json")["failure"].is_string());
}

// Walls put particles back, so that positions stay numbers however wild they are.
TEST_F(RunOutputs, AFluidPressedIntoACornerIsAFailureWithoutASingleNaN) {
  for (const char* step : {"time.step=0.01", "time.step=0.05"}) {
    const Outcome outcome = riffle({"run", "dam_break", "--device", "cpu", "--set", "dimension=2", "--set", step,
                                    "--time", "0.5", "--json", "r.json", "--out", "o"});
    EXPECT_EQ(outcome.exit_code, 1) << step;
    EXPECT_TRUE(contains(outcome.err, "the simulation is unstable")) << step;
    EXPECT_TRUE(contains(outcome.err, "time.step=auto")) << step;
    EXPECT_EQ(json("r.json")["diagnostics"]["non_finite"], 0) << step;
    EXPECT_TRUE(contains(json("r.json")["failure"], "rest density")) << step;
    EXPECT_TRUE(contains(outcome.out, "and were put back")) << step;
  }
}

TEST_F(RunOutputs, SpeedsFarAboveTheSpeedOfSoundAreAFailure) {
  const Outcome outcome = riffle({"run", scene_, "--set", "solver.speed_of_sound=2", "--set",
                                  "bodies[0].velocity=[30, 0, 0]", "--steps", "50", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "more than 10 times the numerical speed of sound"));
  EXPECT_LT(json("r.json")["steps"], 50);
}

TEST_F(RunOutputs, CompressionOfAFewPercentIsWarnedAboutOnce) {
  const Outcome outcome =
      riffle({"run", "dam_break", "--device", "cpu", "--set", "dimension=2", "--set", "solver.speed_of_sound=4",
              "--set", "solver.density=summation", "--steps", "1200", "--json", "r.json", "--out", "o"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto first = outcome.err.find("the fluid is compressed by");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("the fluid is compressed by", first + 1), std::string::npos);
  EXPECT_TRUE(contains(json("r.json")["warnings"].dump(), "the fluid is compressed by"));
}

TEST_F(RunOutputs, FewerStepsThanAskedForAreAFailure) {
  // Stiff enough for the step to vanish, while every product that a force is made of stays a number.
  const std::string stiff = write("stiff.yaml",
                                  "domain: {min: [0, 0, 0], max: [0.001, 0.001, 0.001]}\n"
                                  "particles: {spacing: 0.0001}\n"
                                  "fluids: [{name: tar, viscosity: 1e37, rest_density: 1}]\n"
                                  "bodies: [{box: {min: [0, 0, 0], max: [0.0005, 0.0005, 0.0005]}}]\n");
  const Outcome outcome = riffle({"run", stiff, "--steps", "1000000000", "--out", "o"});  // would not end
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "the time step has become 0 after step 0"));
  EXPECT_TRUE(contains(outcome.err, "short of 1000000000 steps"));
  EXPECT_EQ(riffle({"run", stiff, "--steps", "5", "--out", "o"}).exit_code, 1);
  EXPECT_EQ(riffle({"run", stiff, "--time", "1", "--out", "o"}).exit_code, 1);
}

TEST_F(RunOutputs, TwoOutputsInOneFileAreRefusedBeforeAnythingIsMade) {
  std::filesystem::create_symlink(folder_ / "small.yaml", folder_ / "link.yaml");
  for (const auto& [first, second] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--video", "m.mp4", "--json", "./m.mp4"}, "--video"},
           {{"--out", "o", "--json", "o/final.png"}, "picture"},
           {{"--json", "link.yaml"}, "the scene"},
           {{"--out", "o", "--json", "o/step_1.png", "--image-every", "1"}, "--image-every"}}) {
    std::vector<std::string> words = {"run", scene_, "--steps", "1"};
    words.insert(words.end(), first.begin(), first.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--json ("));
    EXPECT_TRUE(contains(outcome.err, second));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
  }
}

TEST_F(RunOutputs, MovieDoesNotReplaceWhatIsNoFile) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.mp4").c_str(), 0600), 0);
  const Outcome outcome = riffle({"run", scene_, "--steps", "1", "--video", "pipe.mp4"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "no regular file"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe.mp4"));
}

TEST_F(RunOutputs, StepsLongerThanAHundredFramesAreWarnedAboutOnce) {
  if (!can_draw() || !has_tool("ffmpeg")) GTEST_SKIP() << "needs an off-screen OpenGL and ffmpeg";
  const Outcome outcome = riffle({"run", scene_, "--steps", "3", "--video", "m.mp4", "--json", "r.json", "--set",
                                  "movie.time_scale=0.0001", "--set", "picture.size=[64, 64]"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json("r.json")["warnings"].size(), 1u);
  EXPECT_TRUE(contains(json("r.json")["warnings"].dump(), "frames of the movie"));
}

TEST_F(RunOutputs, AFileAboveTheSizeLimitIsAFailedWriteNotASignal) {
  write("go.sh", "export ASAN_OPTIONS=detect_leaks=0\nulimit -f 1\n" RIFFLE_PROGRAM
                 " run small.yaml --steps 600 --json r.json >out 2>err\necho $? >code\n");
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && bash go.sh").c_str()), 0);
  EXPECT_EQ(read("code"), "1\n");
  EXPECT_TRUE(contains(read("err"), "riffle: r.json: cannot be written: File too large")) << "beside the picture";
}

// No other output fails here: the exit code is the report's alone.
TEST_F(RunOutputs, AReportThatCannotBeWrittenIsAFailureThatNamesIt) {
  const std::string reason = "riffle: /dev/full: cannot be written: No space left on device\n";
  const Outcome quiet = riffle({"run", scene_, "--steps", "3", "--quiet", "--out", "o", "--json", "/dev/full"});
  EXPECT_EQ(quiet.exit_code, 1);
  EXPECT_EQ(quiet.err, reason);
  const Outcome both =
      riffle({"run", scene_, "--steps", "3", "--out", "o", "--series", "/dev/full", "--json", "r.json"});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_TRUE(contains(both.err, "the series is given up: /dev/full")) << both.err;
  EXPECT_TRUE(both.err.ends_with("\n" + reason)) << both.err;
  EXPECT_EQ(json("r.json")["failure"], "/dev/full: cannot be written: No space left on device");
}

// 'riffle bench' and 'riffle audit' deliver by the same code.
TEST_F(RunOutputs, ATableIsWrittenThoughTheReportCannotBe) {
  const Outcome outcome =
      riffle({"bench", "rng", "--device", "cpu", "--count", "10000", "--json", "/dev/full", "--csv", "r.csv"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "riffle: /dev/full: cannot be written: No space left on device"));
  EXPECT_TRUE(contains(read("r.csv"), "philox"));
}

TEST_F(RunOutputs, WhatAKilledRunLeftIsGoneAfterTheNext) {
  const bool movie = can_draw() && has_tool("ffmpeg");
  std::vector<std::string> words = {"run", scene_, "--steps", "1000000000", "--out", "o"};
  if (movie) words.insert(words.end(), {"--video", "m.mp4"});
  Program program(words, folder_, true);
  ASSERT_TRUE(program.says("ETA"));
  const std::string number = std::to_string(program.process());
  const std::string left = ".m.riffle-partial-" + number + ".mp4";
  while (movie && read(left).empty() && program.running())  // else the encoder would make the file after its removal
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  if (movie) {
    EXPECT_EQ(files(), std::vector<std::string>{left});
  } else {
    write(left, "half");
  }
  write("o/.riffle-probe-" + number, "");
  write("o/.riffle-probe-1", "of a process that lives");
  const Outcome next = riffle({"run", scene_, "--steps", "1", "--out", "o", "--json", "r.json"});
  EXPECT_EQ(next.exit_code, 0) << next.err;
  std::vector<std::string> expected = {"o/.riffle-probe-1", "r.json"};
  if (can_draw()) expected.insert(expected.begin() + 1, "o/final.png");
  EXPECT_EQ(files(), expected);
}

TEST_F(RunOutputs, SpeedsAboveTheSpeedOfSoundAreWarnedAboutOnce) {
  const Outcome outcome = riffle({"run", scene_, "--set", "solver.speed_of_sound=20", "--set",
                                  "bodies[0].velocity=[30, 0, 0]", "--steps", "50", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto first = outcome.err.find("above the numerical speed of sound");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("above the numerical speed of sound", first + 1), std::string::npos);
}

TEST_F(RunOutputs, LookOfTheCommandLineReplacesTheScenes) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  const std::string scene =
      write("drop.yaml",
            "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\npicture: {size: [320, 180], look: "
            "spheres}\nbodies:\n  - {sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}}\n");
  EXPECT_EQ(riffle({"run", scene, "--steps", "1", "--out", "as_it_says"}).exit_code, 0);
  EXPECT_EQ(riffle({"run", scene, "--steps", "1", "--look", "spheres", "--out", "spheres"}).exit_code, 0);
  const Outcome fluid = riffle({"run", scene, "--steps", "1", "--look", "fluid", "--out", "fluid"});
  EXPECT_EQ(fluid.exit_code, 0) << fluid.err;
  EXPECT_EQ(read("as_it_says/final.png"), read("spheres/final.png"));
  EXPECT_NE(read("fluid/final.png"), read("spheres/final.png"));
  const Outcome wrong = riffle({"run", scene, "--look", "fluids"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("did you mean 'fluid'"), std::string::npos) << wrong.err;
}

TEST_F(RunOutputs, ColoursByFluidAndDensityAndTwoDimensionsAreDrawn) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  const std::string two =
      write("two.yaml",
            "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\npicture: {size: [320, 180]}\n"
            "fluids:\n  - {name: oil, rest_density: 800, color: '#ff8000'}\n  - {name: water}\n"
            "bodies:\n  - {fluid: water, box: {min: [0, 0], max: [1, 0.3]}}\n  - {fluid: oil, sphere: {center: [0.5, "
            "0.6], radius: 0.25}}\n");
  for (const char* by : {"fluid", "density", "speed"}) {
    const Outcome outcome =
        riffle({"run", two, "--steps", "3", "--set", std::string("picture.color_by=") + by, "--out", by});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_NE(read("fluid/final.png"), read("speed/final.png"));
  EXPECT_NE(read("density/final.png"), read("speed/final.png"));
}

TEST_F(RunOutputs, APictureHasTheCutAndTheBackgroundOfTheScene) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  const auto drawn = [&](const std::string& name, std::vector<std::string> settings) {
    std::vector<std::string> command{"run", scene_, "--steps", "2", "--look", "spheres", "--out", name};
    for (const std::string& setting : settings) command.insert(command.end(), {"--set", "picture." + setting});
    const Outcome outcome = riffle(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return render::read_png(folder_ / (name + "/final.png"));
  };
  const std::vector<std::string> bare{"background=#204080", "floor=false", "legend=false", "caption=false",
                                      "box=false"};
  const auto with = [&](const std::string& more) {
    std::vector<std::string> all = bare;
    all.push_back(more);
    return all;
  };
  const render::Image whole = drawn("whole", bare), below = drawn("below", with("cut={axis: x, at: 0.2}")),
                      above = drawn("above", with("cut={axis: x, at: 0.2, other_side: true}")),
                      none = drawn("none", with("cut={axis: x, at: -1}"));
  EXPECT_NE(whole.rgb, below.rgb);
  EXPECT_NE(whole.rgb, above.rgb);
  EXPECT_NE(below.rgb, above.rgb);
  for (std::size_t p = 0; p < none.rgb.size(); p += 3) {
    ASSERT_EQ(none.rgb[p], 0x20);
    ASSERT_EQ(none.rgb[p + 1], 0x40);
    ASSERT_EQ(none.rgb[p + 2], 0x80);
  }
  for (const char* part : {"floor=true", "legend=true", "caption=true", "box=true"})
    EXPECT_NE(drawn(part, with(part)).rgb, whole.rgb) << part;
}

TEST_F(RunOutputs, EachQuantityHasAPictureOfItsOwn) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  std::set<std::string> pictures;
  std::size_t drawn = 0;
  for (const std::string word : {"speed", "velocity_x", "velocity_y", "velocity_z", "acceleration", "vorticity",
                                 "density", "compression", "pressure", "neighbors", "fluid"}) {
    const Outcome outcome = riffle(
        {"run", scene_, "--steps", "40", "--look", "spheres", "--set", "picture.color_by=" + word, "--out", word});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    pictures.insert(read(word + "/final.png"));
    ++drawn;
  }
  EXPECT_EQ(pictures.size(), drawn);
}

TEST_F(RunOutputs, APictureWithoutAParticleIsWarnedOf) {
  if (!can_draw()) GTEST_SKIP() << "needs an off-screen OpenGL";
  const std::string away = "picture.camera={position: [0, 0, 50], target: [0, 0, 100]}";
  const Outcome camera = riffle({"run", scene_, "--steps", "2", "--set", away, "--json", "r.json"});
  EXPECT_EQ(camera.exit_code, 0) << camera.err;
  const std::string words = "shows no particle: none is in view of picture.camera";
  EXPECT_TRUE(contains(camera.err, words)) << camera.err;
  ASSERT_EQ(json("r.json")["warnings"].size(), 1u);
  EXPECT_TRUE(contains(json("r.json")["warnings"][0], words));
  const Outcome cut =
      riffle({"run", scene_, "--steps", "2", "--image-every", "1", "--set", "picture.cut={axis: x, at: -9}"});
  EXPECT_TRUE(contains(cut.err, "shows no particle: picture.cut leaves out all of them")) << cut.err;
  EXPECT_FALSE(contains(riffle({"run", scene_, "--steps", "2"}).err, "shows no particle"));
}

TEST_F(RunOutputs, AFileThatIsForgottenIsAskedForByItsOption) {
  const Outcome outcome = riffle({"run", scene_, "--video", "--steps", "2"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "--video: the name of a file is missing before --steps")) << outcome.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(RunOutputs, TheSummaryHasTheFastestParticleOfTheRunBesideThatOfTheEnd) {
  const std::string fall =
      write("fall.yaml",
            "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
            "  - {box: {min: [0, 0.3], max: [1, 0.6]}}\n");
  const Outcome outcome = riffle({"run", fall, "--device", "cpu", "--no-picture", "--time", "0.6", "--json", "r.json",
                                  "--series", "s.csv", "--series-every", "1e-6"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  const double at_end = report["diagnostics"]["max_speed"], speed = report["fastest_particle"]["speed"],
               time = report["fastest_particle"]["time"];
  ASSERT_GT(speed, 1.5 * at_end) << "or this shows nothing";
  EXPECT_TRUE(
      std::regex_search(outcome.out, std::regex("fastest particle [0-9.]+ m/s at the end, [0-9.]+ m/s in the run "
                                                "\\(at [0-9.]+ s\\)")))
      << outcome.out;
  // The rows are of every step.
  std::istringstream rows(read("s.csv"));
  std::string row;
  std::getline(rows, row);
  const auto column = std::count(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(row.find("max_speed")), ',');
  double largest = 0, when = 0;
  while (std::getline(rows, row)) {
    std::istringstream fields(row);
    std::string field;
    double now = 0;
    for (std::ptrdiff_t k = 0; k <= column && std::getline(fields, field, ','); ++k)
      if (k == 0) now = std::stod(field);
    if (std::stod(field) > largest) largest = std::stod(field), when = now;
  }
  EXPECT_NEAR(speed, largest, 1e-5 * largest);
  EXPECT_NEAR(time, when, 1e-5);
}

TEST_F(RunOutputs, ProbesThatNoFileGetsAreNamed) {
  const std::string tank =
      write("tank.yaml",
            "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\nbodies:\n"
            "  - {box: {min: [0, 0], max: [1, 0.3]}}\nprobes:\n  - {name: gauge, point: [0.5, 0.1]}\n");
  const std::vector<std::string> run = {"run", tank, "--device", "cpu", "--no-picture", "--steps", "1"};
  const auto said = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = run;
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(said({}), "the probe 'gauge' is not written; --probes FILE.csv writes what it measures"));
  EXPECT_FALSE(contains(said({"--series", "s.csv"}), "is not written"));
  EXPECT_FALSE(contains(said({"--probes", "p.csv"}), "is not written"));
}

// Measurements beside the steps make searches of their own.
TEST_F(RunOutputs, ANearlyEmptyBoxIsTalkedAboutOnce) {
  const std::string far =
      write("far.yaml",
            "domain: {min: [0, 0, 0], max: [1e4, 1e4, 1e4], axes: open}\ngravity: [0, 0, 0]\n"
            "particles: {number_density: 3}\nbodies: [{box: {min: [0, 0, 0], max: [3, 3, 3]}}]\nsolver: {type: dpd}\n");
  const Outcome outcome = riffle({"run", far, "--device", "cpu", "--no-picture", "--steps", "5", "--neighbors",
                                  "hoetzlein", "--series", "s.csv", "--series-every", "1e-6"});
  const std::string line = "larger ones are used";
  std::size_t times = 0;
  for (std::size_t at = outcome.err.find(line); at != std::string::npos; at = outcome.err.find(line, at + 1)) ++times;
  EXPECT_EQ(times, 1u) << outcome.err;
}

// Its walls are weighed by a search of their own, which covers no more than the ball's surroundings.
TEST_F(RunOutputs, NothingIsSaidOfCellsWhereABallLiesInACornerOfATank) {
  const std::string ball =
      write("ball.yaml",
            "domain: {min: [0, 0, 0], max: [1.6, 0.8, 1]}\nparticles: {spacing: 0.02}\nsolver: {type: pbf}\n"
            "bodies: [{box: {min: [0, 0, 0], max: [1.6, 0.06, 1]}}]\n"
            "solids: [{sphere: {center: [0.07, 0.6, 0.07], radius: 0.05}}]\n");
  const Outcome outcome = riffle({"run", ball, "--device", "cpu", "--no-picture", "--steps", "1"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(contains(outcome.err, "larger ones are used")) << outcome.err;
}

}  // namespace riffle
