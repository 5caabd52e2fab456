#pragma once
/// Launches of CUDA kernels that overlap: while the last blocks of a kernel run, the next one on its stream is prepared and takes
/// the processors that are free (programmatic dependent launch, from compute capability 9.0 on). It waits there until all
/// earlier ones have ended and what they wrote can be seen, so results are those of launches one after the other. The GPU's
/// part of a launch, about two microseconds, is then hidden.
///
/// A kernel of launch_kernel() must call await_earlier_kernels() in every thread before it reads or writes memory that other
/// kernels use, and before any return. Copies, and kernels launched in another way, wait for all before them as ever.

#include <cstddef>

#include "core/device/cuda_check.h"
#include "core/device/device.h"
#include "core/device/serial_launches.h"

namespace riffle {

/// Whether launches overlap: the GPU can, and the kernels in use were compiled for such GPUs. Known after the first call.
bool launches_overlap();

/// First statement of a kernel that launch_kernel() launches.
__device__ inline void await_earlier_kernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();  // the next kernel may be prepared once all blocks of this one have started
  cudaGridDependencySynchronize();
#endif
}

/// kernel<<<blocks, threads, shared_bytes>>>(arguments...) on the device's stream. Asynchronous.
/// @throws RuntimeFailure naming the launch when CUDA refuses it.
template <class Kernel, class... Arguments>
void launch_kernel(const Device& device, const char* name, Kernel kernel, unsigned blocks, unsigned threads,
                   std::size_t shared_bytes, const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = cuda_stream(device);
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &overlap;
  config.numAttrs = launches_overlap() && !SerialLaunches::asked_for() ? 1 : 0;
  if (const cudaError_t code = cudaLaunchKernelEx(&config, kernel, arguments...); code != cudaSuccess)
    throw_cuda_error(code, name, __FILE__, __LINE__);
}

}  // namespace riffle
