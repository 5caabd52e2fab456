#include "render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace riffle {
namespace {

std::string superscript(int number) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

/// "-0" and a hyphen for a minus are not numbers as print has them.
std::string number_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_of("123456789") == std::string::npos && text.front() == '-') text.erase(0, 1);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

/// [pixel] of the text: from the height, less in a picture that is too narrow for it.
float text_size(float width, float height) { return std::max(std::min(height * 0.0245f, width * 0.0165f), 9.0f); }

/// The size at which a text fits a width, at most `size`.
float fitting_size(const Font& font, std::string_view text, float size, float width) {
  const float natural = font.width(text, size);
  return natural > width ? size * width / natural : size;
}

}  // namespace

Ticks nice_ticks(float min, float max, int wanted) {
  Ticks result;
  if (!std::isfinite(min) || !std::isfinite(max)) return result;
  if (max < min) std::swap(min, max);
  const double largest = std::max(std::abs(double(min)), std::abs(double(max)));
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
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-6)), 0, 6);
  const double slack = 1e-6 * extent;
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
    result.ticks.push_back({static_cast<float>(k * step * unit), number_text(k * step, decimals)});
  return result;
}

void layout_legend(Overlay& overlay, const ColorScale& scale, const Theme& theme, int width, int height) {
  const float w = static_cast<float>(width), h = static_cast<float>(height);
  const float em = text_size(w, h);
  const float margin = 1.3f * em, line = std::max(1.0f, std::round(h / 720));
  const float cap = overlay.font().cap_height() * em;
  const float available = 0.22f * w;  // of the width: the camera leaves that much free

  if (!scale.palette.empty()) {
    const std::size_t count = std::min<std::size_t>(scale.palette.size(), 8);
    float widest = 0;
    for (std::size_t i = 0; i < count; ++i) widest = std::max(widest, overlay.font().width(scale.palette[i].name, em));
    const float title_size = fitting_size(overlay.font(), scale.quantity, 1.05f * em, available);
    const float text_width = std::min(widest, available - 2 * em);
    const float block = std::max(text_width + 1.6f * em, overlay.font().width(scale.quantity, title_size));
    const float left = std::round(w - margin - block), pitch = 1.75f * em;
    float y = std::round(0.5f * (h - pitch * static_cast<float>(count)));
    overlay.text(left, y - 0.9f * em, title_size, scale.quantity, theme.ink);
    for (std::size_t i = 0; i < count; ++i, y += pitch) {
      const PaletteEntry& entry = scale.palette[i];
      overlay.rectangle(left - line, y - line, left + em + line, y + em + line, theme.ink, 0.55f);
      overlay.rectangle(left, y, left + em, y + em, entry.rgb);
      overlay.text(left + 1.6f * em, y + 0.5f * (em + cap), fitting_size(overlay.font(), entry.name, em, text_width),
                   entry.name, theme.ink);
    }
    return;
  }

  const Ticks ticks = nice_ticks(scale.min, scale.max, 5);
  float widest = 0;
  for (const Tick& tick : ticks.ticks) widest = std::max(widest, overlay.font().width(tick.label, em));
  const float bar_height = std::round(std::min(18.8f * em, 0.6f * h)), bar_width = std::round(1.0f * em);
  const float top = std::round(0.5f * (h - bar_height)), bottom = top + bar_height;
  const float right = std::round(w - margin - widest - 0.75f * em), left = right - bar_width;

  overlay.rectangle(left - line, top - line, right + line, bottom + line, theme.ink, 0.8f);
  overlay.color_bar(left, top, right, bottom);
  const float extent = scale.max - scale.min;
  for (const Tick& tick : ticks.ticks) {
    const float t = extent != 0 ? (tick.value - scale.min) / extent : 0.5f;
    const float y = std::round(bottom - t * bar_height);
    const float row = std::clamp(y - 0.5f * line, top, bottom - line);
    overlay.rectangle(right + line, row, right + line + 0.35f * em, row + line, theme.ink, 0.8f);
    overlay.text(w - margin, y + 0.5f * cap, em, tick.label, theme.ink, Overlay::Align::Right);
  }

  std::string unit = scale.unit;
  if (ticks.exponent != 0) unit = fmt::format("10{}{}{}", superscript(ticks.exponent), unit.empty() ? "" : " ", unit);
  const std::string title = unit.empty() ? scale.quantity : fmt::format("{} [{}]", scale.quantity, unit);
  const float size = fitting_size(overlay.font(), title, 1.05f * em, available);
  overlay.text(w - margin, top - 1.0f * em, size, title, theme.ink, Overlay::Align::Right);
}

void layout_caption(Overlay& overlay, std::string_view caption, const Theme& theme, int width, int height) {
  if (caption.empty()) return;
  const float h = static_cast<float>(height), em = text_size(static_cast<float>(width), h), margin = 1.3f * em;
  const float size = fitting_size(overlay.font(), caption, em, static_cast<float>(width) - 2 * margin);
  overlay.text(margin, h - margin, size, caption, theme.ink);
}

}  // namespace riffle
