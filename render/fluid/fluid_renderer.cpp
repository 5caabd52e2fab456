#include "render/fluid/fluid_renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <iterator>
#include <limits>

#include "render/gl/targets.h"
#include "render/lighting.h"
#include "render/particles/splat_geometry.h"

namespace riffle::render {
namespace {

// In 2-D the field of all discs is 1 inside, and 1/2 at the outline, half a spacing beyond the last row of particles.
constexpr float kFlatRadius = 1.7f;  // [particle spacings]

// A lone particle would not reach 1/2, so it has a core that does, of the particle's own area.
constexpr float kFlatCore = 0.56f;  // [particle spacings]

// What is this far beyond a wall has left the box, and is drawn where it is: in 2-D a particle's middle, in 3-D the
// surface. The sphere of a particle that touches the wall reaches 0.75 beyond it.
constexpr float kStrayParticle = 0.5f, kStraySurface = 1;  // [particle spacings]
constexpr glm::vec2 kAtWall{0.0f, 0.7f};                   // [particle spacings] see fluid_box.frag

/// Least and most of an axis that is not open; without bounds if it is.
glm::vec2 bounds(const BoxView& box, int a) {
  if (box.axis[a] == Axis::Open) return {-1e30f, 1e30f};
  return {component(box.min, a), component(box.max, a)};
}

void clear(const GlFramebuffer& framebuffer, int attachment) {
  const float nothing[4] = {0, 0, 0, 0};
  glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, attachment, nothing);
}

/// R8 with all its levels, between which is interpolated. The caller draws level 0 and makes the others.
void allocate_levels(GlTexture2D& texture, int width, int height) {
  int levels = 1;
  while (std::max(width, height) >> levels > 0) ++levels;
  texture = GlTexture2D::create();
  glTextureStorage2D(texture.name(), levels, GL_R8, width, height);
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void set_camera(const Program& program, const ViewTransform& view) {
  program.set("depth_transform", view.depth_transform);
  program.set("orthographic", view.orthographic ? 1 : 0);
  program.set("half_extent", view.half_extent);
}

/// How paint.glsl mixes.
void set_mixing(const Program& program, const ParticlePass& pass) {
  program.set("mixes_absorption", pass.scale.palette.empty() ? 0 : 1);
}

/// What walls.glsl needs.
void set_walls(const Program& program, const ParticlePass& pass, const BoxView& box) {
  const glm::vec2 x = bounds(box, 0), y = bounds(box, 1), z = bounds(box, 2);
  program.set("view", pass.view.view);
  program.set("box_min", glm::vec3(x[0], y[0], z[0]));
  program.set("box_max", glm::vec3(x[1], y[1], z[1]));
}

float pixels_per_meter(PictureSize size, const ViewTransform& view) {
  return 0.5f * static_cast<float>(size.height) / view.half_extent.y;
}

/// From view space to a frame with y up in the world and axes that do not turn with the camera.
glm::mat3 to_studio(const ViewTransform& view, Vec3 up) {
  const glm::vec3 wanted = to_glm(up);
  const glm::vec3 y = glm::length(wanted) > 1e-6f ? glm::normalize(wanted) : glm::vec3(0, 1, 0);
  const glm::vec3 x =
      glm::normalize(std::abs(y.x) < 0.9f ? glm::vec3(1, 0, 0) - y.x * y : glm::vec3(0, 0, 1) - y.z * y);
  const glm::mat3 world_to_studio = glm::transpose(glm::mat3(x, y, glm::cross(x, y)));
  return world_to_studio * glm::transpose(glm::mat3(view.view));
}

/// What water mirrors and gathers, linear.
struct Studio {
  glm::vec3 top, bottom, around;
  glm::vec3 backdrop;  ///< the background itself
};

/// The background goes on all around a bright studio. In a dark one the lamps still light a sky and a floor, or water
/// would be black on black.
Studio studio_of(const Theme& theme) {
  const Theme bright = Theme::light();
  const auto linear = [](Vec3 color) { return to_glm(color) * to_glm(color); };
  const glm::vec3 top = linear(bright.background_top), bottom = linear(bright.background_bottom);
  if (theme.transparent) return {glm::vec3(1), glm::vec3(1), glm::vec3(0), glm::vec3(1)};  // over white it is right
  const glm::vec3 own_top = linear(theme.background_top), own_bottom = linear(theme.background_bottom);
  const float brightness = glm::dot(0.5f * (own_top + own_bottom), glm::vec3(0.2126f, 0.7152f, 0.0722f));
  const float dark = 1 - glm::smoothstep(0.05f, 0.35f, brightness);
  constexpr float kSky = 0.5f, kAround = 0.4f;
  return {glm::max(own_top, kSky * dark * top), glm::max(own_bottom, kSky * dark * bottom), glm::vec3(kAround * dark),
          0.5f * (own_top + own_bottom)};
}

}  // namespace

FluidRenderer::FluidRenderer()
    : depth_program_("fluid_particle.vert", "fluid_depth.frag", {"SPHERE 1", "SURFACE 0", "LAYERS 0"}),
      layers_program_("fluid_particle.vert", "fluid_depth.frag", {"SPHERE 1", "SURFACE 0", "LAYERS 1"}),
      bulk_program_("fullscreen.vert", "fluid_bulk.frag"),
      filter_program_("fullscreen.vert", "fluid_filter.frag"),
      smooth_program_("fullscreen.vert", "fluid_smooth.frag"),
      thickness_program_("fluid_particle.vert", "fluid_thickness.frag",
                         {"SPHERE 0", "SURFACE 0", "LAYERS 0", "WITHIN 0"}),
      surface_program_("fluid_particle.vert", "fluid_surface.frag", {"SPHERE 0", "SURFACE 1", "LAYERS 0"}),
      shade_program_("fullscreen.vert", "fluid_shade.frag"),
      flat_thickness_program_("fluid_particle.vert", "fluid_thickness.frag",
                              {"SPHERE 0", "SURFACE 0", "LAYERS 0", "WITHIN 0", "FLAT 1"}),
      flat_program_("fullscreen.vert", "fluid_flat.frag"),
      flat_surface_program_("fluid_particle.vert", "fluid_surface.frag",
                            {"SPHERE 0", "SURFACE 1", "LAYERS 0", "FLAT 1"}),
      box_program_("fullscreen.vert", "fluid_box.frag"),
      no_attributes_(GlVertexArray::create()) {}

float FluidRenderer::absorption_length(const FluidStyle& style, const BoxView& box) {
  if (style.absorption_length > 0) return style.absorption_length;
  return std::max(0.2f * std::sqrt(length2(box.max - box.min)), 1e-12f);
}

float FluidRenderer::opacity(const FluidStyle& style, const ColorScale& scale) {
  return std::clamp(style.opacity.value_or(scale.palette.empty() ? 0.75f : 0.0f), 0.0f, 1.0f);
}

float FluidRenderer::filtered_depth_at(int x, int y) const {
  float depth = 0;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, filter_framebuffer_[0].name());
  glReadPixels(x, y, 1, 1, GL_RED, GL_FLOAT, &depth);
  return depth;
}

