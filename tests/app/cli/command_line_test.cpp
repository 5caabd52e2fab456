#include <cstdlib>

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

TEST_F(CommandLine, MistakesAreRefusedWithWhatWasProbablyMeant) {
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {
      {{"rnu", "dam_break"}, "did you mean 'run'?"},
      {{"dam_braek"}, "did you mean 'dam_break'?"},
      {{"run", "dam_braek"}, "did you mean 'dam_break'?"},
      {{"run"}, "SCENE is required"},
      {{"run", scene_, "--stpes", "3"}, "did you mean '--steps'?"},
      {{"run", scene_, "--neighbors", "hoetzlien"}, "did you mean 'hoetzlein'?"},
      {{"run", scene_, "--device", "gpu"}, "allowed: auto, cpu, cuda"},
      {{"run", scene_, "--steps", "-1"}, "whole number"},
      {{"run", scene_, "--steps", "1.5"}, "whole number"},
      {{"run", scene_, "--time", "0"}, "above 0"},
      {{"run", scene_, "--time", "nan"}, "above 0"},
      {{"run", scene_, "--time", "1", "--steps", "1"}, "excludes"},
      {{"run", scene_, "--seed", "x"}, "whole number"},
      {{"run", scene_, "--set", "time.end=1", "time.cfl=0.1"}, "every override needs its own --set"},
      {{"run", scene_, "--video", "movie.gif"}, "must end in .mp4"},
      {{"--steps"}, ""},
  };
  for (const auto& [words, says] : cases) {
    if (std::string(says).find(".mp4") != std::string::npos && !can_draw()) continue;
    const Outcome outcome = riffle(words);
    EXPECT_EQ(outcome.exit_code, 2) << words.back() << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, says));
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
  const Outcome outcome = Program({scene_, "--steps", "2"}, folder_, false, {{"DISPLAY", ":there-is-none"}}).wait();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(contains(outcome.err, "no window"));
  EXPECT_TRUE(contains(outcome.out, "2 steps"));
}

// Mesa pretends to be older: the run goes on without pictures, and says what there is and what would be needed.
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
  EXPECT_TRUE(contains(outcome.out, "h = 0.2 m"));
  for (const char* row : {"domain", "speed of sound", "time step", "memory", "time per step", "median of"})
    EXPECT_TRUE(contains(outcome.out, row));
  EXPECT_TRUE(files().empty()) << "check writes nothing";
}

TEST_F(CommandLine, CheckGivesLongRunsInDays) {
  const Outcome outcome = riffle({"check", scene_, "--device", "cpu", "--set", "time.end=1e9"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, " days without pictures"));
}

TEST_F(CommandLine, CheckScalesTheTimeOfALargeSceneFromASmallerOne) {
  const Outcome outcome = riffle({"check", scene_, "--device", "cpu", "--set", "particles.spacing=0.008"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "times"));
}

}  // namespace riffle
