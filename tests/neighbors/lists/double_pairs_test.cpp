/// The pair list from positions in double precision, against every pair.

#include "neighbors/lists/double_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.h"
#include "neighbors/lists/double_pair_oracle.h"
#include "support/clouds.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class DoublePairLists : public OnEachDevice {
 protected:
  struct Listed {
    std::vector<std::uint32_t> first, second;
    std::vector<double> distance;
    std::uint64_t candidates;
  };

  static Listed list_on(const Device& device, const std::vector<DoublePoint>& points, double radius, bool distances) {
    const Buffer<DoublePoint> there(device, points);
    DoublePairs search(device);
    DoublePairList list(device);
    search.build(there.data(), static_cast<std::int64_t>(points.size()), radius, distances, list);
    return {list.first.to_host(), list.second.to_host(), list.distance.to_host(), search.candidates()};
  }

  /// @return pairs
  std::size_t expect_exact(const std::vector<DoublePoint>& points, double radius) const {
    const Listed listed = list_on(device(), points, radius, true);
    std::vector<std::uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0u);
    const auto expected = partners_within(points, all, radius);
    EXPECT_EQ(listed.first.size(), listed.second.size());
    EXPECT_EQ(listed.first.size(), listed.distance.size());
    EXPECT_EQ(partners_in(listed.first, listed.second, all, points.size()), expected);
    std::size_t pairs = 0;
    for (const auto& partners : expected) pairs += partners.size();
    EXPECT_EQ(2 * listed.first.size(), pairs) << "each pair once";
    for (std::size_t k = 0; k < listed.first.size(); ++k) {
      const DoublePoint &a = points[listed.first[k]], &b = points[listed.second[k]];
      EXPECT_EQ(listed.distance[k], std::sqrt(square_distance(a, b)));
      if (testing::Test::HasFailure()) break;
    }
    const Listed bare = list_on(device(), points, radius, false);
    EXPECT_EQ(bare.first, listed.first);
    EXPECT_EQ(bare.second, listed.second);
    EXPECT_TRUE(bare.distance.empty());
    EXPECT_GE(listed.candidates, listed.first.size());
    if (device().is_cuda()) {
      const Listed on_cpu = list_on(Device{}, points, radius, true);
      EXPECT_EQ(on_cpu.first, listed.first) << "the order is that of the CPU";
      EXPECT_EQ(on_cpu.second, listed.second);
      EXPECT_EQ(on_cpu.distance, listed.distance);
    }
    return listed.first.size();
  }

  double unit() { return (double(random_.below(1 << 30)) + double(random_.below(1 << 22)) * 0x1p-22) * 0x1p-30; }
  std::vector<DoublePoint> cloud(int count, DoublePoint low, DoublePoint edge) {
    std::vector<DoublePoint> points;
    for (int k = 0; k < count; ++k)
      points.push_back({low.x + edge.x * unit(), low.y + edge.y * unit(), low.z + edge.z * unit()});
    return points;
  }

  Random random_{941};
};

TEST_P(DoublePairLists, RandomCloudsOfManyRadiiAreExact) {
  const std::vector<DoublePoint> points = cloud(700, {0, 0, 0}, {1, 1, 1});
  std::size_t pairs = 0;
  for (const double radius : {1e-9, 0.03, 0.0999, 0.25, 0.5, 0.9, 3.0}) pairs += expect_exact(points, radius);
  EXPECT_GT(pairs, 400000u);
  for (const DoublePoint& edge : {DoublePoint{1, 1e-3, 1}, DoublePoint{1e-3, 1, 1}, DoublePoint{0, 0, 1},
                                  DoublePoint{5, 0, 0}, DoublePoint{0.3, 2, 1e-9}})
    EXPECT_GT(expect_exact(cloud(400, {-3, 7, 0.1}, edge), 0.1), 20u);
}

TEST_P(DoublePairLists, WhatSinglePrecisionWouldGetWrongIsRight) {
  // Distances of 1 - 2^-40, 1 and 1 + 2^-40: as floats all are 1.
  const double little = 0x1p-40;
  for (const double at : {0.0, 1e3, -1e3})
    for (const DoublePoint& along : {DoublePoint{1, 0, 0}, DoublePoint{0, 1, 0}, DoublePoint{0, 0, 1}})
      for (const double distance : {1 - little, 1.0, 1 + little}) {
        const DoublePoint a{at, at, at};
        const DoublePoint b{at + distance * along.x, at + distance * along.y, at + distance * along.z};
        EXPECT_EQ(expect_exact({a, b}, 1), distance < 1 ? 1u : 0u) << at << ", " << distance;
      }
  // At 10^9 neighbouring floats are 64 apart.
  const std::vector<DoublePoint> far = cloud(500, {1e9, -1e9, 1e9}, {1, 1, 1});
  EXPECT_GT(expect_exact(far, 0.1), 300u);
  EXPECT_GT(expect_exact(cloud(500, {1e9, 1e9, 1e9}, {1e-4, 1e-4, 1e-4}), 1e-5), 300u);
}

