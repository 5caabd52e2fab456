#include <fmt/format.h>

#include <string_view>

#include "app/desktop/panels/panels.h"
#include "app/desktop/scene/parameter_values.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "sim/units.h"

namespace riffle {

namespace {

/// The scene format's `fluid` is a look, and what colours tell apart; side by side the look needs a word of its own.
std::string shown_word(const ViewState& view, std::string_view path, const std::string& word) {
  if (path != "picture.look" || word != "fluid") return word;
  return view.software_gl ? "fluid surface (slow without a GPU)" : "fluid surface";
}

std::string tip_of(const Parameter& p) {
  return without_backticks(p.doc) + (p.path == "picture.look" ? " In a scene file the fluid surface is 'fluid'." : "");
}

/// A key of the scene with a few words to choose from.
void choose_key(PanelContext& context, const char* path, const char* label) {
  const Parameter* key = context.editor.find(path);
  if (!key) return;
  const Parameter p = *key;  // an edit replaces them all
  ImGui::SetNextItemWidth(12 * ui::em());
  const bool open = ImGui::BeginCombo(label, shown_word(context.view, path, p.text()).c_str());
  ui::mark(path);
  InterfaceTrace::instance().value(path, shown_word(context.view, path, p.text()));
  ui::tip(tip_of(p).c_str());
  if (!open) return;
  for (const std::string& choice : p.choices) {
    if (ImGui::Selectable(shown_word(context.view, path, choice).c_str(), choice == p.text())) {
      context.editor.set(path, choice);
      // A range that was given is another quantity's.
      if (p.path == "picture.color_by") context.editor.set("picture.range", "auto", true);
    }
    ui::mark(std::string(path) + "." + choice);
  }
  ImGui::EndCombo();
}

void draw_cells(PanelContext& context) {
  ViewState& view = context.view;
  if (ui::checkbox(
          "cells", "Cells of the search", &view.extras.cells,
          "What the neighbour search in use divides the domain into. Of a great many cells every second line, or "
          "fourth and so on, is drawn."))
    context.worker.show_cells(view.extras.cells);
  InterfaceTrace::instance().value("cells", view.extras.cells ? view.cells : "");
  if (!view.extras.cells || view.cells.empty()) return;
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s", view.cells.c_str());
  ImGui::PopTextWrapPos();
}

/// The slider is along the domain, in its unit.
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

/// A plane that what is in front of is left out. @return whether something was changed
bool draw_cut(ViewState& view, const WorkerStatus& status) {
  if (!status.loaded || status.scene->simulation.domain.dimension == 2) return false;
  bool changed = false;
  constexpr const char* names[] = {"none", "x", "y", "z"};
  ImGui::SetNextItemWidth(5 * ui::em());
  if (ImGui::BeginCombo("cut", names[view.extras.cut_axis + 1])) {
    for (int a = -1; a < 3; ++a) {
      if (ImGui::Selectable(names[a + 1], a == view.extras.cut_axis)) {
        view.extras.cut_axis = a;
        changed = true;
      }
      ui::mark(std::string("cut.") + names[a + 1]);
    }
    ImGui::EndCombo();
  }
  ui::mark("cut");
  ui::tip("Leaves out the particles on one side of a plane, so that one sees inside.");
  if (view.extras.cut_axis < 0) return changed;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(7 * ui::em());
  changed |= slide_cut(view.extras, status.scene->simulation);
  ui::mark("cut_at");
  ImGui::SameLine();
  changed |= ui::checkbox("cut_flipped", "other side", &view.extras.cut_flipped);
  return changed;
}

}  // namespace

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
  choose_key(context, "picture.look", "look");
  choose_key(context, "picture.color_by", "colour by");
  // Fluids have colours of their own, and no range.
  const Parameter* quantity = context.editor.find("picture.color_by");
  const bool by_fluid = !view.scale.palette.empty() || (quantity && quantity->text() == "fluid");
  ImGui::BeginDisabled(by_fluid);
  choose_key(context, "picture.colormap", "colours");
  if (ui::button("fit_range", "Fit the range", "Colours from the least to the largest value there is now."))
    view.fit_range = true;
  ImGui::SameLine();
  if (ui::button("auto_range", "Range of the scene", "What the scene expects: the same from picture to picture."))
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
    ui::row("particles come to it by", view.vertex_path, "How OpenGL gets the positions that the simulation has.");
  view.picture_changed |= changed;
}

}  // namespace riffle
