#pragma once
/// Opening and saving scenes and states by their files, and solids from mesh files.

namespace riffle::desktop {

struct PanelContext;

void ask_which_to_open(PanelContext& context);
void ask_where_to_save(PanelContext& context);
void ask_which_state_to_open(PanelContext& context);
void ask_where_to_save_state(PanelContext& context);
void ask_which_mesh_to_add(PanelContext& context);  ///< as a solid

/// Draws the question that was asked, if there is one. @return whether there is
bool draw_scene_files(PanelContext& context);

}  // namespace riffle::desktop
