#pragma once
/// The neighbour searches by name.

#include <optional>
#include <span>
#include <string_view>

namespace riffle {

enum class NeighborMethod {
  Hoetzlein,   ///< atomic cell counts, prefix sum, counting sort (Hoetzlein 2013)
  BruteForce,  ///< every pair: the oracle
};

struct NeighborMethodInfo {
  NeighborMethod method;
  std::string_view name;     ///< as written in scenes and on the command line
  std::string_view summary;  ///< one line for `riffle list`
};

std::span<const NeighborMethodInfo> neighbor_methods();
std::string_view to_string(NeighborMethod method);
std::optional<NeighborMethod> neighbor_method_from(std::string_view name);

}  // namespace riffle
