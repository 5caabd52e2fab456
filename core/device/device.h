#pragma once
/// Where work runs. A device is chosen at run time. A missing GPU is a state with a reason, not an error by itself.

#include <cstddef>
#include <string>
#include <string_view>

namespace riffle {

enum class DeviceKind { Cpu, Cuda };

std::string_view to_string(DeviceKind kind);  ///< "cpu" or "cuda"

/// A place to allocate and to launch on. Cheap to copy; == ignores the stream.
struct Device {
  DeviceKind kind = DeviceKind::Cpu;
  int ordinal = 0;         ///< CUDA device number; 0 on the CPU
  void* stream = nullptr;  ///< cudaStream_t of every launch and copy; nullptr is CUDA's default stream

  bool is_cpu() const { return kind == DeviceKind::Cpu; }
  bool is_cuda() const { return kind == DeviceKind::Cuda; }
  friend bool operator==(const Device& a, const Device& b) { return a.kind == b.kind && a.ordinal == b.ordinal; }
};

inline constexpr int kLeastComputeCapability = 70;  ///< of GPUs: that of the atomics in core/device/atomic.h

/// Why a GPU of this compute capability (61 for 6.1) cannot be used; "" if it can.
std::string capability_problem(int compute_capability);

/// Result of the search for CUDA, which runs once per process.
struct CudaStatus {
  bool compiled_in = false;
  bool usable = false;
  std::string reason;          ///< why not usable, and what would change that; empty when usable
  std::string name;            ///< "NVIDIA H200"
  int compute_capability = 0;  ///< 90 for 9.0
  int driver_version = 0;      ///< 13000 for CUDA 13.0: the newest CUDA the driver accepts
  int runtime_version = 0;
  std::size_t total_memory = 0;  ///< [bytes]
};

const CudaStatus& cuda_status();

enum class DeviceRequest { Auto, Cpu, Cuda };

/// Auto selects the GPU when it is usable and the CPU otherwise.
/// @throws Unavailable when Cuda is requested and not usable; the message has the reason.
Device select_device(DeviceRequest request);

std::string device_name(const Device& device);  ///< "NVIDIA H200"; on the CPU the processor's model name
int cpu_threads();                              ///< worker threads that parallel loops use

std::size_t free_memory(const Device& device);  ///< [bytes] free on the GPU, or available to a process on the CPU

/// Blocks until everything launched on the device has finished. @throws RuntimeFailure if any of it failed.
void synchronize(const Device& device);

}  // namespace riffle
