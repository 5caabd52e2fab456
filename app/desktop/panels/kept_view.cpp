#include "app/desktop/panels/kept_view.h"

#include <algorithm>

#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/run/scene_view.h"
#include "scenes/document/parameters.h"

namespace riffle::desktop {

std::string view_as_key(const PanelContext& context) {
  // The place of the picture is not known while the panels beside it are drawn.
  const FramedCamera camera =
      camera_to_keep(context.view.camera.camera(), *context.editor.scene(), std::max(1, context.view.picture_width),
                     std::max(1, context.view.picture_height));
  const auto is_written = [&](const char* key) {
    const scenes::Parameter* const found = context.editor.find(key);
    return found != nullptr && found->written;
  };
  return camera_text(camera, *context.editor.scene(), is_written("picture.camera.up"),
                     is_written("picture.camera.fov"));
}

}  // namespace riffle::desktop
