#pragma once
/// The forms of a legend: a palette or a colour bar, as a column or as a row. Private to the legend.
///
/// Each has width(), height() and, beside that height, above() and below() [pixel]; draw() gets the right edge and the
/// upper edge of the part of that height. parts() are the title and what is below it, or the whole row: the corners
/// between a wide title and a narrow bar are not the legend's.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "render/color_map.h"
#include "render/overlay/legend.h"

namespace riffle::render::legends {

inline constexpr float kAvailable = 0.22f;  // largest share of the width for a text

/// The size at which a text fits a width, at most `size`.
inline float fitting_size(const Font& font, std::string_view text, float size, float width) {
  const float natural = font.width(text, size);
  return natural > width ? size * width / natural : size;
}

std::string title_of(const ColorScale& scale, const Ticks& ticks);  ///< "speed [m/s]"

using Parts = std::vector<PixelRect>;

/// The pointed ends of a bar: values lie beyond.
class Points {
 public:
  Points(const ColorScale& scale, float em) : scale_(scale), length_(std::round(0.7f * em)) {}
  float length() const { return length_; }

  void draw_upright(Overlay& overlay, const Theme& theme, float left, float top, float right, float bottom,
                    float line) const {
    const float middle = 0.5f * (left + right);
    draw(theme, line, [&](bool upper, float k, float share, Vec3 color, float wider, float opacity) {
      const float y = upper ? top - k - 1 : bottom + k, half = 0.5f * share * (right - left) + wider;
      overlay.rectangle(middle - half, y, middle + half, y + 1, color, opacity);
    });
  }
  void draw_lying(Overlay& overlay, const Theme& theme, float left, float top, float right, float bottom,
                  float line) const {
    const float middle = 0.5f * (top + bottom);
    draw(theme, line, [&](bool upper, float k, float share, Vec3 color, float wider, float opacity) {
      const float x = upper ? right + k : left - k - 1, half = 0.5f * share * (bottom - top) + wider;
      overlay.rectangle(x, middle - half, x + 1, middle + half, color, opacity);
    });
  }

 private:
  /// One pixel of length after the other.
  template <class Put>
  void draw(const Theme& theme, float line, const Put& put) const {
    const auto map = color_map(scale_.colormap);
    for (const bool upper : {false, true}) {
      if (upper ? !scale_.above : !scale_.below) continue;
      const auto [r, g, b] = upper ? map.back() : map.front();
      const Vec3 color{static_cast<float>(r) / 255, static_cast<float>(g) / 255, static_cast<float>(b) / 255};
      for (float k = 0; k < length_; ++k) {
        const float share = 1 - (k + 0.5f) / length_;
        put(upper, k, share, theme.ink, line, 0.8f);
        put(upper, k, share, color, 0.0f, 1.0f);
      }
    }
  }

