#include "support/program.h"

namespace riffle {
namespace {

using PaceOfARun = ProgramTest;

TEST_F(PaceOfARun, ThatIsTooSlowIsEasedAndReported) {
  // Steps of a microsecond: no machine keeps up.
  const Outcome outcome = riffle({"run", scene_, "--no-picture", "--steps", "6000", "--json", "r.json", "--set",
                                  "solver={type: dfsph}", "--set", "time={max_step: 1e-6, pace: real}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  EXPECT_LT(report["real_time_factor"], 0.5);
  EXPECT_GE(report["pace"]["eased_at_most"], 0.5) << "in " << report["wall_seconds"] << " s";
  EXPECT_TRUE(contains(report["pace"]["settings"], "density_error")) << report["pace"];
  EXPECT_TRUE(contains(outcome.out, "pace: ")) << outcome.out;
}

TEST_F(PaceOfARun, IsNotEasedWhereNothingCanBe) {
  const Outcome outcome = riffle({"run", scene_, "--no-picture", "--steps", "6000", "--json", "r.json", "--set",
                                  "solver={type: wcsph}", "--set", "time={max_step: 1e-6, pace: real}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
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
