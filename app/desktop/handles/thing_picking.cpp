#include "app/desktop/handles/thing_picking.h"

#include <fmt/format.h>

#include "app/desktop/panels/marker.h"
#include "app/desktop/panels/scene_marks.h"
#include "app/desktop/playback/scene_editor.h"
#include "scenes/scene.h"
#include "sim/openings/nozzle.h"

namespace riffle::desktop {

std::string marked_entry_at(const PanelContext& context, ImVec2 mouse) {
  const scenes::Scene* scene = context.editor.scene();
  if (!scene) return "";
  const SimulationSetup& setup = scene->simulation;
  const auto is_hit = [&](const auto& draw) {
    Marker marker(context, mouse);
    draw(marker);
    return marker.hit();
  };
  // The last one that is drawn lies on top.
  if (context.view.show_openings) {
    for (std::size_t k = setup.outlets.size(); k-- > 0;)
      if (is_hit([&](Marker& marker) {
            draw_outlet_mark(marker, setup.outlets[k], setup.domain.dimension);
            marker.name(bounds_of(setup.outlets[k]).max, outlet_name(setup, k));
          }))
        return fmt::format("outlets[{}]", k);
    for (std::size_t k = setup.inlets.size(); k-- > 0;)
      if (is_hit([&](Marker& marker) {
            draw_inlet_mark(marker, setup, setup.inlets[k]);
            marker.name(setup.inlets[k].center, inlet_name(setup, k));
          }))
        return fmt::format("inlets[{}]", k);
  }
  if (context.view.show_probes)
    for (std::size_t k = scene->probes.size(); k-- > 0;)
      if (is_hit([&](Marker& marker) {
            draw_probe_mark(marker, scene->probes[k], setup.domain.dimension);
            for (std::size_t before = 0; before < k; ++before)
              marker.leave_room_for(scene->probes[before].at, probe_name(scene->probes, before));
            marker.name(scene->probes[k].at, probe_name(scene->probes, k));
          }))
        return fmt::format("probes[{}]", k);
  return "";
}

std::string body_at(const scenes::Scene& scene, Vec3 place) {
  const SimulationSetup& setup = scene.simulation;
  for (std::size_t k = 0; k < setup.bodies.size(); ++k)
    if (contains(setup.bodies[k], place, setup.domain.dimension)) return fmt::format("bodies[{}]", k);
  return "";
}

}  // namespace riffle::desktop
