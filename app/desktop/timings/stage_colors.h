#pragma once
/// The colours of core/timing/stages.h on the screen.

#include <imgui.h>

#include <string_view>

#include "core/math/vec.h"

namespace riffle::desktop::ui {

/// sRGB, [0, 1] each. A stage that is not in the table has one of the table's colours, the same at each call.
Vec3 stage_rgb(std::string_view stage);

ImU32 stage_color(std::string_view stage);
ImU32 other_color();  ///< of time that belongs to no stage

/// A filled square before a name, on its line.
void swatch(ImU32 color);

}  // namespace riffle::desktop::ui
