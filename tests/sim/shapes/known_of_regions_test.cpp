/// What is remembered of regions, and what is not.

#include "sim/shapes/known_of_regions.h"

#include <gtest/gtest.h>

#include "tests/sim/shapes/example_shapes.h"

namespace riffle::test {
namespace {

Region box_at(float x, float cut_from = 0.5f) {
  Region region;
  static_cast<PlainShape&>(region) = box({x, 0, 0}, {x + 1, 1, 1});
  region.without = {box({x + cut_from, -1, -1}, {x + 2, 2, 2})};
  return region;
}

class Known : public testing::Test {
 protected:
  /// The value is the number of the computation that it comes from.
  int asked(const Region& region, int given = 3) {
    return known_.of(region, given, [&] { return ++computed_; });
  }
  KnownOfRegions<int, int> known_;
  int computed_ = 0;
};

TEST_F(Known, IsComputedOnceForEqualRegions) {
  EXPECT_EQ(asked(box_at(0)), 1);
  EXPECT_EQ(asked(box_at(0)), 1);
  EXPECT_EQ(asked(box_at(0), 2), 2) << "with something else given it is another";
  EXPECT_EQ(asked(box_at(1)), 3);
  EXPECT_EQ(asked(box_at(0, 0.25f)), 4) << "another cut";
  EXPECT_EQ(asked(box_at(0)), 1);
}

TEST_F(Known, OfARegionWithAMeshIsComputedEachTime) {
  Region region = box_at(0);
  region.with.resize(1);
  region.with[0].shape = Shape::Mesh;
  EXPECT_EQ(asked(region), 1);
  EXPECT_EQ(asked(region), 2);
}

TEST_F(Known, WhatWasNotAskedForTheLongestIsForgottenFirst) {
  EXPECT_EQ(asked(box_at(0)), 1);
  EXPECT_EQ(asked(box_at(1)), 2);
  for (std::size_t k = 2; k <= known_.kMost; ++k) {
    asked(box_at(float(k)));
    ASSERT_EQ(asked(box_at(0)), 1);
  }
  const int before = computed_;
  EXPECT_EQ(asked(box_at(1)), before + 1) << "forgotten";
}

}  // namespace
}  // namespace riffle::test
