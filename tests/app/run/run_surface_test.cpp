/// `riffle run --surface`. surface_files_test.py reads what is in the files; here the sanitizers see them written.

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "support/program.h"

namespace riffle {

class RunSurface : public ProgramTest {
 protected:
  std::string block() {
    return write("block.yaml",
                 "domain: {min: [0, 0, 0], max: [0.4, 0.4, 0.2], axes: walled}\n"
                 "dimension: 3\n"
                 "particles: {spacing: 0.02}\n"
                 "bodies:\n  - {box: {min: [0, 0, 0], max: [0.2, 0.2, 0.2]}}\n"
                 "time: {end: 0.05}\n");
  }
};

TEST_F(RunSurface, IsThatOfTheLastStepAndItsVolumeIsReported) {
  const Outcome outcome = riffle({"run", block(), "--steps", "3", "--surface", "o/s.obj", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  const auto surface = report["surface"];
  EXPECT_EQ(surface["file"], "o/s.obj");
  EXPECT_EQ(surface["files"], 1);
  EXPECT_EQ(surface["left_out"], 0);
  EXPECT_NEAR(surface["volume_of_particles"].get<double>(), 0.008, 1e-6);
  EXPECT_NEAR(surface["volume"].get<double>(), 0.008, 0.03 * 0.008);
  EXPECT_TRUE(contains(outcome.out, "surface: o/s.obj ("));
  const std::string text = read("o/s.obj");
  std::size_t faces = 0;
  for (std::size_t at = 0; (at = text.find("\nf ", at)) != std::string::npos; ++at) ++faces;
  EXPECT_EQ(surface["triangles"], faces);
  ASSERT_EQ(riffle({"run", block(), "--steps", "3", "--json", "r.json"}).exit_code, 0);
  EXPECT_TRUE(json("r.json")["surface"].is_null());
  EXPECT_EQ(json("r.json")["diagnostics"]["state_hash"], report["diagnostics"]["state_hash"]) << "the run is the same";
}

TEST_F(RunSurface, OfEveryFormatIsWrittenOverTime) {
  const std::string scene = block();
  for (const std::string ending : {".vtp", ".ply", ".obj", ".usda"}) {
    const Outcome outcome = riffle(
        {"run", scene, "--time", "0.02", "--surface", "s" + ending, "--surface-every", "0.008", "--json", "r.json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (int k = 0; k < 4; ++k)
      EXPECT_TRUE(std::filesystem::exists(folder_ / ("s_00000" + std::to_string(k) + ending))) << k << ending;
    EXPECT_FALSE(std::filesystem::exists(folder_ / ("s_000004" + ending)));
    EXPECT_EQ(json("r.json")["surface"]["files"], 4);
    EXPECT_GT(json("r.json")["particle_file_seconds"], 0.0);
    EXPECT_EQ(json("r.json")["surface"]["file"], ending == ".vtp" ? "s.pvd" : "s_*" + ending);
  }
  EXPECT_TRUE(contains(read("s.pvd"), "timestep=\"0.02\" part=\"0\" file=\"s_000003.vtp\""));
}

TEST_F(RunSurface, GoesOnWithTheRun) {
  const std::string scene = block();
  const std::vector<std::string> outputs = {"--surface", "s.vtp", "--surface-every", "0.008"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), outputs.begin(), outputs.end());
    return riffle(words);
  };
  ASSERT_EQ(run({"run", scene, "--time", "0.03"}).exit_code, 0);
  const std::string list = read("s.pvd"), last = read("s_000004.vtp");
  for (int k = 0; k < 5; ++k) std::filesystem::remove(folder_ / ("s_00000" + std::to_string(k) + ".vtp"));
  ASSERT_EQ(run({"run", scene, "--time", "0.012", "--checkpoint", "a.h5"}).exit_code, 0);
  ASSERT_EQ(run({"resume", "a.h5", "--time", "0.03"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s_000000.vtp"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s_000004.vtp"));
  EXPECT_TRUE(contains(read("s.pvd"), "timestep=\"0.03\" part=\"0\" file=\"s_000004.vtp\"")) << read("s.pvd");
  EXPECT_TRUE(contains(read("s.pvd"), "file=\"s_000000.vtp\""));
  const Outcome other = riffle({"resume", "a.h5", "--time", "0.03", "--surface", "s.vtp", "--surface-every", "0.003"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "which --surface-every 0.003 has at")) << other.err;
}

// The formats without a list say their times themselves.
TEST_F(RunSurface, GoesOnWithItsIntervalInEveryFormat) {
  const std::string scene = block();
  ASSERT_EQ(riffle({"run", scene, "--time", "0.016", "--checkpoint", "a.h5", "--no-picture"}).exit_code, 0);
  for (const std::string ending : {".ply", ".obj", ".usda"}) {
    const std::string file = "s" + ending;
    ASSERT_EQ(riffle({"run", scene, "--time", "0.016", "--surface", file, "--surface-every", "0.008", "--no-picture"})
                  .exit_code,
              0);
    const std::string before = read("s_000001" + ending);
    for (const std::string every : {"0.003", "0.016"}) {
      const Outcome other =
          riffle({"resume", "a.h5", "--time", "0.02", "--surface", file, "--surface-every", every, "--no-picture"});
      EXPECT_EQ(other.exit_code, 2) << ending << " " << every;
      EXPECT_TRUE(contains(other.err, "which --surface-every " + every + " has at")) << other.err;
    }
    EXPECT_EQ(read("s_000001" + ending), before);
    const Outcome same =
        riffle({"resume", "a.h5", "--time", "0.024", "--surface", file, "--surface-every", "0.008", "--no-picture"});
    EXPECT_EQ(same.exit_code, 0) << same.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("s_000003" + ending)));
    EXPECT_FALSE(std::filesystem::exists(folder_ / ("s_000004" + ending)));
  }
}

TEST_F(RunSurface, SaysWhatTheDiskWillNeedBeforeTheSteps) {
  const Outcome outcome = riffle({"run", block(), "--time", "0.016", "--surface", "s.ply", "--surface-every", "0.008",
                                  "--particles", "p.csv", "--particles-every", "0.004", "--no-picture"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "files of the surface: about ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, " each; all 3 need about ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "files of particles: about ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, " each; all 5 need about ")) << outcome.err;
}

TEST_F(RunSurface, WithUnitsThatHaveNoNameNamesNone) {
  const auto comments = [&](const std::string& cutoff) {
    const std::string drop =
        write("drop.yaml",
              "domain: {min: [0, 0, 0], max: [5, 5, 5], axes: periodic}\nparticles: {number_density: 3}\n"
              "solver: {type: dpd, cutoff: " +
                  cutoff + "}\nbodies:\n  - {box: {min: [1, 1, 1], max: [3, 3, 3]}}\n");
    const Outcome outcome = riffle({"run", drop, "--steps", "1", "--surface", "d.obj", "--no-picture"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return read("d.obj").substr(0, 400);
  };
  EXPECT_TRUE(contains(comments("1"), "# unit position r_c"));
  EXPECT_EQ(comments("1.5").find("# unit position"), std::string::npos);
}

TEST_F(RunSurface, IsRefusedBeforeTheFirstStepWhereItCannotBe) {
  const std::string scene = block();
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    std::vector<std::string> all = {"run", scene, "--steps", "1"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = riffle(all);
    EXPECT_EQ(outcome.exit_code, 2) << why;
    EXPECT_TRUE(contains(outcome.err, why)) << outcome.err;
  };
  refused({"--surface", "s.stl"}, "found the ending '.stl', allowed for surfaces: .vtp, .ply, .obj, .usda");
  refused({"--surface", "s.ply", "--particles", "s.ply"}, "are the same file; each needs a name of its own");
  refused({"--surface-every", "0.1"}, "--surface");
  refused({"--surface", "s.ply", "--surface-every", "0"}, "--surface-every");
  const Outcome flat = riffle({"run", scene_, "--set", "dimension=2", "--steps", "1", "--surface", "s.ply"});
  EXPECT_EQ(flat.exit_code, 2);
  EXPECT_TRUE(contains(
      flat.err,
      "--surface: found a scene in 2-D; allowed: one in 3-D, since a fluid in 2-D has no surface of triangles"))
      << flat.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.ply"));
}

}  // namespace riffle
