#pragma once
/// What lies over the picture: what the program is busy with, and what to do where there is no picture.

#include "app/desktop/panels/panels.h"
#include "app/desktop/shell/viewport.h"

namespace riffle {

void draw_viewport_signs(const Viewport::Area& area, PanelContext& context);

}  // namespace riffle
