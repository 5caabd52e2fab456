#pragma once
/// Runs one test body over all methods, both devices and both dimensions.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/clouds.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "support/optix.h"
#include "support/sorted_search.h"

namespace riffle::test {

struct SearchCase {
  NeighborMethod method;
  DeviceKind device;
  int dimension;
  TreeStructure structure = TreeStructure::Lbvh;
  TileSections sections = TileSections::TwentySeven;
};

inline std::vector<SearchCase> search_cases() {
  std::vector<SearchCase> cases;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const DeviceKind device : built_devices())
      for (const int dimension : {2, 3}) {
        cases.push_back({info.method, device, dimension});
        if (info.method == NeighborMethod::Rtnn && device == DeviceKind::Cuda)
          cases.push_back({info.method, device, dimension, TreeStructure::Optix});
        if (info.method == NeighborMethod::Fenns)
          cases.push_back({info.method, device, dimension, TreeStructure::Lbvh, TileSections::Two});
      }
  return cases;
}

/// Without brute force, which has neither cells nor an order.
inline std::vector<SearchCase> ordered_search_cases() {
  std::vector<SearchCase> cases = search_cases();
  std::erase_if(cases, [](const SearchCase& c) { return c.method == NeighborMethod::BruteForce; });
  return cases;
}

/// "rtnn", "rtnn_optix", "fenns_2_sections".
inline std::string search_name(const SearchCase& c) {
  return std::string(to_string(c.method)) + (c.structure == TreeStructure::Optix ? "_optix" : "") +
         (c.sections == TileSections::Two ? "_2_sections" : "");
}

inline std::string name_of(const testing::TestParamInfo<SearchCase>& info) {
  return search_name(info.param) + "_" + std::string(to_string(info.param.device)) + "_" +
         std::to_string(info.param.dimension) + "d";
}

inline void PrintTo(const SearchCase& c, std::ostream* out) {
  *out << search_name(c) << ", " << to_string(c.device) << ", " << c.dimension << "-D";
}

class EverySearch : public testing::TestWithParam<SearchCase> {
 protected:
  void SetUp() override {
    skip_without(GetParam().device);
    if (!IsSkipped() && GetParam().structure == TreeStructure::Optix) require_optix(device());
  }

  int dimension() const { return GetParam().dimension; }
  Device device() const { return device_of(GetParam().device); }
  SearchSettings settings(bool deterministic = false) const {
    SearchSettings settings;
    settings.method = GetParam().method;
    settings.structure = GetParam().structure;
    settings.sections = GetParam().sections;
    settings.deterministic = deterministic;
    return settings;
  }

  /// Checks that exactly the true pairs are found: from the cells in any and in a fixed order, and from lists if the
  /// search keeps them.
  /// @return directed pairs
  std::size_t expect_exact(const Cloud& cloud) const {
    const NeighborSets expected = expected_neighbors(cloud.x, cloud.domain, cloud.h);
    // With a spacing the cells on a GPU are those of a simulation: divided across too.
    for (const float spacing : {0.0f, cloud.h / 3})
      for (const bool deterministic : {false, true}) {
        SearchSettings with = settings(deterministic);
        with.spacing = spacing;
        const auto place = [&](const char* from) {
          return std::string(deterministic ? "deterministic, " : "") + (spacing > 0 ? "of a fluid, " : "") + from;
        };
        SortedSearch sorted(device(), with);
        sorted.build(cloud.x, cloud.domain, cloud.h);
        const NeighborSets found = sorted.find(cloud.h);
        EXPECT_TRUE(same_neighbors(expected, found)) << place("from cells");
        EXPECT_TRUE(symmetric(found));
        // On the CPU orders and cells are all the same, and lists are not kept.
        if (GetParam().device == DeviceKind::Cpu) return pair_count(expected);
        sorted.list_neighbors();
        EXPECT_TRUE(same_neighbors(expected, sorted.find(cloud.h))) << place("from lists");
      }
    return pair_count(expected);
  }
};

#define RIFFLE_INSTANTIATE_EVERY_SEARCH(suite) \
  INSTANTIATE_TEST_SUITE_P(EverySearch, suite, testing::ValuesIn(search_cases()), name_of)
#define RIFFLE_INSTANTIATE_EVERY_ORDERED_SEARCH(suite) \
  INSTANTIATE_TEST_SUITE_P(EverySearch, suite, testing::ValuesIn(ordered_search_cases()), name_of)

}  // namespace riffle::test
