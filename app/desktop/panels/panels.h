#pragma once
/// All panels.

#include <span>

#include "app/desktop/panels/panel.h"

namespace riffle::desktop {

std::span<const Panel* const> panels();  ///< in the order in which they are drawn

/// Draws the panels of one place into the present Dear ImGui window. Those over the picture open windows of their own.
void draw_panels(Panel::Place place, PanelContext& context);

}  // namespace riffle::desktop
