#include "render/overlay/text.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "core/error.h"
#include "render/media/png.h"

namespace riffle::render {
namespace {

constexpr char32_t kMissing = 0x25a1;  // an empty square

}  // namespace

char32_t next_character(std::string_view& utf8) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80         ? 1
                             : (first >> 5) == 6  ? 2
                             : (first >> 4) == 14 ? 3
                             : (first >> 3) == 30 ? 4
                                                  : 0;
  if (length == 0 || length > utf8.size()) {
    utf8.remove_prefix(1);
    return 0xfffd;
  }
  char32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) {
      utf8.remove_prefix(i);
      return 0xfffd;
    }
    code = (code << 6) | (byte(i) & 0x3f);
  }
  utf8.remove_prefix(length);
  return code;
}

Font::Font() {
  std::istringstream in{std::string(find_asset("fonts/dejavu_sans.metrics"))};
  std::string word;
  float size = 0, spread = 0, ascent = 0, descent = 0, width = 0, height = 0;
  in >> word >> size >> word >> spread >> word >> ascent >> word >> descent >> word >> width >> word >> height;
  if (!(size > 0 && width > 0 && height > 0)) throw RuntimeFailure("assets/fonts/dejavu_sans.metrics is damaged");
  distance_range_ = 2 * spread / size;
  std::uint32_t code = 0;
  float advance, x, y, w, h, left, top;
  while (in >> code >> advance >> x >> y >> w >> h >> left >> top)
    glyphs_[code] = {advance / size, left / size, top / size,      w / size,        h / size,
                     x / width,      y / height,  (x + w) / width, (y + h) / height};
}

const Font::Glyph& Font::glyph(char32_t code) const {
  const auto found = glyphs_.find(code);
  return found != glyphs_.end() ? found->second : glyphs_.at(kMissing);
}

float Font::width(std::string_view utf8, float size) const {
  float width = 0;
  while (!utf8.empty()) width += glyph(next_character(utf8)).advance;
  return width * size;
}

Overlay::Overlay()
    : buffer_(GlBuffer::create()),
      atlas_(GlTexture2D::create()),
      no_attributes_(GlVertexArray::create()),
      program_("overlay.vert", "overlay.frag") {
  const GrayImage image = decode_png_gray(find_asset("fonts/dejavu_sans.png"));
  glTextureStorage2D(atlas_.name(), 1, GL_R8, image.width, image.height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(atlas_.name(), 0, 0, 0, image.width, image.height, GL_RED, GL_UNSIGNED_BYTE, image.pixels.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTextureParameteri(atlas_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(atlas_.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(atlas_.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(atlas_.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void Overlay::plate(float left, float top, float right, float bottom, float fade, Vec3 color, float opacity) {
  const float width = right - left, height = bottom - top;
  quads_.push_back({{left - fade, top - fade, right + fade, bottom + fade},
                    {-fade, -fade, width + fade, height + fade},
                    {color.x, color.y, color.z, opacity},
                    {3, fade, width, height}});
}

void Overlay::rectangle(float left, float top, float right, float bottom, Vec3 color, float opacity) {
  quads_.push_back({{left, top, right, bottom}, {0, 0, 1, 1}, {color.x, color.y, color.z, opacity}, {0, 0, 0, 0}});
}

void Overlay::color_bar(float left, float top, float right, float bottom) {
  quads_.push_back({{left, top, right, bottom}, {0, 1, 1, 0}, {1, 1, 1, 1}, {2, 0, 0, 0}});
}

void Overlay::color_row(float left, float top, float right, float bottom) {
  quads_.push_back({{left, top, right, bottom}, {0, 0, 1, 1}, {1, 1, 1, 1}, {2, 1, 0, 0}});
}

void Overlay::text(float x, float y, float size, std::string_view utf8, Vec3 color, Align align) {
  const float width = font_.width(utf8, size);
  float pen = align == Align::Left ? x : align == Align::Right ? x - width : x - 0.5f * width;
  const float baseline = std::round(y);  // puts horizontal strokes on pixel rows, which makes text crisper
  const float pixels = font_.distance_range() * size;
  while (!utf8.empty()) {
    const Font::Glyph& glyph = font_.glyph(next_character(utf8));
    const float left = pen + glyph.left * size, top = baseline - glyph.top * size;
    if (glyph.width > 0)
      quads_.push_back({{left, top, left + glyph.width * size, top + glyph.height * size},
                        {glyph.u0, glyph.v0, glyph.u1, glyph.v1},
                        {color.x, color.y, color.z, 1},
                        {1, pixels, 0.5f, 0.12f * size}});
    pen += glyph.advance * size;
  }
}

void Overlay::draw(int width, int height, GLuint color_map, Vec3 halo) {
  if (quads_.empty()) return;
  // Allocates new storage each time, because the previous picture's may still be in use.
  glNamedBufferData(buffer_.name(), static_cast<GLsizeiptr>(quads_.size() * sizeof(Quad)), quads_.data(),
                    GL_STREAM_DRAW);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBindTextureUnit(0, atlas_.name());
  glBindTextureUnit(1, color_map);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer_.name());
  glBindVertexArray(no_attributes_.name());
  program_.set("viewport", glm::vec2(width, height));
  program_.set("glyphs", 0);
  program_.set("color_map", 1);
  program_.set("halo", glm::vec3(halo.x, halo.y, halo.z));
  program_.use();
  glDrawArrays(GL_TRIANGLES, 0, 6 * size());
  glDisable(GL_BLEND);
}

}  // namespace riffle::render
