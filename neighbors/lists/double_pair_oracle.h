#pragma once
/// The pairs that DoublePairs must list, by testing every point, on the host. It shares nothing with the search but the
/// square_distance().

#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/lists/double_pairs.h"

namespace riffle {

/// (asking) the places of the points within the radius of each asking point, itself left out, ascending.
std::vector<std::vector<std::uint32_t>> partners_within(std::span<const DoublePoint> points,
                                                        std::span<const std::uint32_t> asking, double radius);

/// (asking) the same from a list of pairs, ascending.
std::vector<std::vector<std::uint32_t>> partners_in(std::span<const std::uint32_t> first,
                                                    std::span<const std::uint32_t> second,
                                                    std::span<const std::uint32_t> asking, std::size_t points);

}  // namespace riffle
