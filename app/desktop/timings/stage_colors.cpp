#include "app/desktop/timings/stage_colors.h"

#include <functional>

#include "core/timing/stages.h"

namespace riffle::desktop::ui {

Vec3 stage_rgb(std::string_view stage) {
  const StageInfo* known = find_stage(stage);
  const std::uint32_t rgb = known ? known->rgb : kStages[std::hash<std::string_view>{}(stage) % kStages.size()].rgb;
  const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255; };
  return {channel(16), channel(8), channel(0)};
}

ImU32 stage_color(std::string_view stage) {
  const Vec3 c = stage_rgb(stage);
  return ImGui::GetColorU32(ImVec4(c.x, c.y, c.z, 1));
}

ImU32 other_color() { return IM_COL32(128, 128, 128, 255); }

void swatch(ImU32 color) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight(), side = 0.6f * line, above = 0.5f * (line - side);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + above}, {at.x + side, at.y + above + side}, color, 2);
  ImGui::Dummy({side, line});
  ImGui::SameLine(0, 0.5f * side);
}

}  // namespace riffle::desktop::ui
