#include <cstdlib>
#include <filesystem>
#include <set>

#include "support/program.h"

namespace riffle {

using CommandLine = ProgramTest;

TEST_F(CommandLine, HelpAndVersionSucceedOnStandardOutput) {
  for (const char* flag : {"--help", "-h"}) {
    const Outcome outcome = riffle({flag});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.out, "Exit codes"));
    EXPECT_EQ(outcome.err, "");
  }
  const Outcome version = riffle({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("riffle ")) << version.out;
  EXPECT_TRUE(contains(riffle({"run", "--help"}).out, "--image-every"));
}

TEST_F(CommandLine, GpuMeansCuda) {
  const std::vector<std::string> words = {"run", scene_, "--steps", "1", "--set", "picture.size=[16,16]", "--device"};
  const auto with = [&](const char* device) {
    std::vector<std::string> all = words;
    all.push_back(device);
    return riffle(all);
  };
  const Outcome cuda = with("cuda"), gpu = with("gpu");
  EXPECT_EQ(gpu.exit_code, cuda.exit_code) << gpu.err;
  if (cuda.exit_code != 0) {
    EXPECT_EQ(gpu.err, cuda.err);
    EXPECT_FALSE(contains(gpu.err, "unknown device"));
  }
}

TEST_F(CommandLine, TheHelpSaysWhatIsMissing) {
  EXPECT_TRUE(contains(riffle({"--help"}).out, "What this version has not:\n  It has no bonds between the particles"));
}

TEST_F(CommandLine, MistakesAreRefusedWithWhatWasProbablyMeant) {
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {
      {{"rnu", "dam_break"}, "did you mean 'run'?"},
      {{"dam_braek"}, "did you mean 'dam_break'?"},
      {{"run", "dam_braek"}, "did you mean 'dam_break'?"},
      {{"run"}, "SCENE is required"},
      {{"run", scene_, "--stpes", "3"}, "riffle: '--stpes' is no option of `riffle run`; did you mean '--steps'?\n"},
      {{"run", scene_, "--movie", "a.mp4"},
       "riffle: '--movie' is no option of `riffle run`; did you mean '--video'?\n"},
      {{"check", scene_, "--movie", "a.mp4"}, "riffle: '--movie' is no option of `riffle check`\n"},
      {{"run", scene_, "--neighbors", "hoetzlien"}, "did you mean 'hoetzlein'?"},
      {{"run", scene_, "--device", "gpux"}, "allowed: auto, cpu, cuda, gpu"},
      {{"run", scene_, "--script", "x"}, "this version has no Python module. Scripts can call"},
      {{"resume"}, "FILE is required"},
      {{"resume", scene_}, "is no state of Riffle"},
      {{"resume", scene_, "--steps", "x"}, "`riffle resume --help`"},
      {{"run", scene_, "--checkpoint-every", "0"}, "above 0"},
      {{"run", scene_, "--steps", "-1"}, "whole number"},
      {{"run", scene_, "--steps", "1.5"}, "whole number"},
      {{"run", scene_, "--time", "0"}, "above 0"},
      {{"run", scene_, "--time", "nan"}, "above 0"},
      {{"run", scene_, "--time", "1", "--steps", "1"}, "excludes"},
      {{"run", scene_, "--seed", "x"}, "whole number"},
      {{"run", scene_, "--set", "time.end=1", "time.cfl=0.1"}, "every override needs its own --set"},
      {{"run", scene_, "--set", "time.end", "1"}, "an override is one word: --set time.end=1"},
      {{"run", scene_, "--video", "movie.gif"}, "must end in .mp4"},
      {{"--steps"}, ""},
      {{"run", scene_, "--image-every", "x"}, "`riffle run --help`"},
      {{"check", scene_, "--seed", "x"}, "`riffle check --help`"},
      {{"audit", scene_, "--steps", "x"}, "`riffle audit --help`"},
      {{"validate", "--size", "x"}, "`riffle validate --help`"},
      {{"bench"}, "`riffle bench --help`"},
      {{"bench", "step", scene_, "--count", "0"}, "`riffle bench step --help`"},
      {{"bench", "draw", scene_, "--spheres", "x"}, "`riffle bench draw --help`"},
      {{"bench", "neighbors", "--runs", "0"}, "`riffle bench neighbors --help`"},
      {{"bench", "rng", "--count", "0"}, "`riffle bench rng --help`"},
      {{"bench", "rtnn", "--runs", "0"}, "`riffle bench rtnn --help`"},
      {{"bench", "surface", scene_, "--count", "0"}, "`riffle bench surface --help`"},
      {{"bench", "contact", "--count", "0"}, "`riffle bench contact --help`"},
  };
  for (const auto& [words, says] : cases) {
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << words.back() << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, says));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "output")) << words.back();
    EXPECT_TRUE(contains(outcome.err, "riffle: "));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(CommandLine, StandardOutputThatCannotBeWrittenToIsAFailure) {
  for (const char* command : {"list", "doctor", "--help", "check small.yaml", "bench step small.yaml --count 1"})
    for (const char* output : {">/dev/full", ">&-"}) {
      const std::string line = "cd " + folder_.string() +
                               " && export ASAN_OPTIONS=detect_leaks=0; " RIFFLE_PROGRAM " " + command + " " + output +
                               " 2>err; echo $? >code";
      ASSERT_EQ(std::system(line.c_str()), 0);
      EXPECT_EQ(read("code"), "1\n") << line;
      EXPECT_TRUE(contains(read("err"), "riffle: standard output cannot be written to"));
    }
}

