#include "app/desktop/widgets/color_field.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/widgets.h"
#include "core/text/color_text.h"

namespace riffle::desktop::ui {

std::optional<Vec3> color_of_hex(const std::string& text, std::string& why) {
  why.clear();
  const std::size_t first = text.find_first_not_of(" #"), last = text.find_last_not_of(' ');
  const std::string digits = first == std::string::npos ? "" : text.substr(first, last - first + 1);
  if (digits.size() != 6 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    why = fmt::format("found '{}', allowed: six digits from 0 to 9 and a to f, as #f2e3c6", text);
    return std::nullopt;
  }
  const auto part = [&](std::size_t at) {
    return static_cast<float>(std::stoi(digits.substr(at, 2), nullptr, 16)) / 255;
  };
  return Vec3{part(0), part(2), part(4)};
}

namespace {

/// Why the last typed digits were no colour. Only one picker is open at a time.
std::string& why_refused() {
  static std::string why;
  return why;
}

std::optional<ColorChange> draw_picker(const std::string& name, Vec3 now) {
  std::optional<ColorChange> change;
  std::array<float, 3> rgb{now.x, now.y, now.z};
  ImGui::SetNextItemWidth(14 * em());
  constexpr ImGuiColorEditFlags flags =
      ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoSidePreview | ImGuiColorEditFlags_NoOptions;
  if (ImGui::ColorPicker3("##picker", rgb.data(), flags)) change = {rgb, !ImGui::IsItemActivated()};
  mark(name + ".picker");
  const auto typed = text_field("##digits", hex_text({now.x, now.y, now.z}), 6 * em(), OnClick::SelectsAll);
  mark(name + ".digits");
  tip("Six digits, as #f2e3c6; Enter applies them.");
  if (ImGui::IsItemActivated() || (change && !typed)) why_refused().clear();
  if (const auto color = typed ? color_of_hex(*typed, why_refused()) : std::nullopt)
    change = {{color->x, color->y, color->z}, false};
  InterfaceTrace::instance().value(name + ".refused", why_refused());
  if (!why_refused().empty()) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 14 * em());
    text(why_refused());
    ImGui::PopTextWrapPos();
  }
  return change;
}

}  // namespace

std::optional<ColorChange> color_field(const std::string& name, Vec3 now, const char* words) {
  std::optional<ColorChange> change;
  ImGui::PushID(name.c_str());
  if (ImGui::ColorButton("##color", {now.x, now.y, now.z, 1}, ImGuiColorEditFlags_NoTooltip)) {
    why_refused().clear();
    ImGui::OpenPopup("##pick");
  }
  mark(name);
  tip(words);
  if (ImGui::BeginPopup("##pick")) {
    change = draw_picker(name, now);
    ImGui::EndPopup();
  }
  ImGui::PopID();
  return change;
}

}  // namespace riffle::desktop::ui
