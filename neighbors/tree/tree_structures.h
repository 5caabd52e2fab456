#pragma once
/// The ways in which a method can search on a device, for what goes through all of them: tables, audits, measurements.

#include <vector>

#include "core/device/device.h"
#include "neighbors/search_settings.h"

namespace riffle {

/// Of `rtnn` on a GPU with OptiX both, by name; otherwise the one there is, as Automatic.
std::vector<TreeStructure> tree_structures(NeighborMethod method, const Device& device);

}  // namespace riffle
