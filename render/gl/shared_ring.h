#pragma once
/// What the simulation's device writes and OpenGL reads, such as particles or splatted pictures: a ring of buffers.

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

#include "core/device/buffer.h"
#include "render/gl/gl_objects.h"
#include "render/gl/shared_buffer.h"

namespace riffle::render {

/// How data gets from the simulation's device into an OpenGL buffer.
enum class TransferPath {
  Interop,           ///< CUDA writes the OpenGL buffer; nothing passes through the host
  Upload,            ///< the host copies what CUDA wrote: OpenGL is on another device, or the driver refused to share
  PersistentMapped,  ///< the CPU's threads write the mapped OpenGL buffer
};

std::string_view to_string(TransferPath path);  ///< "interop", "upload", "persistent mapped"

/// The shortest path from this device to the current OpenGL context. Logs why it is not interop for a CUDA device.
TransferPath shortest_path(const Device& device);

/// Three slots, so that the device writes one while OpenGL still reads another. Its context must stay current.
class SharedRing {
 public:
  static constexpr int kSlots = 3;

  /// @param path  for all slots. If the driver refuses to share a buffer, the ring logs that and uses Upload instead.
  SharedRing(const Device& device, TransferPath path) : path_(path), staging_(device) {}

  /// Makes the next slot the current one and waits until OpenGL has read it.
  void next();
  std::size_t bytes() const { return current().bytes; }  ///< of the current slot; 0: not allocated yet
  /// Reallocates the current slot; its contents are undefined afterwards. @throws RuntimeFailure without memory
  void resize(const Device& device, std::size_t bytes);
  /// Calls `write` once with memory that the device writes; its first `used` bytes become those of the current slot.
  void fill(const Device& device, std::size_t used, const std::function<void(void*)>& write);
  /// next(), resize() where the size differs, and fill() of the whole slot.
  void update(const Device& device, std::size_t bytes, const std::function<void(void*)>& write);

  GLuint buffer() const { return current().buffer.name(); }
  /// Call it after the draws that read buffer().
  void drawn() { slots_[static_cast<std::size_t>(current_)].read.place(); }
  TransferPath path() const { return path_; }

 private:
  struct Slot {
    GlBuffer buffer;
    std::size_t bytes = 0;
    void* mapped = nullptr;  ///< write-only; PersistentMapped and Upload
    SharedBuffer shared;     ///< Interop; declared after the buffer, so that it is unregistered first
    GlFence read;            ///< placed after the draws that read the slot
  };
  const Slot& current() const { return slots_[static_cast<std::size_t>(current_)]; }

  TransferPath path_;
  std::array<Slot, kSlots> slots_;
  int current_ = 0;
  Buffer<std::byte> staging_;  ///< Upload: on the simulation's device
};

}  // namespace riffle::render
