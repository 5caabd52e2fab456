#pragma once
/// Textures to draw into.

#include "render/gl/gl_objects.h"

namespace riffle::render {

/// One level, clamped at its edges. @param filter GL_NEAREST or GL_LINEAR
void allocate(GlTexture2D& texture, GLenum format, int width, int height, GLenum filter);

/// @throws RuntimeFailure naming the framebuffer when OpenGL cannot draw into it
void check_complete(const GlFramebuffer& framebuffer, const char* what);

}  // namespace riffle::render
