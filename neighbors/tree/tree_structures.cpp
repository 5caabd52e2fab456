#include "neighbors/tree/tree_structures.h"

#include "neighbors/optix/optix_status.h"

namespace riffle {

std::vector<TreeStructure> tree_structures(NeighborMethod method, const Device& device) {
  if (method == NeighborMethod::Rtnn && device.is_cuda() && optix_status().usable)
    return {TreeStructure::Lbvh, TreeStructure::Optix};
  return {TreeStructure::Automatic};
}

std::string search_name(NeighborMethod method, TreeStructure structure) {
  const std::string name(to_string(method));
  return method == NeighborMethod::Rtnn && structure == TreeStructure::Optix ? name + " by OptiX" : name;
}

}  // namespace riffle
