/// Over the picture: where the scene's probes are, with their names.

#include <string>

#include "app/desktop/panels/marker.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_marks.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"

namespace riffle::desktop {

void draw_probe_mark(Marker& marker, const ProbeSetup& probe, int dimension) {
  switch (probe.kind) {
    case ProbeKind::Point: marker.dot(probe.at); return;
    case ProbeKind::Line:
    case ProbeKind::Level:
      marker.line(probe.at, probe.to);
      marker.dot(probe.at);
      return;
    case ProbeKind::Plane:
    case ProbeKind::Flow: break;
  }
  const Vec3 a = probe.at, b = a + probe.side;
  marker.line(a, b);
  if (dimension == 2) return;
  const Vec3 c = b + probe.other_side, d = a + probe.other_side;
  marker.line(b, c);
  marker.line(c, d);
  marker.line(d, a);
}

namespace {

void draw_probe_marks(PanelContext& context) {
  const scenes::Scene* scene = context.editor.scene();
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("probe_marks", nullptr);
  if (!scene || !context.view.show_probes || scene->probes.empty() || !context.status.loaded) return;
  Marker marker(context);
  nlohmann::json marks = nlohmann::json::object();
  for (std::size_t p = 0; p < scene->probes.size(); ++p) {
    const std::string name = probe_name(scene->probes, p);
    marker.name(scene->probes[p].at, name);
    draw_probe_mark(marker, scene->probes[p], scene->simulation.domain.dimension);
    if (const auto at = marker.pixel(scene->probes[p].at)) marks[name] = {at->x, at->y};
  }
  trace.value("probe_marks", marks);
  nlohmann::json names = nlohmann::json::array();
  for (const ImVec4& room : marker.names()) names.push_back({room.x, room.y, room.z, room.w});
  trace.value("probe_names", names);
}

}  // namespace

extern const Panel probe_marks{"probe_marks", "", Panel::Place::Picture, true, draw_probe_marks};

}  // namespace riffle::desktop
