#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "app/desktop/panels/kept_view.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/color_choices.h"
#include "app/desktop/scene/parameter_values.h"
#include "app/desktop/widgets/color_field.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/widgets.h"
#include "app/run/scene_view.h"
#include "scenes/document/parameters.h"
#include "scenes/document/scene_number.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene.h"
#include "sim/measure/quantity.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

/// The scene format's `fluid` is both a look and a quantity for colours. The panel shows both: it renames the look.
/// Quantities have the names that the legend has.
std::string shown_word(const ViewState& view, std::string_view path, const std::string& word) {
  if (path == "picture.color_by")
    if (const auto quantity = value_of_word<Quantity>(word)) return quantity_info(*quantity).name;
  if (path != "picture.look" || word != "fluid") return word;
  return view.software_gl ? "fluid surface (slow)" : "fluid surface";
}

std::string tip_of(const scenes::Parameter& p, const scenes::Scene& scene) {
  if (p.path == "picture.color_by")
    return "Quantity that the particles' colours show.\n\n" +
           sentence_of(quantity_info(*scene.picture.color_by), scene);
  return without_backticks(p.doc) + (p.path == "picture.look" ? " In a scene file the fluid surface is 'fluid'." : "");
}

/// A key of the scene that is one of a few words.
void choose_key(PanelContext& context, const char* path, const char* label) {
  const scenes::Parameter* key = context.editor.find(path);
  if (!key || !context.status.loaded) return;
  const scenes::Parameter p = *key;  // a copy: an edit replaces all keys
  const std::string shown = shown_word(context.view, path, p.text());
  InterfaceTrace::instance().value(path, shown);
  const ui::Combo combo(
      path, label, shown,
      {.width = 12 * ui::em(), .tall = p.choices.size() > 8, .tip = tip_of(p, *context.status.scene)});
  if (!combo.open()) return;
  for (const std::string& choice : p.choices) {
    const WordHelp help = help_of(p, choice, *context.status.scene);
    const std::string word = shown_word(context.view, path, choice);
    if (!combo.entry(choice, word, choice == p.text(), help.tip, help.allowed)) continue;
    context.editor.set(path, choice);
  }
}

