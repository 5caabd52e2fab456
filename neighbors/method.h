#pragma once
/// The neighbour searches by name: one row per method, defined beside it.
///
/// To add a method: a member of NeighborMethod, its function and place in kMethodRows here, and a .cu file that defines
/// the function. A method with its own view also adds it to search_view.h, and its traversal to traverse.cuh.

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace riffle {

struct Device;
struct SearchSettings;
struct SearchLoad;
struct SearchMemory;
class SearchMethod;

enum class NeighborMethod {
  Green,        ///< cell keys, radix sort, cell starts (Green 2008); dense or folded table
  Hoetzlein,    ///< atomic cell counts, prefix sum, counting sort (Hoetzlein 2013)
  Fenns,        ///< two levels: coarse cells, fine grid in shared memory (Gross, Koester and Krueger 2019)
  Bucket,       ///< linked lists that are re-sorted (Rozen, Boryczko and Alda 2008)
  ThrustPairs,  ///< explicit pair list from candidates, flags and compaction
  Rtnn,         ///< search as ray casting through a tree of boxes (Zhu 2022)
  BruteForce,   ///< every pair: the oracle
};

/// A variant of the search that only one method has. Audits run each variant.
struct MethodOption {
  std::string_view name;  ///< "folded table"
  void (*choose)(SearchSettings&);
  bool built_again = false;  ///< it differs only in later builds of the same search
};

struct NeighborMethodInfo {
  NeighborMethod method;
  std::string_view name;     ///< as written in scenes and on the command line
  std::string_view summary;  ///< one line for `riffle list`
  std::string_view color;    ///< color of its curves in plots, "#rrggbb"
  bool has_cells = true;     ///< uses cells, which SearchSettings can size
  std::span<const MethodOption> options;
  std::unique_ptr<SearchMethod> (*make)(const Device&, const SearchSettings&);
  SearchMemory (*memory)(const SearchSettings&, const SearchLoad&);  ///< neighbors/search_memory.h
};

NeighborMethodInfo green_method();
NeighborMethodInfo hoetzlein_method();
NeighborMethodInfo fenns_method();
NeighborMethodInfo bucket_method();
NeighborMethodInfo thrust_pairs_method();
NeighborMethodInfo rtnn_method();
NeighborMethodInfo brute_force_method();

/// In the order of the tables that users see.
inline constexpr NeighborMethodInfo (*kMethodRows[])() = {
    green_method, hoetzlein_method, fenns_method, bucket_method, thrust_pairs_method, rtnn_method, brute_force_method};

std::span<const NeighborMethodInfo> neighbor_methods();
const NeighborMethodInfo& method_info(NeighborMethod method);
std::string_view to_string(NeighborMethod method);
std::optional<NeighborMethod> neighbor_method_from(std::string_view name);

}  // namespace riffle
