#include "support/program.h"

namespace riffle {

class BenchContact : public ProgramTest {};

TEST_F(BenchContact, APartsOfAHeapAddUpAndContactsRepeat) {
  const std::vector<std::string> words = {"bench", "contact", "--count", "125", "--settle", "0.3", "--steps", "5"};
  const auto report_of = [&](const std::string& file) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--json", file, "--csv", "r.csv"});
    const Outcome outcome = riffle(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "A heap of 125 boxes"));
    return json(file);
  };
  const auto first = report_of("a.json"), second = report_of("b.json");
  EXPECT_EQ(first["bench"], "contact");
  EXPECT_EQ(first["steps"], 5);
  EXPECT_NEAR(first["time"].get<double>(), 0.305, 1e-9);
  EXPECT_GT(first["contacts"], 200) << "each box lies on something";
  EXPECT_LT(first["deepest_spacings"], 0.5);
  EXPECT_GT(first["speed"], 0);
  for (const char* number : {"contacts", "iterations", "deepest_spacings", "speed"})
    EXPECT_EQ(first[number], second[number]) << number;
  ASSERT_EQ(first["rows"].size(), 5u);
  double slowest = 0;
  for (const auto& row : first["rows"]) {
    EXPECT_LE(row["p5_ms"], row["median_ms"]);
    EXPECT_LE(row["median_ms"], row["p95_ms"]);
    EXPECT_GT(row["median_ms"], 0);
    EXPECT_LE(slowest, row["p95_ms"].get<double>() + (row["part"] == "all" ? 0 : 1e9)) << "all is the sum";
    slowest = std::max(slowest, row["median_ms"].get<double>());
  }
  EXPECT_TRUE(contains(read("r.csv"), "impulses,"));
}

}  // namespace riffle
