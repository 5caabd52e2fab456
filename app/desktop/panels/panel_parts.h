#pragma once
/// Parts of panels that have a file of their own.

#include <string>

namespace riffle::desktop {

struct PanelContext;

void draw_comparison(PanelContext& context);  ///< of the neighbour search: compares all searches
/// What Esc does to the table of the comparison. @return whether it was in sight
bool close_comparison(PanelContext& context);
void draw_audit(PanelContext& context);    ///< of the neighbour search: verifies the one in use
void draw_profile(PanelContext& context);  ///< of the diagnostics: a quantity against height, if the user wants it
/// Likewise: means of the columns with their errors. @param for_forces  they are also shown beside a plot of forces
void draw_means(PanelContext& context, bool for_forces);
void draw_distribution(PanelContext& context);  ///< likewise: g(r)
void draw_events(PanelContext& context);        ///< of the scene's keys: its events, if there are any
/// Of the diagnostics: the weight of a solid and the mean force on it. They take the means that draw_means() asks for.
void draw_solid_load(PanelContext& context, const std::string& name);

}  // namespace riffle::desktop
