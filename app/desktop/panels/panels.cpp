#include "app/desktop/panels/panels.h"

#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/widgets.h"
#include "app/run/scene_view.h"

namespace riffle::desktop {

extern const Panel scene_panel, neighbors_panel, timings_panel, diagnostics_panel, physics_panel, particle_panel,
    picture_panel, export_panel, transport_panel, particle_box, probe_marks, opening_marks, warnings_note,
    recording_note, end_note, busy_sign, messages, questions;

std::span<const Panel* const> panels() {
  static constexpr const Panel* all[] = {
      &scene_panel,   &physics_panel,  &neighbors_panel, &timings_panel, &diagnostics_panel, &particle_panel,
      &picture_panel, &export_panel,   &transport_panel, &probe_marks,   &opening_marks,     &particle_box,
      &warnings_note, &recording_note, &end_note,        &busy_sign,     &messages,          &questions};
  return all;
}

Camera camera_in_picture(const PanelContext& context) {
  const Camera& camera = context.view.camera.camera();
  return context.status.loaded ? camera_in_domain(camera, *context.status.scene, context.view.picture_time) : camera;
}

bool awaits_scene(const PanelContext& context) {
  return !context.status.loaded && context.status.handled < context.worker.asked();
}

void draw_panels(Panel::Place place, PanelContext& context) {
  for (const Panel* panel : panels()) {
    if (panel->place != place) continue;
    const bool has_heading = place == Panel::Place::Side && *panel->title;
    if (!has_heading || ui::section(panel->name, panel->title, panel->open_at_first)) panel->draw(context);
  }
}

}  // namespace riffle::desktop
