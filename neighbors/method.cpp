#include "neighbors/method.h"

namespace riffle {

namespace {
constexpr NeighborMethodInfo kMethods[] = {
    {NeighborMethod::Green, "green",
     "uniform grid by cell keys and a radix sort; its table may be hashed (Green 2008)"},
    {NeighborMethod::Hoetzlein, "hoetzlein",
     "uniform grid by atomic counts, prefix sum and counting sort (Hoetzlein 2013)"},
    {NeighborMethod::Fenns, "fenns",
     "two levels: coarse cells, and fine grids built in shared memory; kilobytes (Gross et al. 2019)"},
    {NeighborMethod::Bucket, "bucket",
     "linked lists per cell; only particles that changed cell are sorted again (Rozen, Boryczko and Alda 2008)"},
    {NeighborMethod::ThrustPairs, "thrust_pairs",
     "explicit pair list by candidates, flags and compaction, in chunks of bounded memory"},
    {NeighborMethod::Rtnn, "rtnn", "search as ray casting: a tree of boxes in Morton order, no cells (Zhu 2022)", false},
    {NeighborMethod::BruteForce, "brute_force", "every pair, O(N^2): the oracle the others are held against", false},
};
}  // namespace

std::span<const NeighborMethodInfo> neighbor_methods() { return kMethods; }

std::string_view to_string(NeighborMethod method) {
  for (const auto& info : kMethods)
    if (info.method == method) return info.name;
  return "unknown";
}

bool has_cells(NeighborMethod method) {
  for (const auto& info : kMethods)
    if (info.method == method) return info.cells;
  return false;
}

std::optional<NeighborMethod> neighbor_method_from(std::string_view name) {
  for (const auto& info : kMethods)
    if (info.name == name) return info.method;
  return std::nullopt;
}

}  // namespace riffle
