#pragma once
/// Lists that open at a control: they lie within the window and never over the control.

#include <imgui.h>

#include "app/desktop/widgets/beside.h"

namespace riffle::desktop::ui {

/// [pixel]
struct ListRoom {
  float below = 0, above = 0;
  float width = 0;  ///< at most, where the list begins at the control's left edge or ends at its right one

  float height() const { return below > above ? below : above; }  ///< of the tallest list
};

/// @param control, display, edge  [pixel]; so far from the display's edges a list stays
ListRoom room_for_list(const Rectangle& control, ImVec2 display, ImVec2 edge);

/// Of the list of the next ImGui::BeginCombo(), which then finds a place for it.
/// @param control  [pixel] extent of the control, which begins at the cursor  @param height  [pixel] of the list at most
/// @param width    [pixel] of the list; 0: as its entries need
void bound_next_list(ImVec2 control, float height, float width = 0);

/// The same for the next ImGui::BeginPopup(), which a button opens. It lies where there is more room.
void place_next_popup(const Rectangle& button, float height, float width = 0);

/// Notes for InterfaceTrace where the list lies whose entries follow.
void mark_list();

}  // namespace riffle::desktop::ui
