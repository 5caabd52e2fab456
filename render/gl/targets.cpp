#include "render/gl/targets.h"

#include <fmt/format.h>

#include "core/error.h"

namespace riffle::render {

void allocate(GlTexture2D& texture, GLenum format, int width, int height, GLenum filter) {
  texture = GlTexture2D::create();
  glTextureStorage2D(texture.name(), 1, format, width, height);
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void check_complete(const GlFramebuffer& framebuffer, const char* what) {
  const GLenum status = glCheckNamedFramebufferStatus(framebuffer.name(), GL_FRAMEBUFFER);
  if (status != GL_FRAMEBUFFER_COMPLETE)
    throw RuntimeFailure(fmt::format("OpenGL refuses the {} framebuffer (status 0x{:x})", what, status));
}

}  // namespace riffle::render
