#pragma once
/// A sort for one thread of a kernel. Private to neighbors/.

#include <algorithm>
#include <cstdint>

#include "core/platform.h"

namespace riffle {

/// Sorts elements `gap` apart, by insertion.
template <class Index>
RIFFLE_HD inline void insertion_sort(std::uint32_t* value, Index count, Index gap) {
  for (Index i = gap; i < count; ++i) {
    const std::uint32_t moving = value[i];
    Index k = i;
    for (; k >= gap && value[k - gap] > moving; k -= gap) value[k] = value[k - gap];
    value[k] = moving;
  }
}

/// Shell sort, with the gaps of Ciura 2001: a range with all particles in it does not take quadratic time.
template <class Index>
RIFFLE_HD inline void shell_sort(std::uint32_t* value, Index count) {
  constexpr Index largest = 701;
  if (count > 2 * largest) {  // beyond Ciura's; each is 9/4 of the next, and odd like most of his
    Index gap = largest;
    while (gap < count / 9 * 4) gap = (gap / 4 * 9) | 1;
    for (; gap > largest; gap = (gap / 9 * 4) | 1) insertion_sort(value, count, gap);
  }
  for (const int gap : {701, 301, 132, 57, 23, 10, 4, 1})
    if (gap < count) insertion_sort(value, count, static_cast<Index>(gap));
}

/// value: (count), sorted ascending, in place. Index: int, or std::int64_t if there may be more.
template <class Index>
RIFFLE_HD inline void sort_ascending(std::uint32_t* value, Index count) {
  constexpr Index for_insertion = 32;
  if (count <= for_insertion) {
    insertion_sort(value, count, Index{1});
    return;
  }
#if RIFFLE_ON_GPU
  shell_sort(value, count);
#else
  std::sort(value, value + count);
#endif
}

}  // namespace riffle
