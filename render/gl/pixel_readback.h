#pragma once
/// Pictures from OpenGL to the host through a ring of pixel buffers, so that reading one does not wait for drawing it.

#include <array>
#include <optional>

#include "render/gl/gl_objects.h"
#include "render/view.h"

namespace riffle {

class PixelReadback {
 public:
  static constexpr int kSlots = 3;

  /// Starts the copy of a framebuffer's colours. When every slot is taken, the oldest is finished first and kept for
  /// next().
  void begin(GLuint framebuffer, int width, int height);

  /// The oldest picture begun and not yet taken, if its copy has finished; with `wait`, if there is one at all.
  std::optional<Image> next(bool wait);

  int pending() const { return count_ + (spilled_ ? 1 : 0); }

 private:
  struct Slot {
    GlBuffer buffer;
    GLsizeiptr bytes = 0;
    int width = 0, height = 0;
    GlFence copied;
  };
  Image take();

  std::array<Slot, kSlots> slots_;
  int first_ = 0, count_ = 0;
  std::optional<Image> spilled_;
};

/// (height, width, 4) with the bottom row first, as OpenGL has it, to an Image.
void flip_to_rgb(const std::uint8_t* rgba, int width, int height, Image& image);

}  // namespace riffle
