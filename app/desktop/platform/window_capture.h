#pragma once
/// Reads the window's own picture back, with its panels, for a recording.

#include "render/gl/gl_objects.h"
#include "render/gl/pixel_readback.h"

namespace riffle::desktop {

class WindowCapture {
 public:
  WindowCapture(int width, int height);

  /// Begins to read the window's framebuffer, before it is shown. A window of another shape is fitted in, with black
  /// beside it. [pixel]
  void begin(int window_width, int window_height);
  std::optional<render::Image> next(bool wait) { return readback_.next(wait); }

 private:
  int width_, height_;
  render::GlTexture2D texture_;
  render::GlFramebuffer target_;
  render::PixelReadback readback_;
};

}  // namespace riffle::desktop
