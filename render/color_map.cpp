#include "render/color_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"

namespace riffle::render {
namespace {

/// Stops at equal distances, "#rrggbb". Between them each channel is a monotone cubic, which passes through the stops
/// without overshooting.
struct Map {
  std::string_view name;
  std::vector<std::uint32_t> stops;
};

// viridis and inferno: about every 16th entry of the tables of van der Walt and Smith (2015, CC0). turbo: the colours
// of Mikhailov's rainbow (2019) at 17 places. water: made for this program, dark to foam in even steps of lightness.
// grey: even steps of sRGB.
const std::vector<Map>& maps() {
  static const std::vector<Map> table = {
      {"viridis",
       {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779,
        0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725}},
      {"inferno",
       {0x000004, 0x0c0826, 0x240c4f, 0x420a68, 0x5d126e, 0x781c6d, 0x932667, 0xae305c, 0xc73e4c, 0xdd513a, 0xed6925,
        0xf8850f, 0xfca50a, 0xfac62d, 0xf2e661, 0xfcffa4}},
      {"turbo",
       {0x30123b, 0x3f3994, 0x455ed2, 0x4681f7, 0x36a4f9, 0x1bc9df, 0x1be5b5, 0x4cf884, 0x8eff49, 0xbef434, 0xe6d839,
        0xfcb336, 0xfc8624, 0xee5510, 0xd22f05, 0xab0f01, 0x7a0403}},
      {"water", {0x08306b, 0x0b4a8f, 0x1264b0, 0x2280c8, 0x409bd9, 0x6ab5e6, 0x98cef0, 0xc5e4f7, 0xf2faff}},
      {"grey", {0x181818, 0x383838, 0x585858, 0x787878, 0x989898, 0xb8b8b8, 0xd8d8d8, 0xf8f8f8}},
  };
  return table;
}

double channel(std::uint32_t color, int c) { return ((color >> (16 - 8 * c)) & 255) / 255.0; }

/// Fritsch and Carlson's limited slope at a stop.
double slope_at(const std::vector<std::uint32_t>& stops, std::size_t i, int c) {
  if (i == 0 || i + 1 == stops.size())
    return i == 0 ? channel(stops[1], c) - channel(stops[0], c) : channel(stops[i], c) - channel(stops[i - 1], c);
  const double before = channel(stops[i], c) - channel(stops[i - 1], c);
  const double after = channel(stops[i + 1], c) - channel(stops[i], c);
  return before * after <= 0 ? 0 : 2 * before * after / (before + after);
}

}  // namespace

std::span<const std::string_view> color_map_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const Map& map : maps()) list.push_back(map.name);
    return list;
  }();
  return names;
}

std::array<std::array<std::uint8_t, 3>, kColorMapSize> color_map(std::string_view name) {
  const auto map = std::find_if(maps().begin(), maps().end(), [&](const Map& m) { return m.name == name; });
  if (map == maps().end())
    throw InputError(fmt::format("unknown colour map '{}'; allowed: {}", name, fmt::join(color_map_names(), ", ")));
  std::array<std::array<std::uint8_t, 3>, kColorMapSize> table{};
  const auto& stops = map->stops;
  for (int k = 0; k < kColorMapSize; ++k) {
    const double at = k / double(kColorMapSize - 1) * static_cast<double>(stops.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    const double t = at - static_cast<double>(i);
    for (int c = 0; c < 3; ++c) {
      const double a = channel(stops[i], c), b = channel(stops[i + 1], c);
      const double sa = slope_at(stops, i, c), sb = slope_at(stops, i + 1, c);
      const double value = a * (1 + 2 * t) * (1 - t) * (1 - t) + sa * t * (1 - t) * (1 - t) + b * t * t * (3 - 2 * t) +
                           sb * t * t * (t - 1);
      table[static_cast<std::size_t>(k)][static_cast<std::size_t>(c)] =
          static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
    }
  }
  return table;
}

std::span<const Vec3, 8> categorical_colors() {
  static const auto from = [](std::uint32_t rgb) {
    return Vec3{static_cast<float>(channel(rgb, 0)), static_cast<float>(channel(rgb, 1)),
                static_cast<float>(channel(rgb, 2))};
  };
  static const std::array<Vec3, 8> colors = {from(0x0072b2), from(0xe69f00), from(0x009e73), from(0xcc79a7),
                                             from(0x56b4e9), from(0xd55e00), from(0xf0e442), from(0x8a8f98)};
  return colors;
}

}  // namespace riffle::render
