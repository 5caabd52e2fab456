#pragma once
/// The structures that neighbors/points/point_search.h can search.

#include <string_view>

#include "core/device/device.h"

namespace riffle {

enum class PointStructure {
  Points,  ///< one tree of the points for all queries, which each part of them searches as far as it needs
  Boxes,   ///< the paper's, by this program's own tree: boxes round the points, for each part as wide as it needs
  Optix,   ///< the paper's, by the tree of NVIDIA's driver. On a GPU only
};
inline constexpr PointStructure kPointStructures[] = {PointStructure::Points, PointStructure::Boxes,
                                                      PointStructure::Optix};

/// "points", "boxes", "optix"
constexpr std::string_view to_string(PointStructure structure) {
  switch (structure) {
    case PointStructure::Points: return "points";
    case PointStructure::Boxes: return "boxes";
    case PointStructure::Optix: return "optix";
  }
  return "unknown";
}

/// @throws Unavailable if the device has no such structure: what is missing, and which ones it has
void require_structure(const Device& device, PointStructure structure);

}  // namespace riffle
