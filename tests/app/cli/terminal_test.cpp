#include "support/program.h"

namespace riffle {

using Terminal = ProgramTest;

TEST_F(Terminal, ProgressIsShownOnATerminalAndWiped) {
  const Outcome outcome = Program({"run", scene_, "--steps", "200"}, folder_, true).wait();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.err, " %  t = "));
  EXPECT_TRUE(contains(outcome.err, "particle-steps/s"));
  EXPECT_TRUE(contains(outcome.err, "ETA"));
  const auto last = outcome.err.rfind("\r\033[K");
  ASSERT_NE(last, std::string::npos);
  EXPECT_EQ(outcome.err.find("ETA", last), std::string::npos) << "the line is wiped at the end";
}

TEST_F(Terminal, NothingIsShownOnAPipeNorWithQuiet) {
  const Outcome pipe = riffle({"run", scene_, "--steps", "200"});
  EXPECT_EQ(pipe.exit_code, 0);
  EXPECT_EQ(pipe.err, "");
  EXPECT_TRUE(contains(pipe.out, "median ms"));
  EXPECT_TRUE(contains(pipe.out, "fastest particle"));
  const Outcome quiet = Program({"run", scene_, "--steps", "200", "--quiet"}, folder_, true).wait();
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, "");
}

TEST_F(Terminal, StageTableIsAligned) {
  const Outcome outcome = riffle({"run", scene_, "--steps", "5"});
  std::size_t width = 0;
  int rows = 0;
  for (std::size_t at = outcome.out.find("stage "); at != std::string::npos && outcome.out[at] != '\n'; ++rows) {
    const std::size_t end = outcome.out.find('\n', at);
    if (width == 0) width = end - at;
    EXPECT_EQ(end - at, width) << outcome.out;
    at = end + 1;
  }
  EXPECT_GE(rows, 5);
}

}  // namespace riffle
