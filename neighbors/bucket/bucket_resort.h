#pragma once
/// Section 2.2 of the paper: only particles that changed cell leave their lists. Private to neighbors/.

#include <cstdint>

#include "core/device/device.h"
#include "neighbors/bucket/bucket_insertion.h"
#include "neighbors/bucket/bucket_lists.h"

namespace riffle {

/// How many particles changed cell, stored on the device.
struct ResortCounts {
  std::uint32_t since_order = 0;  ///< since the last order, this re-sort included
  std::uint32_t before = 0;       ///< the same, at the end of the previous re-sort
  std::uint32_t last = 0;         ///< in the last re-sort
};

/// Takes the particles that changed cell out of their lists and marks them kPending, with their new cell.
/// list_state: (cells) out, kListKept and so on; gained: (cells) out 1 for lists that will get one of them, or nullptr;
/// counts: (1) in and out
void unlink_moved(const Device& device, const Grid& grid, const Vec4* positions, const BucketLists& lists,
                  std::uint8_t* list_state, std::uint8_t* gained, ResortCounts* counts);

/// CPU only: sorts the particles of lists that gained some or were undone into ascending order, so that a run is
/// reproducible. nullptr twice: sorts all lists. The lists must have been ascending except for the inserted particles.
void sort_lists(const BucketLists& lists, const std::uint8_t* list_state, const std::uint8_t* gained);

}  // namespace riffle
