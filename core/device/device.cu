#include "core/device/device.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <fstream>
#include <string>

#include "core/device/waits.h"
#include "core/error.h"
#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

namespace {

#if RIFFLE_WITH_CUDA
__global__ void probe_kernel() {}

CudaStatus probe_cuda() {
  CudaStatus status;
  status.compiled_in = true;
  cudaDriverGetVersion(&status.driver_version);
  cudaRuntimeGetVersion(&status.runtime_version);
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess || count == 0) {
    cudaGetLastError();  // clears the error: a missing GPU is a state, and a later check must not see this
    status.reason = status.driver_version == 0 ? "no NVIDIA driver is loaded"
                    : code == cudaSuccess      ? "the NVIDIA driver reports no GPU"
                                               : std::string("the NVIDIA driver answers: ") + cudaGetErrorString(code);
    return status;
  }
  cudaDeviceProp properties{};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, 0); code != cudaSuccess) {
    cudaGetLastError();
    status.reason = std::string("GPU 0 does not answer: ") + cudaGetErrorString(code);
    return status;
  }
  status.name = properties.name;
  status.compute_capability = 10 * properties.major + properties.minor;
  status.total_memory = properties.totalGlobalMem;
  status.reason = capability_problem(status.compute_capability);
  if (!status.reason.empty()) return status;
  // A binary built for another architecture fails only at its first launch. Asking now gives a clear reason.
  cudaFuncAttributes attributes{};
  if (const cudaError_t code = cudaFuncGetAttributes(&attributes, probe_kernel); code != cudaSuccess) {
    cudaGetLastError();
    status.reason =
        "this program has no code for compute capability " + std::to_string(properties.major) + "." +
        std::to_string(properties.minor) + " (" + cudaGetErrorString(code) +
        "): build it on this machine, or with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(status.compute_capability);
    return status;
  }
  status.usable = true;
  return status;
}
#else
CudaStatus probe_cuda() {
  CudaStatus status;
  status.reason = "this program was built without CUDA: install the CUDA Toolkit (nvcc) and run `make build`";
  return status;
}
#endif

std::string line_value(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto first = line.find_first_not_of(" \t", colon + 1);
    return first == std::string::npos ? "" : line.substr(first);
  }
  return "";
}

}  // namespace

std::string capability_problem(int compute_capability) {
  if (compute_capability >= kLeastComputeCapability) return "";
  const auto text = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return "the GPU has compute capability " + text(compute_capability) + ", and Riffle needs " +
         text(kLeastComputeCapability) + " or above (Volta, 2017, and later)";
}

std::string_view to_string(DeviceKind kind) { return kind == DeviceKind::Cpu ? "cpu" : "cuda"; }

const CudaStatus& cuda_status() {
  static const CudaStatus status = probe_cuda();
  return status;
}

Device select_device(DeviceRequest request) {
  if (request == DeviceRequest::Cpu) return {};
  if (cuda_status().usable) return {DeviceKind::Cuda, 0, nullptr};
  if (request == DeviceRequest::Cuda) throw Unavailable("no usable CUDA device: " + cuda_status().reason);
  return {};
}

std::string device_name(const Device& device) {
  if (device.is_cuda()) return cuda_status().name;
  const std::string model = line_value("/proc/cpuinfo", "model name");
  return model.empty() ? "CPU" : model;
}

int cpu_threads() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

std::size_t free_memory(const Device& device) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    std::size_t free = 0, total = 0;
    RIFFLE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return free;
  }
#endif
  (void)device;
  const std::string available = line_value("/proc/meminfo", "MemAvailable");
  return available.empty() ? 0 : std::stoull(available) * 1024;
}

void synchronize(const Device& device) {
  count_device_wait();
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) RIFFLE_CUDA_CHECK(cudaStreamSynchronize(cuda_stream(device)));
#endif
  (void)device;
}

}  // namespace riffle