TEST_F(CommandLine, ClosedDescriptorsDoNotGetIntoTheReport) {
  const std::string line = "cd " + folder_.string() +
                           " && export ASAN_OPTIONS=detect_leaks=0; " RIFFLE_PROGRAM
                           " run small.yaml --steps 2 --json r.json <&- >&- 2>&-; true";
  ASSERT_EQ(std::system(line.c_str()), 0);
  EXPECT_EQ(json("r.json")["steps"], 2);
}

TEST_F(CommandLine, CudaWithoutAGpuIsUnavailable) {
  if (contains(riffle({"doctor"}).out, "[ok] CUDA")) GTEST_SKIP() << "this machine has a usable GPU";
  const Outcome outcome = riffle({"run", scene_, "--device", "cuda"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "riffle: "));
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(riffle({"run", scene_, "--device", "auto", "--steps", "1"}).exit_code, 0);
}

TEST_F(CommandLine, SceneWithoutACommandSaysThatThereIsNoWindowAndRuns) {
  const Outcome outcome = riffle({scene_, "--set", "time.end=0.001"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.err, "no window")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "steps"));
}

TEST_F(CommandLine, SceneWithWhatOnlyARunHasOpensNoWindow) {
  const std::vector<std::vector<std::string>> of_runs = {{"--steps", "2"},
                                                         {"--time", "0.001"},
                                                         {"--out", "o"},
                                                         {"--image-every", "5"},
                                                         {"--no-picture"},
                                                         {"--look", "fluid"},
                                                         {"--json", "r.json"},
                                                         {"--series", "s.csv"},
                                                         {"--particles", "p.ply"},
                                                         {"--quiet"},
                                                         {"--no-guard"},
                                                         {"--recover"},
                                                         {"--video", "m.mp4"},
                                                         {"--series", "s.csv", "--series-every", "0.001"},
                                                         {"--means-from", "0"},
                                                         {"--particles", "q.ply", "--particles-every", "0.001"},
                                                         {"--surface", "u.ply"},
                                                         {"--surface", "w.ply", "--surface-every", "0.001"},
                                                         {"--probes", "p.csv"},
                                                         {"--probes", "q.csv", "--probes-every", "0.001"},
                                                         {"--checkpoint", "s.h5"},
                                                         {"--checkpoint-every", "0.001"},
                                                         {"--no-checkpoint"},
                                                         {"--radial-distribution", "g.csv"},
                                                         {"--displacements", "d.csv"},
                                                         {"--displacements", "e.csv", "--displacement-lag", "0.001"},
                                                         {"--displacements", "f.csv", "--structure-every", "0.001"},
                                                         {"--displacements", "h.csv", "--structure-from", "0"},
                                                         {"--particles", "r.ply", "--particles-fields", "speed"}};
  const std::string help = riffle({"run", "--help"}).out;
  const std::vector<std::string> of_scenes = {"--help", "--device", "--neighbors", "--set", "--seed"};
  std::set<std::string> known(of_scenes.begin(), of_scenes.end());
  for (const auto& options : of_runs) known.insert(options.end() - (options.size() > 1 ? 2 : 1), options.end());
  for (std::size_t at = 0; (at = help.find("  --", at)) != std::string::npos;) {
    at += 2;
    const std::string option = help.substr(at, help.find_first_of(" \n", at) - at);
    EXPECT_TRUE(known.contains(option)) << option << " is not among those that this test tries";
  }
  for (const auto& options : of_runs) {
    if (options[0] == "--video" && !(can_draw() && has_tool("ffmpeg"))) continue;
    std::vector<std::string> words = {scene_, "--set", "time.end=0.001", "--set", "probes=[{point: [0.1, 0.1, 0.1]}]"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = Program(words, folder_, false, {{"DISPLAY", ":there-is-none"}}).wait();
    EXPECT_EQ(outcome.exit_code, 0) << options[0] << ": " << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "no window")) << options[0] << " opens a window, which has no such option";
  }
  const Outcome window =
      Program({scene_, "--set", "time.end=0.001", "--seed", "3", "--device", "cpu", "--neighbors", "green"}, folder_,
              false, {{"DISPLAY", ":there-is-none"}})
          .wait();
  EXPECT_TRUE(contains(window.err, "no window")) << "a window has these";
  EXPECT_TRUE(contains(window.out, "by green"));
}

