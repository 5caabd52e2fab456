#pragma once
/// Parts of panels that have a file of their own.

namespace riffle::desktop {

struct PanelContext;

void draw_comparison(PanelContext& context);  ///< of the neighbour search: compares all searches
/// What Esc does to the table of the comparison. @return whether it was in sight
bool close_comparison(PanelContext& context);
void draw_audit(PanelContext& context);         ///< of the neighbour search: verifies the one in use
void draw_profile(PanelContext& context);       ///< of the diagnostics: a quantity against height, if the user wants it
void draw_means(PanelContext& context);         ///< likewise: means of the columns with their errors
void draw_distribution(PanelContext& context);  ///< likewise: g(r)

}  // namespace riffle::desktop
