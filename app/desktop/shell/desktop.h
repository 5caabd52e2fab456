#pragma once
/// The window: what `riffle [SCENE]` opens.

#include <string>

#include "app/cli/options.h"
#include "app/desktop/platform/window.h"

namespace riffle {

/// Until the window is closed. @return the exit code
/// @throws NoWindow before anything else is done
int run_desktop(const SceneOptions& options);

/// Tries the display, without showing anything. @return "" where a window could be opened on it, or the reason
std::string why_no_window();

}  // namespace riffle
