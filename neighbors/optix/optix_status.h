#pragma once
/// Whether this machine has OptiX for `rtnn`.

#include <string>

namespace riffle {

struct OptixStatus {
  bool usable = false;    ///< on this machine's GPU
  bool rt_cores = false;
  std::string state;      ///< one line: what was found, or what is missing
};

/// Loads the library and, if there is a GPU, makes its context.
OptixStatus optix_status();

}  // namespace riffle
