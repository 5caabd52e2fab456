#include "neighbors/lists/double_pair_oracle.h"

#include <algorithm>

namespace riffle {

std::vector<std::vector<std::uint32_t>> partners_within(std::span<const DoublePoint> points,
                                                        std::span<const std::uint32_t> asking, double radius) {
  std::vector<std::vector<std::uint32_t>> partners(asking.size());
  for (std::size_t k = 0; k < asking.size(); ++k)
    for (std::size_t p = 0; p < points.size(); ++p)
      if (p != asking[k] && square_distance(points[asking[k]], points[p]) < radius * radius)
        partners[k].push_back(static_cast<std::uint32_t>(p));
  return partners;
}

std::vector<std::vector<std::uint32_t>> partners_in(std::span<const std::uint32_t> first,
                                                    std::span<const std::uint32_t> second,
                                                    std::span<const std::uint32_t> asking, std::size_t points) {
  constexpr std::uint32_t none = ~0u;
  std::vector<std::uint32_t> place(points, none);
  for (std::size_t k = 0; k < asking.size(); ++k) place[asking[k]] = static_cast<std::uint32_t>(k);
  std::vector<std::vector<std::uint32_t>> partners(asking.size());
  for (std::size_t pair = 0; pair < first.size(); ++pair) {
    if (const std::uint32_t k = place.at(first[pair]); k != none) partners[k].push_back(second[pair]);
    if (const std::uint32_t k = place.at(second[pair]); k != none) partners[k].push_back(first[pair]);
  }
  for (auto& all : partners) std::sort(all.begin(), all.end());
  return partners;
}

}  // namespace riffle
