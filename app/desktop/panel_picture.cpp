#include <fmt/format.h>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"
#include "app/scene_view.h"
#include "render/color_map.h"

namespace riffle {

void draw_picture_panel(PanelContext& context) {
  if (!ui::section("picture", "Picture", false)) return;
  ViewState& view = context.view;
  bool changed = false;
  if (ui::button("home", "Home view", "The view that the scene began with (Home).")) {
    view.camera.home();
    changed = true;
  }
  changed |= ui::checkbox("legend", "Legend", &view.render.legend);
  ImGui::SameLine();
  changed |= ui::checkbox("box", "Box", &view.render.box);
  ImGui::SetNextItemWidth(12 * ui::em());
  if (ImGui::BeginCombo("colours", view.scale.colormap.c_str())) {
    for (const std::string_view name : color_map_names())
      if (ImGui::Selectable(std::string(name).c_str(), view.scale.colormap == name)) {
        view.scale.colormap = name;
        changed = true;
      }
    ImGui::EndCombo();
  }
  ui::mark("colormap");
  int light = view.appearance == Appearance::Light;
  if (ImGui::RadioButton("dark", &light, 0)) view.appearance = Appearance::Dark;
  ui::mark("dark");
  ImGui::SameLine();
  if (ImGui::RadioButton("light", &light, 1)) view.appearance = Appearance::Light;
  ui::mark("light");
  ui::checkbox("vsync", "Wait for the screen", &view.vsync, "Pictures follow the screen's refresh (vsync).");
  ui::row("OpenGL", view.gl_renderer);
  ui::row("particles reach it by", view.vertex_path);
  view.picture_changed |= changed;
}

}  // namespace riffle
