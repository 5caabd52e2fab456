#include "app/desktop/widgets/tables.h"

#include <imgui.h>

namespace riffle::desktop::ui {

void right_aligned(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::TextUnformatted(text.c_str());
}

void header_row() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int column = 0; column < ImGui::TableGetColumnCount(); ++column) {
    ImGui::TableSetColumnIndex(column);
    const std::string name = ImGui::TableGetColumnName(column);
    if (column == 0)
      ImGui::TextUnformatted(name.c_str());
    else
      right_aligned(name);
  }
}

}  // namespace riffle::desktop::ui
