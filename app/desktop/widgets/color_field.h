#pragma once
/// A colour that is chosen with the mouse or typed.

#include <array>
#include <optional>
#include <string>

#include "core/math/vec.h"

namespace riffle::desktop::ui {

/// The colour of six digits "#rrggbb"; the # may be missing. @param why  if they are none: what was found and what is
/// allowed; else ""
std::optional<Vec3> color_of_hex(const std::string& text, std::string& why);

struct ColorChange {
  std::array<float, 3> rgb;  ///< sRGB, 0..1
  bool goes_on = false;      ///< part of the same movement of the mouse as the last change
};

/// A square of the colour, which opens a picker with a field for its digits. Digits count once they are finished, by Enter,
/// Tab or a click elsewhere: half of them would be another colour.
/// @param name  for InterfaceTrace; the digits are "<name>.digits" @param tip  of the square
std::optional<ColorChange> color_field(const std::string& name, Vec3 now, const char* tip);

}  // namespace riffle::desktop::ui
