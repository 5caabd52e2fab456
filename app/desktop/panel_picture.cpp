#include <fmt/format.h>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"

namespace riffle {

namespace {

/// A key of the scene with a few words to choose from.
void choose_key(PanelContext& context, const char* path, const char* label) {
  const Parameter* key = context.editor.find(path);
  if (!key) return;
  const Parameter p = *key;  // an edit replaces them all
  ImGui::SetNextItemWidth(12 * ui::em());
  const bool open = ImGui::BeginCombo(label, p.text().c_str());
  ui::mark(path);
  ui::tip(p.doc.c_str());
  if (!open) return;
  for (const std::string& choice : p.choices) {
    if (ImGui::Selectable(choice.c_str(), choice == p.text())) {
      context.editor.set(path, choice);
      // A range that was given is another quantity's.
      if (p.path == "picture.color_by") context.editor.set("picture.range", "auto", true);
    }
    ui::mark(std::string(path) + "." + choice);
  }
  ImGui::EndCombo();
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
  choose_key(context, "picture.color_by", "colour by");
  choose_key(context, "picture.colormap", "colours");
  if (ui::button("fit_range", "Fit the range", "Colours from the least to the largest value there is now."))
    view.fit_range = true;
  ImGui::SameLine();
  if (ui::button("auto_range", "Range of the scene", "What the scene expects: the same from picture to picture."))
    context.editor.set("picture.range", "auto");
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
