#include "render/ground/ground_renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "render/gl/targets.h"
#include "render/particles/splat_renderer.h"

namespace riffle::render {
namespace {

constexpr int kShadowSize = 256;  // a soft shadow has nothing finer
constexpr int kShadowLevels = 6;

/// The nearest of 1, 2 and 5 times a power of ten, so that a reader can measure by tiles.
float round_length(float length) {
  const float power = std::pow(10.0f, std::floor(std::log10(length)));
  const float mantissa = length / power;
  return power * (mantissa < 1.5f ? 1.0f : mantissa < 3.5f ? 2.0f : mantissa < 7.5f ? 5.0f : 10.0f);
}

}  // namespace

GroundRenderer::GroundRenderer()
    : floor_("fullscreen.vert", "ground.frag"),
      shadow_("shadow.vert", "shadow.frag"),
      no_attributes_(GlVertexArray::create()) {}

/// @param format GL_RGBA16F for sums by blending, or GL_RGBA32F for kernels
void GroundRenderer::prepare(GLenum format) {
  if (format == format_) return;
  shadow_texture_ = GlTexture2D::create();
  glTextureStorage2D(shadow_texture_.name(), kShadowLevels, format, kShadowSize, kShadowSize);
  glTextureParameteri(shadow_texture_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(shadow_texture_.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(shadow_texture_.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(shadow_texture_.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  shadow_framebuffer_ = GlFramebuffer::create();
  glNamedFramebufferTexture(shadow_framebuffer_.name(), GL_COLOR_ATTACHMENT0, shadow_texture_.name(), 0);
  check_complete(shadow_framebuffer_, "shadow");
  format_ = format;
}

GroundRenderer::Plane GroundRenderer::plane_under(const BoxView& box, Vec3 up) {
  Plane plane;
  const glm::vec3 low = to_glm(box.min), high = to_glm(box.max), middle = 0.5f * (low + high);
  const glm::vec3 wanted = to_glm(up);
  plane.normal = glm::length(wanted) > 1e-6f ? glm::normalize(wanted) : glm::vec3(0, 1, 0);
  const glm::vec3 n = plane.normal;
  plane.right = glm::normalize(std::abs(n.x) < 0.9f ? glm::vec3(1, 0, 0) - n.x * n : glm::vec3(0, 0, 1) - n.z * n);
  plane.forward = glm::cross(n, plane.right);
  const glm::vec3 half = 0.5f * (high - low);
  plane.box_size = 2 * glm::length(half);
  // The support of the box: how far it reaches from its middle in a direction.
  const auto reach = [&](glm::vec3 direction) { return glm::dot(glm::abs(direction), half); };
  // Slightly below the box, whose lowest edges would otherwise lie in the floor.
  plane.origin = middle - (reach(n) + 1e-3f * plane.box_size) * n;

  // The light falls obliquely: a high particle throws its shadow to the right and a little to the front.
  const glm::vec2 slant(0.30f, -0.12f);
  const float height = 2 * reach(n);
  plane.half = glm::vec2(reach(plane.right), reach(plane.forward)) + height * glm::abs(slant) + 0.12f * plane.box_size;
  const glm::vec2 scale = 0.5f / plane.half;
  glm::mat4 m(0);
  const auto row = [&](int r, glm::vec3 axis, float factor, float offset) {
    for (int c = 0; c < 3; ++c) m[c][r] = factor * axis[c];
    m[3][r] = offset - factor * glm::dot(axis, plane.origin);
  };
  row(0, plane.right + slant.x * n, scale.x, 0.5f);
  row(1, plane.forward + slant.y * n, scale.y, 0.5f);
  m[3][3] = 1;
  plane.to_shadow = m;
  return plane;
}

GroundRenderer::Shade GroundRenderer::shade_of(const Plane& plane, float spacing, float absorption_length) {
  Shade shade;
  // At least a texel and a half, because smaller squares could fall between the texels.
  shade.half_size =
      glm::max(glm::vec2(1.2f * spacing) / (2.0f * plane.half), glm::vec2(1.5f / static_cast<float>(kShadowSize)));
  const glm::vec2 meters = 2.0f * plane.half * shade.half_size;
  const float area = 1.5707963f * meters.x * meters.y;  // of a disc whose weight falls from 1 to 0 as 1 - r^2
  const float volume = spacing * spacing * spacing;
  // For paint, two layers of particles are dark.
  shade.weight = volume / area / (absorption_length > 0 ? absorption_length : 1.2f * spacing);
  return shade;
}

void GroundRenderer::update_shadow(const ParticlePass& pass, const BoxView& box, float absorption_length,
                                   const SolidRenderer* solids) {
  prepare(GL_RGBA16F);
  const Plane plane = plane_under(box, pass.up);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_.name());
  glViewport(0, 0, kShadowSize, kShadowSize);
  const float nothing[4] = {0, 0, 0, 0};
  glClearNamedFramebufferfv(shadow_framebuffer_.name(), GL_COLOR, 0, nothing);
  if (pass.count > 0) {
    const Shade shade = shade_of(plane, pass.spacing, absorption_length);
    set_particle_uniforms(shadow_, pass, kShadowSize);
    shadow_.set("to_shadow", plane.to_shadow);
    shadow_.set("half_size", shade.half_size);
    shadow_.set("colored", absorption_length > 0 ? 1 : 0);
    shadow_.set("weight", shade.weight);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glBindVertexArray(no_attributes_.name());
    shadow_.use();
    draw_particle_squares(pass);
    glDisable(GL_BLEND);
  }
  finish_shadow(plane, solids);
}

void GroundRenderer::finish_shadow(const Plane& plane, const SolidRenderer* solids) {
  if (solids && !solids->empty()) {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_.name());
    glViewport(0, 0, kShadowSize, kShadowSize);
    solids->draw_shadow(plane.to_shadow);
  }
  glGenerateTextureMipmap(shadow_texture_.name());
}

void GroundRenderer::splat_shadow(const ParticleView& particles, const ParticlePass& pass, const BoxView& box,
                                  float absorption_length, const SolidRenderer* solids, const Device& device,
                                  TransferPath path) {
  prepare(GL_RGBA32F);
  if (!splats_) splats_.emplace(device, path);
  const Plane plane = plane_under(box, pass.up);
  const Shade shade = shade_of(plane, pass.spacing, absorption_length);
  const glm::mat4& m = plane.to_shadow;
  ShadowMap map;
  map.size = kShadowSize;
  map.to_x = {m[0][0], m[1][0], m[2][0], m[3][0]};
  map.to_y = {m[0][1], m[1][1], m[2][1], m[3][1]};
  map.half_x = shade.half_size.x, map.half_y = shade.half_size.y;
  map.weight = shade.weight;
  map.colored = absorption_length > 0;
  if (pass.cut) map.cut = make_vec4(pass.cut->normal, pass.cut->offset);
  splats_->color_table.select(pass.scale.colormap);
  SplatLook look = make_splat_look(pass.view, pass.up, pass.scale);
  look.color_map = splats_->color_table.data();
  splats_->pixels.update(device, sizeof(Vec4) * kShadowSize * kShadowSize,
                         [&](void* out) { splats_->splatter.run(particles, map, look, static_cast<Vec4*>(out)); });
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, splats_->pixels.buffer());
  glTextureSubImage2D(shadow_texture_.name(), 0, 0, 0, kShadowSize, kShadowSize, GL_RGBA, GL_FLOAT, nullptr);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  splats_->pixels.drawn();
  finish_shadow(plane, solids);
}

void GroundRenderer::draw(const ParticlePass& pass, const BoxView& box, const Theme& theme) {
  const Plane plane = plane_under(box, pass.up);
  const ViewTransform& view = pass.view;
  const glm::vec3 bottom = to_glm(theme.background_bottom), top = to_glm(theme.background_top);
  const glm::vec3 light = glm::mix(bottom, top, 0.65f);
  floor_.set("depth_transform", view.depth_transform);
  floor_.set("orthographic", view.orthographic ? 1 : 0);
  floor_.set("half_extent", view.half_extent);
  floor_.set("from_view", glm::inverse(view.view));
  floor_.set("origin", plane.origin);
  floor_.set("normal", plane.normal);
  floor_.set("right", plane.right);
  floor_.set("forward", plane.forward);
  floor_.set("tile", round_length(std::max(plane.box_size, 1e-6f) / 14));
  floor_.set("extent", 1.5f * plane.box_size);
  floor_.set("tint", light * light);
  floor_.set("contrast", theme.transparent ? 0.0f : 0.09f);  // only the shadow lies on what is behind the picture
  floor_.set("shadow", 0);
  floor_.set("to_shadow", plane.to_shadow);
  floor_.set("shadow_strength", 0.62f);
  floor_.set("softness", 1.0f);
  glBindTextureUnit(0, shadow_texture_.name());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);  // alpha holds the spheres' outlines
  glBindVertexArray(no_attributes_.name());
  floor_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

}  // namespace riffle::render
