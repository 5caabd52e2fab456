#include "render/particles/sphere_renderer.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <vector>

#include "render/lighting.h"

namespace riffle::render {

SphereRenderer::SphereRenderer()
    : program_("sphere.vert", "sphere.frag", {"HIGHLIGHTS 0"}), no_attributes_(GlVertexArray::create()) {}

void SphereRenderer::draw_with(const Program& program, const ParticlePass& pass, int height) {
  set_particle_uniforms(program, pass, height);
  program.set("sphere_radius", pass.radius);
  const Lighting lights = lighting_of(pass.view, pass.up);
  program.set("key_light", lights.key);
  program.set("sky", lights.sky);
  glBindVertexArray(no_attributes_.name());
  program.use();
  draw_particle_squares(pass);
}

void SphereRenderer::draw(const ParticlePass& pass, int height) {
  if (pass.count <= 0 || !(pass.radius > 0)) return;
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  draw_with(program_, pass, height);
}

void SphereRenderer::draw_highlights(std::span<const Highlight> highlights, float radius, const ParticlePass& pass,
                                     bool through, int height) {
  if (highlights.empty() || !(radius > 0)) return;
  if (!highlight_program_) {
    highlight_program_ = Program("sphere.vert", "sphere.frag", {"HIGHLIGHTS 1"});
    highlight_vertices_ = GlBuffer::create();
    highlight_colors_ = GlBuffer::create();
  }
  // Back to front, because spheres that are drawn through everything have no depth test.
  std::vector<Highlight> sorted(highlights.begin(), highlights.end());
  const auto depth = [&](const Highlight& h) { return (pass.view.view * glm::vec4(to_glm(h.position), 1)).z; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  std::vector<glm::vec4> vertices, colors;
  for (const Highlight& h : sorted) {
    const glm::vec3 srgb = to_glm(h.color);
    vertices.emplace_back(to_glm(h.position), 0.0f);
    colors.emplace_back(srgb * srgb, h.radius_scale);
  }
  const auto bytes = static_cast<GLsizeiptr>(vertices.size() * sizeof(glm::vec4));
  glNamedBufferData(highlight_vertices_.name(), bytes, vertices.data(), GL_STREAM_DRAW);
  glNamedBufferData(highlight_colors_.name(), bytes, colors.data(), GL_STREAM_DRAW);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, highlight_colors_.name());

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(through ? GL_ALWAYS : GL_GREATER);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  ParticlePass own = pass;
  own.vertices = highlight_vertices_.name();
  own.count = static_cast<int>(sorted.size());
  own.radius = radius;
  own.cut.reset();  // shows highlights even on the side that is cut away
  draw_with(highlight_program_, own, height);
}

}  // namespace riffle::render
