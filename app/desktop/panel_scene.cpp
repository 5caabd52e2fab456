#include <fmt/format.h>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"
#include "sim/setup.h"

namespace riffle {

namespace {

void draw_device(PanelContext& context) {
  const WorkerStatus& status = context.status;
  if (!cuda_status().usable) {
    ui::row("device", status.device_name, cuda_status().reason.c_str());
    return;
  }
  ImGui::SetNextItemWidth(-1);
  const bool open = ImGui::BeginCombo("##device", status.device_name.c_str());
  ui::mark("device");
  if (!open) return;
  for (const DeviceRequest request : {DeviceRequest::Cuda, DeviceRequest::Cpu}) {
    const Device device = select_device(request);
    const std::string name(to_string(device.kind));
    if (ImGui::Selectable(device_name(device).c_str(), device == status.device)) context.worker.set_device(request);
    ui::mark("device." + name);
  }
  ImGui::EndCombo();
}

}  // namespace

void draw_scene_panel(PanelContext& context) {
  const WorkerStatus& status = context.status;
  const std::string name = status.loaded ? status.scene->name : status.busy.empty() ? "no scene" : status.busy;
  ImGui::SetNextItemWidth(-1);
  const bool open = ImGui::BeginCombo("##scene", name.c_str(), ImGuiComboFlags_HeightLarge);
  ui::mark("scene");
  if (open) {
    for (const CatalogEntry& entry : context.scenes) {
      if (ImGui::Selectable(entry.name.c_str(), status.loaded && entry.path == status.scene->path))
        context.open_scene(entry.path);
      ui::mark("scene." + entry.name);
      ui::tip(entry.description.c_str());
    }
    ImGui::EndCombo();
  }
  if (!status.loaded) return;
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s", status.scene->description.c_str());
  ImGui::PopTextWrapPos();
  ui::row("solver", to_string(status.scene->simulation.solver));
  draw_device(context);
  ui::row("particles", status.wall_particles > 0 ? fmt::format("{} + {} of walls", ui::count(status.particles),
                                                               ui::count(status.wall_particles))
                                                 : ui::count(status.particles));
  ui::row("memory", ui::bytes(static_cast<double>(status.memory_bytes)), "Allocated by the simulation on its device.");
}

}  // namespace riffle
