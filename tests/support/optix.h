#pragma once
/// Tests that run on OptiX: skipped, and loudly, where the driver has no such library, and failed where it has one that the
/// search does not use.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "neighbors/neighbor_search.h"
#include "neighbors/optix/optix_status.h"

namespace riffle::test {

/// Asked of the loader alone: what the search makes of it is what is tested.
inline bool driver_has_optix() {
  void* library = dlopen("libnvoptix.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != nullptr;
}

/// For a fixture's SetUp(), after skip_without().
inline void require_optix(const Device& device) {
  if (!driver_has_optix()) GTEST_SKIP() << "NOTHING RAN ON OPTIX: the driver has no libnvoptix.so.1";
  const NeighborSearch search(device, {.method = NeighborMethod::Rtnn, .tree_structure = TreeStructure::Optix});
  ASSERT_EQ(search.structure(), "optix") << "the library is there and was not used: " << optix_status().state;
}

}  // namespace riffle::test
