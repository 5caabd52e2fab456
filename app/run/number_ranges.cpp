#include "app/run/number_ranges.h"

#include <fmt/format.h>

namespace riffle {

std::string ranges_text(const std::vector<std::size_t>& numbers, const std::function<std::string(std::size_t)>& name) {
  constexpr int kMostRanges = 4;
  std::string text;
  std::size_t at = 0;
  for (int range = 0; range < kMostRanges && at < numbers.size(); ++range) {
    std::size_t last = at;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + name(numbers[at]);
    if (last > at) text += (last == at + 1 ? ", " : " to ") + name(numbers[last]);
    at = last + 1;
  }
  return at < numbers.size() ? text + fmt::format(" and {} more", numbers.size() - at) : text;
}

}  // namespace riffle
