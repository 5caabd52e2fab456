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

std::string missing_text(const std::string& what, const std::vector<std::size_t>& there, std::size_t due,
                         const std::function<std::string(std::size_t)>& name) {
  std::vector<std::size_t> missing;
  for (std::size_t number = 0, k = 0; number < due; ++number)
    if (k < there.size() && there[k] == number)
      ++k;
    else
      missing.push_back(number);
  if (missing.empty()) return "";
  return fmt::format("of the {} of before the state {} missing: {}", what,
                     missing.size() == 1 ? "one is" : fmt::format("{} are", missing.size()),
                     ranges_text(missing, name));
}

}  // namespace riffle
