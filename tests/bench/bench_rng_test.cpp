#include <algorithm>
#include <sstream>

#include "support/program.h"

namespace riffle {

class BenchRng : public ProgramTest {
 protected:
  /// Runs on the CPU, with the smallest allowed count of numbers.
  Outcome bench(std::vector<std::string> words) {
    words.insert(words.begin(), {"bench", "rng", "--device", "cpu"});
    words.insert(words.end(), {"--count", "10000"});
    return riffle(words);
  }
};

TEST_F(BenchRng, EveryGeneratorHasItsRowsAndItsSpeed) {
  const Outcome outcome = bench({"--json", "r.json", "--csv", "r.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = json("r.json");
  EXPECT_EQ(report["bench"], "rng");
  EXPECT_TRUE(contains(report["command"], "riffle bench rng --device cpu"));
  EXPECT_EQ(report["device"]["kind"], "cpu");
  EXPECT_EQ(report["passed"], true);
  ASSERT_EQ(report["rows"].size(), 9u);
  for (const auto& row : report["rows"]) {
    EXPECT_EQ(row["count"], 10000);
    EXPECT_EQ(row["lags"].size(), 8u);
    EXPECT_EQ(row["lags_z"].size(), 8u);
    EXPECT_EQ(row["passed"].get<bool>(), row["fault"] == "");
    EXPECT_TRUE(contains(outcome.out, row["generator"]));
    if (row["generator"] == "philox") {
      EXPECT_EQ(row["passed"], true) << row["fault"];
    }
    if (row["generator"] == "karpinski_stream" && row["along"] == "partners") {
      EXPECT_EQ(row["cycle"], 227);
      EXPECT_EQ(row["before_cycle"], 116);
      EXPECT_EQ(row["passed"], false);
    }
  }
  ASSERT_EQ(report["generators"].size(), 3u);
  for (const auto& generator : report["generators"]) {
    EXPECT_GT(generator["numbers_per_second"]["cpu"].get<double>(), 0);
    EXPECT_EQ(generator["pairs_asymmetric"] == 0, generator["generator"] != "karpinski_stream");
  }
  std::istringstream lines(read("r.csv"));
  std::string header, line;
  ASSERT_TRUE(std::getline(lines, header));
  int rows = 0;
  for (; std::getline(lines, line); ++rows)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(header.begin(), header.end(), ',')) << line;
  EXPECT_EQ(rows, 9);
}

TEST_F(BenchRng, AnotherSeedHasOtherNumbers) {
  const auto mean = [](const Outcome& outcome) { return nlohmann::json::parse(outcome.out)["rows"][0]["mean"]; };
  const auto first = mean(bench({"--json", "-"}));
  EXPECT_EQ(mean(bench({"--json", "-", "--seed", "1"})), first);
  EXPECT_NE(mean(bench({"--json", "-", "--seed", "2"})), first);
}

TEST_F(BenchRng, StandardOutputIsOneTableOnly) {
  const Outcome csv = bench({"--csv", "-"});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_TRUE(csv.out.starts_with("generator,along,count,mean"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 10);
  const Outcome both = bench({"--csv", "-", "--json", "-"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_EQ(both.out, "");
  const Outcome same = bench({"--csv", "x", "--json", "./x"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_TRUE(contains(same.err, "--csv and --json are the same file"));
}

TEST_F(BenchRng, WhatCannotBeMeasuredIsRefused) {
  const struct {
    std::vector<std::string> words;
    const char* says;
  } cases[] = {{{"--count", "9999"}, "--count"},   {{"--count", "100000001"}, "--count"},
               {{"--count", "-1"}, "--count"},     {{"--count", "many"}, "--count"},
               {{"--seed", "x"}, "--seed"},        {{"--device", "gpux"}, "--device"},
               {{"--json", ""}, "name of a file"}, {{"--cuont", "10000"}, "did you mean '--count'?"},
               {{"dam_break"}, "dam_break"}};
  for (const auto& [words, says] : cases) {
    std::vector<std::string> all{"bench", "rng"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = riffle(all);
    EXPECT_EQ(outcome.exit_code, 2) << says;
    EXPECT_EQ(outcome.out, "") << says;
    EXPECT_TRUE(contains(outcome.err, says));
  }
  const Outcome unwritable = bench({"--json", "/proc/none/r.json"});
  EXPECT_EQ(unwritable.exit_code, 1);
  EXPECT_EQ(unwritable.out, "");
}

}  // namespace riffle
