#include "render/solids/solid_renderer.h"

#include <limits>

#include "core/error.h"
#include "render/gl/targets.h"
#include "render/lighting.h"

namespace riffle::render {
namespace {

constexpr GLsizei kSamples = 4;

// Light through a solid; a particle of paint has about one.
constexpr float kShadowDepth = 3;

constexpr float kOutlineShade = 0.5f;   // of the outline of an area, relative to the area
constexpr float kOutlinePixels = 1.5f;  // width of a line is 1

struct CornerData {
  Vec4 at, normal;
};

glm::mat4 matrix_of(const MeshPose& pose) {
  glm::mat4 matrix(1.0f);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) matrix[column][row] = component(pose.turn[row], column);
  matrix[3] = glm::vec4(to_glm(pose.shift), 1.0f);
  return matrix;
}

void use_depth() {
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace

SolidRenderer::SolidRenderer()
    : surface_("solid.vert", "solid.frag"),
      area_("solid.vert", "solid_area.frag"),
      shadow_("solid_shadow.vert", "solid_shadow.frag"),
      no_attributes_(GlVertexArray::create()) {}

SolidRenderer::Layer::Layer(int w, int h)
    : width(w),
      height(h),
      color(GlTextureSamples::create()),
      depth(GlTextureSamples::create()),
      framebuffer(GlFramebuffer::create()),
      compose("fullscreen.vert", "solid_layer.frag") {
  glTextureStorage2DMultisample(color.name(), kSamples, GL_RGBA8, width, height, GL_TRUE);
  glTextureStorage2DMultisample(depth.name(), kSamples, GL_DEPTH_COMPONENT32F, width, height, GL_TRUE);
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
  glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
  check_complete(framebuffer, "solids");
}

void SolidRenderer::update(const Solids& solids) {
  if (!buffer_ || solids.version != version_) take_over(solids);
  for (Part& part : parts_) part.pose = solids.meshes[part.mesh].pose;
}

void SolidRenderer::take_over(const Solids& solids) {
  version_ = solids.version;
  parts_.clear();
  std::vector<CornerData> corners;
  for (const SolidMesh& solid : solids.meshes) {
    if (solid.mesh.corners.empty()) continue;
    Part part{static_cast<GLint>(corners.size()),
              static_cast<GLsizei>(solid.mesh.corners.size()),
              to_glm(solid.color),
              {},
              static_cast<std::size_t>(&solid - solids.meshes.data())};
    for (const MeshCorner& corner : solid.mesh.corners)
      corners.push_back({make_vec4(corner.at), make_vec4(corner.normal)});
    for (std::size_t i = 0; i + 1 < solid.mesh.outline.size(); i += 2)
      part.outline.push_back({solid.mesh.outline[i], solid.mesh.outline[i + 1]});
    parts_.push_back(std::move(part));
  }
  if (corners.size() > static_cast<std::size_t>(std::numeric_limits<GLint>::max()))
    throw RuntimeFailure("the solids have too many triangles for a picture");
  buffer_ = GlBuffer::create();
  if (!corners.empty())
    glNamedBufferStorage(buffer_.name(), static_cast<GLsizeiptr>(corners.size() * sizeof(CornerData)), corners.data(),
                         0);
}

void SolidRenderer::draw_surfaces(const ParticlePass& pass) const {
  const Lighting lights = lighting_of(pass.view, pass.up);
  surface_.set("projection", pass.view.projection);
  surface_.set("orthographic", pass.view.orthographic ? 1 : 0);
  surface_.set("key_light", lights.key);
  surface_.set("sky", lights.sky);
  use_depth();
  glBindVertexArray(no_attributes_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer_.name());
  surface_.use();
  for (const Part& part : parts_) {
    surface_.set("color", part.color * part.color);
    surface_.set("view", pass.view.view * matrix_of(part.pose));
    glDrawArrays(GL_TRIANGLES, part.first, part.count);
  }
}

void SolidRenderer::draw(const ParticlePass& pass, Surface& target) {
  if (target.anti_aliasing() != AntiAliasing::Analytic) {
    draw_surfaces(pass);
    return;
  }
  if (!layer_ || layer_->width != target.width() || layer_->height != target.height())
    layer_.emplace(target.width(), target.height());
  glBindFramebuffer(GL_FRAMEBUFFER, layer_->framebuffer.name());
  glViewport(0, 0, layer_->width, layer_->height);
  const float nothing[4] = {0, 0, 0, 0};
  glClearNamedFramebufferfv(layer_->framebuffer.name(), GL_COLOR, 0, nothing);
  glClearNamedFramebufferfv(layer_->framebuffer.name(), GL_DEPTH, 0, nothing);
  draw_surfaces(pass);
  target.bind_scene();
  glBindTextureUnit(0, layer_->color.name());
  glBindTextureUnit(1, layer_->depth.name());
  layer_->compose.set("color", 0);
  layer_->compose.set("depth", 1);
  use_depth();
  layer_->compose.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void SolidRenderer::draw_areas(const ParticlePass& pass, Surface& target, float pixels) {
  area_.set("projection", pass.view.projection);
  const int width = target.width() * target.factor(), height = target.height() * target.factor();
  for (const Part& part : parts_) {
    glDisable(GL_DEPTH_TEST);  // the outline of the part before has one
    glDisable(GL_BLEND);
    glBindVertexArray(no_attributes_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer_.name());
    area_.set("color", part.color);
    area_.set("view", pass.view.view * matrix_of(part.pose));
    area_.use();
    glDrawArrays(GL_TRIANGLES, part.first, part.count);
    std::vector<Segment> outline;
    for (const Segment& segment : part.outline) outline.push_back({part.pose.of(segment.a), part.pose.of(segment.b)});
    const glm::vec4 color(kOutlineShade * part.color, 1.0f);
    lines_.draw(outline, pass.view, {color, kOutlinePixels * pixels, 0.5f * pass.spacing}, width, height);
  }
}

void SolidRenderer::draw_mask(const ParticlePass& pass) const {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(no_attributes_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer_.name());
  area_.set("projection", pass.view.projection);
  area_.set("color", glm::vec3(1));
  area_.use();
  for (const Part& part : parts_) {
    area_.set("view", pass.view.view * matrix_of(part.pose));
    glDrawArrays(GL_TRIANGLES, part.first, part.count);
  }
}

void SolidRenderer::draw_shadow(const glm::mat4& to_shadow) const {
  shadow_.set("optical_depth", kShadowDepth);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_MAX);  // front and back of a solid hold back the same light
  glBindVertexArray(no_attributes_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer_.name());
  shadow_.use();
  for (const Part& part : parts_) {
    shadow_.set("to_shadow", to_shadow * matrix_of(part.pose));
    glDrawArrays(GL_TRIANGLES, part.first, part.count);
  }
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
}

}  // namespace riffle::render