void FluidRenderer::resize(const Surface& target, const ParticlePass& pass, const BoxView& box,
                           const FluidSplatRenderer* fields) {
  const int width = target.width() * target.factor(), height = target.height() * target.factor();
  // A 2-D fluid's outline, a level line, would show coarse pixels.
  const PictureSize half{(width + 1) / 2, (height + 1) / 2};
  const PictureSize coarse = fields                ? fields->coarse()
                             : box.two_dimensional ? half
                                                   : coarse_size({width, height}, pass.view, box, pass.spacing);
  if (PictureSize{width, height} == size_ && coarse == coarse_ && half_floats_ == !fields) return;
  size_ = {width, height};
  coarse_ = coarse;
  half_floats_ = !fields;
  const auto attach = [](GlFramebuffer& framebuffer, const char* what, std::initializer_list<GLuint> colors,
                         GLuint depth = 0) {
    framebuffer = GlFramebuffer::create();
    GLenum buffers[2];
    GLsizei count = 0;
    for (const GLuint color : colors) {
      buffers[count] = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(count);
      glNamedFramebufferTexture(framebuffer.name(), buffers[count++], color, 0);
    }
    glNamedFramebufferDrawBuffers(framebuffer.name(), count, buffers);
    if (depth) glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, depth, 0);
    check_complete(framebuffer, what);
  };
  for (GlTexture2D& depth : depth_) allocate(depth, GL_R32F, width, height, GL_NEAREST);
  allocate(bulk_, GL_R32F, width, height, GL_NEAREST);
  allocate(nearest_, GL_R32F, width, height, GL_NEAREST);
  attach(bulk_framebuffer_, "fluid bulk", {bulk_.name()});
  allocate(depth_test_, GL_DEPTH_COMPONENT32F, width, height, GL_NEAREST);
  attach(nearest_framebuffer_, "nearest spheres", {nearest_.name()}, depth_test_.name());
  for (int i = 0; i < 2; ++i) attach(depth_framebuffer_[i], "fluid depth", {depth_[i].name()}, depth_test_.name());
  for (int i = 0; i < 2; ++i) attach(filter_framebuffer_[i], "fluid filter", {depth_[i].name()});

  // Half precision would round a sum of many thin layers to steps of a sixteenth of a spacing: stripes along their rows.
  allocate(thickness_, GL_RGBA32F, coarse.width, coarse.height, GL_LINEAR);
  allocate(surface_color_, fields ? GL_RGBA32F : GL_RGBA16F, coarse.width, coarse.height, GL_LINEAR);
  allocate(foam_, fields ? GL_R32F : GL_RG16F, coarse.width, coarse.height, GL_LINEAR);
  attach(thickness_framebuffer_, "fluid thickness", {thickness_.name()});
  attach(surface_framebuffer_, "fluid surface", {surface_color_.name(), foam_.name()});

  allocate_levels(outline_, width, height);
  for (int i = 0; i < 2; ++i) attach(box_framebuffer_[i], "fluid in the box", {depth_[i].name(), outline_.name()});

  within_.reset();
  opaque_depth_.reset();
  areas_.reset();
  allocate(behind_color_, GL_RGBA8, width, height, GL_LINEAR);
  allocate(lined_color_, GL_RGBA8, width, height, GL_NEAREST);
  attach(behind_, "fluid background", {behind_color_.name()});
}

