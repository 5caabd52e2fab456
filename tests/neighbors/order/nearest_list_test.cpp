/// The list of few nearest points beside a sort of all that it was offered.

#include "neighbors/order/nearest_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "support/random.h"

namespace riffle::test {
namespace {

using Offer = std::pair<float, std::int32_t>;  ///< squared distance, index
constexpr float kNone = std::numeric_limits<float>::infinity();

/// What stands in a row of so many places.
std::vector<Offer> expected(std::vector<Offer> offers, int capacity) {
  std::sort(offers.begin(), offers.end());
  offers.resize(static_cast<std::size_t>(capacity), {kNone, -1});
  for (Offer& offer : offers) offer.first = std::sqrt(offer.first);
  return offers;
}

template <class Nearest>
std::vector<Offer> kept(const std::vector<Offer>& offers, int capacity) {
  std::vector<std::int32_t> index(static_cast<std::size_t>(capacity) + 1, -7);
  std::vector<float> distance(index.size(), -7);
  Nearest nearest{index.data(), distance.data(), capacity};
  EXPECT_EQ(nearest.farthest2(), kNone);
  for (const Offer& offer : offers) nearest.offer(offer.second, offer.first);
  nearest.finish();
  EXPECT_EQ(index.back(), -7) << "beyond the row";
  EXPECT_EQ(distance.back(), -7);
  std::vector<Offer> row;
  for (std::size_t k = 0; k + 1 < index.size(); ++k) row.emplace_back(distance[k], index[k]);
  return row;
}

/// Some at distance 0 and many at equal distances, the point 0 among them.
std::vector<Offer> some_offers(Random& random, int count) {
  std::vector<Offer> offers;
  for (int i = 0; i < count; ++i) offers.emplace_back(0.25f * static_cast<float>(random.below(6)), i);
  for (std::size_t k = offers.size(); k > 1; --k)
    std::swap(offers[k - 1], offers[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
  return offers;
}

TEST(NearestList, KeepsWhatAHeapKeeps) {
  Random random(61);
  for (int capacity = 1; capacity <= 16; ++capacity)
    for (const int count : {0, 1, capacity - 1, capacity, capacity + 1, 3 * capacity, 100}) {
      SCOPED_TRACE(testing::Message() << count << " for " << capacity);
      const std::vector<Offer> offers = some_offers(random, count), best = expected(offers, capacity);
      EXPECT_EQ(kept<NearestHeap>(offers, capacity), best);
      EXPECT_EQ(kept<NearestList<16>>(offers, capacity), best);
      if (capacity <= 8) {
        EXPECT_EQ(kept<NearestList<8>>(offers, capacity), best);
      }
    }
}

TEST(NearestList, TakesTheWholeRangeOfIndicesAndDistances) {
  const std::vector<Offer> offers{{0, std::numeric_limits<std::int32_t>::max()},
                                  {std::numeric_limits<float>::max(), 0},
                                  {std::numeric_limits<float>::denorm_min(), 5},
                                  {0, 0}};
  for (const int capacity : {2, 4, 5}) EXPECT_EQ(kept<NearestList<8>>(offers, capacity), expected(offers, capacity));
}

TEST(NearestList, WhatIsOfferedAgainIsKeptOnce) {
  Random random(62);
  for (const int capacity : {1, 3, 8}) {
    const std::vector<Offer> offers = some_offers(random, 20);
    NearestKeys<8> keys;
    keys.clear(capacity);
    for (std::size_t k = 0; k < offers.size(); ++k) {
      keys.offer_once(nearest_key(offers[k].second, offers[k].first));
      const Offer& again = offers[static_cast<std::size_t>(random.below(static_cast<int>(k) + 1))];
      keys.offer_once(nearest_key(again.second, again.first));
    }
    std::vector<std::int32_t> index(8, -7);
    std::vector<float> distance(8, -7);
    keys.write(index.data(), distance.data(), capacity);
    const std::vector<Offer> best = expected(offers, capacity);
    for (std::size_t k = 0; k < best.size(); ++k) EXPECT_EQ(Offer(distance[k], index[k]), best[k]) << k;
  }
}

TEST(NearestList, TheKernelsChooseItForUpToSixteen) {
  const auto places = [](int capacity) {
    int most = -1;
    with_nearest(capacity, [&]<class Nearest>() {
      if constexpr (std::is_same_v<Nearest, NearestHeap>)
        most = 0;
      else
        most = decltype(Nearest::keys)::kMost;
    });
    return most;
  };
  EXPECT_EQ(places(1), 8);
  EXPECT_EQ(places(8), 8);
  EXPECT_EQ(places(9), 16);
  EXPECT_EQ(places(16), 16);
  EXPECT_EQ(places(17), 0);
}

}  // namespace
}  // namespace riffle::test
