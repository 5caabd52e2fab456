#include "core/text/words.h"

#include <gtest/gtest.h>

#include <set>

#include "scenes/format/format.h"

namespace riffle {

namespace {

template <class Enum>
class WordsOf : public ::testing::Test {};

using Enums = ::testing::Types<Axis, Filling, KernelKind, WallSlip, TensionModel, DpdIntegrator, RandomKind,
                               StreamStart, GridTable, BucketInsertion, TreeStructure, scenes::PairWeights,
                               scenes::LookChoice, Quantity, scenes::QualityChoice>;
TYPED_TEST_SUITE(WordsOf, Enums);

TYPED_TEST(WordsOf, AreOnePerMemberInTheOrderOfTheEnum) {
  std::set<std::string_view> words;
  int member = 0;
  for (const auto& row : words_of(TypeParam{})) {
    EXPECT_EQ(static_cast<int>(row.value), member++) << row.word;
    EXPECT_TRUE(words.insert(row.word).second) << row.word;
    EXPECT_FALSE(row.doc.ends_with('.')) << row.word;
  }
  EXPECT_GE(member, 2);
}

TYPED_TEST(WordsOf, AreReadBack) {
  for (const auto& row : words_of(TypeParam{})) {
    EXPECT_EQ(word_of(row.value), row.word);
    EXPECT_EQ(value_of_word<TypeParam>(row.word), row.value);
    EXPECT_EQ(value_of_word<TypeParam>(std::string(row.word) + "s"), std::nullopt);
  }
  EXPECT_EQ(value_of_word<TypeParam>(""), std::nullopt);
  EXPECT_EQ(word_of(static_cast<TypeParam>(99)), "?");
}

// A word that only the format knows would be accepted and mean something else.
TEST(Words, OfTheFormatAreThoseOfTheEnums) {
  const scenes::Record& solver = *scenes::scene_format().find("solver")->forms[0].record;
  const scenes::Record& picture = *scenes::scene_format().find("picture")->forms[0].record;
  EXPECT_EQ(solver.find("walls")->forms[0].words, (std::vector<std::string>{"no_slip", "free_slip"}));
  EXPECT_EQ(solver.find("walls")->default_value.text(), "no_slip");
  EXPECT_EQ(picture.find("look")->forms[0].words, (std::vector<std::string>{"auto", "spheres", "fluid"}));
  EXPECT_TRUE(picture.find("quality")->doc.find("`quick`: ") != std::string::npos);
}

}  // namespace

}  // namespace riffle
