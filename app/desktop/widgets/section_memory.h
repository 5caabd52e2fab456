#pragma once
/// Which sections of the panels are open. Dear ImGui remembers that while the program runs, and not beyond.

#include <map>
#include <string>

namespace riffle {

/// By ui::section's name; of the window's thread. UserSettings brings it from one start to the next.
std::map<std::string, bool>& open_sections();

}  // namespace riffle
