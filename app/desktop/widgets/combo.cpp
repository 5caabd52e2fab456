#include "app/desktop/widgets/combo.h"

#include <imgui.h>

#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop::ui {

Combo::Combo(const std::string& name, const char* label, const std::string& chosen, const ComboLook& look)
    : name_(name) {
  if (look.width != 0) ImGui::SetNextItemWidth(look.width);
  ImGuiComboFlags flags = look.tall ? ImGuiComboFlags_HeightLarge : ImGuiComboFlags_None;
  if (!look.preview) flags |= ImGuiComboFlags_NoPreview;
  open_ = ImGui::BeginCombo(label, chosen.c_str(), flags);
  mark(name_);
  tip(look.tip.c_str());
}

Combo::~Combo() {
  if (open_) ImGui::EndCombo();
}

bool Combo::entry(const std::string& word, const std::string& label, bool chosen, const std::string& help) const {
  const bool pressed = ImGui::Selectable(label.c_str(), chosen);
  mark(name_ + "." + word);
  tip(help.c_str());
  return pressed;
}

}  // namespace riffle::desktop::ui
