#include "render/overlay/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

/// The size at which a text fits a width, at most `size`.
float fitting_size(const Font& font, std::string_view text, float size, float width) {
  const float natural = font.width(text, size);
  return natural > width ? size * width / natural : size;
}

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

namespace {

std::string title_of(const ColorScale& scale, const Ticks& ticks) {
  std::string unit = scale.unit;
  if (ticks.exponent != 0) unit = fmt::format("10{}{}{}", superscript(ticks.exponent), unit.empty() ? "" : " ", unit);
  return unit.empty() ? scale.quantity : fmt::format("{} [{}]", scale.quantity, unit);
}

constexpr float kAvailable = 0.22f;  // largest share of the width for a text

/// A square and a name for each entry of the palette, below a title.
class PaletteLegend {
 public:
  PaletteLegend(const Font& font, const ColorScale& scale, float em, float picture_width)
      : font_(font), scale_(scale), em_(em), count_(std::min<std::size_t>(scale.palette.size(), 8)) {
    const float available = kAvailable * picture_width;
    float widest = 0;
    for (std::size_t i = 0; i < count_; ++i) widest = std::max(widest, font.width(scale.palette[i].name, em));
    title_size_ = fitting_size(font, scale.quantity, 1.05f * em, available);
    text_width_ = std::min(widest, available - 2 * em);
  }
  float width() const { return std::max(text_width_ + 1.6f * em_, font_.width(scale_.quantity, title_size_)); }
  float above() const { return 1.9f * em_; }  ///< height of the title over the squares
  float height() const { return kPitch * em_ * static_cast<float>(count_); }
  float smallest_text() const {
    float smallest = title_size_;
    for (std::size_t i = 0; i < count_; ++i)
      smallest = std::min(smallest, fitting_size(font_, scale_.palette[i].name, em_, text_width_));
    return smallest;
  }

  void draw(Overlay& overlay, const Theme& theme, float right, float y, float line) const {
    const float left = std::round(right - width()), cap = font_.cap_height() * em_;
    overlay.text(left, y - 0.9f * em_, title_size_, scale_.quantity, theme.ink);
    for (std::size_t i = 0; i < count_; ++i, y += kPitch * em_) {
      const PaletteEntry& entry = scale_.palette[i];
      overlay.rectangle(left - line, y - line, left + em_ + line, y + em_ + line, theme.ink, 0.55f);
      overlay.rectangle(left, y, left + em_, y + em_, entry.rgb);
      overlay.text(left + 1.6f * em_, y + 0.5f * (em_ + cap), fitting_size(font_, entry.name, em_, text_width_),
                   entry.name, theme.ink);
    }
  }

 private:
  static constexpr float kPitch = 1.75f;  // [em]
  const Font& font_;
  const ColorScale& scale_;
  float em_;
  std::size_t count_;
  float title_size_, text_width_;
};

/// The colour map from its lower to its upper end with numbers beside it, below a title.
class BarLegend {
 public:
  BarLegend(const Font& font, const ColorScale& scale, float em, float picture_width, float picture_height)
      : font_(font),
        scale_(scale),
        em_(em),
        height_(std::round(std::min(18.8f * em, 0.6f * picture_height))),
        ticks_(nice_ticks(scale.min, scale.max, std::clamp(static_cast<int>(height_ / (2.5f * em)), 2, 5))),
        title_(title_of(scale, ticks_)),
        title_size_(fitting_size(font, title_, 1.05f * em, kAvailable * picture_width)) {
    for (const Tick& tick : ticks_.ticks) labels_ = std::max(labels_, font.width(tick.label, em));
  }
  float width() const { return std::max(labels_ + 0.75f * em_ + std::round(em_), font_.width(title_, title_size_)); }
  float above() const { return 2 * em_; }
  float height() const { return height_; }
  float smallest_text() const { return title_size_; }

  void draw(Overlay& overlay, const Theme& theme, float edge, float top, float line) const {
    const float bottom = top + height_, cap = font_.cap_height() * em_;
    const float right = std::round(edge - labels_ - 0.75f * em_), left = right - std::round(em_);
    overlay.rectangle(left - line, top - line, right + line, bottom + line, theme.ink, 0.8f);
    overlay.color_bar(left, top, right, bottom);
    const float extent = scale_.max - scale_.min;
    for (const Tick& tick : ticks_.ticks) {
      const float t = extent != 0 ? static_cast<float>((tick.value - scale_.min) / extent) : 0.5f;
      const float y = std::round(bottom - t * height_);
      const float row = std::clamp(y - 0.5f * line, top, bottom - line);
      overlay.rectangle(right + line, row, right + line + 0.35f * em_, row + line, theme.ink, 0.8f);
      overlay.text(edge, y + 0.5f * cap, em_, tick.label, theme.ink, Overlay::Align::Right);
    }
    overlay.text(edge, top - 1.0f * em_, title_size_, title_, theme.ink, Overlay::Align::Right);
  }

