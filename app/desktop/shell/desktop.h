#pragma once
/// The window: what `riffle [SCENE]` opens.

#include <string>

#include "app/command/scene_options.h"
#include "app/desktop/platform/window.h"

namespace riffle::desktop {

/// Runs until the window is closed. @return the exit code
/// @throws NoWindow before anything else is done
int run_desktop(const SceneOptions& options);

/// Tries the display without showing anything. @return "" if a window can be opened on it, otherwise the reason
std::string why_no_window();

}  // namespace riffle::desktop