  const ColorScale& scale_;
  float length_;
};

/// A square of the palette, with an edge.
inline void draw_swatch(Overlay& overlay, const Theme& theme, float left, float top, float size, float line, Vec3 rgb) {
  overlay.rectangle(left - line, top - line, left + size + line, top + size + line, theme.ink, 0.55f);
  overlay.rectangle(left, top, left + size, top + size, rgb);
}

inline constexpr std::size_t kMostEntries = 8;  // of a palette

/// Where a tick is on its bar, 0..1.
inline float place_of(const Tick& tick, const ColorScale& scale) {
  const float extent = scale.max - scale.min;
  return extent != 0 ? static_cast<float>((tick.value - scale.min) / extent) : 0.5f;
}

/// A square and a name for each entry of the palette, below a title.
class PaletteColumn {
 public:
  PaletteColumn(const Font& font, const ColorScale& scale, float em, float picture_width)
      : font_(font), scale_(scale), em_(em), count_(std::min(scale.palette.size(), kMostEntries)) {
    const float available = kAvailable * picture_width;
    float widest = 0;
    for (std::size_t i = 0; i < count_; ++i) widest = std::max(widest, font.width(scale.palette[i].name, em));
    title_size_ = fitting_size(font, scale.quantity, 1.05f * em, available);
    text_width_ = std::min(widest, available - 2 * em);
  }
  float width() const { return std::max(text_width_ + 1.6f * em_, font_.width(scale_.quantity, title_size_)); }
  float above() const { return 1.9f * em_; }  ///< height of the title over the squares
  float height() const { return kPitch * em_ * static_cast<float>(count_); }
  float below() const { return 0; }
  Parts parts(float right, float top) const {
    const float left = right - width();
    return {{left, top - above(), left + font_.width(scale_.quantity, title_size_), top - 0.6f * em_},
            {left, top, left + text_width_ + 1.6f * em_, top + height()}};
  }
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
      draw_swatch(overlay, theme, left, y, em_, line, entry.rgb);
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

/// The same in one line.
class PaletteRow {
 public:
  PaletteRow(const Font& font, const ColorScale& scale, float em)
      : font_(font), scale_(scale), em_(em), count_(std::min(scale.palette.size(), kMostEntries)) {}
  float width() const {
    float width = font_.width(scale_.quantity, em_);
    for (std::size_t i = 0; i < count_; ++i)
      width += kGap * em_ + 1.6f * em_ + font_.width(scale_.palette[i].name, em_);
    return width;
  }
  float above() const { return 0; }
  float height() const { return em_; }
  float below() const { return 0; }
  Parts parts(float right, float top) const {
    return {{right - width(), top - above(), right, top + height() + below()}};
  }
  float smallest_text() const { return em_; }

  void draw(Overlay& overlay, const Theme& theme, float right, float y, float line) const {
    float left = std::round(right - width());
    const float base = y + 0.5f * (1 + font_.cap_height()) * em_;
    overlay.text(left, base, em_, scale_.quantity, theme.ink);
    left += font_.width(scale_.quantity, em_);
    for (std::size_t i = 0; i < count_; ++i) {
      const PaletteEntry& entry = scale_.palette[i];
      left += kGap * em_;
      draw_swatch(overlay, theme, left, y, em_, line, entry.rgb);
      overlay.text(left + 1.6f * em_, base, em_, entry.name, theme.ink);
      left += 1.6f * em_ + font_.width(entry.name, em_);
    }
  }

 private:
  static constexpr float kGap = 1.2f;  // [em]
  const Font& font_;
  const ColorScale& scale_;
  float em_;
  std::size_t count_;
};

/// The colour map from its lower to its upper end with numbers beside it, below a title.
class BarColumn {
 public:
  BarColumn(const Font& font, const ColorScale& scale, float em, float picture_width, float picture_height)
      : scale_(scale),
        em_(em),
        height_(std::round(std::min(18.8f * em, 0.6f * picture_height))),
        ticks_(nice_ticks(scale.min, scale.max, std::clamp(static_cast<int>(height_ / (2.5f * em)), 2, 5))),
        points_(scale, em),
        font_(font),
        title_(title_of(scale, ticks_)),
        title_size_(fitting_size(font, title_, 1.05f * em, kAvailable * picture_width)) {
    for (const Tick& tick : ticks_.ticks) labels_ = std::max(labels_, font.width(tick.label, em));
  }
  float width() const { return std::max(bar_width(), font_.width(title_, title_size_)); }
  float above() const { return 2 * em_ + points_.length(); }
  float height() const { return height_; }
  float below() const { return points_.length(); }
  Parts parts(float right, float top) const {
    const float ends = points_.length();
    return {{right - font_.width(title_, title_size_), top - above(), right, top - ends - 0.7f * em_},
            {right - bar_width(), top - ends, right, top + height_ + ends}};
  }
  float smallest_text() const { return title_size_; }

