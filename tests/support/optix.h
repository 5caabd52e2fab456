#pragma once
/// Tests that run on OptiX. Without OptiX in the driver they are skipped with a clear message; if the driver has it and
/// the search does not use it, they fail.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "neighbors/neighbor_search.h"
#include "neighbors/optix/optix_status.h"

namespace riffle::test {

/// Queries only the dynamic loader, since the tests check what the search does with the library.
inline bool driver_has_optix() {
  void* library = dlopen("libnvoptix.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != nullptr;
}

/// For a fixture's SetUp(), after skip_without().
inline void require_optix(const Device& device) {
  if (!driver_has_optix()) GTEST_SKIP() << "NOTHING RAN ON OPTIX: the driver has no libnvoptix.so.1";
  const OptixStatus status = optix_status();
  ASSERT_TRUE(status.usable) << "the library is there and cannot be used: " << status.state;
  const NeighborSearch search(device, {{.method = NeighborMethod::Rtnn, .structure = TreeStructure::Optix}});
  ASSERT_EQ(search.structure(), "optix");
}

}  // namespace riffle::test
