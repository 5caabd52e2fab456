#pragma once
/// Particles on their way to the screen: a ring of vertex buffers that one gather kernel fills.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/device/buffer.h"
#include "render/gl/gl_objects.h"
#include "render/particles/gather_vertices.h"
#include "render/view.h"

namespace riffle {

enum class VertexPath {
  Interop,           ///< CUDA writes the OpenGL buffer: nothing passes through the host
  Upload,            ///< CUDA gathers, the host carries: OpenGL is on another device, or the driver refused to share
  PersistentMapped,  ///< the CPU's threads write the mapped OpenGL buffer
};

std::string_view to_string(VertexPath path);  ///< "interop", "upload", "persistent mapped"

/// Three slots, so that the simulation writes one while OpenGL still reads another. Needs its context current.
class SharedVertices {
 public:
  static constexpr int kSlots = 3;

  /// Chooses the path for particles on `device`; a fallback from interop is logged once with its reason.
  explicit SharedVertices(const Device& device);

  /// Gathers into the next slot; slots grow and shrink with the count.
  /// @param speeds the speeds too, behind the vertices
  /// @throws RuntimeFailure when the view is on another device than the one given at construction.
  void update(const ParticleView& particles, bool speeds = false);

  GLuint buffer() const {
    return slots_[static_cast<std::size_t>(current_)].buffer.name();
  }  ///< (count) of {x, y, z, value}
  int count() const { return count_; }
  std::optional<std::size_t> speed_offset() const {
    return speed_offset_;
  }  ///< [bytes] of (count) speeds [m/s] in buffer(), fit for a storage block; none when they were not gathered

  /// After the draw calls that read the current slot.
  void drawn() { slots_[static_cast<std::size_t>(current_)].read.place(); }

  VertexPath path() const { return path_; }
  StageTimer& timer() { return timer_; }  ///< stage "gather": the kernel alone
  std::size_t capacity() const {
    return slots_[static_cast<std::size_t>(current_)].capacity;
  }  ///< particles the current slot holds

 private:
  struct Slot {
    GlBuffer buffer;
    std::size_t capacity = 0;  ///< [particles]
    bool speeds = false;       ///< there is room for them
    Vec4* mapped = nullptr;    ///< write-only, PersistentMapped and Upload
    SharedBuffer shared;       ///< Interop; declared after the buffer, so that it is unregistered first
    GlFence read;              ///< placed after the draws that read the slot
  };
  void reserve(Slot& slot, std::size_t count, bool speeds);
  void gather_timed(const ParticleView& particles, Vec4* out);

  Device device_;
  VertexPath path_;
  std::array<Slot, kSlots> slots_;
  int current_ = 0;
  int count_ = 0;
  std::optional<std::size_t> speed_offset_;
  Buffer<Vec4> staging_;  ///< Upload: on the simulation's device, the slot's copy
  StageTimer timer_;
};

}  // namespace riffle
