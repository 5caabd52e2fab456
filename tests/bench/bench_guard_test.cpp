#include "support/program.h"

namespace riffle {

class BenchGuard : public ProgramTest {};

TEST_F(BenchGuard, StepsAreMeasuredInTurnsWithTheGuardAndWithoutIt) {
  const Outcome outcome = riffle({"bench", "guard", "dam_break", "--device", "cpu", "--particles", "500", "--count",
                                  "7", "--block-ms", "2", "--json", "a.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* row : {"a step without the guard", "a step with it", "a pass of its own", "a state that is held"})
    EXPECT_TRUE(contains(outcome.out, row)) << row;
  const auto report = json("a.json");
  EXPECT_EQ(report["bench"], "guard");
  EXPECT_EQ(report["solver"], "wcsph");
  EXPECT_EQ(report["pairs"], 7);
  EXPECT_GE(report["block_steps"], 1);
  EXPECT_LT(report["particles"], 2000);
  EXPECT_LE(report["ratio"]["low"], report["ratio"]["median"]);
  EXPECT_LE(report["ratio"]["median"], report["ratio"]["high"]);
  for (const char* what : {"without_ms", "with_ms", "look_ms", "hold_ms"}) {
    EXPECT_GT(report[what]["least"], 0) << what;
    EXPECT_LE(report[what]["least"], report[what]["median"]) << what;
  }
  EXPECT_LT(report["look_ms"]["least"], report["with_ms"]["median"]) << "a pass is less than a step";
}

}  // namespace riffle
