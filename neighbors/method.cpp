#include "neighbors/method.h"

namespace riffle {

namespace {
constexpr NeighborMethodInfo kMethods[] = {
    {NeighborMethod::Hoetzlein, "hoetzlein",
     "uniform grid by atomic counts, prefix sum and counting sort (Hoetzlein 2013)"},
    {NeighborMethod::BruteForce, "brute_force", "every pair, O(N^2): the oracle the others are held against"},
};
}  // namespace

std::span<const NeighborMethodInfo> neighbor_methods() { return kMethods; }

std::string_view to_string(NeighborMethod method) {
  for (const auto& info : kMethods)
    if (info.method == method) return info.name;
  return "unknown";
}

std::optional<NeighborMethod> neighbor_method_from(std::string_view name) {
  for (const auto& info : kMethods)
    if (info.name == name) return info.method;
  return std::nullopt;
}

}  // namespace riffle
