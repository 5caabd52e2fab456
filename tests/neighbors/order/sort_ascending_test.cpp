#include "neighbors/order/sort_ascending.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace riffle {
namespace {

/// Counts around those where the sorting algorithm changes.
constexpr std::int64_t kCounts[] = {0, 1, 2, 3, 31, 32, 33, 58, 700, 702, 1402, 1403, 4096, 100003};

std::vector<std::vector<std::uint32_t>> arrays_of(std::int64_t count) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<std::vector<std::uint32_t>> arrays(4, std::vector<std::uint32_t>(n));
  std::mt19937 random(7);
  for (std::size_t k = 0; k < n; ++k) {
    arrays[0][k] = static_cast<std::uint32_t>(k);
    arrays[1][k] = ~0u - static_cast<std::uint32_t>(k);  // beyond the range of a signed number
    arrays[2][k] = static_cast<std::uint32_t>(random());
    arrays[3][k] = static_cast<std::uint32_t>(random() % 3);
  }
  return arrays;
}

/// sort(value, count) against the standard library's.
template <class Sort>
void expect_sorted(const Sort& sort) {
  for (const std::int64_t count : kCounts)
    for (const auto& array : arrays_of(count)) {
      auto expected = array, sorted = array;
      std::sort(expected.begin(), expected.end());
      sort(sorted.data(), count);
      ASSERT_EQ(sorted, expected) << count << " elements";
    }
}

TEST(SortAscending, NoElementIsLostOrOutOfPlace) {
  expect_sorted([](std::uint32_t* value, std::int64_t count) { sort_ascending(value, count); });
}

TEST(SortAscending, TheSortOfGpusIsRightBeyondItsLargestGap) {
  expect_sorted([](std::uint32_t* value, std::int64_t count) { shell_sort(value, count); });
  expect_sorted([](std::uint32_t* value, std::int64_t count) { shell_sort(value, static_cast<int>(count)); });
}

}  // namespace
}  // namespace riffle
