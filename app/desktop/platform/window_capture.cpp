#include "app/desktop/platform/window_capture.h"

#include <algorithm>

namespace riffle::desktop {

WindowCapture::WindowCapture(int width, int height)
    : width_(width),
      height_(height),
      texture_(render::GlTexture2D::create()),
      target_(render::GlFramebuffer::create()) {
  glTextureStorage2D(texture_.name(), 1, GL_RGBA8, width_, height_);
  glNamedFramebufferTexture(target_.name(), GL_COLOR_ATTACHMENT0, texture_.name(), 0);
}

void WindowCapture::begin(int window_width, int window_height) {
  const double scale =
      std::min(static_cast<double>(width_) / window_width, static_cast<double>(height_) / window_height);
  // If a size is odd, one row or column is left out: scaling would blur all pixels.
  const bool same = width_ == (window_width & ~1) && height_ == (window_height & ~1);
  const int wide = same ? width_ : static_cast<int>(scale * window_width);
  const int high = same ? height_ : static_cast<int>(scale * window_height);
  const int x = (width_ - wide) / 2, y = (height_ - high) / 2;
  const GLfloat black[] = {0, 0, 0, 1};
  glClearNamedFramebufferfv(target_.name(), GL_COLOR, 0, black);
  glBlitNamedFramebuffer(0, target_.name(), 0, 0, same ? wide : window_width, same ? high : window_height, x, y,
                         x + wide, y + high, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
  readback_.begin(target_.name(), width_, height_);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace riffle::desktop
