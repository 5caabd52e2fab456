#include "core/device/memory.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/device/waits.h"
#include "core/error.h"
#include "core/text/number_text.h"
#if RIFFLE_WITH_CUDA
#include "core/device/cuda_check.h"
#endif

namespace riffle {

namespace {

constexpr std::size_t kAlignment = 256;
std::atomic<std::size_t> allocated[2];
thread_local std::uint64_t waits = 0;

[[noreturn]] void throw_out_of_memory(const Device& device, std::size_t bytes) {
  throw Unavailable("out of memory on the " + std::string(to_string(device.kind)) + ": " +
                    bytes_text(static_cast<double>(bytes)) + " were requested, " +
                    bytes_text(static_cast<double>(free_memory(device))) + " are free");
}

}  // namespace

void* device_allocate(const Device& device, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const cudaError_t code = cudaMalloc(&pointer, bytes);
    if (code == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw_out_of_memory(device, bytes);
    }
    RIFFLE_CUDA_CHECK(code);
  }
#endif
  if (device.is_cpu()) {
    // Linux grants more memory than is free and kills the process at first touch, so large sizes are compared with the
    // free memory here.
    if (bytes > (std::size_t{64} << 20) && bytes > free_memory(device)) throw_out_of_memory(device, bytes);
    pointer = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (!pointer) throw_out_of_memory(device, bytes);
  }
  allocated[static_cast<int>(device.kind)] += bytes;
  return pointer;
}

void device_free(const Device& device, void* pointer, std::size_t bytes) noexcept {
  if (!pointer) return;
  allocated[static_cast<int>(device.kind)] -= bytes;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) RIFFLE_CUDA_LOG(cudaFree(pointer));
#endif
  if (device.is_cpu()) std::free(pointer);
}

void fill_bytes([[maybe_unused]] const Device& device, void* pointer, int value, std::size_t bytes) {
  if (bytes == 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    RIFFLE_CUDA_CHECK(cudaMemsetAsync(pointer, value, bytes, cuda_stream(device)));
    return;
  }
#endif
  std::memset(pointer, value, bytes);
}

void copy_on_device([[maybe_unused]] const Device& device, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    RIFFLE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda_stream(device)));
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

void copy_from_host([[maybe_unused]] const Device& device, void* to, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  count_device_wait();
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    RIFFLE_CUDA_CHECK(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, cuda_stream(device)));
    RIFFLE_CUDA_CHECK(cudaStreamSynchronize(cuda_stream(device)));
    return;
  }
#endif
  std::memcpy(to, host, bytes);
}

void copy_to_host([[maybe_unused]] const Device& device, void* host, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  count_device_wait();
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    RIFFLE_CUDA_CHECK(cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, cuda_stream(device)));
    RIFFLE_CUDA_CHECK(cudaStreamSynchronize(cuda_stream(device)));
    return;
  }
#endif
  std::memcpy(host, from, bytes);
}

std::uint64_t device_waits() { return waits; }
void count_device_wait() { ++waits; }

std::size_t allocated_bytes(DeviceKind kind) { return allocated[static_cast<int>(kind)]; }

}  // namespace riffle
