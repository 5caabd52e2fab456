#pragma once
/// The colour bar or palette with its numbers, and the caption line.

#include <string>
#include <string_view>
#include <vector>

#include "render/overlay/box_renderer.h"
#include "render/overlay/outline.h"
#include "render/overlay/text.h"
#include "render/view.h"

namespace riffle::render {

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

/// Lays out the legend for a picture of width x height pixels; every size follows from the height. The legend is at the
/// right edge, half way up. If it would touch `clear_of` or the caption there, it becomes a little smaller or moves to
/// a corner of that edge, where that helps. A picture below some 550 x 370 pixels, where text has its smallest size,
/// has no legend if there is no free and legible place.
/// @param density  screen pixels per pixel of a screen with 96 to the inch: text keeps its size on a dense screen
/// @return the part of the picture that it covers; empty without a legend
PixelRect layout_legend(Overlay& overlay, const ColorScale& scale, const Theme& theme, int width, int height,
                        const Outline& clear_of = {}, const PixelRect& caption = {}, float density = 1);

/// Part of the picture's width that the legend takes, with room on both of its sides [pixel].
float legend_width(const Font& font, const ColorScale& scale, int width, int height, float density = 1);

/// Lays out the caption at the lower edge. A small picture, as above, has no caption if it would touch `clear_of`.
/// @return the part of the picture that it covers; empty without a caption
PixelRect layout_caption(Overlay& overlay, std::string_view caption, const Theme& theme, int width, int height,
                         const Outline& clear_of = {}, float density = 1);

}  // namespace riffle::render