// A window and a run take the options as overrides, which the scene's review sees.
TEST_F(CommandLine, SearchAndSeedAreReviewedWithTheScene) {
  const Outcome search = riffle({"check", scene_, "--set", "neighbors.skin=0.1", "--neighbors", "auto"});
  EXPECT_EQ(search.exit_code, 0) << search.err;
  EXPECT_TRUE(contains(search.err, "neighbors.skin: has no effect"));
  EXPECT_TRUE(contains(search.out, "auto"));
  const Outcome seed = riffle({"run", scene_, "--steps", "1", "--seed", "99999999999999999"});
  EXPECT_EQ(seed.exit_code, 2) << "above what the key allows";
  EXPECT_TRUE(contains(seed.err, "--set seed: "));
}

// Mesa pretends to be older: the run goes on without pictures, and says what is available and what is needed.
TEST_F(CommandLine, OpenGLThatIsTooOldLeavesARunWithoutPictures) {
  if (!can_draw()) GTEST_SKIP() << "no off-screen OpenGL here";
  const std::map<std::string, std::string> old{{"MESA_GL_VERSION_OVERRIDE", "4.1"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}};
  const Outcome doctor = Program({"doctor"}, folder_, false, old).wait();
  if (contains(doctor.out, "[ok] OpenGL")) GTEST_SKIP() << "this OpenGL is not Mesa's: it has the version that it has";
  const Outcome outcome = Program({"run", scene_, "--video", "m.mp4"}, folder_, false, old).wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "no pictures and no movie: no off-screen OpenGL 4.5")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "found OpenGL 4.1")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "steps"));
  for (const std::string& file : files()) {
    EXPECT_FALSE(file.ends_with(".mp4")) << file;
    EXPECT_FALSE(file.ends_with(".png")) << file;
  }
}

TEST_F(CommandLine, ListNamesScenesAndSearches) {
  const Outcome outcome = riffle({"list"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "dam_break"));
  EXPECT_TRUE(contains(outcome.out, "hoetzlein"));
  EXPECT_TRUE(contains(outcome.out, "brute_force"));
  EXPECT_TRUE(contains(outcome.out, "\n  auto "));
  EXPECT_TRUE(contains(outcome.out, "neighbors.skin"));
}

TEST_F(CommandLine, DoctorExplainsEveryPartOfTheMachine) {
  const Outcome outcome = riffle({"doctor"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part :
       {"processor", "instructions", "memory", "CUDA", "display", "OpenGL", "ffmpeg", "OptiX", "scenes"})
    EXPECT_TRUE(contains(outcome.out, part));
}

TEST_F(CommandLine, DoctorTriesTheDisplay) {
  const auto doctor = [&](const std::string& display) {
    return Program({"doctor"}, folder_, false, {{"DISPLAY", display}, {"WAYLAND_DISPLAY", ""}}).wait();
  };
  const Outcome none = doctor("");
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_TRUE(contains(none.out, "[--] display       none: neither WAYLAND_DISPLAY nor DISPLAY is set"));
  const Outcome dead = doctor(":9876");
  EXPECT_EQ(dead.exit_code, 0) << dead.err;
  EXPECT_TRUE(contains(dead.out, "[--] display       X11 (:9876): no window: "));
  EXPECT_TRUE(contains(dead.out, "scenes run without a window"));
}

TEST_F(CommandLine, CheckPrintsWhatARunWouldBeLike) {
  const Outcome outcome = riffle({"check", scene_});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "125 fluid"));
  EXPECT_TRUE(contains(outcome.out, "h = 0.3 m"));
  for (const char* row : {"domain", "speed of sound", "time step", "memory", "time per step", "median of"})
    EXPECT_TRUE(contains(outcome.out, row));
  EXPECT_TRUE(contains(outcome.out, "gravity          [0, -9.81, 0] m/s^2")) << outcome.out;
  EXPECT_TRUE(files().empty()) << "check writes nothing";
}

