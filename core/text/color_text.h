#pragma once
/// Colours in words.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace riffle {

/// "#f2e3c6" @param rgb  sRGB, 0..1
inline std::string hex_text(const std::array<float, 3>& rgb) {
  const auto byte = [](float part) { return std::lround(255 * std::clamp(part, 0.0f, 1.0f)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
}

}  // namespace riffle
