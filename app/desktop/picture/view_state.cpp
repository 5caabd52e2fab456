#include "app/desktop/picture/view_state.h"

namespace riffle {

PictureLook look_of(const ViewState& view) {
  PictureLook look{view.camera.camera(), view.scale, view.render, view.extras, false};
  look.options.theme = view.appearance == Appearance::Dark ? Theme::dark() : Theme::light();
  return look;
}

}  // namespace riffle
