#include "render/overlay/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "render/overlay/legend_kinds.h"

namespace riffle::render {
namespace {

std::string superscript(int number) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

/// Prints neither "-0" nor a hyphen for a minus.
std::string number_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_of("123456789") == std::string::npos && text.front() == '-') text.erase(0, 1);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

constexpr float kSmallText = 9;     // [pixel] on a screen with 96 pixels per inch
constexpr float kLeastLegible = 6;  // [pixel] likewise

/// Size of the text [pixel]: follows from the height, but is smaller in a picture that is too narrow.
float text_size(float width, float height, float density) {
  return std::max(std::min(height * 0.0245f, width * 0.0165f), kSmallText * density);
}

/// Whether the text takes a larger share of this picture than of a usual one.
bool is_small(float width, float height, float density) {
  return text_size(width, height, density) <= kSmallText * density;
}

constexpr int kMostDecimals = 9;  // enough to distinguish numbers from 0.01 on that differ by a millionth

}  // namespace

Ticks nice_ticks(double min, double max, int wanted) {
  Ticks result;
  if (!std::isfinite(min) || !std::isfinite(max)) return result;
  if (max < min) std::swap(min, max);
  const double largest = std::max(std::abs(min), std::abs(max));
  if (largest > 0 && (largest >= 1e5 || largest < 1e-2))
    result.exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3));
  const double unit = std::pow(10.0, result.exponent);
  const double low = min / unit, high = max / unit, extent = high - low;
  if (!(extent > 1e-6 * largest / unit)) {
    result.ticks.push_back({min, number_text(low, largest == 0 ? 0 : 3)});
    return result;
  }
  const double raw = extent / std::max(wanted, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double multiple : {1.0, 2.0, 5.0, 10.0})
    if (extent / (multiple * power) <= wanted + 0.5) {
      step = multiple * power;
      break;
    }
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-6)), 0, kMostDecimals);
  const double slack = 1e-6 * extent;
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
    result.ticks.push_back({k * step * unit, number_text(k * step, decimals)});
  return result;
}

std::string legends::title_of(const ColorScale& scale, const Ticks& ticks) {
  std::string unit = scale.unit;
  if (ticks.exponent != 0) unit = fmt::format("10{}{}{}", superscript(ticks.exponent), unit.empty() ? "" : " ", unit);
  return unit.empty() ? scale.quantity : fmt::format("{} [{}]", scale.quantity, unit);
}

