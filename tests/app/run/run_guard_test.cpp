/// Runs with a fault: what they say, the good state that they leave, and `--recover`.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "support/program.h"

namespace riffle {

using Words = std::vector<std::string>;

class GuardedRuns : public ProgramTest {
 protected:
  Outcome ran(Words words, const Words& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--no-picture", "--quiet", "--device", "cpu", "--out", "o", "--json", "r.json"});
    return riffle(words);
  }

  nlohmann::json report() { return json("r.json"); }

  /// A column that collapses, with a step of a fixed length: up to 0.002 s it runs well, and with 0.0028 s it does not.
  std::string column(const std::string& step) {
    return write("column.yaml",
                 "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\ntime: {step: " + step +
                     "}\nbodies:\n  - {box: {min: [0, 0], max: [0.4, 0.7]}, velocity: [2, 0]}\n");
  }
};

TEST_F(GuardedRuns, AFaultIsNamedWithItsStepItsParticlesAndItsCause) {
  const Outcome outcome = ran({"run", column("0.0028"), "--steps", "400"});
  EXPECT_EQ(outcome.exit_code, 1);
  const std::string failure = report()["failure"];
  EXPECT_TRUE(contains(failure, "at step ")) << failure;
  EXPECT_TRUE(contains(failure, "of 112 particles ")) << failure;
  EXPECT_TRUE(contains(failure, ": particle ")) << failure;
  EXPECT_TRUE(contains(failure, " of 'water' at (")) << failure;
  EXPECT_TRUE(contains(failure, "the likely cause: time.step: steps of 0.0028 s, where at most ")) << failure;
  EXPECT_TRUE(contains(failure, "the last good state, of step 0 (0 s), is in o/good_state.h5")) << failure;
  EXPECT_TRUE(contains(outcome.err, failure.substr(0, 60))) << outcome.err;
  EXPECT_EQ(report()["good_state"], "o/good_state.h5");
}

TEST_F(GuardedRuns, TheStepThatIsSaidIsTheFirstOneWithAFault) {
  const std::string scene = column("0.0028");
  const Outcome outcome = ran({"run", scene, "--steps", "400"});
  EXPECT_EQ(outcome.exit_code, 1);
  const std::string failure = report()["failure"];
  ASSERT_TRUE(failure.starts_with("at step ")) << failure;
  const int step = std::stoi(failure.substr(8));
  ASSERT_GT(step, 1);
  ran({"run", scene, "--steps", std::to_string(step - 1)});
  EXPECT_FALSE(report()["failure"].is_string() && std::string(report()["failure"]).starts_with("at step "))
      << "one step less has none, whatever the compression";
  EXPECT_EQ(ran({"run", scene, "--steps", std::to_string(step)}).exit_code, 1);
  EXPECT_TRUE(std::string(report()["failure"]).starts_with("at step " + std::to_string(step) + " "));
}

TEST_F(GuardedRuns, TheGoodStateIsTheLastOneHeldAndGoesOn) {
  const std::string scene = column("0.002");
  ASSERT_EQ(ran({"run", scene, "--steps", "1030", "--checkpoint", "s.h5"}).exit_code, 0);
  EXPECT_TRUE(report()["good_state"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/good_state.h5"));
  // From there on with steps that are too long.
  ASSERT_EQ(ran({"resume", "s.h5", "--steps", "300", "--set", "time.step=0.05"}).exit_code, 1);
  EXPECT_TRUE(contains(std::string(report()["failure"]), "the last good state, of step 1030 (2.06 s), is in"));
  const Outcome again = ran({"resume", "o/good_state.h5", "--steps", "1", "--set", "time.step=0.002"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(report()["steps"], 1031);
  const std::string hash = report()["diagnostics"]["state_hash"];
  ASSERT_EQ(ran({"resume", "s.h5", "--steps", "1"}).exit_code, 0);
  EXPECT_EQ(report()["diagnostics"]["state_hash"], hash) << "the good state is that of the checkpoint";
}

TEST_F(GuardedRuns, NoneIsLeftWithoutIt) {
  ASSERT_EQ(ran({"run", column("0.0028"), "--steps", "400", "--no-guard"}).exit_code, 1);
  EXPECT_TRUE(std::string(report()["failure"]).starts_with("at step "));
  EXPECT_TRUE(report()["good_state"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/good_state.h5"));
  const Outcome both = ran({"run", column("0.003"), "--no-guard", "--recover"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_TRUE(contains(both.err, "--no-guard")) << both.err;
}

TEST_F(GuardedRuns, ARunWithoutAFaultIsTheSameWithAndWithoutIt) {
  const std::string scene = column("0.002");
  ASSERT_EQ(ran({"run", scene, "--steps", "1100"}).exit_code, 0);
  const std::string hash = report()["diagnostics"]["state_hash"];
  const auto bytes = report()["memory_bytes"].get<std::uint64_t>();
  ASSERT_EQ(ran({"run", scene, "--steps", "1100", "--no-guard"}).exit_code, 0);
  EXPECT_EQ(report()["diagnostics"]["state_hash"], hash);
  EXPECT_GT(bytes, report()["memory_bytes"].get<std::uint64_t>());
  ASSERT_EQ(ran({"run", scene, "--steps", "1100", "--recover"}).exit_code, 0);
  EXPECT_EQ(report()["diagnostics"]["state_hash"], hash);
  EXPECT_TRUE(report()["recoveries"].empty());
}

/// The numbers of the first column of a table.
std::vector<double> first_column(const std::string& csv) {
  std::vector<double> numbers;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) numbers.push_back(std::stod(line));
  return numbers;
}

TEST_F(GuardedRuns, RecoversFromAStepThatIsTooLong) {
  const std::string scene = column("0.003");
  const Outcome outcome = ran({"run", scene, "--time", "2", "--recover", "--series", "s.csv", "--series-every", "0.05",
                               "--particles", "p.csv", "--particles-every", "0.1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto r = report();
  EXPECT_EQ(r["simulated_time"], 2.0);
  ASSERT_GE(r["recoveries"].size(), 1u);
  double share = 1;
  for (const auto& recovery : r["recoveries"]) {
    share *= 0.5;
    EXPECT_EQ(recovery["step_share"], share);
    EXPECT_LT(recovery["step"], recovery["fault_step"]);
    EXPECT_LE(recovery["fault_step"].get<int>() - recovery["step"].get<int>(), 500);
    EXPECT_TRUE(contains(outcome.err, recovery["fault"].get<std::string>())) << outcome.err;
  }
  EXPECT_TRUE(contains(outcome.err, "and on with 0.5 of the step")) << outcome.err;
  EXPECT_NEAR(r["simulated_time"].get<double>() / r["steps"].get<double>(), share * 0.003, 1e-5);
  EXPECT_TRUE(r["failure"].is_null());
  const std::vector<double> times = first_column(read("s.csv"));
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(std::adjacent_find(times.begin(), times.end()), times.end()) << "each moment once";
  EXPECT_EQ(read("s.csv").find("nan"), std::string::npos);
  EXPECT_NEAR(static_cast<double>(times.size()), 41, 2);
  EXPECT_EQ(times.back(), 2.0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "p_000020.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "p_000021.csv"));
}

// Each step then has a file, and the number of a file says nothing of its time.
TEST_F(GuardedRuns, ASeriesWithAFileForEachStepGoesBack) {
  const Outcome outcome = ran({"run", column("0.003"), "--time", "0.4", "--recover", "--particles", "p.vtp",
                               "--particles-every", "0.001", "--particles-fields", "velocity"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_GE(report()["recoveries"].size(), 1u) << "or this shows nothing";
  std::istringstream lines(read("p.pvd"));
  std::vector<double> times;
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find("timestep=\""); at != std::string::npos)
      times.push_back(std::stod(line.substr(at + 10)));
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), 0.4);
  EXPECT_EQ(times.size(), report()["steps"].get<std::size_t>() + 1);
}

TEST_F(GuardedRuns, AGoodStateOfAnEarlierRunDoesNotStayUnderItsName) {
  ASSERT_EQ(ran({"run", column("0.003"), "--steps", "400"}).exit_code, 1);
  const std::string good = read("o/good_state.h5");
  ran({"resume", "o/good_state.h5", "--steps", "3"});
  EXPECT_EQ(read("o/good_state.h5"), good) << "the run that goes on from it leaves it";
  ASSERT_EQ(ran({"run", column("0.002"), "--steps", "5"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/good_state.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/good_state.xmf"));
  EXPECT_EQ(read("o/good_state_before.h5"), good);
  ran({"resume", "o/good_state_before.h5", "--steps", "3"});
  EXPECT_EQ(read("o/good_state_before.h5"), good);
}

TEST_F(GuardedRuns, GivesUpAfterFiveRecoveries) {
  const Outcome outcome = ran({"run", column("100"), "--steps", "4000", "--recover"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(report()["recoveries"].size(), 5u);
  EXPECT_TRUE(contains(std::string(report()["failure"]), "it has gone back 5 times, at last with 0.03125 of the step"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "o/good_state.h5"));
}

TEST_F(GuardedRuns, RefusesAMovieThatCannotBeTakenBack) {
  const Outcome outcome = ran({"run", column("0.003"), "--recover", "--video", "m.mp4"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "--recover: found with --video; allowed: without")) << outcome.err;
}

}  // namespace riffle
