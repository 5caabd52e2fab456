#include "render/particles/shared_vertices.h"

#include <algorithm>

#include "core/device/memory.h"
#include "core/error.h"
#include "core/text/log.h"
#include "render/gl/gl_debug.h"

namespace riffle {

std::string_view to_string(VertexPath path) {
  switch (path) {
    case VertexPath::Interop: return "interop";
    case VertexPath::Upload: return "upload";
    case VertexPath::PersistentMapped: break;
  }
  return "persistent mapped";
}

SharedVertices::SharedVertices(const Device& device)
    : device_(device), path_(VertexPath::PersistentMapped), timer_(device) {
  if (device.is_cpu()) return;
  // CUDA must not be asked about another vendor's context: some drivers crash there.
  const GlInfo info = current_gl_info();
  const std::string obstacle = info.vendor.find("NVIDIA") == std::string::npos
                                   ? "OpenGL is " + info.renderer + ", not the CUDA device"
                                   : interop_obstacle(device);
  path_ = obstacle.empty() ? VertexPath::Interop : VertexPath::Upload;
  staging_ = Buffer<Vec4>(device);
  if (!obstacle.empty()) log::info("Drawing goes through the host's memory: {}", obstacle);
}

void SharedVertices::reserve(Slot& slot, std::size_t count, bool speeds) {
  // A quarter more than asked for, so that an emitter does not reallocate with every picture; a scene that became much
  // smaller gives its memory back.
  if (slot.buffer && slot.speeds == speeds && count <= slot.capacity && slot.capacity <= 4 * count + 4096) return;
  // A multiple of 64, because the speeds behind begin where OpenGL lets a storage block begin: at 256 bytes at worst.
  const std::size_t capacity = (std::max<std::size_t>(count + count / 4, 256) + 63) / 64 * 64;
  const auto bytes = static_cast<GLsizeiptr>(capacity * (sizeof(Vec4) + (speeds ? sizeof(float) : 0)));
  const auto renew = [&] {
    slot.buffer = GlBuffer::create();
    slot.capacity = capacity;
    slot.speeds = speeds;
  };
  slot.shared.release();
  slot.mapped = nullptr;
  renew();
  if (path_ == VertexPath::Interop) {
    glNamedBufferData(slot.buffer.name(), bytes, nullptr, GL_DYNAMIC_DRAW);
    try {
      slot.shared = SharedBuffer(device_, slot.buffer.name());
      return;
    } catch (const RuntimeFailure& failure) {
      log::warn("Drawing goes through the host's memory from now on: {}", failure.what());
      path_ = VertexPath::Upload;
      for (Slot& other : slots_) {
        other.shared.release();
        other = Slot{};
      }
      renew();
    }
  }
  constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glNamedBufferStorage(slot.buffer.name(), bytes, nullptr, access);
  slot.mapped = static_cast<Vec4*>(glMapNamedBufferRange(slot.buffer.name(), 0, bytes, access));
  if (!slot.mapped) throw RuntimeFailure("OpenGL has no memory for the vertex buffer");
}

void SharedVertices::gather_timed(const ParticleView& particles, Vec4* out) {
  float* speed = speed_offset_ ? reinterpret_cast<float*>(out) + *speed_offset_ / sizeof(float) : nullptr;
  const auto timing = timer_.scope("gather");
  gather_vertices(particles, out, speed);
}

void SharedVertices::update(const ParticleView& particles, bool speeds) {
  if (particles.count > 0 && !(particles.device == device_))
    throw RuntimeFailure("the particles to draw are on another device than the renderer was made for");
  current_ = (current_ + 1) % kSlots;
  Slot& slot = slots_[static_cast<std::size_t>(current_)];
  slot.read.wait();
  count_ = std::max(particles.count, 0);
  reserve(slot, static_cast<std::size_t>(count_), speeds);
  speed_offset_.reset();
  if (speeds) speed_offset_ = slot.capacity * sizeof(Vec4);
  if (count_ == 0) return;
  switch (path_) {
    case VertexPath::Interop: slot.shared.gather(particles, speed_offset_, timer_); break;
    case VertexPath::Upload: {
      // In the slot's own layout, so that one copy carries both; its unused middle travels along.
      const std::size_t used = speeds ? slot.capacity * sizeof(Vec4) + static_cast<std::size_t>(count_) * sizeof(float)
                                      : static_cast<std::size_t>(count_) * sizeof(Vec4);
      staging_.resize((used + sizeof(Vec4) - 1) / sizeof(Vec4));
      gather_timed(particles, staging_.data());
      copy_to_host(particles.device, slot.mapped, staging_.data(), used);
      break;
    }
    case VertexPath::PersistentMapped: gather_timed(particles, slot.mapped); break;
  }
}

}  // namespace riffle
