#include "neighbors/method.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "neighbors/neighbor_search.h"

namespace riffle::test {
namespace {

TEST(NeighborMethods, EveryNameLeadsBackToItsMethod) {
  std::set<std::string_view> names;
  for (const NeighborMethodInfo& info : neighbor_methods()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(to_string(info.method), info.name);
    EXPECT_EQ(neighbor_method_from(info.name), info.method);
    EXPECT_FALSE(info.summary.empty());
    SearchSettings settings;
    settings.method = info.method;
    const NeighborSearch search(Device{}, settings);
    EXPECT_EQ(search.settings().method, info.method);
  }
  EXPECT_FALSE(names.empty());
}

TEST(NeighborMethods, AnUnknownNameIsNoMethod) {
  for (const std::string_view name : {"", "hoetzlein ", "Hoetzlein", "unknown"})
    EXPECT_FALSE(neighbor_method_from(name));
}

}  // namespace
}  // namespace riffle::test
