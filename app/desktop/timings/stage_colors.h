#pragma once
/// One colour for each stage, wherever stages are drawn.

#include <imgui.h>

#include <span>
#include <string_view>

#include "core/math/vec.h"

namespace riffle::ui {

/// Those of all solvers and searches.
std::span<const std::string_view> known_stages();

/// [0, 1] each. A stage that is not known has one of the colours too, the same at each call.
Vec3 stage_rgb(std::string_view stage);

ImU32 stage_color(std::string_view stage);
/// A filled square before a name, on its line.
void swatch(ImU32 color);
ImU32 other_color();  ///< what belongs to no stage

}  // namespace riffle::ui
