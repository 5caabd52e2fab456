#include "validation/validation_case.h"
#include "core/math/statistics.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "core/error.h"

namespace riffle::test {
namespace {

TEST(Check, BoundsAreWhatTheySay) {
  EXPECT_TRUE(within("", 1.1, 1, 0.11, "").passed());
  EXPECT_FALSE(within("", 1.12, 1, 0.11, "").passed());
  EXPECT_FALSE(within("", 0.88, 1, 0.11, "").passed());
  EXPECT_TRUE(within_relative("", -95, -100, 0.05, "").passed());
  EXPECT_FALSE(within_relative("", -94, -100, 0.05, "").passed());
  EXPECT_TRUE(at_most("", 2, 2, "").passed());
  EXPECT_FALSE(below("", 2, 2, "").passed());
  EXPECT_TRUE(at_least("", 2, 2, "").passed());
  EXPECT_FALSE(at_least("", 1.9, 2, "").passed());
  EXPECT_TRUE(between("", 0.05, 0.0528, 0.046, 0.06, "").passed());
  EXPECT_FALSE(between("", 0.061, 0.0528, 0.046, 0.06, "").passed());
  EXPECT_FALSE(between("", 0.045, 0.0528, 0.046, 0.06, "").passed());
  EXPECT_EQ(figure("", 1e9).verdict(), Verdict::None);
}

TEST(Check, NotANumberPassesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Check& c : {within("", nan, 1, 10, ""), within_relative("", nan, 1, 10, ""), at_most("", nan, 10, ""),
                         below("", nan, 10, ""), at_least("", nan, -10, "")}) {
    EXPECT_EQ(c.verdict(), Verdict::Fail) << c.allowed();
    EXPECT_EQ(c.with_shortfall("known", 20).verdict(), Verdict::Fail) << c.allowed();
  }
  EXPECT_EQ(between("", nan, 1, -10, 10, "").verdict(), Verdict::Fail);
}

TEST(Check, AKnownShortfallIsShownAndFailsNothing) {
  const Check check = at_most("", 0.09, 0.05, "").with_shortfall("the scheme is plain", 0.1);
  EXPECT_EQ(check.verdict(), Verdict::Short);
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.allowed(), "<= 0.05 (short: <= 0.1)");
  EXPECT_EQ(at_most("", 0.04, 0.05, "").with_shortfall("the scheme is plain", 0.1).verdict(), Verdict::Pass);
}

TEST(Check, AShortfallBeyondTheOuterBoundFails) {
  struct Row {
    Check inside, outside;
    double outer;
    const char* allowed;
  };
  for (const Row& row : {Row{within("", 1.2, 1, 0.1, ""), within("", 0.7, 1, 0.1, ""), 0.25, "+- 0.1 (short: +- 0.25)"},
                         Row{within_relative("", 8.1, 10, 0.1, ""), within_relative("", 12.1, 10, 0.1, ""), 0.2,
                             "+- 10 % (short: +- 20 %)"},
                         Row{at_most("", 2, 1, ""), at_most("", 2.01, 1, ""), 2, "<= 1 (short: <= 2)"},
                         Row{below("", 1.99, 1, ""), below("", 2, 1, ""), 2, "< 1 (short: < 2)"},
                         Row{at_least("", 1, 2, ""), at_least("", 0.99, 2, ""), 1, ">= 2 (short: >= 1)"}}) {
    EXPECT_EQ(row.inside.with_shortfall("known", row.outer).verdict(), Verdict::Short) << row.allowed;
    const Check outside = row.outside.with_shortfall("known", row.outer);
    EXPECT_EQ(outside.verdict(), Verdict::Fail) << row.allowed;
    EXPECT_EQ(outside.allowed(), row.allowed);
  }
  EXPECT_THROW(between("", 1, 1, 2, 3, "").with_shortfall("known", 5), std::logic_error);
}

TEST(CaseResult, OneFailureFailsAndNothingCheckedIsNoSuccess) {
  CaseResult result;
  EXPECT_FALSE(result.passed());
  result.checks.push_back(at_most("", 1, 2, ""));
  EXPECT_TRUE(result.passed());
  result.checks.push_back(at_most("", 3, 2, ""));
  EXPECT_FALSE(result.passed());
}

