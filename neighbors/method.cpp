#include "neighbors/method.h"

#include <stdexcept>
#include <vector>

namespace riffle {

std::span<const NeighborMethodInfo> neighbor_methods() {
  static const std::vector<NeighborMethodInfo> rows = [] {
    std::vector<NeighborMethodInfo> all;
    for (const auto& row : kMethodRows) all.push_back(row());
    return all;
  }();
  return rows;
}

const NeighborMethodInfo& method_info(NeighborMethod method) {
  for (const NeighborMethodInfo& info : neighbor_methods())
    if (info.method == method) return info;
  throw std::logic_error("a neighbour method without a row in kMethodRows");
}

std::string_view to_string(NeighborMethod method) { return method_info(method).name; }

std::optional<NeighborMethod> neighbor_method_from(std::string_view name) {
  for (const NeighborMethodInfo& info : neighbor_methods())
    if (info.name == name) return info.method;
  return std::nullopt;
}

}  // namespace riffle
