#include "app/desktop/widgets/side_message.h"

#include <fmt/format.h>
#include <imgui.h>
// After imgui.h.
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widget_state.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop::ui {

namespace {

constexpr ImGuiWindowFlags kMessageFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                           ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                           ImGuiWindowFlags_NoNav;

ImU32 ink_of(MessageKind kind) {
  return kind == MessageKind::Refusal ? refusal_color() : ImGui::GetColorU32(ImGuiCol_CheckMark);
}

/// From the panels' edge, at the height of the field.
void draw_pointer(ImVec2 tip, float right, ImU32 ink) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float half = 0.45f * em();
  draw->PushClipRectFullScreen();
  draw->AddTriangleFilled(tip, {right, tip.y - half}, {right, tip.y + half}, ink);
  draw->PopClipRect();
}

/// @param top [pixel] the highest place that is free @return where it ends
float draw_message(const AskedMessage& asked, const Rectangle& area, float top) {
  const float edge = 0.8f * em(), left = area.least.x + edge;
  const SideMessage& message = asked.message;
  const std::string title = "##message." + message.name;
  const ImGuiWindow* const before = ImGui::FindWindowByName(title.c_str());
  const float height =
      before && before->WasActive ? before->ContentSize.y + 2 * ImGui::GetStyle().WindowPadding.y : 4 * em();
  const float wanted = asked.at_item ? asked.middle - 1.2f * em() : top;
  const float y = std::max(top, std::min(wanted, area.most.y - height));
  ImGui::SetNextWindowPos({left, y});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {area.most.x - left, std::max(3 * em(), area.most.y - y)});
  ImGui::SetNextWindowBgAlpha(0.95f);
  const ImU32 ink = ink_of(message.kind);
  ImGui::PushStyleColor(ImGuiCol_Border, ink);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f);
  float end = y + height;
  if (ImGui::Begin(title.c_str(), nullptr, kMessageFlags)) {
    if (asked.at_item && asked.middle >= area.least.y && asked.middle <= area.most.y)
      draw_pointer({area.least.x, asked.middle}, left, ink);
    ImGui::PushTextWrapPos(std::min(26 * em(), area.most.x - left - 1.5f * em()));
    text(message.text);
    mark("message." + message.name);
    ImGui::PopTextWrapPos();
    if (message.more) message.more();
    if (message.closed && small_button(("message." + message.name + ".close").c_str(), "Close", "")) message.closed();
    end = y + ImGui::GetWindowHeight();
    Rectangle& place = widget_state().messages_place;
    if (place.most.y == 0) place = {{left, y}, {left, y}};
    place.most = {std::max(place.most.x, left + ImGui::GetWindowWidth()), end};
  }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return end;
}

}  // namespace

void message_at_item(SideMessage message) {
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect(least, most, ink_of(message.kind), ImGui::GetStyle().FrameRounding, 0, 1.5f);
  widget_state().messages.push_back({std::move(message), true, 0.5f * (least.y + most.y)});
}

void message_at_top(SideMessage message) { widget_state().messages.push_back({std::move(message), false, 0}); }

bool close_message() {
  std::vector<std::function<void()>>& closers = widget_state().message_closers;
  if (closers.empty()) return false;
  closers.front()();
  closers.erase(closers.begin());
  return true;
}

Rectangle messages_place() { return widget_state().messages_place; }

bool has_message(const std::string& name) {
  return std::ranges::any_of(widget_state().messages, [&](const AskedMessage& m) { return m.message.name == name; });
}

void draw_side_messages(const Rectangle& area) {
  std::vector<AskedMessage> all = std::exchange(widget_state().messages, {});
  std::ranges::stable_sort(all, {}, [](const AskedMessage& m) { return m.at_item ? m.middle : -1; });
  nlohmann::json traced = nlohmann::json::object();
  WidgetState& state = widget_state();
  state.message_closers.clear();
  state.messages_place = {};
  float top = area.least.y + 0.3f * em();
  for (const AskedMessage& asked : all) {
    traced[asked.message.name] = asked.message.text;
    top = draw_message(asked, area, top) + 0.3f * em();
    if (asked.message.closed) state.message_closers.push_back(asked.message.closed);
  }
  InterfaceTrace::instance().value("messages", std::move(traced));
}

}  // namespace riffle::desktop::ui
