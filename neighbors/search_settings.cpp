#include "neighbors/search_settings.h"

#include <fmt/format.h>

namespace riffle {

std::string search_name(std::string_view method, bool by_optix, float skin) {
  const std::string by = std::string(method) + (by_optix ? " by OptiX" : "");
  return skin > 0 ? fmt::format("{} with skin {:g}", by, skin) : by;
}

std::string search_name(NeighborMethod method, TreeStructure structure, float skin) {
  return search_name(to_string(method), method == NeighborMethod::Rtnn && structure == TreeStructure::Optix, skin);
}

}  // namespace riffle
