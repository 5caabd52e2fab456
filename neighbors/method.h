#pragma once
/// The neighbour searches by name.

#include <optional>
#include <span>
#include <string_view>

namespace riffle {

enum class NeighborMethod {
  Green,        ///< cell keys, radix sort, cell starts (Green 2008); dense or folded table
  Hoetzlein,    ///< atomic cell counts, prefix sum, counting sort (Hoetzlein 2013)
  Fenns,        ///< two levels: coarse cells, fine grid in shared memory (Gross, Koester and Krueger 2019)
  Bucket,       ///< linked lists that are re-sorted (Rozen, Boryczko and Alda 2008)
  ThrustPairs,  ///< explicit pair list from candidates, flags and compaction
  Rtnn,         ///< search as ray casting through a tree of boxes (Zhu 2022)
  BruteForce,   ///< every pair: the oracle
};

struct NeighborMethodInfo {
  NeighborMethod method;
  std::string_view name;     ///< as written in scenes and on the command line
  std::string_view summary;  ///< one line for `riffle list`
  bool cells = true;         ///< works with cells, which SearchSettings can size
};

std::span<const NeighborMethodInfo> neighbor_methods();
std::string_view to_string(NeighborMethod method);
bool has_cells(NeighborMethod method);
std::optional<NeighborMethod> neighbor_method_from(std::string_view name);

}  // namespace riffle