 private:
  const Font& font_;
  const ColorScale& scale_;
  float em_, height_;
  Ticks ticks_;
  std::string title_;
  float title_size_, labels_ = 0;
};

/// Calls `use` with the kind of legend that fits the scale.
template <class Use>
auto with_legend(const Font& font, const ColorScale& scale, float em, float width, float height, const Use& use) {
  return scale.palette.empty() ? use(BarLegend(font, scale, em, width, height))
                               : use(PaletteLegend(font, scale, em, width));
}

constexpr float kMargin = 1.3f, kGap = 0.6f;  // [em] distance to the picture's edge and to what it must not touch

struct Place {
  float em = 0, top = 0;  ///< [pixel] size of its text; upper edge of the part below its title
};

bool overlap(const PixelRect& a, const PixelRect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

float half_way_up(const auto& legend, float picture_height) {
  return std::round(0.5f * (picture_height - legend.height()));
}

/// Half way up if that place is free, or else smaller or in a free corner. Without a free place it is half way up, but
/// in a small picture, of which it would hide too much, it is left out.
std::optional<Place> place_of_legend(const Font& font, const ColorScale& scale, float w, float h, float density,
                                     const Outline& clear_of, const PixelRect& caption) {
  const float full = text_size(w, h, density);
  const bool small = is_small(w, h, density);
  for (const float em : {full, 0.85f * full, 0.72f * full}) {
    const std::optional<Place> free = with_legend(font, scale, em, w, h, [&](const auto& legend) {
      const float highest = kMargin * em + legend.above(), lowest = h - kMargin * em - legend.height();
      const float left = w - (kMargin + kGap) * em - legend.width();
      if (small && legend.smallest_text() < kLeastLegible * density) return std::optional<Place>();
      for (const float top : {half_way_up(legend, h), std::floor(lowest), std::ceil(highest)}) {
        const PixelRect rect{left, top - legend.above() - kGap * em, w, top + legend.height() + kGap * em};
        if (top >= highest && top <= lowest && !clear_of.touches(rect) && !overlap(rect, caption))
          return std::optional<Place>({em, top});
      }
      return std::optional<Place>();
    });
    if (free) return free;
  }
  if (small) return std::nullopt;
  return Place{full, with_legend(font, scale, full, w, h, [&](const auto& legend) { return half_way_up(legend, h); })};
}

}  // namespace

PixelRect layout_legend(Overlay& overlay, const ColorScale& scale, const Theme& theme, int width, int height,
                        const Outline& clear_of, const PixelRect& caption, float density) {
  const float w = static_cast<float>(width), h = static_cast<float>(height);
  const float line = std::max(1.0f, std::round(h / 720));
  const std::optional<Place> place = place_of_legend(overlay.font(), scale, w, h, density, clear_of, caption);
  if (!place) return {};
  return with_legend(overlay.font(), scale, place->em, w, h, [&](const auto& legend) {
    const float right = w - kMargin * place->em;
    legend.draw(overlay, theme, right, place->top, line);
    return PixelRect{right - legend.width(), place->top - legend.above(), right, place->top + legend.height()};
  });
}

float legend_width(const Font& font, const ColorScale& scale, int width, int height, float density) {
  const float w = static_cast<float>(width), h = static_cast<float>(height), em = text_size(w, h, density);
  return with_legend(font, scale, em, w, h, [&](const auto& legend) { return legend.width() + (kMargin + kGap) * em; });
}

PixelRect layout_caption(Overlay& overlay, std::string_view caption, const Theme& theme, int width, int height,
                         const Outline& clear_of, float density) {
  if (caption.empty()) return {};
  const float w = static_cast<float>(width), h = static_cast<float>(height), em = text_size(w, h, density);
  const float left = kMargin * em, size = fitting_size(overlay.font(), caption, em, w - 2 * left);
  const bool small = is_small(w, h, density);
  if (small && size < kLeastLegible * density) return {};
  for (const float margin : {kMargin * em, 0.5f * em}) {
    const float base = h - margin;
    const PixelRect rect{left, base - overlay.font().cap_height() * size, left + overlay.font().width(caption, size),
                         base + 0.3f * size};
    if (small && clear_of.touches(rect)) continue;
    overlay.text(left, base, size, caption, theme.ink);
    return rect;
  }
  return {};
}

}  // namespace riffle::render
