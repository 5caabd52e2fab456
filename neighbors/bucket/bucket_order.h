#pragma once
/// The order of the particles by their lists, and the lists of particles that are in that order. Private to
/// neighbors/.

#include <cstdint>

#include "core/device/algorithms.h"
#include "neighbors/bucket/bucket_lists.h"

namespace riffle {

/// One thread walks lists up to this long. For 10 million particles at one point that would take seconds.
inline constexpr std::uint32_t kWalkLimit = 512;

/// Orders the particles list by list. Within a list: on the CPU ascending, so that a run is reproducible; on CUDA in
/// the list's order, or in any order if it is longer than kWalkLimit. Destroys the lists: renumber_lists() makes new
/// ones.
/// start: (cells + 1) out; order: (count) out: new position p holds particle order[p]; cell: (count) out, by p;
/// long_lists: (1) in 0, out whether any list is longer than kWalkLimit.
void order_by_lists(const Device& device, const BucketLists& lists, std::uint32_t* start, std::uint32_t* order,
                    std::uint32_t* cell, std::uint32_t* long_lists, ScratchMemory& scratch);

/// Makes the lists of particles that are sorted by lists.cell. Heads of cells without particles keep their values.
void renumber_lists(const Device& device, const BucketLists& lists);

/// total[c] += particles with cell[i] == c, for i in 0..count-1.
void count_cells(const Device& device, const std::uint32_t* cell, int count, std::uint32_t* total);

}  // namespace riffle
