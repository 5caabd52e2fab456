#pragma once
/// CUDA's side of sharing a buffer with OpenGL.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/device/device.h"

namespace riffle::render {

/// Why a CUDA device cannot share buffers with the current OpenGL context; empty when it can.
std::string interop_obstacle(const Device& device);

/// An OpenGL buffer that is registered with CUDA. The context must stay current as long as this lives.
class SharedBuffer {
 public:
  SharedBuffer() = default;
  SharedBuffer(const Device& device, std::uint32_t gl_buffer);  ///< @throws RuntimeFailure when the driver refuses
  ~SharedBuffer() { release(); }
  SharedBuffer(SharedBuffer&& other) noexcept;
  SharedBuffer& operator=(SharedBuffer&& other) noexcept;

  void release() noexcept;

 private:
  friend class SharedMapping;
  void* resource_ = nullptr;  ///< cudaGraphicsResource_t
};

/// CUDA owns a registered buffer while this lives; OpenGL owns it before and afterwards. Launches on the device's
/// stream in the meantime wait until drawing no longer reads the buffer.
class SharedMapping {
 public:
  SharedMapping(const SharedBuffer& buffer, const Device& device);  ///< @throws RuntimeFailure
  ~SharedMapping();
  SharedMapping(const SharedMapping&) = delete;
  SharedMapping& operator=(const SharedMapping&) = delete;
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* resource_;
  void* stream_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace riffle::render
