#include "neighbors/search_figures.h"

#include <string>
#include <vector>

#include "every_search.h"

namespace riffle::test {
namespace {

class FiguresOfEachSearch : public testing::TestWithParam<SearchCase> {
 protected:
  void SetUp() override {
    skip_without(GetParam().device);
    if (!IsSkipped() && GetParam().structure == TreeStructure::Optix) require_optix(device_of(GetParam().device));
  }
};

// A count that is not in the table of units would have none in the window and in tables.
TEST_P(FiguresOfEachSearch, HaveTheUnitsOfTheirCounts) {
  const SearchCase& c = GetParam();
  SearchSettings settings;
  settings.method = c.method;
  settings.structure = c.structure;
  settings.sections = c.sections;
  settings.insertion = BucketInsertion::Iterative;
  SortedSearch sorted(device_of(c.device), settings);
  Random random(3);
  const Domain domain = box(c.dimension, 0, 1, Axis::Walled);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 300);
  EXPECT_TRUE(figures_of(sorted.search().stats(), sorted.search().list_stats(), 300).empty()) << "before a build";
  sorted.build(x, domain, 0.2f);
  const SearchStats stats = sorted.search().stats();
  for (const SearchCount& count : stats.counts) EXPECT_NE(unit_of_count(count.name), nullptr) << count.name;
  const std::vector<SearchFigure> figures = figures_of(stats, sorted.search().list_stats(), 300);
  if (stats.built()) {
    ASSERT_GE(figures.size(), 4 + stats.counts.size());
    EXPECT_EQ(figures[0].value, double(stats.occupancy.cells));
  }
}

INSTANTIATE_TEST_SUITE_P(EverySearch, FiguresOfEachSearch, testing::ValuesIn(search_cases()), test::name_of);

TEST(SearchFigures, AreTheCountsWithTheShareThatIsReSortedAndTheWidthOfLists) {
  const SearchStats search{{1000, 317, 8, 2.5}, {{std::string(kResorted), 30}, {"full builds", 3}}};
  const std::vector<SearchFigure> figures = figures_of(search, {ListKind::Slices, 136, 150, 2}, 600);
  EXPECT_EQ(
      describe(figures),
      "cells 1000, occupied 317 cells, fullest 8 particles, mean in occupied 2.5 particles, particles re-sorted 30, "
      "share re-sorted 5 %, full builds 3, list width 136 entries, longest list 150 entries, lists beyond "
      "the width 2 particles");
  EXPECT_EQ(figures[5].key(), "share_re_sorted");
  EXPECT_EQ(figures[5].value, 0.05);
  EXPECT_EQ(figures_of(search, {ListKind::Rows}, 600).size(), 7u) << "rows have no width";
  EXPECT_EQ((SearchFigure{"candidates", 12345678, ""}.text()), "12345678") << "counts are whole";
  EXPECT_EQ((SearchFigure{"mean in occupied", 3.028041, "particles"}.text()), "3.028 particles");
  EXPECT_EQ(figures_of(search, {}, 0)[5].value, 30) << "no division by 0";
}

}  // namespace
}  // namespace riffle::test
