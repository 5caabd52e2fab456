/// The estimated memory of a search against the allocated memory: each method with each of its options, on each device.

#include "neighbors/search_memory.h"

#include "every_search.h"
#include "neighbors/neighbor_search.h"

namespace riffle::test {
namespace {

/// A lattice that fills a box, as dense as a fluid: about 33 neighbours in 3-D, 12 in 2-D.
class SearchMemoryEstimate : public EverySearch {
 protected:
  static constexpr float kSpacing = 0.01f, kRadius = 2 * kSpacing;

  int per_axis() const { return dimension() == 2 ? 150 : 28; }
  Domain domain() const { return box(dimension(), 0, kSpacing * float(per_axis())); }

  void expect_near(const SearchSettings& settings, bool listed) const {
    const float first = 0.4f * kSpacing;
    const std::vector<Vec4> x = lattice(dimension(), {first, first, first}, kSpacing, per_axis());
    const double reach = double{kRadius} / kSpacing;
    const SearchLoad load{.device = device(),
                          .particles = static_cast<std::int64_t>(x.size()),
                          .domain = domain(),
                          .h = kRadius,
                          .neighbors = dimension() == 2 ? 3.14 * reach * reach : 4.19 * reach * reach * reach,
                          .listed = listed};
    const double estimate = double(estimate_search_memory(settings, load));
    SortedSearch sorted(device(), settings);
    sorted.build(x, domain(), kRadius);
    if (listed) sorted.list_neighbors();
    const double allocated = double(sorted.search().memory_bytes());
    const double slack = 0.05 * double(x.size()) * sizeof(Vec4);  // scans and flags, whatever the number of particles
    EXPECT_GT(allocated, 0.75 * estimate - slack);
    EXPECT_LT(allocated, 1.25 * estimate + slack);
  }
};

TEST_P(SearchMemoryEstimate, IsNearWhatIsAllocated) {
  for (const bool deterministic : {false, true})
    for (const bool listed : {false, true}) {
      SCOPED_TRACE(testing::Message() << (deterministic ? "deterministic" : "") << (listed ? ", listed" : ""));
      expect_near(settings(deterministic), listed);
    }
}

TEST_P(SearchMemoryEstimate, CountsListsAndTheSkin) {
  SearchSettings settings = this->settings();
  settings.list_always = true;
  expect_near(settings, true);
  settings.skin = 0.2f;
  expect_near(settings, true);
}

TEST_P(SearchMemoryEstimate, IsNearWithEachOptionOfTheMethod) {
  for (const MethodOption& option : method_info(GetParam().method).options) {
    SCOPED_TRACE(option.name);
    SearchSettings settings = this->settings();
    option.choose(settings);
    expect_near(settings, false);
  }
}

TEST_P(SearchMemoryEstimate, CountsTheCellsAskedFor) {
  if (!method_info(GetParam().method).has_cells) return;
  for (const float ratio : {0.5f, 2.0f}) {
    SCOPED_TRACE(ratio);
    SearchSettings settings = this->settings();
    settings.cell_ratio = ratio;
    expect_near(settings, false);
  }
}

TEST_P(SearchMemoryEstimate, CountsStaticSources) {
  SearchSettings settings = this->settings(true);
  settings.static_sources = true;
  expect_near(settings, false);
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(SearchMemoryEstimate);

}  // namespace
}  // namespace riffle::test
