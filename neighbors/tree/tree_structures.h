#pragma once
/// The structures that a method can use on a device, for code that runs each of them: tables, audits, measurements.

#include <string_view>
#include <vector>

#include "core/device/device.h"
#include "neighbors/search_settings.h"

namespace riffle {

/// For `rtnn` on a GPU with OptiX: both, by name. Otherwise the only one, as Automatic.
std::vector<TreeStructure> tree_structures(NeighborMethod method, const Device& device);

/// Names in SearchStats::counts of the times [ms] by which TreeStructure::Automatic has chosen: of a build and a search.
inline constexpr std::string_view kMsByLbvh = "ms by lbvh", kMsByOptix = "ms by optix";

}  // namespace riffle
