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

// A scene from the network may be called anything: colours, a moved cursor, a new title of the window.
TEST_F(Terminal, EscapeSequencesInNamesArePrintedAsText) {
  const std::string scene = write("odd.yaml",
                                  "name: \"\\e[31mred\\e]0;owned\\a\"\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                                  "particles: {spacing: 0.1}\nfluids: [{name: \"wa\\e[5mter\"}]\n"
                                  "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
                                  "time: {end: 0.01}\npicture: {size: [320, 180]}\n");
  const std::string bad = write("b\x1b[2Jad.yaml", "\"do\\e[7mmain\": 1\n");
  std::filesystem::create_directory(folder_ / "scenes");
  std::filesystem::copy(scene, folder_ / "scenes/odd\x1b[8m.yaml");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", scene, "--steps", "2", "--out", "o\x1b[1m"},
                                             {"check", scene},
                                             {"audit", scene, "--steps", "0"},
                                             {"bench", "step", scene, "--count", "2", "--device", "cpu"},
                                             {"list"},
                                             {"run", bad},
                                             {"run", "no\x1b[4mwhere.yaml"},
                                             {"no\x1b[4mcommand"},
                                             {"run", scene, "--st\x1b[4meps"},
                                             {"run", scene, "--set", "a\x1b[4m=b"}}) {
    const Outcome outcome = riffle(words);
    const std::string all = outcome.out + outcome.err;
    EXPECT_EQ(all.find('\x1b'), std::string::npos) << words[0] << " " << words.back();
    EXPECT_EQ(all.find('\a'), std::string::npos) << words[0];
    EXPECT_TRUE(contains(all, "\\x1b[")) << words[0] << " " << words.back();
  }
  EXPECT_EQ(riffle({"run", scene, "--steps", "2", "--json", "r.json"}).exit_code, 0);
  EXPECT_EQ(json("r.json")["scene"], "\x1b[31mred\x1b]0;owned\a") << "in a file the name is as it is";
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