TEST(CaseContext, PartsOfACaseAddUpToItsProgress) {
  std::vector<double> seen;
  CaseContext context;
  context.progress(0.5, "without a listener");
  context.on_progress = [&](double fraction, const std::string&) { seen.push_back(fraction); };
  const CaseContext second = context.part(0.25, 0.75);
  for (const double f : {0.0, 0.5, 1.0, 7.0}) second.progress(f, "");
  second.part(0.5, 1).progress(0.5, "");
  EXPECT_EQ(seen, (std::vector<double>{0.25, 0.5, 0.75, 0.75, 0.625}));
}

TEST(ValidationCases, HavePlainNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const ValidationCase& c : validation_cases()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_EQ(c.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos) << c.name;
    EXPECT_FALSE(c.title.empty() || c.reduced.empty() || c.full.empty()) << c.name;
    EXPECT_EQ(&validation_case(c.name), &c);
  }
  EXPECT_THROW(validation_case("hydrostat"), InputError);
}

class ReferenceTables : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "riffle-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string write(const std::string& text) const {
    std::ofstream(folder_ / "t.csv") << text;
    return (folder_ / "t.csv").string();
  }
  std::string mistake(const std::string& text, const std::string& column = "b") const {
    try {
      ReferenceTable(write(text)).numbers(column);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

TEST_F(ReferenceTables, AreReadByName) {
  const ReferenceTable table(write("# what it is, with a comma\n# and more\na,b,kind\r\n1,2.5,x\r\n3,-4e-3,y\n"));
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.numbers("b"), (std::vector<double>{2.5, -4e-3}));
  EXPECT_EQ(table.texts("kind"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(table.where("kind", "y").numbers("a"), std::vector<double>{3});
  EXPECT_THROW(table.where("kind", "z"), InputError);
}

TEST_F(ReferenceTables, AFieldInQuotesMayHaveCommasAndQuotes) {
  const ReferenceTable table(write("kind,b\n\"a, b\",1\r\n\"say \"\"x\"\"\",2\n\"\",3\nin \"it\",4\n"));
  EXPECT_EQ(table.texts("kind"), (std::vector<std::string>{"a, b", "say \"x\"", "", "in \"it\""}));
  EXPECT_EQ(table.numbers("b"), (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(ReferenceTables, WhatIsDamagedIsNamedWithItsLine) {
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(mistake("# x\na,b\n1,2\n1,two\n"), "t.csv:4: b: 'two' is not a number");
  says(mistake("a,b\n1,\n"), "t.csv:2: b: '' is not a number");
  says(mistake("a,b\n1,nan\n"), "is not a number");
  says(mistake("a,b\n1,2,3\n"), "t.csv:2: 3 fields, but 2 column names");
  says(mistake("a,b\n1,\"2\n"), "t.csv:2: a field whose quotes do not end");
  says(mistake("a,b\n\"1\"x,2\n"), "t.csv:2: text after the quotes of a field");
  says(mistake("a,b\n"), "has no row");
  says(mistake(""), "has no row");
  says(mistake("a,b\n1,2\n", "c"), "has no column 'c', only a, b");
}

TEST_F(ReferenceTables, OneThatIsMissingIsUnavailableWithTheFolders) {
  try {
    find_reference("none.csv", folder_.string());
    FAIL();
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find("none.csv"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find(folder_.string()), std::string::npos);
  }
  EXPECT_NO_THROW(find_reference("hydrostatic_tait_H1.csv"));
}

TEST(SampleMean, HasTheDeviationOfARunAndTheErrorOfTheMean) {
  const SampleMean four = mean_of({1, 3, 1, 3});
  EXPECT_EQ(four.mean, 2);
  EXPECT_NEAR(four.deviation, std::sqrt(4.0 / 3), 1e-15);
  EXPECT_NEAR(four.standard_error, std::sqrt(1.0 / 3), 1e-15);
  const SampleMean one = mean_of({5});
  EXPECT_EQ(one.mean, 5);
  EXPECT_EQ(one.standard_error, 0);
}

TEST(Interpolation, IsLinearInEitherDirection) {
  EXPECT_EQ(interpolate({0, 1, 3}, {0, 10, 30}, 2), 20);
  EXPECT_EQ(interpolate({3, 1, 0}, {30, 10, 0}, 2), 20);
  EXPECT_EQ(interpolate({0, 1, 3}, {5, 10, 30}, -1), 5);
  EXPECT_EQ(interpolate({0, 1, 3}, {5, 10, 30}, 7), 30);
  EXPECT_EQ(interpolate({3, 1, 0}, {30, 10, 5}, 7), 30);
  EXPECT_EQ(interpolate({2}, {7}, 0), 7);
}

}  // namespace
}  // namespace riffle::test
