#pragma once
/// Text and rectangles over the finished picture, sharp at any size: glyphs are signed distances.

#include <string_view>
#include <unordered_map>
#include <vector>

#include "render/gl/gl_objects.h"
#include "render/view.h"

namespace riffle::render {

/// Metrics of the embedded font; sizes are in pixels per em.
class Font {
 public:
  struct Glyph {
    float advance = 0;                     ///< [em]
    float left = 0, top = 0;               ///< [em] of its rectangle: right of the pen, above the baseline
    float width = 0, height = 0;           ///< [em]
    float u0 = 0, v0 = 0, u1 = 0, v1 = 0;  ///< in the atlas, 0..1
  };
  Font();
  float width(std::string_view utf8, float size) const;     ///< [pixel]
  float cap_height() const { return 0.729f; }               ///< [em] of DejaVu Sans
  float distance_range() const { return distance_range_; }  ///< [em] spanned by the atlas's 0..1
  const Glyph& glyph(char32_t code) const;                  ///< an empty square for a character that is not in the font

 private:
  std::unordered_map<char32_t, Glyph> glyphs_;
  float distance_range_ = 0;
};

/// Removes the first character from a UTF-8 text and returns it; U+FFFD for a broken sequence.
char32_t next_character(std::string_view& utf8);

/// Collects a picture's rectangles and glyphs, then draws them in one call. Pixels count from the upper left corner.
class Overlay {
 public:
  enum class Align { Left, Center, Right };

  Overlay();
  void clear() { quads_.clear(); }
  void rectangle(float left, float top, float right, float bottom, Vec3 color, float opacity = 1);
  /// A rectangle that fades out over `fade` pixels around it.
  void plate(float left, float top, float right, float bottom, float fade, Vec3 color, float opacity);
  void color_bar(float left, float top, float right, float bottom);  ///< with the map's upper end on top
  void color_row(float left, float top, float right, float bottom);  ///< with the map's upper end at the right
  /// @param y of the baseline
  void text(float x, float y, float size, std::string_view utf8, Vec3 color, Align align = Align::Left);
  void draw(int width, int height, GLuint color_map, Vec3 halo);

  const Font& font() const { return font_; }
  int size() const { return static_cast<int>(quads_.size()); }

 private:
  struct Quad {  ///< layout of overlay.vert
    float place[4], texture[4], color[4], kind[4];
  };
  Font font_;
  std::vector<Quad> quads_;
  GlBuffer buffer_;
  GlTexture2D atlas_;
  GlVertexArray no_attributes_;
  Program program_;
};

}  // namespace riffle::render
