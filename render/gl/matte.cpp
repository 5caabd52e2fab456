#include "render/gl/matte.h"

#include "render/gl/targets.h"

namespace riffle::render {

void Matte::keep(const Surface& surface, GlTexture2D& copy) {
  allocate(copy, GL_RGBA8, surface.width(), surface.height(), GL_NEAREST);
  glCopyImageSubData(surface.picture_texture(), GL_TEXTURE_2D, 0, 0, 0, 0, copy.name(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     surface.width(), surface.height(), 1);
}

void Matte::finish(const Surface& surface) {
  keep(surface, over_white_);
  glBindFramebuffer(GL_FRAMEBUFFER, surface.picture());
  glViewport(0, 0, surface.width(), surface.height());
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(0, over_black_.name());
  glBindTextureUnit(1, over_white_.name());
  program_.set("over_black", 0);
  program_.set("over_white", 1);
  program_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace riffle::render
