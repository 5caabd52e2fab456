#pragma once
/// What the window remembers from one start to the next, below $XDG_CONFIG_HOME/riffle.

#include <map>
#include <string>
#include <vector>

#include "app/desktop/platform/gui.h"
#include "app/desktop/platform/window.h"

namespace riffle {

struct UserSettings {
  WindowPlace window;
  Appearance appearance = Appearance::Dark;
  bool vsync = true;
  std::map<std::string, bool> sections;  ///< open or not, as open_sections()
  std::vector<std::string> scenes;       ///< as SceneList::recent_paths()

  /// What cannot be read is the default: a broken file must not keep anybody from starting the program. It is logged.
  static UserSettings load();
  void save() const;  ///< what cannot be written is logged

  static std::string folder();       ///< made when it is not there; "" when it cannot be
  static std::string layout_file();  ///< of Gui
};

}  // namespace riffle
