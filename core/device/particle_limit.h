#pragma once
/// How many particles, or points, there may be.

#include <cstdint>

namespace riffle {

/// Indices are int, and kernels round their number up to whole blocks.
inline constexpr std::int64_t kMostParticles = 2'000'000'000;

}  // namespace riffle
