#include "render/particles/shared_pixels.h"

#include "core/device/memory.h"
#include "core/error.h"
#include "core/text/log.h"

namespace riffle {

void SharedPixels::allocate(Slot& slot, const Device& device, std::size_t bytes) {
  slot = Slot{};
  slot.buffer = GlBuffer::create();
  slot.bytes = bytes;
  const auto size = static_cast<GLsizeiptr>(bytes);
  if (path_ == VertexPath::Interop) {
    glNamedBufferData(slot.buffer.name(), size, nullptr, GL_DYNAMIC_DRAW);
    try {
      slot.shared = SharedBuffer(device, slot.buffer.name());
      return;
    } catch (const RuntimeFailure& failure) {
      log::warn("Splatted pictures go through the host's memory from now on: {}", failure.what());
      path_ = VertexPath::Upload;
      for (Slot& any : slots_) any = Slot{};
      slot.buffer = GlBuffer::create();
      slot.bytes = bytes;
    }
  }
  constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glNamedBufferStorage(slot.buffer.name(), size, nullptr, access);
  slot.mapped = glMapNamedBufferRange(slot.buffer.name(), 0, size, access);
  if (!slot.mapped) throw RuntimeFailure("OpenGL has no memory for the splatted picture");
}

void SharedPixels::update(const Device& device, std::size_t bytes, const std::function<void(void*)>& write) {
  current_ = (current_ + 1) % SharedVertices::kSlots;
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  slot.read.wait();
  if (!slot.buffer || slot.bytes != bytes) allocate(slot, device, bytes);
  switch (path_) {
    case VertexPath::Interop: {
      const SharedMapping mapping(slot.shared, device);
      if (mapping.bytes() < bytes) throw RuntimeFailure("a shared picture is smaller than what is drawn");
      write(mapping.data());
      break;
    }
    case VertexPath::Upload:
      staging_.resize(bytes);
      write(staging_.data());
      copy_to_host(device, slot.mapped, staging_.data(), bytes);
      break;
    case VertexPath::PersistentMapped: write(slot.mapped); break;
  }
}

}  // namespace riffle
