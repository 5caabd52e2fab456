#include "render/overlay/line_renderer.h"

namespace riffle::render {

LineRenderer::LineRenderer()
    : program_("line.vert", "line.frag"), buffer_(GlBuffer::create()), no_attributes_(GlVertexArray::create()) {}

void LineRenderer::draw(const std::vector<Segment>& segments, const ViewTransform& view, const LineStyle& style,
                        int width, int height) {
  if (segments.empty()) return;
  std::vector<glm::vec4> ends;
  ends.reserve(2 * segments.size());
  for (const Segment& s : segments) {
    ends.emplace_back(s.a.x, s.a.y, s.a.z, 0.0f);
    ends.emplace_back(s.b.x, s.b.y, s.b.z, 0.0f);
  }
  glNamedBufferData(buffer_.name(), static_cast<GLsizeiptr>(ends.size() * sizeof(glm::vec4)), ends.data(),
                    GL_STREAM_DRAW);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer_.name());

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);  // alpha holds the spheres' outlines
  if (style.front && !hidden_program_) hidden_program_ = Program("line.vert", "line.frag", {"HIDDEN 1"});
  const Program& program = style.front ? hidden_program_ : program_;
  if (style.front) {
    glBindTextureUnit(0, style.front->depth);
    program.set("surface", 0);
    program.set("bump", style.front->bump);
    program.set("depth_transform", view.depth_transform);
  }
  program.set("view", view.view);
  program.set("projection", view.projection);
  program.set("orthographic", view.orthographic ? 1 : 0);
  program.set("near_depth", view.near_depth);
  program.set("forward", style.forward);
  program.set("viewport", glm::vec2(width, height));
  program.set("half_width", 0.5f * style.pixels);
  program.set("fade_range", style.fade_range);
  program.set("line_color", style.color);
  glBindVertexArray(no_attributes_.name());
  program.use();
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * segments.size()));
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace riffle::render
