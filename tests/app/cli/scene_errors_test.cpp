#include <sys/stat.h>

#include <regex>

#include "support/program.h"

namespace riffle {

using SceneErrors = ProgramTest;

TEST_F(SceneErrors, AreExitCodeTwoWithThePlaceAndNothingWritten) {
  const std::string bad =
      write("bad.yaml", "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacng: -1}\nbodies: []\n");
  for (const char* command : {"run", "check"}) {
    const Outcome outcome = riffle({command, bad});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(contains(outcome.err,
                         "riffle: " + bad + ":2:13: particles.spacng: unknown key 'spacng'; did you mean 'spacing'?"));
    EXPECT_TRUE(contains(outcome.err, "riffle: " + bad + ":3:9: bodies: is missing, and there are no inlets"));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(files(), std::vector<std::string>{"bad.yaml"});
}

TEST_F(SceneErrors, MissingFileAndFolderAreExitCodeTwo) {
  EXPECT_EQ(riffle({"run", "nowhere.yaml"}).exit_code, 2);
  EXPECT_TRUE(contains(riffle({"run", "nowhere.yaml"}).err, "no such file"));
  EXPECT_TRUE(contains(riffle({"check", folder_.string()}).err, "is a folder"));
}

// Reading a pipe would wait for somebody who writes to it.
TEST_F(SceneErrors, PipeOrDeviceIsNoScene) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.yaml").c_str(), 0600), 0);
  for (const char* command : {"run", "check", "audit"}) {
    const Outcome outcome = riffle({command, "pipe.yaml"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "riffle: pipe.yaml: is a pipe (FIFO); a scene is a YAML file\n");
  }
  EXPECT_TRUE(contains(riffle({"pipe.yaml"}).err, "is a pipe (FIFO)"));
  EXPECT_TRUE(contains(riffle({"run", "/dev/null"}).err, "riffle: /dev/null: is a device; a scene is a YAML file"));
}

TEST_F(SceneErrors, OverrideOfAnUnknownKeyIsExitCodeTwo) {
  const Outcome outcome = riffle({"run", scene_, "--set", "particles.spacin=0.2"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "--set particles.spacin: unknown key 'spacin'; did you mean 'spacing'?"));
}

/// "which need about 1.9 TiB; Some Processor has 20.3 GiB free, 1.9 TiB short; particles.spacing="
bool tells_the_shortage(const std::string& text) {
  static const std::string size = "[0-9]+(\\.[0-9])? (MiB|GiB|TiB)";
  return std::regex_search(
      text, std::regex("need about " + size + "; .* has " + size + " free, " + size + " short; particles\\.spacing="));
}

TEST_F(SceneErrors, MoreMemoryThanThereIsIsExitCodeTwoWithBothNumbersAndARemedy) {
  // A long box at this spacing takes about a terabyte, most of it for the grid.
  for (const char* spacing : {"particles.spacing=0.0005", "particles.spacing=0.0004"}) {
    const Outcome outcome =
        riffle({"run", scene_, "--device", "cpu", "--set", spacing, "--set", "domain.max=[50, 1, 1]"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(tells_the_shortage(outcome.err)) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "would fit"));
    EXPECT_TRUE(contains(outcome.err, "wall particles and a grid of"));
    EXPECT_TRUE(contains(outcome.err, "smaller domain"));
  }
  const Outcome check = riffle(
      {"check", scene_, "--device", "cpu", "--set", "particles.spacing=0.0005", "--set", "domain.max=[50, 1, 1]"});
  EXPECT_EQ(check.exit_code, 2) << "a run of it fails";
  EXPECT_TRUE(tells_the_shortage(check.err)) << check.err;
  EXPECT_TRUE(contains(check.err, "\nriffle: a particle spacing of 0.0005 makes")) << "an error: " << check.err;
  EXPECT_TRUE(contains(check.out, "memory           about")) << "what it found out is printed all the same";
  EXPECT_EQ(riffle({"run", scene_, "--set", "particles.spacing=1e-9"}).exit_code, 2);
}

TEST_F(SceneErrors, SuspiciousSceneIsWarnedAboutAndRuns) {
  const std::string odd =
      write("odd.yaml",
            "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nbodies:\n"
            "  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n  - box: {min: [0.5, 0, 0], max: [0.9, 1.3, 0.5]}\n");
  const Outcome outcome = riffle({"run", odd, "--steps", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "odd.yaml:5:5: bodies[1]: lies partly outside the domain"));
}

TEST_F(SceneErrors, AFileThatIsNoSceneIsSaidToBeWhatItIs) {
  struct Case {
    const char *name, *text, *answer;
  };
  for (const Case& each :
       {Case{"torus.obj", "v 0.07 0 0\n", "torus.obj: is a mesh, no scene; `solids: [{mesh: {file: torus.obj}}]`"},
        Case{"Torus.STL", "solid t\n", "Torus.STL: is a mesh, no scene"},
        Case{"breaking.mp4", "x", "breaking.mp4: is a movie, no scene; a player shows it"},
        Case{"final.png", "x", "final.png: is a picture, no scene"},
        Case{"p.vtp", "<VTKFile>",
             "p.vtp: is a file of particles, no scene; `bodies: [{particles: {file: p.vtp}}]` in a scene begins with "
             "them"},
        Case{"p.gsd", "x", "p.gsd: is a file of particles, no scene; OVITO shows it"},
        Case{"s.csv", "time [s]\n0\n", "s.csv: is a table, no scene"},
        Case{"d.ply", "ply\n", "d.ply: is a mesh or a file of particles, no scene"},
        Case{"dam.pvd", "x", "dam.pvd: is a companion for ParaView, no scene"}}) {
    write(each.name, each.text);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{each.name, "--steps", "1"}, {"run", each.name}, {"check", each.name}}) {
      const Outcome outcome = riffle(words);
      EXPECT_EQ(outcome.exit_code, 2);
      EXPECT_TRUE(contains(outcome.err, each.answer));
    }
  }
}

