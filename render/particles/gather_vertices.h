#pragma once
/// The one kernel that reads the simulation's particles for drawing, and CUDA's side of sharing a vertex buffer with
/// OpenGL.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/device/device.h"
#include "core/math/vec.h"
#include "core/timing/stage_timer.h"
#include "render/view.h"

namespace riffle {

/// out[i] = {x, y, z, value} with value = scalar[i], else index[i], else |velocity[i]|, else 0: the first that is
/// given; of a view that was gathered already, a copy. `out` is (count) in memory that the view's device writes.
/// Asynchronous on CUDA.
/// @param speed (count) gets |velocity[i]| [m/s], or that of a gathered view; 0 where it has neither; may be nullptr
void gather_vertices(const ParticleView& particles, Vec4* out, float* speed = nullptr);

struct ValueRange {
  float min = 0, max = 0;  ///< both 0 when there is no finite value
};

/// Smallest and largest finite colour value, for an automatic range. Waits for the device: once per picture, not per
/// step.
ValueRange measure_range(const ParticleView& particles);

/// Why a CUDA device cannot share buffers with the current OpenGL context; empty when it can.
std::string interop_obstacle(const Device& device);

/// An OpenGL buffer registered with CUDA. The context stays current as long as this lives.
class SharedBuffer {
 public:
  SharedBuffer() = default;
  SharedBuffer(const Device& device, std::uint32_t gl_buffer);  ///< @throws RuntimeFailure when the driver refuses
  ~SharedBuffer() { release(); }
  SharedBuffer(SharedBuffer&& other) noexcept;
  SharedBuffer& operator=(SharedBuffer&& other) noexcept;

  /// Maps, gathers and unmaps: the buffer belongs to OpenGL again afterwards. Times the gather alone: mapping waits for
  /// the drawing that still reads the buffer.
  /// @param speed_offset [bytes] of the speeds from the buffer's beginning; none are written without
  void gather(const ParticleView& particles, std::optional<std::size_t> speed_offset, StageTimer& timer);
  void release() noexcept;
  explicit operator bool() const { return resource_ != nullptr; }

 private:
  friend class SharedMapping;
  Device device_;
  void* resource_ = nullptr;  ///< cudaGraphicsResource_t
};

/// A registered buffer is CUDA's while this lives, and OpenGL's before and afterwards. What is launched on the device's
/// stream meanwhile waits for the drawing that still reads the buffer.
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

}  // namespace riffle