// 192,000 particles: more than are timed as they are. A sparse sample would have neither the work nor the cells of the scene.
TEST_F(CommandLine, CheckTimesASampleOfTheDensityOfALargeDpdScene) {
  write("large.yaml",
        "domain: {min: [0, 0, 0], max: [40, 40, 40], axes: periodic}\nparticles: {number_density: 3}\n"
        "gravity: [0, 0, 0]\nsolver: {type: dpd}\ntime: {step: 0.02, end: 1}\n"
        "bodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [40, 40, 40]}}\n");
  const Outcome outcome = riffle({"check", "large.yaml", "--device", "cpu"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, " of 100000 particles in a box 1.24 times smaller, at the scene's density"))
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CommandLine, CheckSaysWhatMeasuringTreesTakes) {
  const char* text = "where rtnn chooses OptiX; the first step measures";
  const auto check = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"check", scene_});
    return riffle(words);
  };
  const Outcome on_cpu = check({"--neighbors", "rtnn", "--device", "cpu"});
  EXPECT_EQ(on_cpu.exit_code, 0) << on_cpu.err;
  EXPECT_FALSE(contains(on_cpu.out, text)) << "nothing is measured there";
  const Outcome outcome = check({"--neighbors", "rtnn", "--device", "cuda"});
  if (outcome.exit_code != 0) GTEST_SKIP() << outcome.err;
  EXPECT_TRUE(contains(outcome.out, text)) << outcome.out;
  for (const char* other : {"neighbors.structure=lbvh", "deterministic=true"})
    EXPECT_FALSE(contains(check({"--neighbors", "rtnn", "--device", "cuda", "--set", other}).out, text)) << other;
}

TEST_F(CommandLine, CheckListsTheSolids) {
  const std::string solids =
      "solids=[{name: step, box: {min: [0.7, 0, 0], max: [0.9, 0.3, 1]}}, {sphere: {center: [0.75, 0.7, 0.5], radius: "
      "0.2}, without: [{sphere: {center: [0.75, 0.7, 0.5], radius: 0.1}}]}]";
  const Outcome outcome = riffle({"check", scene_, "--device", "cpu", "--set", solids});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "solids           2, with ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, " wall particles\n                 step: a box of 0.2 x 0.3 x 1 m\n"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "solid_2: a sphere of radius 0.2 m without one shape\n")) << outcome.out;
  EXPECT_FALSE(contains(riffle({"check", scene_, "--device", "cpu"}).out, "solids"));
}

TEST_F(CommandLine, CheckListsTheOpenings) {
  write("channel.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [3, 1], axes: [open, walled]}\nparticles: {spacing: 0.05}\n"
        "inlets:\n  - {name: up, face: x_min, level: 0.3, speed: 0.5}\n"
        "  - {disc: {center: [1.5, 1], radius: 0.1}, rate: 0.4}\n"
        "outlets:\n  - {face: x_max, speed: 0.5}\n  - {box: {min: [1, 0], max: [1.1, 0.1]}}\n");
  const Outcome outcome = riffle({"check", "channel.yaml", "--device", "cpu"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out,
                       "inlets           up: face x_min up to y = 0.3, 6 particles in a layer of 0.3 m, up to 0.5 m/s\n"
                       "                 inlet_2: disc, 4 particles in a layer of 0.2 m, up to 2 m/s\n"
                       "outlets          outlet_1: face x_max, moves what is within 0.3 m of it at 0.5 m/s\n"
                       "                 outlet_2: region\n"))
      << outcome.out;
  EXPECT_FALSE(contains(riffle({"check", scene_, "--device", "cpu"}).out, "inlets"));
}

TEST_F(CommandLine, CheckCountsTheProbesOfAScene) {
  const Outcome outcome =
      riffle({"check", scene_, "--device", "cpu", "--set",
              "probes=[{point: [0.1, 0.1, 0.1]}, {level: {from: [0.1, 0, 0.1], to: [0.1, 0.5, 0.1]}}]"});
  EXPECT_TRUE(contains(outcome.out, "probes           2, which give 6 numbers")) << outcome.out;
  EXPECT_FALSE(contains(riffle({"check", scene_, "--device", "cpu"}).out, "probes"));
}

