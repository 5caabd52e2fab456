#include "render/sphere_renderer.h"

#include <algorithm>
#include <limits>

#include "render/color_map.h"
#include "render/lighting.h"

namespace riffle {

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

SphereRenderer::SphereRenderer() : program_("sphere.vert", "sphere.frag"), no_attributes_(GlVertexArray::create()) {}

void SphereRenderer::draw(GLuint vertices, int count, float radius, const ViewTransform& view, Vec3 up,
                          const ColorScale& scale, const ColorMapTexture& color_map, int height) {
  if (count <= 0 || !(radius > 0)) return;
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);

  program_.set("view", view.view);
  program_.set("projection", view.projection);
  program_.set("sphere_radius", radius);
  program_.set("orthographic", view.orthographic ? 1 : 0);
  program_.set("depth_transform", view.depth_transform);
  program_.set("pixel_angle", 2 * view.half_extent.y / static_cast<float>(height));

  const Lighting light = lighting_of(view, up);
  program_.set("key_light", light.key);
  program_.set("sky", light.sky);

  const float extent = scale.max - scale.min;
  program_.set("value_range", glm::vec2(scale.min, extent > 0 ? 1 / extent : 0.0f));
  std::array<glm::vec3, 8> colors{};
  const std::size_t size = std::min(scale.palette.size(), colors.size());
  for (std::size_t i = 0; i < size; ++i)
    colors[i] = {scale.palette[i].rgb.x, scale.palette[i].rgb.y, scale.palette[i].rgb.z};
  program_.set("palette_size", static_cast<int>(size));
  program_.set("palette", std::span<const glm::vec3>(colors));
  program_.set("color_map", 0);
  glBindTextureUnit(0, color_map.name());

  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, vertices);
  glBindVertexArray(no_attributes_.name());
  program_.use();
  // Six vertices per particle counted in an int: 2^31 / 6 particles are 5.7 GB of vertices, beyond one buffer's size
  // anyway.
  glDrawArrays(GL_TRIANGLES, 0, 6 * std::min(count, std::numeric_limits<int>::max() / 6));
}

}  // namespace riffle
