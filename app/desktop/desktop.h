#pragma once
/// The window: what `riffle [SCENE]` opens.

#include "app/desktop/window.h"
#include "app/options.h"

namespace riffle {

/// Until the window is closed. @return the exit code
/// @throws NoWindow before anything else is done
int run_desktop(const SceneOptions& options);

}  // namespace riffle
