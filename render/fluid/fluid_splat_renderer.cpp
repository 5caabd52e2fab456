#include "render/fluid/fluid_splat_renderer.h"

#include "core/error.h"
#include "render/particles/splat_renderer.h"

namespace riffle::render {

void FluidSplatRenderer::render(const ParticleView& particles, const ViewTransform& view, const ColorScale& scale,
                                const std::optional<CutPlane>& cut, const BoxView& box, const FluidStyle& style,
                                PictureSize scene, bool solids) {
  if (particles.count > 0 && !(particles.device == device_))
    throw RuntimeFailure("the particles to draw are on another device than the renderer was made for");
  const float spacing = particles.spacing > 0 ? particles.spacing : 2 * particles.radius;
  const PictureSize coarse = coarse_size(scene, view, box, spacing);
  splat_.spacing = spacing;
  splat_.fine = make_splat_frame(view, scene.width, scene.height, style.surface_radius * spacing, cut);
  splat_.coarse = make_splat_frame(view, coarse.width, coarse.height, kThicknessRadius * spacing, cut);
  static_assert(kSurfaceRadius == kThicknessRadius, "one frame serves the discs of both");
  color_table_.select(scale.colormap);
  splat_.look = make_splat_look(view, {0, 1, 0}, scale);
  splat_.look.color_map = color_table_.data();
  splat_.foam_speed = style.foam_speed;
  splat_.solids = solids;
  DepthFilter& filter = splat_.filter;
  filter.width = scene.width;
  filter.height = scene.height;
  filter.pitch = splat_.fine.pitch;
  filter.deviation = style.smoothing * spacing;
  filter.pixels_per_meter = 0.5f * static_cast<float>(scene.height) / view.half_extent.y;
  filter.range = style.range * spacing;
  filter.orthographic = view.orthographic;
  ParticleView shown = particles;
  if (shown.count <= 0) shown.device = device_;  // an empty view need not name its device
  pixels_.update(device_, fluid_layout(splat_).bytes, [&](void* out) { splatter_.run(shown, splat_, out); });
}

void FluidSplatRenderer::hand_over(GLuint depth, GLuint nearest, GLuint within, GLuint bulk, GLuint thickness,
                                   GLuint color, GLuint foam) {
  const FluidLayout layout = fluid_layout(splat_);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, pixels_.buffer());
  const auto copy = [](GLuint texture, GLenum format, const SplatFrame& frame, std::size_t from) {
    glPixelStorei(GL_UNPACK_ROW_LENGTH, frame.pitch);
    glTextureSubImage2D(texture, 0, 0, 0, frame.width, frame.height, format, GL_FLOAT,
                        reinterpret_cast<const void*>(from));
  };
  copy(depth, GL_RED, splat_.fine, layout.depth);
  if (nearest) copy(nearest, GL_RED, splat_.fine, layout.nearest);
  if (within) copy(within, GL_RGBA, splat_.coarse, layout.within);
  copy(bulk, GL_RED, splat_.fine, layout.bulk);
  copy(thickness, GL_RGBA, splat_.coarse, layout.thickness);
  copy(color, GL_RGBA, splat_.coarse, layout.color);
  copy(foam, GL_RED, splat_.coarse, layout.foam);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  pixels_.drawn();
}

}  // namespace riffle::render
