#include "core/text/suggestion.h"

#include <gtest/gtest.h>

namespace riffle {

TEST(Suggestion, DistanceCountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("spacing", "spacng"), 1);
  EXPECT_EQ(edit_distance("spacing", "spacign"), 1);
  EXPECT_EQ(edit_distance("Spacing", "spacing"), 0);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Suggestion, WhatIsNoMisspellingGetsNoSuggestion) {
  const std::vector<std::string> names = {"spacing", "support_ratio", "rest_density"};
  EXPECT_EQ(nearest_name("spacng", names), "spacing");
  EXPECT_EQ(nearest_name("density", names), "rest_density");
  EXPECT_EQ(nearest_name("wind", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 'x'), names), "");
}

TEST(Suggestion, StandsBetweenItsSurroundingsOrLeavesThemOut) {
  const std::vector<std::string> names = {"spacing", "--steps"};
  EXPECT_EQ(suggestion("spacng", names), "did you mean 'spacing'?");
  EXPECT_EQ(suggestion("spacng", names, " (", ")"), " (did you mean 'spacing'?)");
  EXPECT_EQ(suggestion("--stpes", names, "; "), "; did you mean '--steps'?");
  EXPECT_EQ(suggestion("wind", names, " (", ")"), "");
}

}  // namespace riffle
