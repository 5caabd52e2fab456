// Draws the signed-distance atlas of a font. It is not part of the build: its output is kept beside it.
//   c++ -std=c++20 -O2 make_atlas.cpp -o make_atlas $(pkg-config --cflags --libs freetype2 libpng)
//   ./make_atlas /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf dejavu_sans
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include <png.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kSize = 44;    // [pixel] per em in the atlas
constexpr int kSpread = 6;   // [pixel] that the distance reaches to either side of the outline
constexpr int kWidth = 512;  // [pixel] of the atlas

std::vector<unsigned> characters() {
  std::vector<unsigned> list;
  for (unsigned c = 0x20; c < 0x7f; ++c) list.push_back(c);
  for (unsigned c = 0xa0; c <= 0xff; ++c) list.push_back(c);  // Latin-1: names, degrees, micro, squares and cubes
  for (const unsigned c : {0x0394u, 0x03a6u, 0x03a9u, 0x03b1u, 0x03b2u, 0x03b3u, 0x03b5u, 0x03b7u, 0x03b8u, 0x03bau,
                           0x03bbu, 0x03bcu, 0x03bdu, 0x03c0u, 0x03c1u, 0x03c3u, 0x03c4u, 0x03c6u, 0x03c9u})
    list.push_back(c);
  for (const unsigned c :
       {0x2013u, 0x2014u, 0x2018u, 0x2019u, 0x201cu, 0x201du, 0x2022u, 0x2026u, 0x2070u, 0x2074u, 0x2075u,
        0x2076u, 0x2077u, 0x2078u, 0x2079u, 0x207bu, 0x2080u, 0x2081u, 0x2082u, 0x2083u, 0x2190u, 0x2192u,
        0x2202u, 0x2207u, 0x2212u, 0x221au, 0x221eu, 0x2248u, 0x2260u, 0x2264u, 0x2265u, 0x25a1u})
    list.push_back(c);
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: make_atlas FONT.ttf OUTPUT\n"), 2;
  FT_Library library;
  FT_Face face;
  if (FT_Init_FreeType(&library) || FT_New_Face(library, argv[1], 0, &face))
    return std::fprintf(stderr, "no font\n"), 1;
  FT_Int spread = kSpread;
  FT_Property_Set(library, "sdf", "spread", &spread);
  FT_Set_Pixel_Sizes(face, 0, kSize);

  struct Glyph {
    unsigned code;
    int x, y, width, height, left, top;
    double advance;
    std::vector<unsigned char> pixels;
  };
  std::vector<Glyph> glyphs;
  for (const unsigned code : characters()) {
    const FT_UInt index = FT_Get_Char_Index(face, code);
    if (!index || FT_Load_Glyph(face, index, FT_LOAD_NO_HINTING)) continue;
    Glyph glyph{code, 0, 0, 0, 0, 0, 0, face->glyph->linearHoriAdvance / 65536.0, {}};
    if (face->glyph->outline.n_points > 0 && !FT_Render_Glyph(face->glyph, FT_RENDER_MODE_SDF)) {
      const FT_Bitmap& bitmap = face->glyph->bitmap;
      glyph.width = static_cast<int>(bitmap.width);
      glyph.height = static_cast<int>(bitmap.rows);
      glyph.left = face->glyph->bitmap_left;
      glyph.top = face->glyph->bitmap_top;
      for (int y = 0; y < glyph.height; ++y)
        glyph.pixels.insert(glyph.pixels.end(), bitmap.buffer + y * bitmap.pitch,
                            bitmap.buffer + y * bitmap.pitch + glyph.width);
    }
    glyphs.push_back(std::move(glyph));
  }

  std::vector<Glyph*> by_height;
  for (Glyph& glyph : glyphs) by_height.push_back(&glyph);
  std::stable_sort(by_height.begin(), by_height.end(),
                   [](const Glyph* a, const Glyph* b) { return a->height > b->height; });
  int x = 0, y = 0, row = 0;
  for (Glyph* glyph : by_height) {
    if (x + glyph->width > kWidth) x = 0, y += row + 1, row = 0;
    glyph->x = x, glyph->y = y;
    x += glyph->width + 1;
    row = std::max(row, glyph->height);
  }
  const int height = y + row;
  std::vector<unsigned char> atlas(static_cast<std::size_t>(kWidth * height), 0);
  for (const Glyph& glyph : glyphs)
    for (int r = 0; r < glyph.height; ++r)
      std::memcpy(&atlas[static_cast<std::size_t>((glyph.y + r) * kWidth + glyph.x)],
                  &glyph.pixels[static_cast<std::size_t>(r * glyph.width)], static_cast<std::size_t>(glyph.width));

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = kWidth, image.height = static_cast<png_uint_32>(height), image.format = PNG_FORMAT_GRAY;
  if (!png_image_write_to_file(&image, (std::string(argv[2]) + ".png").c_str(), 0, atlas.data(), 0, nullptr)) return 1;
  std::FILE* out = std::fopen((std::string(argv[2]) + ".metrics").c_str(), "w");
  std::fprintf(out, "size %d spread %d ascent %.3f descent %.3f width %d height %d\n", kSize, kSpread,
               face->size->metrics.ascender / 64.0, face->size->metrics.descender / 64.0, kWidth, height);
  for (const Glyph& g : glyphs)
    std::fprintf(out, "%u %.3f %d %d %d %d %d %d\n", g.code, g.advance, g.x, g.y, g.width, g.height, g.left, g.top);
  std::fclose(out);
}
