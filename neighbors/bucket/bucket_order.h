#pragma once
/// The order in which particles stand in their lists, and the lists once the particles are in it. Private to
/// neighbors/.

#include <cstdint>

#include "core/device/algorithms.h"
#include "neighbors/bucket/bucket_lists.h"

namespace riffle {

/// Lists up to this long are walked by one thread. Walking 10 million particles at one point would take it seconds.
inline constexpr std::uint32_t kWalkLimit = 512;

/// The particles of one list after those of the other. Within a list: on the CPU ascending, so that a run repeats; on
/// CUDA as they stand in it, or in any order where it is longer than kWalkLimit.
/// Spends the lists: renumber_lists() makes new ones.
/// start: (cells + 1) out; order: (count) out: new position p holds particle order[p]; cell: (count) out, by p;
/// long_lists: (1) in 0, out whether there are any longer than kWalkLimit.
void order_by_lists(const Device& device, const BucketLists& lists, std::uint32_t* start, std::uint32_t* order,
                    std::uint32_t* cell, std::uint32_t* long_lists, ScratchMemory& scratch);

/// The lists of particles that are sorted by lists.cell. Heads of cells without particles stay as they are.
void renumber_lists(const Device& device, const BucketLists& lists);

/// total[c] += particles with cell[i] == c, for i in 0..count-1.
void count_cells(const Device& device, const std::uint32_t* cell, int count, std::uint32_t* total);

}  // namespace riffle
