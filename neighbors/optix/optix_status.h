#pragma once
/// Whether this machine has OptiX for `rtnn`.

#include <string>

namespace riffle {

struct OptixStatus {
  bool usable = false;    ///< on the GPU there is
  bool rt_cores = false;  ///< then TreeStructure::Automatic takes it
  std::string state;      ///< one line: what was found, or what is missing
};

/// Loads the library and, where there is a GPU, makes its context.
OptixStatus optix_status();

}  // namespace riffle
