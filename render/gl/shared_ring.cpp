#include "render/gl/shared_ring.h"

#include <fmt/format.h>

#include "core/device/memory.h"
#include "core/error.h"
#include "core/text/log.h"
#include "render/gl/gl_debug.h"

namespace riffle::render {

std::string_view to_string(TransferPath path) {
  switch (path) {
    case TransferPath::Interop: return "interop";
    case TransferPath::Upload: return "upload";
    case TransferPath::PersistentMapped: break;
  }
  return "persistent mapped";
}

TransferPath shortest_path(const Device& device) {
  if (device.is_cpu()) return TransferPath::PersistentMapped;
  // Do not ask CUDA about another vendor's context: some drivers crash there.
  const GlInfo info = current_gl_info();
  const std::string obstacle = info.vendor.find("NVIDIA") == std::string::npos
                                   ? "OpenGL is " + info.renderer + ", not the CUDA device"
                                   : interop_obstacle(device);
  if (obstacle.empty()) return TransferPath::Interop;
  log::info("Drawing goes through the host's memory: {}", obstacle);
  return TransferPath::Upload;
}

void SharedRing::next() {
  current_ = (current_ + 1) % kSlots;
  slots_[static_cast<std::size_t>(current_)].read.wait();
}

void SharedRing::resize(const Device& device, std::size_t bytes) {
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  const auto clear = [](Slot& old) {
    old.shared.release();
    old = Slot{};
  };
  const auto size = static_cast<GLsizeiptr>(bytes);
  clear(slot);
  slot.buffer = GlBuffer::create();
  slot.bytes = bytes;
  if (path_ == TransferPath::Interop) {
    glNamedBufferData(slot.buffer.name(), size, nullptr, GL_DYNAMIC_DRAW);
    try {
      slot.shared = SharedBuffer(device, slot.buffer.name());
      return;
    } catch (const RuntimeFailure& failure) {
      log::warn("Drawing goes through the host's memory from now on: {}", failure.what());
      path_ = TransferPath::Upload;
      for (Slot& any : slots_) clear(any);
      slot.buffer = GlBuffer::create();
      slot.bytes = bytes;
    }
  }
  constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glNamedBufferStorage(slot.buffer.name(), size, nullptr, access);
  slot.mapped = glMapNamedBufferRange(slot.buffer.name(), 0, size, access);
  if (!slot.mapped) throw RuntimeFailure(fmt::format("OpenGL has no memory for a buffer of {} bytes", bytes));
}

void SharedRing::fill(const Device& device, std::size_t used, const std::function<void(void*)>& write) {
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  switch (path_) {
    case TransferPath::Interop: {
      const SharedMapping mapping(slot.shared, device);
      if (mapping.bytes() < used) throw RuntimeFailure("a buffer shared with OpenGL is smaller than what it must hold");
      write(mapping.data());
      break;
    }
    case TransferPath::Upload:
      staging_.resize(used);
      write(staging_.data());
      copy_to_host(device, slot.mapped, staging_.data(), used);
      break;
    case TransferPath::PersistentMapped: write(slot.mapped); break;
  }
}

void SharedRing::update(const Device& device, std::size_t bytes, const std::function<void(void*)>& write) {
  next();
  if (this->bytes() != bytes) resize(device, bytes);
  fill(device, bytes, write);
}

}  // namespace riffle::render
