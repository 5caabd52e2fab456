#pragma once
/// The arrays of linked lists under construction. Private to neighbors/.

#include <cstdint>

#include "core/device/device.h"
#include "neighbors/search_view.h"

namespace riffle {

struct BucketLists {
  /// Bit of `cell`: the particle is in no list and waits to be inserted into this one. There are fewer than 2^31 cells.
  static constexpr std::uint32_t kPending = 0x80000000u;
  static constexpr std::uint32_t kEnd = BucketView::kEnd;

  std::uint32_t* head = nullptr;  ///< (cells) first particle, or kEnd
  std::uint32_t* next = nullptr;  ///< (count) next particle of the same list, or kEnd
  std::uint32_t* cell = nullptr;  ///< (count) the list that the particle is in, or waits for
  int count = 0;                  ///< particles
  std::int64_t cells = 0;
};

/// Threads of the cooperative kernels that work on particles.
inline constexpr int kBucketBlock = 256;

inline int bucket_blocks(int count) {
  return static_cast<int>((std::int64_t{count} + kBucketBlock - 1) / kBucketBlock);
}

}  // namespace riffle
