#pragma once
/// A picture on its way from a device's kernels to OpenGL: a ring of buffers, as SharedVertices has for particles.

#include <array>
#include <cstddef>
#include <functional>

#include "render/particles/shared_vertices.h"

namespace riffle {

class SharedPixels {
 public:
  /// @param path that the particles take; a driver that refuses to share these buffers is logged, and they go through
  /// the host's memory
  SharedPixels(const Device& device, VertexPath path) : path_(path), staging_(device) {}

  /// Calls `write` once, with `bytes` bytes of the next slot in memory that the device writes.
  void update(const Device& device, std::size_t bytes, const std::function<void(void*)>& write);

  GLuint buffer() const { return slots_[static_cast<std::size_t>(current_)].buffer.name(); }
  void drawn() { slots_[static_cast<std::size_t>(current_)].read.place(); }  ///< after the calls that read buffer()
  VertexPath path() const { return path_; }

 private:
  struct Slot {
    GlBuffer buffer;
    std::size_t bytes = 0;
    void* mapped = nullptr;  ///< write-only, PersistentMapped and Upload
    SharedBuffer shared;     ///< Interop; declared after the buffer, so that it is unregistered first
    GlFence read;            ///< placed after the draws that read the slot
  };
  void allocate(Slot& slot, const Device& device, std::size_t bytes);

  VertexPath path_;
  std::array<Slot, SharedVertices::kSlots> slots_;
  int current_ = 0;
  Buffer<std::byte> staging_;  ///< Upload: on the simulation's device
};

}  // namespace riffle