void FluidRenderer::keep_behind(const Surface& target) {
  // The scene's depth texture is replaced whenever the picture's size changes.
  lined_ = GlFramebuffer::create();
  glNamedFramebufferTexture(lined_.name(), GL_COLOR_ATTACHMENT0, lined_color_.name(), 0);
  glNamedFramebufferTexture(lined_.name(), GL_DEPTH_ATTACHMENT, target.scene_depth(), 0);
  check_complete(lined_, "lines behind the fluid");
  for (const GLuint copy : {behind_.name(), lined_.name()})
    glBlitNamedFramebuffer(target.scene(), copy, 0, 0, size_.width, size_.height, 0, 0, size_.width, size_.height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void FluidRenderer::bind_lined() const {
  glBindFramebuffer(GL_FRAMEBUFFER, lined_.name());
  glViewport(0, 0, size_.width, size_.height);
}

/// [m] from the fluid's surface outwards to the spheres' mean surface. Averaged over a square cell of the lattice, spheres
/// of radius R spacings are about sqrt(R^2 - 1/6) high. The fluid ends half a spacing beyond its outermost particles.
float FluidRenderer::bump(const ParticlePass& pass, const FluidStyle& style) {
  const float height = std::sqrt(std::max(style.surface_radius * style.surface_radius - 1.0f / 6, 0.0f)) - 0.5f;
  return height * pass.spacing;
}

void FluidRenderer::keep_depth(const Surface& target) {
  if (!within_) {
    allocate(within_, half_floats_ ? GL_RGBA16F : GL_RGBA32F, coarse_.width, coarse_.height, GL_LINEAR);
    within_framebuffer_ = GlFramebuffer::create();
    glNamedFramebufferTexture(within_framebuffer_.name(), GL_COLOR_ATTACHMENT0, within_.name(), 0);
    check_complete(within_framebuffer_, "fluid before solids");
  }
  if (!opaque_depth_) {
    allocate(opaque_depth_, GL_DEPTH_COMPONENT32F, size_.width, size_.height, GL_NEAREST);
    opaque_ = GlFramebuffer::create();
    glNamedFramebufferTexture(opaque_.name(), GL_DEPTH_ATTACHMENT, opaque_depth_.name(), 0);
    glNamedFramebufferDrawBuffer(opaque_.name(), GL_NONE);
    check_complete(opaque_, "depth behind the fluid");
    allocate(shore_bulk_, GL_RG32F, size_.width, size_.height, GL_NEAREST);
    shore_framebuffer_ = GlFramebuffer::create();
    glNamedFramebufferTexture(shore_framebuffer_.name(), GL_COLOR_ATTACHMENT1, shore_bulk_.name(), 0);
    allocate(shore_changed_, GL_R8, size_.width, size_.height, GL_NEAREST);
    glNamedFramebufferTexture(shore_framebuffer_.name(), GL_COLOR_ATTACHMENT2, shore_changed_.name(), 0);
    const GLenum all[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
    glNamedFramebufferDrawBuffers(shore_framebuffer_.name(), 3, all);
  }
  glBlitNamedFramebuffer(target.scene(), opaque_.name(), 0, 0, size_.width, size_.height, 0, 0, size_.width,
                         size_.height, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

void FluidRenderer::draw_depth(const ParticlePass& pass, float radius) {
  glViewport(0, 0, size_.width, size_.height);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glBindTextureUnit(0, thickness_.name());
  const auto draw = [&](const Program& program, const GlFramebuffer& framebuffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    clear(framebuffer, 0);
    const float far = 0;
    glClearNamedFramebufferfv(framebuffer.name(), GL_DEPTH, 0, &far);
    set_particle_uniforms(program, pass, size_.height);
    program.set("sphere_radius", radius);
    program.set("thickness", 0);
    program.set("lone_thickness", peak(kThicknessRadius));
    program.use();
    draw_particle_squares(pass);
  };
  draw(depth_program_, nearest_framebuffer_);
  set_around(layers_program_, pass, {kDropSame, kDropOther});
  layers_program_.set("depth", 1);
  layers_program_.set("drop_shares", glm::vec2(kDropOwn, kDropBehind));
  layers_program_.set("behind_all", kSplatBehindAll);
  const GlTexture2D* from = &nearest_;
  for (int pass = kDropPasses; pass-- > 0; from = &depth_[pass % 2]) {
    glBindTextureUnit(1, from->name());
    draw(layers_program_, depth_framebuffer_[pass % 2]);
  }
}

void FluidRenderer::set_around(const Program& program, const ParticlePass& pass, glm::vec2 same) const {
  program.set("reach", kBulkReach * pass.spacing);
  program.set("pixels_per_meter", pixels_per_meter(size_, pass.view));
  program.set("same", pass.spacing * same);
  program.set("orthographic", pass.view.orthographic ? 1 : 0);
}

void FluidRenderer::find_bulk(const ParticlePass& pass) {
  glDisable(GL_DEPTH_TEST);
  set_around(bulk_program_, pass, {kBulkSame, kBulkOther});
  bulk_program_.set("depth", 0);
  bulk_program_.set("shares", glm::vec2(kBulkBegins, kBulkComplete));
  bulk_program_.use();
  glBindFramebuffer(GL_FRAMEBUFFER, bulk_framebuffer_.name());
  glBindTextureUnit(0, depth_[0].name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void FluidRenderer::set_filter(const Program& program, const ParticlePass& pass, const FluidStyle& style) const {
  program.set("depth", 0);
  program.set("bulk", 1);
  program.set("orthographic", pass.view.orthographic ? 1 : 0);
  program.set("deviation", style.smoothing * pass.spacing);
  program.set("pixels_per_meter", pixels_per_meter(size_, pass.view));
  program.set("range", style.range * pass.spacing);
}

void FluidRenderer::filter_depth(const ParticlePass& pass, const FluidStyle& style) {
  if (!(style.smoothing > 0)) return;
  glDisable(GL_DEPTH_TEST);
  glBindTextureUnit(1, bulk_.name());
  int from = 0;
  const auto filter = [&](const Program& program) {
    glBindFramebuffer(GL_FRAMEBUFFER, filter_framebuffer_[1 - from].name());
    glBindTextureUnit(0, depth_[from].name());
    program.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    from = 1 - from;
  };
  set_filter(filter_program_, pass, style);
  for (const glm::ivec2 direction : {glm::ivec2(1, 0), glm::ivec2(0, 1)}) {
    filter_program_.set("direction", direction);
    filter(filter_program_);
  }
  set_filter(smooth_program_, pass, style);
  for (const int apart : kSmoothSteps) {
    smooth_program_.set("apart", apart);
    filter(smooth_program_);
  }
  static_assert(std::size(kSmoothSteps) % 2 == 0, "the result is in depth_[0]");
}

void FluidRenderer::add_thickness(const ParticlePass& pass) {
  add_discs(thickness_program_, thickness_framebuffer_, pass, kThicknessRadius * pass.spacing, peak(kThicknessRadius));
}

void FluidRenderer::add_within(const ParticlePass& pass) {
  if (!within_program_)
    within_program_ =
        Program("fluid_particle.vert", "fluid_thickness.frag", {"SPHERE 0", "SURFACE 0", "LAYERS 0", "WITHIN 1"});
  glBindTextureUnit(0, depth_[0].name());
  within_program_.set("depth", 0);
  within_program_.set("pixel_size",
                      glm::vec2(1.0f / static_cast<float>(coarse_.width), 1.0f / static_cast<float>(coarse_.height)));
  within_program_.set("within", glm::vec4(kWithin[0], kWithin[1], kWithin[2], kWithin[3]));
  within_program_.set("spacing", pass.spacing);
  add_discs(within_program_, within_framebuffer_, pass, kThicknessRadius * pass.spacing, peak(kThicknessRadius));
}

void FluidRenderer::add_discs(const Program& program, const GlFramebuffer& target, const ParticlePass& pass,
                              float radius, float weight) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.name());
  glViewport(0, 0, coarse_.width, coarse_.height);
  clear(target, 0);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  set_particle_uniforms(program, pass, coarse_.height);
  program.set("sphere_radius", radius);
  program.set("weight", weight);
  set_mixing(program, pass);
  program.use();
  draw_particle_squares(pass);
  glDisable(GL_BLEND);
}

void FluidRenderer::add_surface(const Program& program, const ParticlePass& pass, float radius, float foam_speed,
                                bool in_front_only) {
  glBindFramebuffer(GL_FRAMEBUFFER, surface_framebuffer_.name());
  glViewport(0, 0, coarse_.width, coarse_.height);
  clear(surface_framebuffer_, 0);
  clear(surface_framebuffer_, 1);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  const bool speeds = pass.speed_offset && foam_speed > 0;
  if (speeds)
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, pass.vertices, static_cast<GLintptr>(*pass.speed_offset),
                      static_cast<GLsizeiptr>(pass.count) * static_cast<GLsizeiptr>(sizeof(float)));
  else
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, pass.vertices);  // not read, but a block needs a buffer
  glBindTextureUnit(0, in_front_only ? depth_[0].name() : 0);
  glBindTextureUnit(1, thickness_.name());
  set_particle_uniforms(program, pass, coarse_.height);
  program.set("sphere_radius", radius * pass.spacing);
  program.set("depth", 0);
  program.set("thickness", 1);
  program.set("lone_thickness", peak(radius));
  program.set("has_speeds", speeds ? 1 : 0);
  program.set("foam_speed", foam_speed);
  program.set("pixel_size",
              glm::vec2(1.0f / static_cast<float>(coarse_.width), 1.0f / static_cast<float>(coarse_.height)));
  set_mixing(program, pass);
  program.set("reach", kSurfaceReach * pass.spacing);
  program.use();
  draw_particle_squares(pass);
  glDisable(GL_BLEND);
}

void FluidRenderer::shade(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, const Theme& theme,
                          const Surface& target, bool solids) {
  if (solids && !shade_with_solids_) shade_with_solids_ = Program("fullscreen.vert", "fluid_shade.frag", {"SOLIDS 1"});
  const Program& program = solids ? shade_with_solids_ : shade_program_;
  const Lighting lights = lighting_of(pass.view, pass.up);
  const Studio studio = studio_of(theme);
  glBindFramebuffer(GL_FRAMEBUFFER, target.scene());
  glViewport(0, 0, size_.width, size_.height);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  const GLuint textures[] = {depth_[0].name(),
                             thickness_.name(),
                             surface_color_.name(),
                             foam_.name(),
                             behind_color_.name(),
                             lined_color_.name(),
                             solids ? shore_bulk_.name() : bulk_.name(),
                             outline_.name()};
  const char* names[] = {"depth", "thickness", "surface", "foam", "behind", "lined", "bulk", "outline"};
  for (int i = 0; i < 8; ++i) {
    glBindTextureUnit(static_cast<GLuint>(i), textures[i]);
    program.set(names[i], i);
  }
  if (solids) {
    glBindTextureUnit(8, opaque_depth_.name());
    program.set("opaque", 8);
    glBindTextureUnit(9, nearest_.name());
    program.set("nearest", 9);
    glBindTextureUnit(10, within_.name());
    program.set("within", 10);
    program.set("backdrop", studio.backdrop);
    program.set("within_depths", glm::vec4(kWithin[0], kWithin[1], kWithin[2], kWithin[3]));
  }
  program.set("lone_thickness", peak(kThicknessRadius));
  set_camera(program, pass.view);
  program.set("key_light", lights.key);
  program.set("sky", lights.sky);
  program.set("sky_top", studio.top);
  program.set("sky_bottom", studio.bottom);
  program.set("around", studio.around);
  program.set("to_studio", to_studio(pass.view, pass.up));
  program.set("spacing", pass.spacing);
  program.set("absorption_length", absorption_length(style, box));
  program.set("opacity", opacity(style, pass.scale));
  set_mixing(program, pass);
  set_color_map(program, pass);
  program.set("refractive_index", std::max(style.refractive_index, 1.0f));
  program.set("farthest_exit", 0.25f * std::sqrt(length2(box.max - box.min)));
  program.set("bump", bump(pass, style));
  set_walls(program, pass, box);
  program.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void FluidRenderer::reach_solids(const ParticlePass& pass, const FluidStyle& style) {
  if (!shore_program_) {
    shore_program_ = Program("fullscreen.vert", "fluid_shore.frag");
    smooth_shore_program_ = Program("fullscreen.vert", "fluid_smooth.frag", {"SHORE 1"});
  }
  glNamedFramebufferTexture(shore_framebuffer_.name(), GL_COLOR_ATTACHMENT0, depth_[1].name(), 0);
  glBindFramebuffer(GL_FRAMEBUFFER, shore_framebuffer_.name());
  glViewport(0, 0, size_.width, size_.height);
  glDisable(GL_DEPTH_TEST);
  glBindTextureUnit(0, depth_[0].name());
  glBindTextureUnit(1, bulk_.name());
  glBindTextureUnit(2, opaque_depth_.name());
  set_camera(shore_program_, pass.view);
  shore_program_.set("depth", 0);
  shore_program_.set("bulk", 1);
  shore_program_.set("opaque", 2);
  shore_program_.set("spacing", pass.spacing);
  shore_program_.set("bump", bump(pass, style));
  shore_program_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  swap_depths();
  set_filter(smooth_shore_program_, pass, style);
  glBindTextureUnit(1, shore_changed_.name());
  for (const int apart : kShoreSteps) {
    smooth_shore_program_.set("apart", apart);
    smooth_shore_program_.use();
    glBindFramebuffer(GL_FRAMEBUFFER, filter_framebuffer_[1].name());
    glBindTextureUnit(0, depth_[0].name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    swap_depths();
  }
}

void FluidRenderer::swap_depths() {
  std::swap(depth_[0], depth_[1]);
  std::swap(box_framebuffer_[0], box_framebuffer_[1]);
  std::swap(depth_framebuffer_[0], depth_framebuffer_[1]);
  std::swap(filter_framebuffer_[0], filter_framebuffer_[1]);
}

void FluidRenderer::end_at_walls(const ParticlePass& pass, const BoxView& box) {
  glDisable(GL_DEPTH_TEST);
  set_camera(box_program_, pass.view);
  set_walls(box_program_, pass, box);
  box_program_.set("depth", 0);
  box_program_.set("spacing", pass.spacing);
  box_program_.set("stray", kStraySurface * pass.spacing);
  box_program_.set("at_wall", pass.spacing * kAtWall);
  box_program_.use();
  glBindFramebuffer(GL_FRAMEBUFFER, box_framebuffer_[1].name());
  glViewport(0, 0, size_.width, size_.height);
  glBindTextureUnit(0, depth_[0].name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glGenerateTextureMipmap(outline_.name());
  swap_depths();
}

void FluidRenderer::find_surface(const ParticlePass& pass, const BoxView& box, const FluidStyle& style, FrameCost& cost,
                                 FluidSplatRenderer* fields, bool solids) {
  glBindVertexArray(no_attributes_.name());
  if (fields) {
    fields->hand_over(depth_[0].name(), solids ? nearest_.name() : 0, solids ? within_.name() : 0, bulk_.name(),
                      thickness_.name(), surface_color_.name(), foam_.name());
    if (solids) reach_solids(pass, style);
    end_at_walls(pass, box);
    cost.end_stage("fluid transfer");
  } else {
    add_thickness(pass);
    cost.end_stage("fluid thickness");
    draw_depth(pass, style.surface_radius * pass.spacing);
    cost.end_stage("fluid depth");
    find_bulk(pass);
    filter_depth(pass, style);
    if (solids) reach_solids(pass, style);
    end_at_walls(pass, box);
    cost.end_stage("fluid filter");
    if (solids) add_within(pass);
    add_surface(surface_program_, pass, kSurfaceRadius, style.foam_speed, true);
    cost.end_stage("fluid color");
  }
}

void FluidRenderer::draw_areas(const ParticlePass& pass, const SolidRenderer& areas) {
  if (!areas_) {
    allocate_levels(areas_, coarse_.width, coarse_.height);
    areas_framebuffer_ = GlFramebuffer::create();
    glNamedFramebufferTexture(areas_framebuffer_.name(), GL_COLOR_ATTACHMENT0, areas_.name(), 0);
    check_complete(areas_framebuffer_, "solids beside the fluid");
  }
  glBindFramebuffer(GL_FRAMEBUFFER, areas_framebuffer_.name());
  glViewport(0, 0, coarse_.width, coarse_.height);
  clear(areas_framebuffer_, 0);
  areas.draw_mask(pass);
  glGenerateTextureMipmap(areas_.name());
}

namespace {

/// 0.5..1: by how much smaller the fields of a 2-D fluid are drawn than the picture, around its middle, so that they hold what
/// discs draw beyond the faces of the box and beyond the picture's edge. 1: the picture holds all of that.
float fields_scale(const ViewTransform& view, const BoxView& box, float reach) {
  float nearest = std::numeric_limits<float>::infinity();  // [m] eye depth of the box
  bool within = true;
  for (const float x : {box.min.x - reach, box.max.x + reach})
    for (const float y : {box.min.y - reach, box.max.y + reach}) {
      const glm::vec4 eye = view.view * glm::vec4(x, y, 0, 1), clip = view.projection * eye;
      nearest = std::min(nearest, -eye.z);
      within = within && clip.w > 0 && std::fabs(clip.x) <= clip.w && std::fabs(clip.y) <= clip.w;
    }
  if (within) return 1;
  constexpr float kMost = 1;  // half of the picture's extent on each side
  const float depth = view.orthographic ? 1 : nearest, least = std::min(view.half_extent.x, view.half_extent.y);
  // A face may lie by `reach` beyond the edge, and what is drawn beyond it by as much again.
  const float margin = depth > 0 ? 2 * reach / (least * depth) : kMost;
  return 1 / (1 + std::min(margin, kMost));
}

/// The same with a view that is wider by 1 / scale. What is drawn is that much smaller, around the middle.
ParticlePass widened(const ParticlePass& pass, float scale) {
  ParticlePass wide = pass;
  wide.view.projection = glm::scale(glm::mat4(1), glm::vec3(scale, scale, 1)) * pass.view.projection;
  wide.view.half_extent /= scale;
  return wide;
}

}  // namespace

void FluidRenderer::draw_flat(const ParticlePass& pass, const BoxView& box, const Surface& target, const Theme& theme,
                              FrameCost& cost, const SolidRenderer* areas) {
  const float scale = fields_scale(pass.view, box, kFlatRadius * pass.spacing);
  const ParticlePass fields = widened(pass, scale);
  if (areas) draw_areas(fields, *areas);
  glBindVertexArray(no_attributes_.name());
  const glm::vec2 x = bounds(box, 0), y = bounds(box, 1);
  const float beyond = kStrayParticle * pass.spacing;
  for (const Program* program : {&flat_thickness_program_, &flat_surface_program_})
    program->set("walls", glm::vec4(x[0] - beyond, y[0] - beyond, x[1] + beyond, y[1] + beyond));
  flat_surface_program_.set("core", kFlatCore / kFlatRadius);
  add_discs(flat_thickness_program_, thickness_framebuffer_, fields, kFlatRadius * pass.spacing, peak(kFlatRadius));
  cost.end_stage("fluid thickness");
  add_surface(flat_surface_program_, fields, kFlatRadius, 0, false);
  cost.end_stage("fluid color");

  const glm::vec3 ink = to_glm(theme.ink);
  glBindFramebuffer(GL_FRAMEBUFFER, target.scene());
  glViewport(0, 0, size_.width, size_.height);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GEQUAL);  // the outer half of the outline writes the background's depth
  glDepthMask(GL_TRUE);
  glBindTextureUnit(0, surface_color_.name());
  glBindTextureUnit(1, thickness_.name());
  glBindTextureUnit(2, behind_color_.name());
  glBindTextureUnit(3, foam_.name());
  glBindTextureUnit(4, areas ? areas_.name() : 0);
  set_camera(flat_program_, pass.view);
  flat_program_.set("fields_scale", scale);
  flat_program_.set("surface", 0);
  set_mixing(flat_program_, pass);
  set_color_map(flat_program_, pass);
  flat_program_.set("thickness", 1);
  flat_program_.set("behind", 2);
  flat_program_.set("cores", 3);
  flat_program_.set("solids", 4);
  flat_program_.set("has_solids", areas ? 1 : 0);
  flat_program_.set("view", pass.view.view);
  flat_program_.set("box_min", glm::vec2(box.min.x, box.min.y));
  flat_program_.set("box_max", glm::vec2(box.max.x, box.max.y));
  flat_program_.set("faces", glm::ivec2(static_cast<int>(box.axis[0]), static_cast<int>(box.axis[1])));
  flat_program_.set("reach", kFlatRadius * pass.spacing);
  flat_program_.set("ink", ink * ink);
  flat_program_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_GREATER);
  cost.end_stage("fluid shading");
}

}  // namespace riffle::render