namespace {

constexpr float kMargin = 1.3f, kGap = 0.6f;  // [em] distance to the picture's edge and to what it must not touch
constexpr float kRowMargin = 0.7f;            // [em] of a row to the upper or lower edge

/// Calls `use` with the form of legend that fits the scale.
template <class Use>
auto with_legend(const Font& font, const ColorScale& scale, float em, bool row, float width, float height,
                 const Use& use) {
  if (row)
    return scale.palette.empty() ? use(legends::BarRow(font, scale, em, width))
                                 : use(legends::PaletteRow(font, scale, em));
  return scale.palette.empty() ? use(legends::BarColumn(font, scale, em, width, height))
                               : use(legends::PaletteColumn(font, scale, em, width));
}

struct Place {
  float em = 0;              ///< [pixel] size of its text
  bool row = false;          ///< or a column
  float right = 0, top = 0;  ///< [pixel] its right edge; upper edge of the part below its title
  PixelRect rect;            ///< all of it
};

bool overlap(const PixelRect& a, const PixelRect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

PixelRect grown(const PixelRect& rect, float by) {
  return {rect.left - by, rect.top - by, rect.right + by, rect.bottom + by};
}

/// Finds places in one picture.
class Places {
 public:
  Places(const Font& font, const ColorScale& scale, float width, float height, float density, const PixelRect& caption)
      : font_(font), scale_(scale), width_(width), height_(height), density_(density), caption_(caption) {}

  template <class Use>
  auto with(float em, bool row, const Use& use) const {
    return with_legend(font_, scale_, em, row, width_, height_, use);
  }

  bool small() const { return is_small(width_, height_, density_); }

  /// The first free one; the smaller ones come after the larger ones.
  std::optional<Place> free_of(const Outline& outline) const {
    const float full = text_size(width_, height_, density_);
    for (const bool row : {false, true})
      for (const bool at_left : {false, true})
        for (const float em : {full, 0.85f * full, 0.72f * full})
          for (const Place& place : candidates(em, row, at_left))
            if (!outline.touches(reserved(place)) && !overlap(reserved(place), caption_)) return place;
    return std::nullopt;
  }

  /// Half way up at the right edge.
  Place usual() const {
    const float em = text_size(width_, height_, density_);
    return with(em, false, [&](const auto& legend) {
      return placed(legend, em, false, width_ - kMargin * em, half_way_up(legend));
    });
  }

 private:
  template <class Legend>
  float half_way_up(const Legend& legend) const {
    return std::round(0.5f * (height_ - legend.height()));
  }

  template <class Legend>
  static Place placed(const Legend& legend, float em, bool row, float right, float top) {
    return {em,
            row,
            right,
            top,
            {right - legend.width(), top - legend.above(), right, top + legend.height() + legend.below()}};
  }

  /// A column keeps the whole strip to its edge free: what lies beside it could be taken for a part of it.
  PixelRect reserved(const Place& place) const {
    PixelRect rect = grown(place.rect, kGap * place.em);
    if (place.row) return rect;
    if (place.right > 0.5f * width_)
      rect.right = width_;
    else
      rect.left = 0;
    return rect;
  }

  /// The ones that lie in the picture, the best first.
  std::vector<Place> candidates(float em, bool row, bool at_left) const {
    return with(em, row, [&](const auto& legend) {
      std::vector<Place> list;
      if (small() && legend.smallest_text() < kLeastLegible * density_) return list;
      const float margin = (row ? kRowMargin : kMargin) * em;
      const float highest = std::ceil(margin + legend.above()),
                  lowest = std::floor(height_ - margin - legend.below() - legend.height());
      const float right = at_left ? std::ceil(kMargin * em + legend.width()) : width_ - kMargin * em;
      const auto add = [&](float top) {
        if (top >= highest && top <= lowest && right - legend.width() >= kMargin * em && right <= width_)
          list.push_back(placed(legend, em, row, right, top));
      };
      if (!row) add(half_way_up(legend));
      add(lowest);
      add(highest);
      return list;
    });
  }

  const Font& font_;
  const ColorScale& scale_;
  float width_, height_, density_;
  PixelRect caption_;
};

/// Behind what lies on the fluid, which would make text illegible. It fades out, or its edge would be the hardest line of
/// the picture.
void draw_plate(Overlay& overlay, const Theme& theme, const PixelRect& rect, float em) {
  const PixelRect plate = grown(rect, 0.25f * em);
  overlay.plate(plate.left, plate.top, plate.right, plate.bottom, 1.5f * em, theme.halo, 0.85f);
}

}  // namespace

bool Occupied::touches(const PixelRect& rect) const {
  return domain.touches(rect) && (!particles || particles().touches(rect));
}

PixelRect layout_legend(Overlay& overlay, const ColorScale& scale, const Theme& theme, int width, int height,
                        const Occupied& occupied, const PixelRect& caption, float density) {
  const float w = static_cast<float>(width), h = static_cast<float>(height);
  const float line = std::max(1.0f, std::round(h / 720));
  const Places places(overlay.font(), scale, w, h, density, caption);
  std::optional<Place> place = places.free_of(occupied.stays ? Outline() : occupied.domain);
  if (!place && occupied.particles) place = places.free_of(occupied.particles());
  if (!place && places.small()) return {};
  if (!place) place = places.usual();
  with_legend(overlay.font(), scale, place->em, place->row, w, h, [&](const auto& legend) {
    for (const PixelRect& part : legend.parts(place->right, place->top))
      if (occupied.touches(part)) draw_plate(overlay, theme, part, place->em);
    legend.draw(overlay, theme, place->right, place->top, line);
  });
  return place->rect;
}

float legend_width(const Font& font, const ColorScale& scale, int width, int height, float density) {
  const float w = static_cast<float>(width), h = static_cast<float>(height), em = text_size(w, h, density);
  return with_legend(font, scale, em, false, w, h,
                     [&](const auto& legend) { return legend.width() + (kMargin + kGap) * em; });
}

PixelRect layout_caption(Overlay& overlay, std::string_view caption, const Theme& theme, int width, int height,
                         const Occupied& occupied, float density) {
  if (caption.empty()) return {};
  const float w = static_cast<float>(width), h = static_cast<float>(height), em = text_size(w, h, density);
  const float left = kMargin * em, size = legends::fitting_size(overlay.font(), caption, em, w - 2 * left);
  const bool small = is_small(w, h, density);
  if (small && size < kLeastLegible * density) return {};
  for (const float margin : {kMargin * em, 0.5f * em}) {
    const float base = h - margin;
    const PixelRect rect{left, base - overlay.font().cap_height() * size, left + overlay.font().width(caption, size),
                         base + 0.3f * size};
    const bool covers = occupied.touches(rect);
    if (small && !occupied.stays && covers) continue;
    if (covers) draw_plate(overlay, theme, rect, em);
    overlay.text(left, base, size, caption, theme.ink);
    return rect;
  }
  return {};
}

}  // namespace riffle::render
