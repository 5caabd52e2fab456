#pragma once
/// Opening and saving scenes by their files.

namespace riffle::desktop {

struct PanelContext;

void ask_which_to_open(PanelContext& context);
void ask_where_to_save(PanelContext& context);

/// Draws the question that was asked, if there is one. @return whether there is
bool draw_scene_files(PanelContext& context);

}  // namespace riffle::desktop
