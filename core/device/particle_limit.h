#pragma once
/// The largest number of particles, or points.

#include <cstdint>

namespace riffle {

/// Indices are int, and kernels round their number up to whole blocks.
inline constexpr std::int64_t kMostParticles = 2'000'000'000;

}  // namespace riffle
