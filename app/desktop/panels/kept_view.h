#pragma once
/// The window's view, for the scene.

#include <string>

namespace riffle::desktop {

struct PanelContext;

/// The camera as it is now, as a value of the scene's key picture.camera.
std::string view_as_key(const PanelContext& context);

}  // namespace riffle::desktop