TEST_F(SceneErrors, AMissingFileIsToldWithTheOneThatWasMeant) {
  std::filesystem::create_directory(folder_ / "mine");
  write("mine/dpd.yaml", "");
  write("mine/dpd_walls.yaml", "");
  const char* const meant = "did you mean 'mine/dpd.yaml'?";
  EXPECT_TRUE(contains(riffle({"run", "mine/dpd.yml"}).err, std::string("mine/dpd.yml: no such file; ") + meant));
  EXPECT_TRUE(contains(riffle({"mine/dpd.yml"}).err, meant));
  EXPECT_TRUE(contains(riffle({"check", "mine/ddp.yaml"}).err, meant)) << "the nearest name";
  EXPECT_EQ(riffle({"run", "mine/column.yaml"}).err, "riffle: mine/column.yaml: no such file\n") << "no name is near";
  EXPECT_EQ(riffle({"run", "yours/dpd.yml"}).err, "riffle: yours/dpd.yml: no such file\n");
  write("state_of_monday.h5", "");
  EXPECT_TRUE(contains(riffle({"resume", "state_of_munday.h5"}).err, "did you mean 'state_of_monday.h5'?"));
  // Only what the command can open is meant.
  write("mine/state.xmf", "");
  write("mine/breaking.mp4", "");
  write("mine/dripping.h5", "");
  for (const char* command : {"resume", "run"})
    EXPECT_FALSE(contains(riffle({command, "mine/state.h5"}).err, "did you mean"));
  EXPECT_FALSE(contains(riffle({"mine/state.h5"}).err, "state.xmf"));
  EXPECT_EQ(riffle({"run", "mine/breaking.yaml"}).err, "riffle: mine/breaking.yaml: no such file\n");
  EXPECT_FALSE(contains(riffle({"mine/breaking.yaml"}).err, "breaking.mp4"));
  EXPECT_EQ(riffle({"run", "mine/dripping.yaml"}).err, "riffle: mine/dripping.yaml: no such file\n");
  EXPECT_TRUE(contains(riffle({"mine/dripping.yaml"}).err, "did you mean 'mine/dripping.h5'?"))
      << "it goes on from states too";
  write("mine/DROPS.YML", "");
  EXPECT_TRUE(contains(riffle({"run", "mine/DROPS.yaml"}).err, "did you mean 'mine/DROPS.YML'?"));
}

}  // namespace riffle
