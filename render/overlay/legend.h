#pragma once
/// The colour bar or palette with its numbers, and the caption line.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
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

/// What legend and caption should not cover.
struct Occupied {
  Outline domain;
  std::function<Outline()> particles;  ///< called only where the domain leaves no place; none: as the domain
  bool stays = false;                  ///< the legend keeps its place all the same, as for a camera that moves

  Occupied() = default;
  Occupied(Outline of_domain) : domain(std::move(of_domain)) {}
  bool touches(const PixelRect& rect) const;
};

/// Lays out the legend for a picture of width x height pixels; every size follows from the height. The legend is at the
/// right edge, half way up. If it would touch the domain or the caption there, it becomes a little smaller, moves to a
/// corner or to the left edge, or becomes a row along the upper or lower edge. Where the domain leaves no such place, it
/// avoids the particles alone. Without any place it is half way up on a plate that makes it legible, but a picture below
/// some 550 x 370 pixels, where text has its smallest size, then has no legend.
/// @param density  screen pixels per pixel of a screen with 96 to the inch: text keeps its size on a dense screen
/// @return the part of the picture that it covers; empty without a legend
PixelRect layout_legend(Overlay& overlay, const ColorScale& scale, const Theme& theme, int width, int height,
                        const Occupied& occupied = {}, const PixelRect& caption = {}, float density = 1);

/// Part of the picture's width that the legend takes, with room on both of its sides [pixel].
float legend_width(const Font& font, const ColorScale& scale, int width, int height, float density = 1);

/// Lays out the caption at the lower edge, on a plate where it would touch what is occupied. A small picture, as above,
/// has no caption then.
/// @return the part of the picture that it covers; empty without a caption
PixelRect layout_caption(Overlay& overlay, std::string_view caption, const Theme& theme, int width, int height,
                         const Occupied& occupied = {}, float density = 1);

}  // namespace riffle::render
