#pragma once
/// Bits of words, on both devices.

#include <cstdint>

#include "core/platform.h"

namespace riffle {

/// The position of the lowest bit that is set, 0 to 63. word: not 0
RIFFLE_INLINE int lowest_bit(std::uint64_t word) {
#if RIFFLE_ON_GPU
  return __ffsll(static_cast<long long>(word)) - 1;
#else
  return __builtin_ctzll(word);
#endif
}

}  // namespace riffle
