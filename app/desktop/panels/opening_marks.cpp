/// Over the picture: the scene's inlets and outlets, with their names.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/desktop/panels/marker.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_marks.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/widgets/interface_trace.h"
#include "scenes/scene.h"
#include "sim/openings/nozzle.h"

namespace riffle::desktop {

void draw_inlet_mark(Marker& marker, const SimulationSetup& setup, const InletSetup& inlet) {
  const NozzleFrame frame = nozzle_frame(inlet, setup.domain);
  const double length = nozzle_layers(setup, inlet) * double{setup.spacing};
  const auto edges = mouth_edges(inlet, setup.domain);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto& [a, b] = edges[k];
    for (const double way : {0.0, length}) marker.line(frame.at(way, a[0], a[1]), frame.at(way, b[0], b[1]));
    if (edges.size() <= 8 || k % 6 == 0)
      for (const auto& corner : setup.domain.dimension == 2 ? std::vector{a, b} : std::vector{a})
        marker.line(frame.at(0, corner[0], corner[1]), frame.at(length, corner[0], corner[1]));
  }
  const double head = 0.3 * length;  // of an arrow along the flow
  marker.line(frame.at(length, 0, 0), frame.at(2 * length, 0, 0));
  for (const double side : {-0.5, 0.5})
    marker.line(frame.at(2 * length, 0, 0), frame.at(2 * length - head, side * head, 0));
}

void draw_outlet_mark(Marker& marker, const OutletSetup& outlet, int dimension) {
  const Bounds box = bounds_of(outlet);
  const auto corner = [&](int k) {
    return Vec3{(k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                (k & 4) != 0 ? box.max.z : box.min.z};
  };
  const int corners = dimension == 2 ? 4 : 8;
  for (int k = 0; k < corners; ++k)
    for (int bit = 1; bit < corners; bit *= 2)
      if ((k & bit) == 0) marker.line(corner(k), corner(k | bit));
}

namespace {

void draw_opening_marks(PanelContext& context) {
  const scenes::Scene* scene = context.editor.scene();
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("opening_marks", nullptr);
  if (!scene || !context.view.show_openings || !context.status.loaded) return;
  const SimulationSetup& setup = scene->simulation;
  if (setup.inlets.empty() && setup.outlets.empty()) return;
  Marker marker(context);
  nlohmann::json marks = nlohmann::json::object();
  const auto named = [&](const std::string& name, Vec3 at) {
    marker.name(at, name);
    if (const auto pixel = marker.pixel(at)) marks[name] = {pixel->x, pixel->y};
  };
  for (std::size_t k = 0; k < setup.inlets.size(); ++k) {
    draw_inlet_mark(marker, setup, setup.inlets[k]);
    named(inlet_name(setup, k), nozzle_frame(setup.inlets[k], setup.domain).at(0, 0, 0));
  }
  for (std::size_t k = 0; k < setup.outlets.size(); ++k) {
    draw_outlet_mark(marker, setup.outlets[k], setup.domain.dimension);
    named(outlet_name(setup, k), bounds_of(setup.outlets[k]).max);
  }
  trace.value("opening_marks", marks);
}

}  // namespace

extern const Panel opening_marks{"opening_marks", "", Panel::Place::Picture, true, draw_opening_marks};

}  // namespace riffle::desktop
