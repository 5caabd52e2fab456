#include "app/desktop/widgets/widget_state.h"

namespace riffle::desktop::ui {

WidgetState::WidgetState() { ImGui::GetIO().UserData = this; }
WidgetState::~WidgetState() { ImGui::GetIO().UserData = nullptr; }

WidgetState& widget_state() { return *static_cast<WidgetState*>(ImGui::GetIO().UserData); }

}  // namespace riffle::desktop::ui
