#pragma once
/// CUDA error checks: throw with file, line and expression where an exception may pass, log where it may not.
/// Only for sources compiled by nvcc. Formatting stays out of line: nvcc does not evaluate fmt's compile-time checks.

#include <cuda_runtime.h>

#include "core/device/device.h"

namespace riffle {

/// @throws RuntimeFailure
[[noreturn]] void throw_cuda_failure(const char* error_name, const char* error_text, const char* expression,
                                     const char* file, int line);
void log_cuda_failure(const char* error_text, const char* expression, const char* file, int line) noexcept;

/// The runtime forgets the error: one that is caught must not be reported again by a later call that looks.
[[noreturn]] inline void throw_cuda_error(cudaError_t code, const char* expression, const char* file, int line) {
  cudaGetLastError();
  throw_cuda_failure(cudaGetErrorName(code), cudaGetErrorString(code), expression, file, line);
}

#define RIFFLE_CUDA_CHECK(expression)                                                                         \
  do {                                                                                                        \
    const cudaError_t riffle_code = (expression);                                                             \
    if (riffle_code != cudaSuccess) ::riffle::throw_cuda_error(riffle_code, #expression, __FILE__, __LINE__); \
  } while (false)

#define RIFFLE_CUDA_LOG(expression)                                                                 \
  do {                                                                                              \
    const cudaError_t riffle_code = (expression);                                                   \
    if (riffle_code != cudaSuccess && riffle_code != cudaErrorCudartUnloading)                      \
      ::riffle::log_cuda_failure(cudaGetErrorString(riffle_code), #expression, __FILE__, __LINE__); \
  } while (false)

inline cudaStream_t cuda_stream(const Device& device) { return static_cast<cudaStream_t>(device.stream); }

}  // namespace riffle
