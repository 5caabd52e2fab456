#pragma once
/// Philox4x32-10, a counter-based generator: random bits are a function of a counter and a key, so nothing is stored
/// and no order of calls matters. Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".

#include <cstdint>

#include "core/platform.h"

namespace riffle {

/// Four words: a counter going in, random bits coming out.
struct PhiloxWords {
  std::uint32_t x = 0, y = 0, z = 0, w = 0;
};

/// The round keys, which depend only on the key: computed once, outside the loops.
struct PhiloxSchedule {
  static constexpr int kRounds = 10;
  std::uint32_t low[kRounds]{}, high[kRounds]{};

  PhiloxSchedule() = default;
  /// The key's first word is the lower half of the number.
  RIFFLE_HD explicit PhiloxSchedule(std::uint64_t key) {
    for (int r = 0; r < kRounds; ++r) {
      low[r] = static_cast<std::uint32_t>(key) + static_cast<std::uint32_t>(r) * 0x9e3779b9u;
      high[r] = static_cast<std::uint32_t>(key >> 32) + static_cast<std::uint32_t>(r) * 0xbb67ae85u;
    }
  }
};

/// 128 random bits.
RIFFLE_INLINE PhiloxWords philox4x32_10(PhiloxWords counter, const PhiloxSchedule& keys) {
  RIFFLE_UNROLL
  for (int r = 0; r < PhiloxSchedule::kRounds; ++r) {
    const std::uint64_t first = std::uint64_t{0xd2511f53u} * counter.x;
    const std::uint64_t second = std::uint64_t{0xcd9e8d57u} * counter.z;
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter.y ^ keys.low[r], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter.w ^ keys.high[r], static_cast<std::uint32_t>(first)};
  }
  return counter;
}

/// The same, with a key that is used once.
RIFFLE_INLINE PhiloxWords philox4x32_10(PhiloxWords counter, std::uint64_t key) {
  return philox4x32_10(counter, PhiloxSchedule(key));
}

}  // namespace riffle