TEST_P(DoublePairLists, LatticesThatEndAtTheRadiusAreCutOffThere) {
  for (const double spacing : {0.125, 0.1})
    for (const double low : {0.0, -7.3, 1e6}) {
      std::vector<DoublePoint> lattice;
      for (int k = 0; k < 343; ++k)
        lattice.push_back({low + spacing * (k % 7), low + spacing * (k / 7 % 7), low + spacing * (k / 49)});
      for (const double factor : {1 - 1e-12, 1.0, 1 + 1e-12, std::sqrt(2.0), 2.0, 3.0})
        expect_exact(lattice, spacing * factor);
      EXPECT_GT(expect_exact(lattice, spacing * 1.001), 343u);
    }
}

TEST_P(DoublePairLists, CrowdsAndFarPointsAreExact) {
  std::vector<DoublePoint> points = cloud(200, {0, 0, 0}, {1, 1, 1});
  points.insert(points.end(), 120, DoublePoint{0.5, 0.5, 0.5});
  EXPECT_GE(expect_exact(points, 0.05), 120u * 119 / 2);
  points.push_back({1e12, 0, 0});
  points.push_back({1e12 + 0.01, 0, 0});
  points.push_back({0, -1e15, 0});
  EXPECT_GE(expect_exact(points, 0.05), 120u * 119 / 2 + 1) << "in a box that is nearly empty";
}

TEST_P(DoublePairLists, PointsThatAreNoNumbersAreInNoPair) {
  std::vector<DoublePoint> points = cloud(150, {0, 0, 0}, {1, 1, 1});
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    points[random_.below(150)].x = bad;
    points[random_.below(150)].z = bad;
  }
  EXPECT_GT(expect_exact(points, 0.4), 500u);
  EXPECT_EQ(expect_exact(std::vector<DoublePoint>(9, {std::nan(""), 0, 0}), 0.4), 0u);
}

TEST_P(DoublePairLists, NothingAndOnePointHaveNoPairs) {
  EXPECT_EQ(expect_exact({}, 1), 0u);
  EXPECT_EQ(expect_exact({{1, 2, 3}}, 1), 0u);
  EXPECT_EQ(expect_exact({{1, 2, 3}, {1, 2, 3}}, 1), 1u);
}

TEST_P(DoublePairLists, AListIsMadeAgainForOtherPoints) {
  DoublePairs search(device());
  DoublePairList list(device());
  for (const int count : {300, 20, 500}) {
    const std::vector<DoublePoint> points = cloud(count, {0, 0, 0}, {1, 1, 1});
    const Buffer<DoublePoint> there(device(), points);
    search.build(there.data(), count, 0.2, count == 20, list);
    std::vector<std::uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(partners_in(list.first.to_host(), list.second.to_host(), all, points.size()),
              partners_within(points, all, 0.2));
    EXPECT_EQ(list.distance.size(), count == 20 ? list.size() : 0);
  }
  EXPECT_GT(search.memory_bytes(), 500 * sizeof(DoublePoint));
}

TEST_P(DoublePairLists, WrongRequestsAreRefusedByWhatIsWrong) {
  const std::vector<DoublePoint> two{{0, 0, 0}, {1, 0, 0}}, huge{{0, 0, 0}, {1e200, 0, 0}};
  const auto said = [&](const std::vector<DoublePoint>& points, double radius) -> std::string {
    try {
      list_on(device(), points, radius, false);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const double radius : {0.0, -1.0, 1e-170, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_NE(said(two, radius).find("it must be from 1e-150"), std::string::npos)
        << radius << ": " << said(two, radius);
  EXPECT_NE(said(huge, 1).find("coordinates up to 1e200; they must be at most 1e150"), std::string::npos)
      << said(huge, 1);
  DoublePairs search(device());
  DoublePairList list(device());
  EXPECT_THROW(search.build(nullptr, std::int64_t{1} << 31, 1, false, list), Unavailable);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DoublePairLists);

}  // namespace
}  // namespace riffle::test
