#pragma once
/// The settings that the window keeps from one start to the next, below $XDG_CONFIG_HOME/riffle.

#include <map>
#include <string>
#include <vector>

#include "app/desktop/platform/export_settings.h"
#include "app/desktop/platform/gui.h"
#include "app/desktop/platform/window.h"

namespace riffle::desktop {

struct UserSettings {
  WindowPlace window;
  Appearance appearance = Appearance::Dark;
  bool vsync = true;
  std::map<std::string, bool> sections;        ///< as ui::WidgetState::open_sections
  std::map<std::string, std::string> choices;  ///< as ui::WidgetState::choices
  ExportSettings exports;                      ///< those of kept_choices()
  std::vector<std::string> scenes;             ///< as SceneList::recent_paths()

  /// A file that is missing or broken gives the defaults; a broken one is logged.
  static UserSettings load();
  void save() const;  ///< a failure is logged

  static std::string folder();       ///< made if it does not exist; "" if it cannot be made
  static std::string layout_file();  ///< for Gui
};

}  // namespace riffle::desktop
