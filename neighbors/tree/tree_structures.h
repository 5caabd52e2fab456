#pragma once
/// The structures that a method can use on a device, for code that runs each of them: tables, audits, measurements.

#include <vector>

#include "core/device/device.h"
#include "neighbors/search_settings.h"

namespace riffle {

/// For `rtnn` on a GPU with OptiX: both, by name. Otherwise the only one, as Automatic.
std::vector<TreeStructure> tree_structures(NeighborMethod method, const Device& device);

}  // namespace riffle