/// The values at the two ends of the colours: the scene's, or those that `auto` has found.
void draw_range(PanelContext& context) {
  const scenes::Parameter* key = context.editor.find("picture.range");
  if (!key || !context.editor.scene()) return;
  const std::string tip =
      without_backticks(key->doc) +
      "\n\nIf all has one colour, \"Fit the range\" below spreads the colours over the present values." +
      "\n\nDrag to change it; click to type, Enter to apply.";
  const scenes::PictureSetup& picture = context.editor.scene()->picture;
  const render::ColorScale& scale = context.view.scale;
  const std::array<double, 2> ends = picture.automatic_range
                                         ? std::array<double, 2>{scale.min, scale.max}
                                         : std::array<double, 2>{picture.range_min, picture.range_max};
  const double extent = ends[1] - ends[0], least_extent = 1e-3 * extent;
  const auto speed = static_cast<float>(extent / 200);
  constexpr double kFarthest = std::numeric_limits<float>::max();
  const ui::NumberDrag drags[2] = {{-kFarthest, ends[1] - least_extent, speed},
                                   {ends[0] + least_extent, kFarthest, speed}};
  constexpr const char* marks[2] = {"range.least", "range.most"};
  const auto text = [](double value) { return scenes::number_text(static_cast<float>(value)); };
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, each = 0.5f * (12 * ui::em() - gap);
  for (int end = 0; end < 2; ++end) {
    ImGui::PushID(marks[end]);
    const ui::NumberChange change = ui::number_field("##value", ends[end], text(ends[end]), drags[end], each);
    ui::mark(marks[end]);
    ui::tip(tip.c_str());
    ImGui::PopID();
    ImGui::SameLine(0, gap);
    const auto set = [&](const std::string& value, bool goes_on) {
      context.editor.set(
          "picture.range",
          end == 0 ? fmt::format("[{}, {}]", value, text(ends[1])) : fmt::format("[{}, {}]", text(ends[0]), value),
          goes_on);
    };
    if (change.dragged) set(text(*change.dragged), !change.first);
    if (!change.typed) continue;
    if (change.typed->find(',') != std::string::npos)  // it would be two numbers
      context.editor.refuse("picture.range", fmt::format("picture.range: found '{}'{}, allowed: a number",
                                                         *change.typed, scenes::number_hint(*change.typed, "")));
    else
      set(*change.typed, false);
  }
  ImGui::TextUnformatted("range");
  if (context.editor.error_path() == "picture.range" && !context.editor.error().empty() && !ui::has_message("refusal"))
    ui::message_at_item({"refusal", ui::MessageKind::Refusal, context.editor.error(), {}, [&editor = context.editor] {
                           editor.forget_error();
                         }});
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

/// A key of the scene that is true or false.
void choose_flag(PanelContext& context, const char* path, const char* mark, const char* label, bool value) {
  const scenes::Parameter* key = context.editor.find(path);
  const std::string tip = key ? without_backticks(key->doc) : "";
  if (ui::checkbox(mark, label, &value, tip.c_str())) context.editor.set(path, value ? "true" : "false");
}

/// A slider along the domain, in its unit.
void slide_cut(SceneEditor& editor, const scenes::CutSetup& cut, const SimulationSetup& setup) {
  const float low = component(setup.domain.min, cut.axis), high = component(setup.domain.max, cut.axis);
  float at = cut.at;
  const std::string format = fmt::format("%.3g {}", units_of(setup).length);
  if (ImGui::SliderFloat("##cut_at", &at, low, high, format.c_str(), ImGuiSliderFlags_AlwaysClamp))
    editor.set("picture.cut.at", scenes::number_text(at), !ImGui::IsItemActivated());
  ui::mark("cut_at");
}

/// @param axis  its new normal, -1 for none. The plane stays at the same part of the domain's extent.
void choose_cut(SceneEditor& editor, const scenes::CutSetup& now, int axis, const Domain& domain) {
  if (axis < 0) return editor.set("picture.cut", "none");
  const auto low = [&](int a) { return component(domain.min, a); };
  const auto extent = [&](int a) { return component(domain.extent(), a); };
  const float part = now.axis < 0 ? 0.5f : (now.at - low(now.axis)) / extent(now.axis);
  editor.set("picture.cut", fmt::format("{{axis: {}, at: {}, other_side: {}}}", static_cast<char>('x' + axis),
                                        scenes::number_text(low(axis) + part * extent(axis)), now.other_side));
}

/// The cut plane: particles on one side of it are not drawn.
void draw_cut(PanelContext& context) {
  const scenes::Parameter* key = context.editor.find("picture.cut");
  if (!key) return;  // 2-D
  const scenes::Scene& scene = *context.editor.scene();
  const scenes::CutSetup cut = scene.picture.cut;  // a copy: an edit replaces it
  const SimulationSetup setup = scene.simulation;
  constexpr const char* names[] = {"none", "x", "y", "z"};
  InterfaceTrace::instance().value("cut_plane", {cut.axis, cut.at, cut.other_side});
  const std::string tip = without_backticks(key->doc);
  if (const ui::Combo combo("cut", "cut", names[cut.axis + 1], {.width = 5 * ui::em(), .tip = tip}); combo.open())
    for (int axis = -1; axis < 3; ++axis)
      if (combo.entry(names[axis + 1], names[axis + 1], axis == cut.axis))
        choose_cut(context.editor, cut, axis, setup.domain);
  if (cut.axis < 0) return;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(7 * ui::em());
  slide_cut(context.editor, cut, setup);
  ImGui::SameLine();
  choose_flag(context, "picture.cut.other_side", "cut_flipped", "other side", cut.other_side);
}

/// The colour behind everything: the scene's, or that of the window's appearance.
void draw_background(PanelContext& context) {
  const scenes::Parameter* key = context.editor.find("picture.background");
  const scenes::Parameter* clear = context.editor.find("picture.transparent");
  if (!key || !clear) return;
  const bool by_word = key->text() == "transparent";
  InterfaceTrace::instance().value("background", key->text());
  const auto given = context.view.background;
  const Vec3 shown = given.value_or(look_of(context.view).options.theme.background_top);
  if (const auto chosen = ui::color_field("background", shown, without_backticks(key->doc).c_str()))
    context.editor.set("picture.background", scenes::vector_text(chosen->rgb), chosen->goes_on);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::TextUnformatted("background");
  if (given || context.view.studio != scenes::StudioChoice::Auto) {
    ui::same_line_if_fits(ui::button_width("auto"));
    if (ui::button("background_auto", "auto",
                   "The grey gradient of the appearance here; in the pictures of riffle run the light one."))
      context.editor.set("picture.background", "auto");
  }
  bool transparent = context.view.transparent;
  if (!ui::checkbox(
          "background_transparent", "none in PNG files", &transparent,
          "Saved pictures, and movies as PNG files, have alpha in place of the background, which the window and "
          "movies as one file keep. Over white they are right; water is paler over other colours."))
    return;
  if (by_word && !transparent)
    context.editor.set("picture.background", "auto");
  else
    context.editor.set("picture.transparent", transparent ? "true" : "false");
}

/// Makes the window's view that of the scene.
void draw_keep_view(PanelContext& context) {
  if (!context.editor.find("picture.camera")) return;
  ImGui::SameLine();
  if (!ui::button(
          "keep_view", "Keep this view",
          "The scene gets the camera as it is now, as its key picture.camera, and the studio, dark or light, as "
          "picture.background: Home, saved scenes and riffle run then show this view. Undo takes it back."))
    return;
  std::vector<scenes::Edit> edits{{"picture.camera", view_as_key(context)}};
  const bool has_gradient = !context.view.background && context.view.studio == scenes::StudioChoice::Auto;
  if (has_gradient && context.editor.find("picture.background"))
    edits.push_back({"picture.background", has_dark_studio(context.view) ? "dark" : "light"});
  context.editor.set_together(edits);
}

void draw_picture(PanelContext& context) {
  ViewState& view = context.view;
  if (ui::button("home", "Home view", "The scene's view (Home).")) {
    view.camera.home();
    view.picture_changed = true;
  }
  draw_keep_view(context);
  choose_flag(context, "picture.legend", "legend", "Legend", view.render.legend);
  ImGui::SameLine();
  choose_flag(context, "picture.box", "box", "Box", view.render.box);
  ImGui::SameLine();
  choose_flag(context, "picture.solids", "solids", "Solids", view.render.solids);
  if (const scenes::Scene* scene = context.editor.scene(); scene && !scene->probes.empty()) {
    ImGui::SameLine();
    ui::checkbox("probes", "Probes", &view.show_probes, "Where the scene's probes measure, with their names.");
  }
  if (const scenes::Scene* scene = context.editor.scene();
      scene && !(scene->simulation.inlets.empty() && scene->simulation.outlets.empty())) {
    const char* const label = "Inlets, outlets";
    ui::same_line_if_fits(ui::button_width(label) + ui::em());
    ui::checkbox("openings", label, &view.show_openings, "The scene's nozzles and outlets, with their names.");
  }
  choose_key(context, "picture.look", "look");
  choose_key(context, "picture.color_by", "colour by");
  // The fluids have their own colours, without a range.
  const scenes::Parameter* quantity = context.editor.find("picture.color_by");
  const bool by_fluid = !view.scale.palette.empty() || (quantity && quantity->text() == "fluid");
  ImGui::BeginDisabled(by_fluid);
  choose_key(context, "picture.colormap", "colours");
  if (!by_fluid) draw_range(context);
  if (ui::button("fit_range", "Fit the range",
                 "Colours from the smallest to the largest present value. Gentle water has one colour in the "
                 "automatic range, which reaches as far as the scene's heights can drive it: fit it here."))
    view.fit_range = true;
  ImGui::SameLine();
  if (ui::button(
          "auto_range", "Automatic range",
          "The range that follows from the heights and speeds of the scene: the same in all pictures. Undo brings "
          "the range before it back."))
    context.editor.set("picture.range", "auto");
  ImGui::EndDisabled();
  draw_cells(context);
  draw_cut(context);
  draw_background(context);
  int light = view.appearance == Appearance::Light;
  const char* const what =
      "The appearance of the window, its panels and, where picture.background is auto, the grey gradient behind the "
      "picture. riffle run then draws the light one: \"Keep this view\" writes the one that is seen here into the "
      "scene.";
  if (ImGui::RadioButton("dark", &light, 0)) view.appearance = Appearance::Dark;
  ui::mark("dark");
  ui::tip(what);
  ImGui::SameLine();
  if (ImGui::RadioButton("light", &light, 1)) view.appearance = Appearance::Light;
  ui::mark("light");
  ui::tip(what);
  ui::checkbox("vsync", "Wait for the screen", &view.vsync, "Pictures follow the screen's refresh (vsync).");
  ui::row("OpenGL", view.gl_renderer);
  if (!view.vertex_path.empty())
    ui::row("particles reach it by", view.vertex_path, "How OpenGL gets the positions from the simulation.");
}

}  // namespace

extern const Panel picture_panel{"picture", "Picture", Panel::Place::Side, false, draw_picture};

}  // namespace riffle::desktop
