#include <signal.h>

#include "support/program.h"

namespace riffle {
namespace {

class PaceOfARun : public ProgramTest {
 protected:
  /// Steps of a microsecond, which no machine does in a microsecond, until it is said that the run falls behind.
  Outcome too_slow(const std::string& solver) {
    Program program({"run", scene_, "--no-picture", "--steps", "1000000000", "--json", "r.json", "--set",
                     "solver={type: " + solver + "}", "--set", "time={max_step: 1e-6, pace: real}"},
                    folder_);
    EXPECT_TRUE(program.says("the simulation falls behind"));
    program.send(SIGINT);
    return program.wait();
  }
};

TEST_F(PaceOfARun, ThatIsTooSlowIsEasedAndReported) {
  const Outcome outcome = too_slow("dfsph");
  ASSERT_EQ(outcome.exit_code, 128 + SIGINT) << outcome.err;
  const auto report = json("r.json");
  EXPECT_LT(report["real_time_factor"], 0.5);
  EXPECT_EQ(report["pace"]["eased_at_most"], 1);
  EXPECT_EQ(report["pace"]["eased"], 1);
  EXPECT_TRUE(contains(report["pace"]["settings"], "density_error 0.005")) << report["pace"];
  EXPECT_TRUE(contains(outcome.out, "of real time; eased by 100 %")) << outcome.out;
}

TEST_F(PaceOfARun, IsNotEasedWhereNothingCanBe) {
  const Outcome outcome = too_slow("wcsph");
  ASSERT_EQ(outcome.exit_code, 128 + SIGINT) << outcome.err;
  EXPECT_EQ(json("r.json")["pace"]["eased_at_most"], 0);
  EXPECT_TRUE(contains(outcome.out, "of real time; wcsph has nothing to ease\n")) << outcome.out;
}

TEST_F(PaceOfARun, IsFreeByDefault) {
  ASSERT_EQ(riffle({"run", scene_, "--no-picture", "--steps", "2", "--json", "r.json"}).exit_code, 0);
  EXPECT_TRUE(json("r.json")["pace"].is_null());
  EXPECT_GT(json("r.json")["real_time_factor"], 0);
}

TEST_F(PaceOfARun, CannotRepeat) {
  const Outcome outcome =
      riffle({"run", scene_, "--steps", "1", "--set", "deterministic=true", "--set", "time.pace=real"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "time.pace: found real")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "allowed there: free")) << outcome.err;
}

}  // namespace
}  // namespace riffle
