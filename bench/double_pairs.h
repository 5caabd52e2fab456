#pragma once
/// The rows of `riffle bench neighbors thrust --positions double`: the article's list from positions in double precision.

#include "bench/rows.h"
#include "neighbors/lists/double_pairs.h"

namespace riffle::bench {

/// The particles of uniform_cloud() after arrange(), before they were rounded to single precision.
std::vector<DoublePoint> uniform_doubles(std::int64_t count, double edge, std::uint64_t seed, CloudOrder order,
                                         std::uint64_t order_seed);

/// Two rows: vectors i and j; the same and the distances. Each run makes the whole list. Fewer rows when interrupted().
/// row: names the group. particles: those whose partners are compared with every point.
std::vector<BenchRow> measure_double_pairs(const Device& device, const std::vector<DoublePoint>& points, double radius,
                                           const BenchRow& row, const std::vector<std::uint32_t>& particles,
                                           const NeighborBenchOptions& options, int warm_up);

}  // namespace riffle::bench
