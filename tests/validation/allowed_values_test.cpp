#include "validation/allowed_values.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.h"
#include "validation/validation_case.h"

namespace riffle::test {
namespace {

class AllowedValues : public ::testing::Test {
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
  std::string write(const std::string& rows) const {
    const std::filesystem::path file = folder_ / "allowed.csv";
    std::ofstream(file) << "case,check,unit,size,rule,expected,bound,outer,shortfall,source\n" << rows;
    return file.string();
  }
  CaseBounds bounds(const std::string& rows, CaseSize size = CaseSize::Full) const {
    return {read_allowed_values(write(rows)), "ring", size};
  }
  std::string mistake(const std::string& row) const {
    try {
      read_allowed_values(write(row));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(AllowedValues, ARowMakesTheCheckThatItDescribes) {
  CaseBounds all = bounds(
      "ring,period,s,both,within,4.5,0.25,-,-,a book\n"
      "ring,ratio,-,both,within_relative,computed,0.05,-,-,theory\n"
      "ring,\"error, rms\",-,both,at_most,-,0.1,0.2,it is plain,a bound\n"
      "ring,speed,m/s,both,below,-,3,-,-,-\n"
      "ring,distance,-,both,at_least,-,3,-,-,-\n"
      "ring,share,-,both,between,0.5,0.4 to 0.8,-,-,-\n"
      "ring,noise,K,both,figure,-,-,-,-,-\n");
  const Check period = all.check("period", 4.75);
  EXPECT_EQ(period.verdict(), Verdict::Pass);
  EXPECT_EQ(period.expected, 4.5);
  EXPECT_EQ(period.allowed(), "+- 0.25");
  EXPECT_EQ(period.unit, "s");
  EXPECT_EQ(period.source, "a book");
  EXPECT_EQ(all.check("ratio", 106, 100).verdict(), Verdict::Fail);
  const Check error = all.check("error, rms", 0.15);
  EXPECT_EQ(error.verdict(), Verdict::Short);
  EXPECT_EQ(error.shortfall, "it is plain");
  EXPECT_EQ(error.allowed(), "<= 0.1 (short: <= 0.2)");
  EXPECT_EQ(all.check("speed", 3).verdict(), Verdict::Fail);
  EXPECT_EQ(all.check("distance", 3).verdict(), Verdict::Pass);
  const Check share = all.check("share", 0.81);
  EXPECT_EQ(share.verdict(), Verdict::Fail);
  EXPECT_EQ(share.expected, 0.5);
  EXPECT_EQ(share.allowed(), "0.4 to 0.8");
  const Check noise = all.check("noise", 1e9);
  EXPECT_EQ(noise.verdict(), Verdict::None);
  EXPECT_EQ(noise.unit, "K");
  EXPECT_TRUE(all.unused().empty());
}

TEST_F(AllowedValues, EachSizeHasItsRows) {
  const std::string rows =
      "ring,a,-,reduced,at_most,-,2,-,-,-\nring,a,-,full,at_most,-,1,-,-,-\nring,b,-,full,at_most,-,1,-,-,-\n"
      "other,c,-,both,at_most,-,1,-,-,-\n";
  CaseBounds reduced = bounds(rows, CaseSize::Reduced), full = bounds(rows);
  EXPECT_EQ(reduced.check("a", 1.5).verdict(), Verdict::Pass);
  EXPECT_EQ(full.check("a", 1.5).verdict(), Verdict::Fail);
  EXPECT_TRUE(reduced.unused().empty());
  EXPECT_EQ(full.unused(), std::vector<std::string>{"b"});
  EXPECT_TRUE(has(refusal([&] { reduced.check("b", 1); }), "allowed values of ring, reduced size: 'b' has no row"));
}

TEST_F(AllowedValues, ACheckWithoutItsOwnRowIsAnError) {
  CaseBounds all = bounds("ring,period,s,both,within,4.5,0.25,-,-,-\nring,rate,-,both,within,computed,1,-,-,-\n");
  EXPECT_TRUE(has(refusal([&] { all.check("perod", 4); }), "'perod' has no row; did you mean 'period'?"));
  EXPECT_TRUE(has(refusal([&] { all.check("period", 4, 4.5); }), "has a reference of its own"));
  EXPECT_TRUE(has(refusal([&] { all.check("rate", 4); }), "needs a reference from the case"));
  all.check("period", 4);
  EXPECT_TRUE(has(refusal([&] { all.check("period", 4); }), "is checked twice"));
}

TEST_F(AllowedValues, ARowThatIsWrongIsNamed) {
  const auto says = [&](const std::string& row, const std::string& part) {
    EXPECT_TRUE(has(mistake(row + "\n"), part)) << row << "\n" << mistake(row + "\n");
  };
  says("ring,a,-,both,nearly,-,1,-,-,-", "allowed.csv: ring, 'a': rule: found 'nearly'");
  says("ring,a,-,all,below,-,1,-,-,-", "size: found 'all'; allowed: reduced, full, both");
  says("ring,a,-,both,below,-,one,-,-,-", "bound: found 'one'; allowed: a number");
  says("ring,a,-,both,below,-,inf,-,-,-", "bound: found 'inf'; allowed: a number");
  says("ring,a,-,both,below,-,-,-,-,-", "bound: found '-'; allowed: a number");
  says("ring,a,-,both,below,1,1,-,-,-", "expected: found '1'; allowed: - for this rule");
  says("ring,a,-,both,within,-,1,-,-,-", "expected: found '-'; allowed: a number or computed");
  says("ring,a,-,both,within,near,1,-,-,-", "expected: found 'near'; allowed: a number");
  says("ring,a,-,both,between,-,1,-,-,-", "bound: found '1'; allowed: LEAST to MOST");
  says("ring,a,-,both,between,-,2 to 1,-,-,-", "bound: found '2 to 1'; allowed: LEAST below MOST");
  says("ring,a,-,both,figure,-,1,-,-,-", "bound: found '1'; allowed: - for a figure");
  says("ring,a,-,both,below,-,1,2,-,-", "shortfall: found '-'");
  says("ring,a,-,both,below,-,1,-,plain,-", "shortfall: found 'plain'");
  says("ring,a,-,both,between,-,1 to 2,3,plain,-", "outer: found '3'");
  says("ring,a,-,both,below,-,1,-,-,-\nring,a,-,full,below,-,2,-,-,-", "ring, 'a': two rows for one size");
}

TEST_F(AllowedValues, ACaseSaysWhichRowsItDidNotUse) {
  write("ring,a,-,both,below,-,1,-,-,-\nring,b,-,both,below,-,1,-,-,-\n");
  ValidationCase ring{"ring", "", "", "", [](const CaseContext& context) {
                        CaseResult result;
                        result.checks = {context.part(0, 0.5).check("a", 0.5)};
                        return result;
                      }};
  CaseContext context;
  context.reference_folder = folder_.string();
  const CaseResult result = run_case(ring, context);
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.unused_bounds, std::vector<std::string>{"b"});
  EXPECT_THROW(ring.run(context), std::logic_error) << "only run_case() has the rows";
}

/// What a run does not use is found by expect_passes().
TEST(AllowedValuesOfRiffle, BelongToCasesThatExistAndEachCaseHasSome) {
  std::set<std::string> judged;
  for (const AllowedValue& value : read_allowed_values(find_reference("allowed.csv"))) {
    EXPECT_NO_THROW(validation_case(value.case_name)) << value.case_name;
    judged.insert(value.case_name);
  }
  for (const ValidationCase& which : validation_cases())
    EXPECT_TRUE(judged.count(which.name)) << which.name << " has no row";
}

}  // namespace
}  // namespace riffle::test
