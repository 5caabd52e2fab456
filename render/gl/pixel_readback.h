#pragma once
/// Copies pictures from OpenGL to the host through a ring of pixel buffers, so that reading does not wait for drawing.

#include <array>
#include <optional>

#include "render/gl/gl_objects.h"
#include "render/view.h"

namespace riffle::render {

class PixelReadback {
 public:
  static constexpr int kSlots = 3;

  /// Starts the copy of a framebuffer's colours. If every slot is in use, it first finishes the oldest copy and keeps
  /// it for next().
  /// @param alpha the picture has alpha, which is kept
  void begin(GLuint framebuffer, int width, int height, bool alpha = false);

  /// The oldest picture that was begun and not taken yet, if its copy has finished. With `wait`, waits for that copy.
  std::optional<Image> next(bool wait);

 private:
  struct Slot {
    GlBuffer buffer;
    GLsizeiptr bytes = 0;
    int width = 0, height = 0;
    bool alpha = false;
    GlFence copied;
  };
  Image take();

  std::array<Slot, kSlots> slots_;
  int first_ = 0, count_ = 0;
  std::optional<Image> spilled_;
};

/// Converts OpenGL's (height, width, 4), bottom row first, to an Image.
/// @param alpha keeps the fourth component
void flip_to_rgb(const std::uint8_t* rgba, int width, int height, Image& image, bool alpha = false);

}  // namespace riffle::render
