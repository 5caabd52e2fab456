#pragma once
/// Colour maps: a number in 0..1 to a colour.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/math/vec.h"

namespace riffle::render {

inline constexpr int kColorMapSize = 256;

/// Names of all maps, the default first.
std::span<const std::string_view> color_map_names();

/// @return 256 sRGB colours. @throws InputError with all names when `name` is not a map
std::array<std::array<std::uint8_t, 3>, kColorMapSize> color_map(std::string_view name);

/// Colours for up to 8 fluids, distinct also for colour-blind readers: Okabe and Ito's palette without its black.
std::span<const Vec3, 8> categorical_colors();

}  // namespace riffle::render
