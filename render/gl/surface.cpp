#include "render/gl/surface.h"

#include <fmt/format.h>

#include "core/error.h"
#include "render/gl/targets.h"

namespace riffle::render {

Surface::Surface(int width, int height, AntiAliasing anti_aliasing)
    : width_(width), height_(height), anti_aliasing_(anti_aliasing) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (width <= 0 || height <= 0 || width * factor() > largest || height * factor() > largest)
    throw RuntimeFailure(fmt::format("a picture of {} x {} pixels cannot be drawn: each side must be between 1 and {}",
                                     width, height, largest / factor()));
  no_attributes_ = GlVertexArray::create();
  allocate(picture_color_, GL_RGBA8, width, height, GL_NEAREST);
  picture_ = GlFramebuffer::create();
  glNamedFramebufferTexture(picture_.name(), GL_COLOR_ATTACHMENT0, picture_color_.name(), 0);
  check_complete(picture_, "picture");

  const int w = width * factor(), h = height * factor();
  allocate(scene_color_, GL_RGBA8, w, h, GL_NEAREST);
  allocate(scene_depth_, GL_DEPTH_COMPONENT32F, w, h, GL_NEAREST);
  scene_ = GlFramebuffer::create();
  glNamedFramebufferTexture(scene_.name(), GL_COLOR_ATTACHMENT0, scene_color_.name(), 0);
  glNamedFramebufferTexture(scene_.name(), GL_DEPTH_ATTACHMENT, scene_depth_.name(), 0);
  check_complete(scene_, "scene");
}

void Surface::bind_scene() {
  glBindFramebuffer(GL_FRAMEBUFFER, scene_.name());
  glViewport(0, 0, width_ * factor(), height_ * factor());
}

void Surface::begin_scene() {
  bind_scene();
  glClipControl(GL_LOWER_LEFT,
                GL_ZERO_TO_ONE);  // as in ViewTransform; -1..1 would waste half of a float's depths
  const float nothing = 0;        // infinitely far: depth is reversed
  glClearNamedFramebufferfv(scene_.name(), GL_DEPTH, 0, &nothing);
}

void Surface::draw_occlusion(const ViewTransform& view, float reach) {
  if (!occlusion_) {
    occlude_ = Program("fullscreen.vert", "occlusion.frag");
    allocate(occlusion_color_, GL_R8, width_, height_, GL_NEAREST);
    occlusion_ = GlFramebuffer::create();
    glNamedFramebufferTexture(occlusion_.name(), GL_COLOR_ATTACHMENT0, occlusion_color_.name(), 0);
    check_complete(occlusion_, "occlusion");
  }
  glBindFramebuffer(GL_FRAMEBUFFER, occlusion_.name());
  glViewport(0, 0, width_, height_);
  glBindTextureUnit(0, scene_depth_.name());
  occlude_.set("depth", 0);
  occlude_.set("depth_transform", view.depth_transform);
  occlude_.set("orthographic", view.orthographic ? 1 : 0);
  occlude_.set("half_extent", view.half_extent);
  occlude_.set("reach", reach);
  occlude_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Surface::resolve(const ViewTransform& view, const Occlusion& occlusion) {
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);  // other drawing in a window expects OpenGL's default
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(no_attributes_.name());
  const bool occluded = occlusion.strength > 0;
  if (occluded) draw_occlusion(view, occlusion.reach);
  glBindFramebuffer(GL_FRAMEBUFFER, picture_.name());
  glViewport(0, 0, width_, height_);
  if (!occluded && anti_aliasing_ == AntiAliasing::None) {
    glBlitNamedFramebuffer(scene_.name(), picture_.name(), 0, 0, width_, height_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return;
  }
  Program& resolve = occluded ? resolve_occluded_ : resolve_;
  if (!resolve)
    resolve = Program("fullscreen.vert", "resolve.frag",
                      {factor() == 2 ? "FACTOR 2" : "FACTOR 1", occluded ? "OCCLUSION 1" : "OCCLUSION 0",
                       anti_aliasing_ == AntiAliasing::None ? "SMOOTH 0" : "SMOOTH 1"});
  glBindTextureUnit(0, scene_color_.name());
  glBindTextureUnit(1, scene_depth_.name());
  glBindTextureUnit(2, occluded ? occlusion_color_.name() : 0);
  resolve.set("scene", 0);
  resolve.set("depth", 1);
  resolve.set("occlusion", 2);
  resolve.set("strength", occlusion.strength);
  resolve.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace riffle::render
