#include "render/gl/shared_buffer.h"

#include <utility>

#include "core/error.h"

#if RIFFLE_WITH_CUDA
#include <cuda_gl_interop.h>

#include "core/device/cuda_check.h"
#endif

namespace riffle::render {

#if RIFFLE_WITH_CUDA

std::string interop_obstacle(const Device& device) {
  unsigned count = 0;
  int ordinals[16];
  const cudaError_t code = cudaGLGetDevices(&count, ordinals, 16, cudaGLDeviceListAll);
  if (code != cudaSuccess) {
    (void)cudaGetLastError();  // this answer is a state: the next launch must not report it as its own error
    return std::string("CUDA finds none of its devices behind the OpenGL context (") + cudaGetErrorString(code) + ")";
  }
  for (unsigned i = 0; i < count; ++i)
    if (ordinals[i] == device.ordinal) return {};
  return "OpenGL draws on a different GPU than the simulation's";
}

SharedBuffer::SharedBuffer(const Device& device, std::uint32_t gl_buffer) {
  cudaGraphicsResource_t resource = nullptr;
  RIFFLE_CUDA_CHECK(cudaSetDevice(device.ordinal));
  RIFFLE_CUDA_CHECK(cudaGraphicsGLRegisterBuffer(&resource, gl_buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  resource_ = resource;
}

void SharedBuffer::release() noexcept {
  if (resource_) RIFFLE_CUDA_LOG(cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource_t>(resource_)));
  resource_ = nullptr;
}

SharedMapping::SharedMapping(const SharedBuffer& buffer, const Device& device)
    : resource_(buffer.resource_), stream_(device.stream) {
  auto resource = static_cast<cudaGraphicsResource_t>(resource_);
  RIFFLE_CUDA_CHECK(cudaGraphicsMapResources(1, &resource, cuda_stream(device)));
  const cudaError_t code = cudaGraphicsResourceGetMappedPointer(&data_, &bytes_, resource);
  if (code == cudaSuccess) return;
  // The destructor does not run when a constructor throws.
  RIFFLE_CUDA_LOG(cudaGraphicsUnmapResources(1, &resource, cuda_stream(device)));
  RIFFLE_CUDA_CHECK(code);
}

SharedMapping::~SharedMapping() {
  auto resource = static_cast<cudaGraphicsResource_t>(resource_);
  RIFFLE_CUDA_LOG(cudaGraphicsUnmapResources(1, &resource, static_cast<cudaStream_t>(stream_)));
}

#else

std::string interop_obstacle(const Device&) { return "built without CUDA"; }
SharedBuffer::SharedBuffer(const Device&, std::uint32_t) { throw RuntimeFailure("built without CUDA"); }
void SharedBuffer::release() noexcept {}
SharedMapping::SharedMapping(const SharedBuffer&, const Device&) { throw RuntimeFailure("built without CUDA"); }
SharedMapping::~SharedMapping() = default;

#endif

SharedBuffer::SharedBuffer(SharedBuffer&& other) noexcept : resource_(std::exchange(other.resource_, nullptr)) {}

SharedBuffer& SharedBuffer::operator=(SharedBuffer&& other) noexcept {
  if (this != &other) {
    release();
    resource_ = std::exchange(other.resource_, nullptr);
  }
  return *this;
}

}  // namespace riffle::render
