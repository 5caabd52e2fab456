#include "render/particles/particle_pass.h"

#include <algorithm>
#include <array>
#include <limits>

#include "render/color_map.h"

namespace riffle::render {

namespace {
constexpr GLuint kColorMapUnit = 11;  // above those that single passes bind
}

void ColorMapTexture::select(const std::string& name) {
  if (texture_ && name == map_) return;
  const auto table = color_map(name);
  if (!texture_) {
    texture_ = GlTexture2D::create();
    glTextureStorage2D(texture_.name(), 1, GL_RGB8, kColorMapSize, 1);
    glTextureParameteri(texture_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture_.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture_.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(texture_.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  glTextureSubImage2D(texture_.name(), 0, 0, 0, kColorMapSize, 1, GL_RGB, GL_UNSIGNED_BYTE, table.data());
  map_ = name;
}

void set_color_map(const Program& program, const ParticlePass& pass) {
  program.set("color_map", static_cast<int>(kColorMapUnit));
  glBindTextureUnit(kColorMapUnit, pass.color_map.name());
}

void set_particle_uniforms(const Program& program, const ParticlePass& pass, int height) {
  const ViewTransform& view = pass.view;
  program.set("view", view.view);
  program.set("projection", view.projection);
  program.set("orthographic", view.orthographic ? 1 : 0);
  program.set("depth_transform", view.depth_transform);
  program.set("pixel_angle", 2 * view.half_extent.y / static_cast<float>(height));
  program.set("cut_plane",
              pass.cut ? glm::vec4(to_glm(pass.cut->normal), pass.cut->offset) : glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));

  const ColorScale& scale = pass.scale;
  const float extent = scale.max - scale.min;
  program.set("value_range", glm::vec2(scale.min, extent > 0 ? 1 / extent : 0.0f));
  std::array<glm::vec3, 8> colors{};
  const std::size_t size = std::min(scale.palette.size(), colors.size());
  for (std::size_t i = 0; i < size; ++i) colors[i] = to_glm(scale.palette[i].rgb);
  program.set("palette_size", static_cast<int>(size));
  program.set("palette", std::span<const glm::vec3>(colors));
  set_color_map(program, pass);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, pass.vertices);
}

void draw_particle_squares(const ParticlePass& pass) {
  // OpenGL counts six vertices per particle in an int. 2^31 / 6 particles are 5.7 GB of vertices, more than a buffer
  // can hold in any case.
  glDrawArrays(GL_TRIANGLES, 0, 6 * std::min(pass.count, std::numeric_limits<int>::max() / 6));
}

}  // namespace riffle::render
