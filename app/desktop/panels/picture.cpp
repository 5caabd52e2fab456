#include <fmt/format.h>

#include <string_view>

#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/parameter_values.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

/// The scene format's `fluid` is both a look and a quantity for colours. The panel shows both: it renames the look.
std::string shown_word(const ViewState& view, std::string_view path, const std::string& word) {
  if (path != "picture.look" || word != "fluid") return word;
  return view.software_gl ? "fluid surface (slow)" : "fluid surface";
}

std::string tip_of(const scenes::Parameter& p) {
  return without_backticks(p.doc) + (p.path == "picture.look" ? " In a scene file the fluid surface is 'fluid'." : "");
}

/// A key of the scene that is one of a few words.
void choose_key(PanelContext& context, const char* path, const char* label) {
  const scenes::Parameter* key = context.editor.find(path);
  if (!key) return;
  const scenes::Parameter p = *key;  // a copy: an edit replaces all keys
  const std::string shown = shown_word(context.view, path, p.text());
  InterfaceTrace::instance().value(path, shown);
  const ui::Combo combo(path, label, shown, {.width = 12 * ui::em(), .tip = tip_of(p)});
  if (!combo.open()) return;
  for (const std::string& choice : p.choices) {
    if (!combo.entry(choice, shown_word(context.view, path, choice), choice == p.text())) continue;
    context.editor.set(path, choice);
    // The scene's range belongs to the quantity before.
    if (p.path == "picture.color_by") context.editor.set("picture.range", "auto", true);
  }
}

void draw_cells(PanelContext& context) {
  ViewState& view = context.view;
  if (ui::checkbox(
          "cells", "Cells of the search", &view.extras.cells,
          "The cells into which the neighbour search in use divides the domain. If there are very many, only every "
          "second line is drawn, or every fourth and so on."))
    context.worker.show_cells(view.extras.cells);
  InterfaceTrace::instance().value("cells", view.extras.cells ? view.cells : "");
  if (!view.extras.cells || view.cells.empty()) return;
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s", view.cells.c_str());
  ImGui::PopTextWrapPos();
}

/// A slider along the domain, in its unit. @return whether it was moved
bool slide_cut(ExtrasChoice& extras, const SimulationSetup& setup) {
  const Vec3 min = setup.domain.min, extent = setup.domain.extent();
  const float low = extras.cut_axis == 0 ? min.x : extras.cut_axis == 1 ? min.y : min.z;
  const float all = extras.cut_axis == 0 ? extent.x : extras.cut_axis == 1 ? extent.y : extent.z;
  float at = low + extras.cut_at * all;
  const std::string format = fmt::format("%.3g {}", units_of(setup).length);
  if (!ImGui::SliderFloat("##cut_at", &at, low, low + all, format.c_str(), ImGuiSliderFlags_AlwaysClamp)) return false;
  extras.cut_at = (at - low) / all;
  return true;
}

/// The cut plane: particles on one side of it are not drawn. @return whether something was changed
bool draw_cut(ViewState& view, const WorkerStatus& status) {
  if (!status.loaded || status.scene->simulation.domain.dimension == 2) return false;
  bool changed = false;
  constexpr const char* names[] = {"none", "x", "y", "z"};
  const ui::ComboLook look{.width = 5 * ui::em(),
                           .tip = "Leaves out the particles on one side of a plane, so that one sees inside."};
  if (const ui::Combo combo("cut", "cut", names[view.extras.cut_axis + 1], look); combo.open())
    for (int axis = -1; axis < 3; ++axis)
      if (combo.entry(names[axis + 1], names[axis + 1], axis == view.extras.cut_axis)) {
        view.extras.cut_axis = axis;
        changed = true;
      }
  if (view.extras.cut_axis < 0) return changed;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(7 * ui::em());
  changed |= slide_cut(view.extras, status.scene->simulation);
  ui::mark("cut_at");
  ImGui::SameLine();
  changed |= ui::checkbox("cut_flipped", "other side", &view.extras.cut_flipped);
  return changed;
}

void draw_picture(PanelContext& context) {
  ViewState& view = context.view;
  bool changed = false;
  if (ui::button("home", "Home view", "The view that the scene began with (Home).")) {
    view.camera.home();
    changed = true;
  }
  changed |= ui::checkbox("legend", "Legend", &view.render.legend);
  ImGui::SameLine();
  changed |= ui::checkbox("box", "Box", &view.render.box);
  choose_key(context, "picture.look", "look");
  choose_key(context, "picture.color_by", "colour by");
  // The fluids have their own colours, without a range.
  const scenes::Parameter* quantity = context.editor.find("picture.color_by");
  const bool by_fluid = !view.scale.palette.empty() || (quantity && quantity->text() == "fluid");
  ImGui::BeginDisabled(by_fluid);
  choose_key(context, "picture.colormap", "colours");
  if (ui::button("fit_range", "Fit the range", "Colours from the smallest to the largest present value."))
    view.fit_range = true;
  ImGui::SameLine();
  if (ui::button("auto_range", "Range of the scene", "The range that the scene expects: the same in all pictures."))
    context.editor.set("picture.range", "auto");
  ImGui::EndDisabled();
  draw_cells(context);
  changed |= draw_cut(view, context.status);
  int light = view.appearance == Appearance::Light;
  if (ImGui::RadioButton("dark", &light, 0)) view.appearance = Appearance::Dark;
  ui::mark("dark");
  ImGui::SameLine();
  if (ImGui::RadioButton("light", &light, 1)) view.appearance = Appearance::Light;
  ui::mark("light");
  ui::checkbox("vsync", "Wait for the screen", &view.vsync, "Pictures follow the screen's refresh (vsync).");
  ui::row("OpenGL", view.gl_renderer);
  if (!view.vertex_path.empty())
    ui::row("particles reach it by", view.vertex_path, "How OpenGL gets the positions from the simulation.");
  view.picture_changed |= changed;
}

}  // namespace

extern const Panel picture_panel{"picture", "Picture", Panel::Place::Side, false, draw_picture};

}  // namespace riffle::desktop
