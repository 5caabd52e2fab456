#include "app/desktop/widgets/number_field.h"

#include <imgui.h>
// After imgui.h.
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/desktop/widgets/widget_state.h"

namespace riffle::desktop::ui {

namespace {

constexpr float kStill = 3;  // [pixel] that a click may move

/// The text of a field that has lost the keyboard to one that is drawn before it, as with Shift+Tab.
std::optional<std::string> text_left_in(ImGuiID id) {
  WidgetState::Typing& left = widget_state().left;
  if (id == 0 || left.field != id) return std::nullopt;
  left.field = 0;
  return left.text == left.before ? std::nullopt : std::optional(left.text);
}

std::optional<std::string> type_into(const char* label, const std::string& now, float width,
                                     ImGuiInputTextFlags flags) {
  const ImGuiID id = ImGui::GetID(label);
  const int frame = ImGui::GetFrameCount();
  WidgetState::Typing& typing = widget_state().typing;
  // A field that was not drawn in between has lost its text: its panel was closed.
  if (typing.field == id && frame > typing.frame + 1) typing.field = 0;
  const std::optional<std::string> left = text_left_in(id);
  // Dear ImGui forgets the text when something else takes the keyboard.
  std::string text = typing.field == id ? typing.text : now;
  ImGui::SetNextItemWidth(width);
  ImGui::InputText(label, &text, flags);
  if (ImGui::IsItemActive()) {
    if (typing.field != id) {
      if (typing.field != 0 && frame <= typing.frame + 1) widget_state().left = typing;
      typing = {id, frame, now, ""};
    }
    typing.frame = frame;
    typing.text = text;
  }
  if (typing.field != id || !ImGui::IsItemDeactivated()) return left;
  typing.field = 0;
  return text == typing.before ? std::nullopt : std::optional(text);
}

/// Whether a mouse press in this frame starts typing.
bool pressed_for_typing(float width) {
  const ImVec2 least = ImGui::GetCursorScreenPos(), most{least.x + width, least.y + ImGui::GetFrameHeight()};
  if (!ImGui::IsMouseHoveringRect(least, most) || !ImGui::IsWindowHovered()) return false;
  return ImGui::IsMouseDoubleClicked(0) || (ImGui::IsMouseClicked(0) && ImGui::GetIO().KeyCtrl);
}

std::optional<std::string> type_number(const char* label, const std::string& exact, float width) {
  WidgetState::Opened& opened = widget_state().opened;
  if (opened.ask) ImGui::SetKeyboardFocusHere();
  opened.ask = false;
  const auto typed = type_into(label, exact, width, ImGuiInputTextFlags_AutoSelectAll);
  opened.active = opened.active || ImGui::IsItemActive();
  // The keyboard comes one frame after the request.
  const bool over = opened.active ? !ImGui::IsItemActive() : ImGui::GetFrameCount() > opened.frame + 4;
  if (over) opened = {};
  return typed;
}

}  // namespace

std::optional<std::string> text_field(const char* label, const std::string& now, float width, OnClick click) {
  return type_into(label, now, width, click == OnClick::SelectsAll ? ImGuiInputTextFlags_AutoSelectAll : 0);
}

NumberChange number_field(const char* label, double value, const std::string& exact, const NumberDrag& drag,
                          float width) {
  NumberChange change;
  const ImGuiID id = ImGui::GetID(label);
  WidgetState::Opened& opened = widget_state().opened;
  WidgetState::Dragging& dragging = widget_state().dragging;
  const bool tabbed_to = GImGui->NavActivateInputId == id;
  if (opened.field != id && (tabbed_to || pressed_for_typing(width))) opened = {id, ImGui::GetFrameCount()};
  if (opened.field == id) {
    change.typed = type_number(label, exact, width);
    return change;
  }
  change.typed = text_left_in(id);
  // The scene may not have taken the dragged value yet.
  double shown = dragging.field == id ? dragging.value : value;
  ImGui::SetNextItemWidth(width);
  ImGui::PushItemFlag(ImGuiItemFlags_Inputable, true);  // Tab stops at it; the text field then takes its place
  const bool moved = ImGui::DragScalar(label, ImGuiDataType_Double, &shown, drag.speed, &drag.min, &drag.max,
                                       drag.format, ImGuiSliderFlags_NoInput);
  ImGui::PopItemFlag();
  if (ImGui::IsItemActivated()) dragging = {id, value, false};
  if (moved) {
    change.dragged = shown;
    change.first = !dragging.moved;
    dragging = {id, shown, true};
  }
  if (!ImGui::IsItemDeactivated() || dragging.field != id) return change;
  if (dragging.moved) {
    change.let_go = dragging.value;
  } else if (ImGui::IsMouseReleased(0) && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < kStill * kStill) {
    opened = {id, ImGui::GetFrameCount(), true};
  }
  dragging = {};
  return change;
}

}  // namespace riffle::desktop::ui