  void draw(Overlay& overlay, const Theme& theme, float edge, float top, float line) const {
    const float bottom = top + height_, cap = font_.cap_height() * em_;
    const float right = std::round(edge - labels_ - 0.75f * em_), left = right - std::round(em_);
    overlay.rectangle(left - line, top - line, right + line, bottom + line, theme.ink, 0.8f);
    overlay.color_bar(left, top, right, bottom);
    points_.draw_upright(overlay, theme, left, top, right, bottom, line);
    for (const Tick& tick : ticks_.ticks) {
      const float y = std::round(bottom - place_of(tick, scale_) * height_);
      const float row = std::clamp(y - 0.5f * line, top, bottom - line);
      overlay.rectangle(right + line, row, right + line + 0.35f * em_, row + line, theme.ink, 0.8f);
      overlay.text(edge, y + 0.5f * cap, em_, tick.label, theme.ink, Overlay::Align::Right);
    }
    overlay.text(edge, top - points_.length() - 1.0f * em_, title_size_, title_, theme.ink, Overlay::Align::Right);
  }

 private:
  float bar_width() const { return labels_ + 0.75f * em_ + std::round(em_); }  ///< with its numbers

  const ColorScale& scale_;
  float em_, height_;
  Ticks ticks_;
  Points points_;
  const Font& font_;
  std::string title_;
  float title_size_, labels_ = 0;
};

/// The same lying, with the title at its left and the numbers below.
class BarRow {
 public:
  BarRow(const Font& font, const ColorScale& scale, float em, float picture_width)
      : font_(font),
        scale_(scale),
        em_(em),
        length_(std::round(std::min(15 * em, 0.4f * picture_width))),
        ticks_(nice_ticks(scale.min, scale.max, std::clamp(static_cast<int>(length_ / (3.5f * em)), 2, 5))),
        points_(scale, em),
        title_(title_of(scale, ticks_)) {}
  float width() const { return font_.width(title_, em_) + kGap * em_ + length_ + 2 * side(); }
  float above() const { return 0; }
  float height() const { return std::round(0.8f * em_); }
  float below() const { return 1.45f * em_; }
  Parts parts(float right, float top) const {
    return {{right - width(), top - above(), right, top + height() + below()}};
  }
  float smallest_text() const { return em_; }

  void draw(Overlay& overlay, const Theme& theme, float edge, float top, float line) const {
    const float bottom = top + height(), right = std::round(edge - side()), left = right - length_;
    overlay.rectangle(left - line, top - line, right + line, bottom + line, theme.ink, 0.8f);
    overlay.color_row(left, top, right, bottom);
    points_.draw_lying(overlay, theme, left, top, right, bottom, line);
    for (const Tick& tick : ticks_.ticks) {
      const float x = std::round(left + place_of(tick, scale_) * length_);
      const float column = std::clamp(x - 0.5f * line, left, right - line);
      overlay.rectangle(column, bottom + line, column + line, bottom + line + 0.35f * em_, theme.ink, 0.8f);
      overlay.text(x, bottom + 0.5f * em_ + font_.cap_height() * em_, em_, tick.label, theme.ink,
                   Overlay::Align::Center);
    }
    overlay.text(left - side() - kGap * em_, top + 0.5f * height() + 0.5f * font_.cap_height() * em_, em_, title_,
                 theme.ink, Overlay::Align::Right);
  }

 private:
  static constexpr float kGap = 0.8f;  // [em]
  /// For a pointed end, and half of the number at the end.
  float side() const {
    float widest = 0;
    for (const Tick& tick : ticks_.ticks) widest = std::max(widest, font_.width(tick.label, em_));
    return std::max(points_.length() + 1, std::ceil(0.5f * widest));
  }

  const Font& font_;
  const ColorScale& scale_;
  float em_, length_;
  Ticks ticks_;
  Points points_;
  std::string title_;
};

}  // namespace riffle::render::legends
