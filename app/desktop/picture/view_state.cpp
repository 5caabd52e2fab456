#include "app/desktop/picture/view_state.h"

namespace riffle::desktop {

PictureLook look_of(const ViewState& view) {
  PictureLook look{view.camera.camera(), view.scale, view.render, view.extras, false};
  look.options.theme = has_dark_studio(view) ? render::Theme::dark() : render::Theme::light();
  if (view.background) look.options.theme = render::Theme::on(*view.background);
  return look;
}

bool has_dark_studio(const ViewState& view) {
  switch (view.studio) {
    case scenes::StudioChoice::Dark: return true;
    case scenes::StudioChoice::Light: return false;
    case scenes::StudioChoice::Auto: break;
  }
  return view.appearance == Appearance::Dark;
}

bool has_dark_background(const ViewState& view) {
  const Vec3 ink = look_of(view).options.theme.ink;  // that which stands out more
  return ink.x + ink.y + ink.z > 1.5f;
}

}  // namespace riffle::desktop
