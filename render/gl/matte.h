#pragma once
/// Makes a picture without a background from two: over black and over white. Whatever was drawn and blended, outlines,
/// lines, glass or text, thus gets the right alpha.

#include "render/gl/gl_objects.h"
#include "render/gl/surface.h"

namespace riffle::render {

class Matte {
 public:
  Matte() : program_("fullscreen.vert", "matte.frag"), no_attributes_(GlVertexArray::create()) {}

  void keep_over_black(const Surface& surface) { keep(surface, over_black_); }  ///< copies the finished picture
  /// The finished picture is over white. It becomes the one with alpha.
  void finish(const Surface& surface);

 private:
  static void keep(const Surface& surface, GlTexture2D& copy);

  Program program_;
  GlTexture2D over_black_, over_white_;
  GlVertexArray no_attributes_;
};

}  // namespace riffle::render
