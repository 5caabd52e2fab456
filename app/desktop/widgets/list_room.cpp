#include "app/desktop/widgets/list_room.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/desktop/widgets/interface_trace.h"

namespace riffle::desktop::ui {

namespace {

/// Dear ImGui rounds sizes up: a list that fills its room to the last pixel would not fit.
float within(float room) { return std::max(1.0f, std::floor(room) - 1); }

ListRoom room_at(const Rectangle& control) {
  return room_for_list(control, ImGui::GetIO().DisplaySize, ImGui::GetStyle().DisplaySafeAreaPadding);
}

void bound_size(const ListRoom& room, float height, float width) {
  const float widest = within(room.width);
  const float least = std::min(width, widest), most = width > 0 ? least : widest;
  ImGui::SetNextWindowSizeConstraints({least, 0}, {most, std::min(height, within(room.height()))});
}

}  // namespace

ListRoom room_for_list(const Rectangle& control, ImVec2 display, ImVec2 edge) {
  ListRoom room;
  room.below = display.y - edge.y - control.most.y;
  room.above = control.least.y - edge.y;
  room.width = std::max(display.x - edge.x - control.least.x, control.most.x - edge.x);
  return room;
}

void bound_next_list(ImVec2 control, float height, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  bound_size(room_at({at, {at.x + control.x, at.y + control.y}}), height, width);
}

void place_next_popup(const Rectangle& button, float height, float width) {
  const ListRoom room = room_at(button);
  const bool above = room.above > room.below;
  const bool to_left = button.least.x + button.most.x > ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos({to_left ? button.most.x : button.least.x, above ? button.least.y : button.most.y},
                          ImGuiCond_Always, {to_left ? 1.0f : 0.0f, above ? 1.0f : 0.0f});
  bound_size(room, height, width);
}

void mark_list() {
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  InterfaceTrace::instance().value("list_box", {corner.x, corner.y, size.x, size.y});
}

}  // namespace riffle::desktop::ui
