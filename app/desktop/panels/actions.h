#pragma once
/// What one can do in the window, found by its plain words.

#include <string>
#include <vector>

namespace riffle::desktop {

struct PanelContext;

/// Draws a button, or a sentence, for each action that has all of the words.
/// @return whether there is one
bool draw_actions_with(PanelContext& context, const std::string& words);

/// Names of the actions that have all of the words, as buttons have them for InterfaceTrace: "add_mesh", "add.solids.box".
std::vector<std::string> actions_with(const std::string& words);

/// What people call an entry of that list of the scene, "drain" of outlets; "": nothing else.
std::string words_of_list(const std::string& list);

/// All words of all actions, for those who mistype one.
std::vector<std::string> texts_of_actions();

}  // namespace riffle::desktop
