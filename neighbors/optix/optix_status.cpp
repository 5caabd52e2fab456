#include "neighbors/optix/optix_status.h"

#include <fmt/format.h>

#include <exception>

#include "core/device/device.h"
#include "neighbors/optix/optix_library.h"
#if RIFFLE_WITH_CUDA
#include "neighbors/optix/optix_context.h"
#endif

namespace riffle {

OptixStatus optix_status() {
  OptixStatus status;
  const std::string name = optix_library_name();
  try {
    const OptixLibrary library(name);
    status.state = fmt::format("{} knows version {} of the interface", name, optix::kAbiVersion);
  } catch (const std::exception& error) {
    status.state = error.what();
    return status;
  }
  if (!cuda_status().usable) {
    status.state += ", but no GPU can be used: " + cuda_status().reason;
    return status;
  }
#if RIFFLE_WITH_CUDA
  std::string why_not;
  const auto context = OptixContext::of(select_device(DeviceRequest::Cuda), true, &why_not);
  status.usable = context != nullptr;
  status.rt_cores = context && context->has_rt_cores();
  status.state += !context          ? ", but " + why_not
                  : status.rt_cores ? "; the GPU has RT cores"
                                    : "; the GPU has no RT cores, so that it works in software";
  if (context) status.state += "; rtnn measures it beside its own tree, unless neighbors.structure names one";
#endif
  return status;
}

}  // namespace riffle
