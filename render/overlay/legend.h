#pragma once
/// The colour bar or palette with its numbers, and the caption line.

#include <string>
#include <string_view>
#include <vector>

#include "render/overlay/box_renderer.h"
#include "render/overlay/outline.h"
#include "render/overlay/text.h"
#include "render/view.h"

namespace riffle {

struct Tick {
  double value = 0;
  std::string label;  ///< of value / 10^exponent
};

/// Round numbers (1, 2 or 5 times a power of ten apart) in [min, max], about `wanted` of them.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;  ///< labels are to be multiplied by 10^exponent: a multiple of 3, 0 for ordinary numbers
};
Ticks nice_ticks(double min, double max, int wanted);

/// Lays out for a picture of width x height pixels; every size follows from the height. The legend stands at the right
/// edge, half way up; where it would touch `clear_of` or the caption there, and a little smaller or in a corner of that
/// edge it would not, it is so. A picture below some 550 x 370 pixels, where text is as small as it may be, is without a
/// legend that it has no free and legible place for.
/// @param density  of the screen, of which that many pixels are one of 96 to the inch: text is no smaller there
/// @return what it takes of the picture; nothing where there is none
PixelRect layout_legend(Overlay& overlay, const ColorScale& scale, const Theme& theme, int width, int height,
                        const Outline& clear_of = {}, const PixelRect& caption = {}, float density = 1);

/// [pixel] that the legend takes of the picture's width, with room to both of its sides.
float legend_width(const Font& font, const ColorScale& scale, int width, int height, float density = 1);

/// At the lower edge. A small picture, as above, is without a caption that would touch `clear_of`.
/// @return what it takes of the picture; nothing where there is none
PixelRect layout_caption(Overlay& overlay, std::string_view caption, const Theme& theme, int width, int height,
                         const Outline& clear_of = {}, float density = 1);

}  // namespace riffle
