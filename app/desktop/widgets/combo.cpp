#include "app/desktop/widgets/combo.h"

#include <imgui.h>

#include <algorithm>

#include "app/desktop/widgets/list_room.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop::ui {

Combo::Combo(const std::string& name, const char* label, const std::string& chosen, const ComboLook& look)
    : name_(name) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float text = ImGui::CalcTextSize(chosen.c_str()).x + 2 * style.FramePadding.x + ImGui::GetFrameHeight();
  const float label_width = ImGui::CalcTextSize(label, nullptr, true).x;
  const float most =
      ImGui::GetContentRegionAvail().x - look.behind - (label_width > 0 ? label_width + style.ItemInnerSpacing.x : 0);
  // A list that would cut the chosen entry is wider, as far as there is room.
  const float width = look.width > 0 && look.preview ? std::max(look.width, std::min(text, most)) : look.width;
  if (width != 0) ImGui::SetNextItemWidth(width);
  const int entries = look.tall ? 20 : 8;
  const float height = ImGui::GetTextLineHeightWithSpacing() * static_cast<float>(entries) - style.ItemSpacing.y +
                       2 * style.WindowPadding.y;
  const float frame = ImGui::GetFrameHeight();
  bound_next_list({look.preview ? ImGui::CalcItemWidth() : frame, frame}, height);
  open_ = ImGui::BeginCombo(label, chosen.c_str(), look.preview ? ImGuiComboFlags_None : ImGuiComboFlags_NoPreview);
  mark(name_);
  const float room = ImGui::GetItemRectSize().x - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  const float beside = label_width > 0 ? label_width + ImGui::GetStyle().ItemInnerSpacing.x : 0;
  if (look.preview) mark_text(name_, chosen, room - beside);
  tip(look.tip.c_str());
  if (open_) mark_list();
}

Combo::~Combo() {
  if (open_) ImGui::EndCombo();
}

bool Combo::entry(const std::string& word, const std::string& label, bool chosen, const std::string& help,
                  bool enabled) const {
  const bool pressed = ImGui::Selectable(label.c_str(), chosen, enabled ? 0 : ImGuiSelectableFlags_Disabled);
  mark(name_ + "." + word);
  tip(help.c_str());
  return pressed;
}

}  // namespace riffle::desktop::ui
