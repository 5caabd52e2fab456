#include "core/platform.h"
#if RIFFLE_WITH_CUDA
#include "core/device/launch.cuh"

namespace riffle {

namespace {

__global__ void await_kernel() { await_earlier_kernels(); }

bool can_overlap() {
  // Code for older GPUs does not wait, also where a newer one runs it.
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, await_kernel) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return cuda_status().compute_capability >= 90 && attributes.ptxVersion >= 90;
}

}  // namespace

bool launches_overlap() {
  static const bool overlap = can_overlap();
  return overlap;
}

}  // namespace riffle
#endif
