#include "app/desktop/timings/stage_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "render/color_map.h"

namespace riffle::ui {

namespace {

// The first seven, which take most of the time, have Okabe and Ito's colours. Their eighth is grey, as "other" is.
constexpr std::size_t kClear = 7;
constexpr std::array<std::string_view, 20> kStages = {
    "build",        "list",        "density",       "reorder", "query",     "forces", "iterations", "predict",
    "pressure",     "viscosity",   "integrate",     "finish",  "time step", "drift",  "shifting",   "surface tension",
    "wall density", "wall forces", "wall pressure", "stirring"};

}  // namespace

std::span<const std::string_view> known_stages() { return kStages; }

Vec3 stage_rgb(std::string_view stage) {
  const auto known = static_cast<std::size_t>(std::find(kStages.begin(), kStages.end(), stage) - kStages.begin());
  const std::size_t index = known < kStages.size() ? known : std::hash<std::string_view>{}(stage) % kStages.size();
  if (index < kClear) return categorical_colors()[index];
  // Turned hues in two lightnesses.
  const std::size_t turn = index - kClear;
  Vec3 c{};
  ImGui::ColorConvertHSVtoRGB(std::fmod(0.05f + static_cast<float>(turn) / 13, 1.0f), 0.5f, turn % 2 ? 0.6f : 0.85f,
                              c.x, c.y, c.z);
  return c;
}

ImU32 stage_color(std::string_view stage) {
  const Vec3 c = stage_rgb(stage);
  return ImGui::GetColorU32(ImVec4(c.x, c.y, c.z, 1));
}

void swatch(ImU32 color) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight(), side = 0.6f * line, above = 0.5f * (line - side);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + above}, {at.x + side, at.y + above + side}, color, 2);
  ImGui::Dummy({side, line});
  ImGui::SameLine(0, 0.5f * side);
}

ImU32 other_color() { return IM_COL32(128, 128, 128, 255); }

}  // namespace riffle::ui
