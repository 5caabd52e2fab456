#pragma once
/// `rtnn` by OptiX. Private to neighbors/, and only in builds with CUDA.

#include <functional>
#include <memory>

#include "neighbors/optix/optix_context.h"
#include "neighbors/search_method.h"

namespace riffle {

/// The memory that it allocates for such particles, including the driver's tree.
SearchMemory optix_memory(const SearchSettings& settings, const SearchLoad& load);

/// @param make_own_tree  a search in a tree of our own, whose build waits for nothing: for a build whose refit is refused
std::unique_ptr<SearchMethod> make_optix_search(const Device& device, const SearchSettings& settings,
                                                std::shared_ptr<OptixContext> optix,
                                                std::function<std::unique_ptr<SearchMethod>()> make_own_tree);

}  // namespace riffle
