#include "render/particles/shared_vertices.h"

#include <algorithm>

#include "core/error.h"
#include "render/particles/gather_vertices.h"

namespace riffle::render {

SharedVertices::SharedVertices(const Device& device)
    : device_(device), ring_(device, shortest_path(device)), timer_(device) {}

void SharedVertices::update(const ParticleView& particles, bool speeds) {
  if (particles.count > 0 && !(particles.device == device_))
    throw RuntimeFailure("the particles to draw are on another device than the renderer was made for");
  count_ = std::max(particles.count, 0);
  const auto count = static_cast<std::size_t>(count_);
  const std::size_t each = sizeof(Vec4) + (speeds ? sizeof(float) : 0);
  ring_.next();
  // A multiple of 64, because the speeds start a storage block, which OpenGL aligns to 256 bytes at worst.
  capacity_ = ring_.bytes() / each / 64 * 64;
  if (ring_.bytes() == 0 || count > capacity_ || capacity_ > 4 * count + 4096) {
    // A quarter more than needed, so that an emitter does not reallocate for every picture. A much smaller scene gives
    // its memory back.
    capacity_ = (std::max<std::size_t>(count + count / 4, 256) + 63) / 64 * 64;
    ring_.resize(device_, capacity_ * each);
  }
  speed_offset_.reset();
  if (speeds) speed_offset_ = capacity_ * sizeof(Vec4);
  if (count == 0) return;
  // One range for both: where the host copies, the unused middle is copied too.
  const std::size_t used = speeds ? *speed_offset_ + count * sizeof(float) : count * sizeof(Vec4);
  ring_.fill(particles.device, used, [&](void* out) {
    float* speed = speeds ? reinterpret_cast<float*>(static_cast<std::byte*>(out) + *speed_offset_) : nullptr;
    const auto timing = timer_.scope("gather");
    gather_vertices(particles, static_cast<Vec4*>(out), speed);
  });
}

}  // namespace riffle::render
