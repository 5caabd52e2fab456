/// `riffle run --particles`.

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "particle_files.h"
#include "support/program.h"

namespace riffle {

using namespace test;

using RunParticles = ProgramTest;

TEST_F(RunParticles, AreThoseOfTheLastStep) {
  const Outcome outcome = riffle({"run", scene_, "--steps", "5", "--particles", "o/p.vtp", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  EXPECT_EQ(report["particle_file"], "o/p.vtp");
  EXPECT_TRUE(contains(outcome.out, "o/p.vtp"));
  const Vtp vtp = read_vtp(read("o/p.vtp"));
  EXPECT_EQ(vtp.points, 125u);
  EXPECT_EQ(vtp.time, report["simulated_time"]);
  for (const char* name : {"velocity", "speed", "density", "pressure", "id", "fluid"})
    EXPECT_EQ(vtp.arrays.count(name), 1u) << name;
  ASSERT_EQ(riffle({"run", scene_, "--steps", "5", "--particles", "p.ply"}).exit_code, 0);
  const Ply ply = read_ply(read("p.ply"));
  EXPECT_EQ(ply.columns.at("y"), component(vtp.arrays.at("Points").bits(), 1, 3));
  EXPECT_EQ(ply.columns.at("density"), vtp.arrays.at("density").bits());
}

TEST_F(RunParticles, OverTimeAreNumberedFilesAndAListOfTheirTimes) {
  const Outcome outcome = riffle(
      {"run", scene_, "--time", "0.02", "--particles", "o/p.vtp", "--particles-every", "0.006", "--json", "r.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json("r.json")["particle_file"], "o/p.pvd");
  const std::string list = read("o/p.pvd");
  std::vector<double> times;
  for (int k = 0; k < 5; ++k) {
    const std::string name = "p_00000" + std::to_string(k) + ".vtp";
    const Vtp vtp = read_vtp(read("o/" + name));
    EXPECT_EQ(vtp.points, 125u);
    times.push_back(vtp.time);
    EXPECT_TRUE(contains(list, "timestep=\"" + fmt::format("{}", vtp.time) + "\" part=\"0\" file=\"" + name + "\""))
        << list;
  }
  EXPECT_EQ(times[0], 0);
  for (int k = 1; k < 4; ++k) {
    EXPECT_GE(times[k], 0.006 * k - 1e-6);
    EXPECT_LT(times[k], 0.006 * (k + 1));
  }
  EXPECT_EQ(times[4], json("r.json")["simulated_time"]) << "the end";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/p_000005.vtp"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/p.vtp"));
  EXPECT_TRUE(list.ends_with("</Collection>\n</VTKFile>\n"));

  ASSERT_EQ(
      riffle({"run", scene_, "--steps", "1", "--particles", "q.csv", "--particles-every", "1", "--json", "s.json"})
          .exit_code,
      0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "q_000001.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "q.pvd")) << "only for ParaView's own files";
  EXPECT_EQ(json("s.json")["particle_file"], "q_*.csv");
  EXPECT_EQ(riffle({"run", scene_, "--steps", "1", "--particles-every", "1"}).exit_code, 2) << "of which name?";
}

TEST_F(RunParticles, AreRefusedBeforeTheFirstStepWhereTheyCannotBe) {
  for (const auto& [words, exit_code, part] : std::vector<std::tuple<std::vector<std::string>, int, std::string>>{
           {{"--particles", "p.xyz"}, 2, ".ply, .vtp"},
           {{"--particles", ""}, 2, "empty"},
           {{"--particles", "/proc/riffle/p.ply"}, 1, "/proc/riffle"},
           {{"--particles", scene_ + "/p.ply"}, 1, scene_},
           {{"--particles", "p.ply", "--json", "./p.ply"}, 2, "same file"}}) {
    std::vector<std::string> all = {"run", scene_, "--steps", "1000000000"};  // would not end
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = riffle(all);
    EXPECT_EQ(outcome.exit_code, exit_code) << words[1];
    EXPECT_TRUE(contains(outcome.err, part)) << words[1];
  }
}

TEST_F(RunParticles, OnAFullDiskAreAFailureThatCostsNothingElse) {
  std::filesystem::create_symlink("/dev/full", folder_ / "full.ply");
  const Outcome outcome = riffle({"run", scene_, "--steps", "2", "--particles", "full.ply", "--json", "r.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "No space left on device"));
  EXPECT_EQ(json("r.json")["steps"], 2);
  EXPECT_TRUE(json("r.json")["particle_file"].is_null());
}

TEST_F(RunParticles, ThatDoNotFitLeaveNoHalfFile) {
  write("go.sh", "export ASAN_OPTIONS=detect_leaks=0\nulimit -f 1\n" RIFFLE_PROGRAM
                 " run small.yaml --steps 2 --set picture.size=[16,16] --particles p.vtp >out 2>err\necho $? >code\n");
  ASSERT_EQ(std::system(("cd " + folder_.string() + " && bash go.sh").c_str()), 0);
  EXPECT_EQ(read("code"), "1\n");
  EXPECT_TRUE(contains(read("err"), "p.vtp: cannot be written: File too large"));
  for (const std::string& file : files()) EXPECT_EQ(file.find("vtp"), std::string::npos) << file;
}

}  // namespace riffle
