#pragma once
/// Parts of the neighbour search's panel.

namespace riffle::desktop {

struct PanelContext;

void draw_comparison(PanelContext& context);  ///< compares all searches
void draw_audit(PanelContext& context);       ///< verifies the search in use

}  // namespace riffle::desktop
