#include "render/particles/splat_renderer.h"

#include <algorithm>

#include "core/error.h"
#include "render/lighting.h"

namespace riffle::render {
namespace {

constexpr int kRowAlignment = 256 / sizeof(SplatPixel);  // [pixel]

Vec4 row_of(const glm::mat4& m, int row) { return {m[0][row], m[1][row], m[2][row], m[3][row]}; }

std::size_t largest_storage_block() {
  GLint64 bytes = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  return static_cast<std::size_t>(bytes);
}

}  // namespace

SplatFrame make_splat_frame(const ViewTransform& view, int width, int height, float radius,
                            const std::optional<CutPlane>& cut) {
  SplatFrame frame;
  frame.width = width;
  frame.height = height;
  frame.pitch = (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  frame.eye_x = row_of(view.view, 0);
  frame.eye_y = row_of(view.view, 1);
  frame.eye_z = row_of(view.view, 2);
  if (cut) frame.cut = make_vec4(cut->normal, cut->offset);
  frame.radius = radius;
  frame.orthographic = view.orthographic;
  frame.perspective = view.orthographic ? 0.0f : 1.0f;
  frame.step_x = 2 * view.half_extent.x / static_cast<float>(width);
  frame.step_y = 2 * view.half_extent.y / static_cast<float>(height);
  frame.first_x = 0.5f * frame.step_x - view.half_extent.x;
  frame.first_y = 0.5f * frame.step_y - view.half_extent.y;
  frame.pixel_angle = frame.step_y;
  frame.near_depth = view.near_depth;
  frame.depth_x = view.depth_transform.x;
  frame.depth_y = view.depth_transform.y;
  return frame;
}

SplatLook make_splat_look(const ViewTransform& view, Vec3 up, const ColorScale& scale) {
  SplatLook look;
  const Lighting light = lighting_of(view, up);
  look.key_light = {light.key.x, light.key.y, light.key.z};
  look.sky = {light.sky.x, light.sky.y, light.sky.z};
  const float extent = scale.max - scale.min;
  look.least = scale.min;
  look.inverse_extent = extent > 0 ? 1 / extent : 0.0f;
  look.palette_size = static_cast<int>(std::min(scale.palette.size(), std::size(look.palette)));
  for (int i = 0; i < look.palette_size; ++i) look.palette[i] = scale.palette[static_cast<std::size_t>(i)].rgb;
  return look;
}

SplatRenderer::SplatRenderer(const Device& device, TransferPath path, std::size_t largest_block)
    : device_(device),
      splatter_(device),
      pixels_(device, path),
      color_table_(device),
      program_("fullscreen.vert", "splat.frag"),
      no_attributes_(GlVertexArray::create()),
      largest_block_(largest_block > 0 ? largest_block : largest_storage_block()) {}

void SplatRenderer::render(const ParticleView& particles, const ViewTransform& view, Vec3 up, const ColorScale& scale,
                           const std::optional<CutPlane>& cut, int width, int height) {
  if (particles.count > 0 && !(particles.device == device_))
    throw RuntimeFailure("the particles to draw are on another device than the renderer was made for");
  color_table_.select(scale.colormap);
  frame_ = make_splat_frame(view, width, height, particles.radius, cut);
  SplatLook look = make_splat_look(view, up, scale);
  look.color_map = color_table_.data();
  ParticleView shown = particles;
  if (shown.count <= 0) shown.device = device_;  // an empty view need not name its device
  splatter_.splat(shown, frame_);
  const std::size_t bytes =
      static_cast<std::size_t>(frame_.pitch) * static_cast<std::size_t>(height) * sizeof(SplatPixel);
  pixels_.update(shown.device, bytes,
                 [&](void* out) { splatter_.shade(shown, frame_, look, static_cast<SplatPixel*>(out)); });
}

void SplatRenderer::compose() {
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glBindVertexArray(no_attributes_.name());
  program_.set("pitch", frame_.pitch);
  program_.use();
  // A picture larger than a shader may read at once (128 MiB on Mesa's software OpenGL) goes in bands of rows.
  const std::size_t row_bytes = static_cast<std::size_t>(frame_.pitch) * sizeof(SplatPixel);
  const int most_rows = static_cast<int>(std::clamp<std::size_t>(largest_block_ / row_bytes, 1, 1 << 20));
  const PixelBox box = splatter_.covered(frame_);
  glEnable(GL_SCISSOR_TEST);
  for (int first = box.y0; first <= box.y1; first += most_rows) {
    const int rows = std::min(most_rows, box.y1 + 1 - first);
    glScissor(box.x0, first, box.x1 + 1 - box.x0, rows);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, pixels_.buffer(),
                      static_cast<GLintptr>(row_bytes * static_cast<std::size_t>(first)),
                      static_cast<GLsizeiptr>(row_bytes * static_cast<std::size_t>(rows)));
    program_.set("first_row", first);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glDisable(GL_SCISSOR_TEST);
  pixels_.drawn();
}

}  // namespace riffle::render
