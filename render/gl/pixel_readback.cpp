#include "render/gl/pixel_readback.h"

#include "core/error.h"

namespace riffle::render {

void flip_to_rgb(const std::uint8_t* rgba, int width, int height, Image& image, bool alpha) {
  image.width = width;
  image.height = height;
  image.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  image.alpha.resize(alpha ? image.rgb.size() / 3 : 0);
  std::uint8_t* out = image.rgb.data();
  std::uint8_t* out_alpha = image.alpha.data();
  for (int y = height - 1; y >= 0; --y) {
    const std::uint8_t* row = rgba + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 4;
    for (int x = 0; x < width; ++x, row += 4, out += 3) {
      out[0] = row[0];
      out[1] = row[1];
      out[2] = row[2];
      if (alpha) *out_alpha++ = row[3];
    }
  }
}

void PixelReadback::begin(GLuint framebuffer, int width, int height, bool alpha) {
  if (count_ == kSlots) {
    if (spilled_) throw RuntimeFailure("pictures are read back faster than next() takes them");
    spilled_ = take();
  }
  Slot& slot = slots_[static_cast<std::size_t>((first_ + count_) % kSlots)];
  const GLsizeiptr bytes = GLsizeiptr{4} * width * height;
  if (!slot.buffer || slot.bytes != bytes) {
    slot.buffer = GlBuffer::create();
    glNamedBufferStorage(slot.buffer.name(), bytes, nullptr, GL_MAP_READ_BIT | GL_CLIENT_STORAGE_BIT);
    slot.bytes = bytes;
  }
  slot.width = width;
  slot.height = height;
  slot.alpha = alpha;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.name());
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  slot.copied.place();
  glFlush();
  ++count_;
}

Image PixelReadback::take() {
  Slot& slot = slots_[static_cast<std::size_t>(first_)];
  slot.copied.wait();
  Image image;
  const void* pixels = glMapNamedBufferRange(slot.buffer.name(), 0, slot.bytes, GL_MAP_READ_BIT);
  if (!pixels) throw RuntimeFailure("OpenGL did not give the picture back");
  flip_to_rgb(static_cast<const std::uint8_t*>(pixels), slot.width, slot.height, image, slot.alpha);
  glUnmapNamedBuffer(slot.buffer.name());
  first_ = (first_ + 1) % kSlots;
  --count_;
  return image;
}

std::optional<Image> PixelReadback::next(bool wait) {
  if (spilled_) return std::exchange(spilled_, std::nullopt);
  if (count_ == 0) return std::nullopt;
  if (!wait && !slots_[static_cast<std::size_t>(first_)].copied.passed()) return std::nullopt;
  return take();
}

}  // namespace riffle::render
