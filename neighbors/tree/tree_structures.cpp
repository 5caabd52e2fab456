#include "neighbors/tree/tree_structures.h"

#include "neighbors/optix/optix_status.h"

namespace riffle {

std::vector<TreeStructure> tree_structures(NeighborMethod method, const Device& device) {
  if (method == NeighborMethod::Rtnn && device.is_cuda() && optix_status().usable)
    return {TreeStructure::Lbvh, TreeStructure::Optix};
  return {TreeStructure::Automatic};
}

}  // namespace riffle