TEST_F(CommandLine, CheckSaysWhatADpdStateIsOf) {
  write("soup.yaml",
        "domain: {min: [0, 0, 0], max: [4, 4, 8], axes: periodic}\ngravity: [0, 0, 0]\n"
        "particles: {number_density: 3}\nbodies:\n  - {filling: random, box: {min: [0, 0, 0], max: [4, 4, 8]}}\n"
        "solver: {type: dpd}\ntime: {step: 0.01}\n");
  const Outcome outcome = riffle({"check", "soup.yaml", "--device", "cpu"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "384 fluid")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "volume           128 r_c^3, number density 3 r_c^-3")) << outcome.out;
  const Outcome nameless = riffle({"check", "soup.yaml", "--device", "cpu", "--set", "solver.cutoff=1.5"});
  EXPECT_TRUE(contains(nameless.out, "volume           128, number density 3\n")) << nameless.out;
}

TEST_F(CommandLine, DurationsAreInTheUnitOfTheScene) {
  const Outcome help = riffle({"run", "--help"});
  EXPECT_FALSE(contains(help.out, "SECONDS")) << help.out;
  EXPECT_TRUE(contains(help.out, "--time TIME")) << help.out;
  EXPECT_TRUE(contains(riffle({"run", scene_, "--time", "0"}).err, "in the scene's unit of time"));
}

TEST_F(CommandLine, CheckGivesLongRunsInDays) {
  const Outcome outcome = riffle({"check", scene_, "--device", "cpu", "--set", "time.end=1e9"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, " days without pictures"));
}

TEST_F(CommandLine, CheckWarnsOfARunThatDoesNotEnd) {
  const Outcome outcome = riffle({"check", scene_, "--device", "cpu", "--set", "time.step=1e-30"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "warning: --set time.step: steps of 1e-30 s make 1e+28 of them"));
  EXPECT_TRUE(contains(outcome.out, "s, 1e+28 steps"));
}

TEST_F(CommandLine, TheHelpOfACommandIsOfThatCommand) {
  EXPECT_TRUE(contains(riffle({"--help"}).out, "`riffle run --help` has the options of run"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check"}, {"run"}, {"bench"}, {"bench", "step"}}) {
    std::vector<std::string> all = words;
    all.emplace_back("--help");
    const Outcome help = riffle(all);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_TRUE(contains(help.out, "this text\n")) << words.back();
  }
}

TEST_F(CommandLine, CheckAnnouncesTheStepsThatARunTakes) {
  const auto announced = [](const std::string& text) {
    const std::size_t end = text.find(" steps", text.find("\nduration "));
    const std::size_t begin = text.rfind(' ', end - 1) + 1;
    return std::stoull(text.substr(begin, end - begin));
  };
  for (const std::string step : {"1e-4", "auto"}) {
    const std::string set = "time.step=" + step;
    const Outcome check = riffle({"check", scene_, "--device", "cpu", "--set", "time.end=0.25", "--set", set});
    const Outcome run = riffle({"run", scene_, "--device", "cpu", "--set", "time.end=0.25", "--set", set, "--json",
                                "r.json", "--set", "picture.size=[32, 32]"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto taken = json("r.json")["steps"].get<std::uint64_t>();
    if (step == "auto") {
      EXPECT_LE(announced(check.out), taken);
      EXPECT_TRUE(contains(check.out, "at least " + std::to_string(announced(check.out)) + " steps"));
    } else {
      EXPECT_EQ(announced(check.out), taken) << check.out;
      EXPECT_FALSE(contains(check.out, "at least"));
      EXPECT_FALSE(contains(check.out, "more as particles speed up")) << "the steps keep their length";
    }
  }
}

// 48,000 particles in the places of eight: each is a neighbour of every other. A step takes minutes.
TEST_F(CommandLine, CheckOfAnImpossibleSceneEnds) {
  std::string text =
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\ntime: {end: 0.01}\nbodies:\n";
  for (int body = 0; body < 6000; ++body) text += "  - box: {min: [0, 0, 0], max: [0.2, 0.2, 0.2]}\n";
  const Outcome outcome = riffle({"check", write("crowd.yaml", text), "--device", "cpu"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "48000 fluid"));
  EXPECT_TRUE(contains(outcome.out, "not measured, because its first steps take longer than 5 s"));
  EXPECT_TRUE(contains(outcome.out, "warnings")) << "the last row";
}

TEST_F(CommandLine, CheckScalesTheTimeOfALargeSceneFromASmallerOne) {
  const Outcome outcome =
      riffle({"check", scene_, "--device", "cpu", "--set", "dimension=2", "--set", "particles.spacing=0.001", "--set",
              "particles.support_ratio=2", "--set", "solver.density=summation"});  // quick steps
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "times"));
}

}  // namespace riffle
