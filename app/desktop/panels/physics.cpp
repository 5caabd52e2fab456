/// All keys of the scene. Ranges, units and explanations come from the table of the scene format, as the loader's do.

#include <fmt/format.h>
#include <imgui.h>
// After imgui.h.
#include <imgui_stdlib.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "app/desktop/panels/actions.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/scene/color_choices.h"
#include "app/desktop/scene/parameter_values.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/catalog.h"
#include "scenes/document/key_path.h"
#include "scenes/document/list_entries.h"
#include "scenes/document/problems.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene.h"
#include "sim/solver_info.h"

namespace riffle::desktop {

namespace {

/// @param idle nullptr if the key does something
std::string tooltip(const scenes::Parameter& p, const scenes::IdleKey* idle) {
  // The path and the value first: the row may be too narrow for them.
  std::string text = p.path + (p.value.empty() ? "" : ": " + p.value) + "\n\n";
  if (idle) text += idle->key + " " + idle->text + ".\n\n";
  text += without_backticks(p.doc);
  const scenes::Form* number = nullptr;
  for (const scenes::Form& form : p.forms)
    if (form.kind == scenes::Form::Kind::Number || form.kind == scenes::Form::Kind::Whole) number = &form;
  if (number) text += "\n\n" + number->describe();
  if (!p.default_note.empty())
    text += "\nDefault: " + without_backticks(p.default_note);
  else if (!p.default_value.empty())
    text += "\nDefault: " + p.default_value;
  if (number) text += "\nDrag to change it; click to type, Enter to apply.";
  if (p.effect == scenes::Effect::Restart) text += "\nA change starts the scene again.";
  return text;
}

/// Sends a change of a number's field. If the run goes on with the change, every movement of the mouse is sent; if it
/// starts again, only the last one. A typed text is sent as it is: the loader checks it.
/// @param text the key's YAML with that text in place of the number
void send(SceneEditor& editor, const scenes::Parameter& p, const ui::NumberChange& change, double before,
          const std::function<std::string(const std::string&)>& text) {
  const bool live = p.effect != scenes::Effect::Restart;
  if (const auto dragged = live ? change.dragged : change.let_go) {
    const double value = dragged_to(p, before, *dragged);
    if (value != before) editor.set(p.path, text(number_as_text(p, value)), live && !change.first);
  }
  if (change.typed) editor.set(p.path, text(*change.typed));
}

void draw_number(SceneEditor& editor, const scenes::Parameter& p, float width) {
  const std::vector<double> numbers = p.numbers();
  const double value = numbers.empty() ? 0 : numbers[0];
  ui::NumberDrag drag = drag_of(p, value);
  if (numbers.empty()) drag.format = "none";  // a 0 would be a value
  const ui::NumberChange change = ui::number_field("##value", value, p.text(), drag, width);
  ui::mark("key." + p.path);
  ui::mark_text("key." + p.path, numbers.empty() ? "none" : fmt::format("{:.5g}", value),
                width - 2 * ImGui::GetStyle().FramePadding.x);
  send(editor, p, change, value, [](const std::string& text) { return text; });
}

void draw_flag(SceneEditor& editor, const scenes::Parameter& p) {
  bool value = p.text() == "true";
  if (ImGui::Checkbox("##value", &value)) editor.set(p.path, value ? "true" : "false");
  ui::mark("key." + p.path);
}

void offer_words(PanelContext& context, const scenes::Parameter& p, const ui::Combo& combo) {
  if (!combo.open()) return;
  for (const std::string& choice : p.choices) {
    const WordHelp help = help_of(p, choice, *context.status.scene);
    if (combo.entry(choice, choice, choice == p.text(), help.tip, help.allowed)) context.editor.set(p.path, choice);
  }
  if (p.example.empty() || !p.is_word()) return;
  if (combo.entry("given", "given ...", false, "Begins with " + p.example + ". Its keys are then fields of their own."))
    context.editor.set(p.path, p.example);
}

void draw_words(PanelContext& context, const scenes::Parameter& p, float width) {
  offer_words(context, p,
              ui::Combo("key." + p.path, "##value", p.example.empty() || p.is_word() ? p.text() : "given",
                        {.width = width, .tall = p.choices.size() > 8}));
}

/// A field for each of a key's numbers. @param columns fields in a line
/// @param text the key's YAML with a text in place of number k
void draw_numbers(SceneEditor& editor, const scenes::Parameter& p, const std::vector<double>& values,
                  std::size_t columns, float width,
                  const std::function<std::string(std::size_t k, const std::string& text)>& text) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, each = (width + gap) / static_cast<float>(columns) - gap;
  ImGui::BeginGroup();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k % columns > 0) ImGui::SameLine(0, gap);
    ImGui::PushID(static_cast<int>(k));
    const ui::NumberChange change =
        ui::number_field("##value", values[k], number_as_text(p, values[k]), drag_of(p, values[k]), each);
    const std::string name = "key." + p.path + "." + std::to_string(k);
    ui::mark(name);
    ui::mark_text(name, fmt::format("{:.5g}", values[k]), each - 2 * ImGui::GetStyle().FramePadding.x);
    ImGui::PopID();
    send(editor, p, change, values[k], [&](const std::string& typed) { return text(k, typed); });
  }
  ImGui::EndGroup();
  ui::mark("key." + p.path);
}

void draw_vector(SceneEditor& editor, const scenes::Parameter& p, float width) {
  if (p.component == scenes::Parameter::Kind::Choice) {  // a word per axis
    const auto typed = ui::text_field("##value", p.value, width);
    ui::mark("key." + p.path);
    if (typed) editor.set(p.path, *typed);
    return;
  }
  std::vector<double> values = p.numbers();
  values.resize(static_cast<std::size_t>(p.components), 0.0);
  float widest = ImGui::CalcTextSize("-0.000").x;
  for (const double value : values)
    widest = std::max(widest, ImGui::CalcTextSize(fmt::format("{:.5g}", value).c_str()).x);
  const float each = widest + 2 * ImGui::GetStyle().FramePadding.x, gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, (width + gap) / (each + gap)));
  draw_numbers(editor, p, values, std::min(values.size(), fitting), width,
               [&](std::size_t k, const std::string& text) { return with_component(p, values, k, text); });
}

/// One number per pair of fluids. @return false if there is no room for them
bool draw_matrix(SceneEditor& editor, const scenes::Parameter& p, float width) {
  constexpr std::size_t kMost = 3;
  const std::vector<double> values = p.numbers();
  const auto size = static_cast<std::size_t>(p.components);
  if (size < 2 || size > kMost || values.size() != size * size) return false;
  draw_numbers(editor, p, values, size, width, [&](std::size_t k, const std::string& text) {
    return with_entry(p, values, size, k / size, k % size, text);
  });
  return true;
}

/// The colour that pictures use.
void draw_color(PanelContext& context, const scenes::Parameter& p) {
  const std::vector<double> numbers = p.numbers();
  float rgb[3] = {};
  for (std::size_t c = 0; c < 3 && c < numbers.size(); ++c) rgb[c] = static_cast<float>(numbers[c]);
  if (const auto used = color_in_pictures(p, *context.status.scene))
    rgb[0] = used->x, rgb[1] = used->y, rgb[2] = used->z;
  InterfaceTrace::instance().value("shown." + p.path, {rgb[0], rgb[1], rgb[2]});
  const bool changed = ImGui::ColorEdit3("##value", rgb, ImGuiColorEditFlags_NoInputs);
  ui::mark("key." + p.path);
  if (changed) context.editor.set(p.path, scenes::vector_text(rgb), ImGui::IsItemActive() && !ImGui::IsItemActivated());
}

void draw_text(SceneEditor& editor, const scenes::Parameter& p, float width) {
  const bool matrix = p.kind == scenes::Parameter::Kind::Matrix;
  const auto typed = ui::text_field("##value", matrix ? p.value : p.text(), width);
  ui::mark("key." + p.path);
  if (typed) editor.set(p.path, matrix ? *typed : scenes::string_text(*typed));
}

/// A key that is a word like "auto" now and may be a number as well: both can be typed, and the words can be chosen.
void draw_word_or_value(PanelContext& context, const scenes::Parameter& p, float width) {
  const auto typed = ui::text_field("##value", p.text(), width - ImGui::GetFrameHeight());
  ui::mark("key." + p.path);
  if (typed) context.editor.set(p.path, *typed);
  ImGui::SameLine(0, 0);
  offer_words(context, p, ui::Combo("words." + p.path, "##words", "", {.preview = false}));
}

void draw_value(PanelContext& context, const scenes::Parameter& p, float width) {
  SceneEditor& editor = context.editor;
  if (p.is_word() && p.kind != scenes::Parameter::Kind::Choice && p.kind != scenes::Parameter::Kind::Section) {
    draw_word_or_value(context, p, width);
    return;
  }
  switch (p.kind) {
    case scenes::Parameter::Kind::Number:
    case scenes::Parameter::Kind::Whole: draw_number(editor, p, width); break;
    case scenes::Parameter::Kind::Flag: draw_flag(editor, p); break;
    case scenes::Parameter::Kind::Choice: draw_words(context, p, width); break;
    case scenes::Parameter::Kind::Vector: draw_vector(editor, p, width); break;
    case scenes::Parameter::Kind::Color: draw_color(context, p); break;
    case scenes::Parameter::Kind::Matrix:
      if (!draw_matrix(editor, p, width)) draw_text(editor, p, width);
      break;
    case scenes::Parameter::Kind::Text: draw_text(editor, p, width); break;
    case scenes::Parameter::Kind::Section: draw_words(context, p, width); break;
  }
}

/// Dim while the key does nothing. One that this solver never uses cannot be changed either.
void draw_value_or_dim(PanelContext& context, const scenes::Parameter& p, const scenes::IdleKey* idle, float width) {
  if (!idle) return draw_value(context, p, width);
  ImGui::BeginDisabled(idle->by_solver);
  if (!idle->by_solver) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55f * ImGui::GetStyle().Alpha);
  draw_value(context, p, width);
  if (!idle->by_solver) ImGui::PopStyleVar();
  ImGui::EndDisabled();
}

/// Scenes that come with the program, for those who want a solver that this scene cannot have.
void offer_scenes_in_other_units(PanelContext& context) {
  const bool si = solver_info(context.status.scene->simulation).si();
  std::string chosen;
  for (const scenes::CatalogEntry& entry : context.scenes.found())
    if (entry.shipped && entry.usable && solver_info(entry.solver).si() != si) {
      const std::string label = "Open " + entry.name;
      const std::string shown =
          ui::shortened(label, ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x);
      const std::string tip = (shown == label ? "" : label + "\n\n") + entry.description;
      if (ui::small_button(("open_instead." + entry.name).c_str(), shown.c_str(), tip.c_str())) chosen = entry.path;
    }
  if (!chosen.empty()) context.open_scene(chosen);
}

/// What a change of this key has brought along. @param trace  its name for tests  @param note  "": nothing
void draw_note(const char* trace, const std::string& note) {
  InterfaceTrace::instance().value(trace, note);
  if (note.empty()) return;
  ImGui::PushTextWrapPos();
  ui::dim_text(note);
  ImGui::PopTextWrapPos();
}

void draw_parameter(PanelContext& context, const scenes::Parameter& p) {
  SceneEditor& editor = context.editor;
  if (p.kind == scenes::Parameter::Kind::Section && p.choices.empty()) return;
  ImGui::PushID(p.path.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool edited = editor.is_edited(p.path);
  if (edited) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  ImGui::TextUnformatted(broken_name(p.label, ImGui::GetContentRegionAvail().x, [](const std::string& text) {
                           return ImGui::CalcTextSize(text.c_str()).x;
                         }).c_str());
  if (edited) ImGui::PopStyleColor();
  const bool refused = editor.error_path() == p.path && !editor.error().empty();  // a tip would cover the reason
  const scenes::IdleKey* const idle_now = editor.idle(p.path);
  const std::optional<scenes::IdleKey> idle_copy =  // an edit replaces it
      idle_now ? std::optional(*idle_now) : std::nullopt;
  const scenes::IdleKey* const idle = idle_copy ? &*idle_copy : nullptr;
  std::string tip = tooltip(p, idle);
  if (color_in_pictures(p, *context.status.scene))
    tip += "\nShown is the colour that pictures use: a fluid before this one has the given colour.";
  if (!refused) ui::tip(tip.c_str());
  ImGui::TableNextColumn();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, back = edited ? ImGui::GetFrameHeight() + gap : 0;
  const float room = ImGui::GetContentRegionAvail().x - 4 * ui::em() - back - gap;
  const std::string shown_unit = p.unit.empty() ? "" : ui::shortened(p.unit, room);
  const float unit = p.unit.empty() ? 0 : ImGui::CalcTextSize(shown_unit.c_str()).x + gap;
  draw_value_or_dim(context, p, idle, std::max(4 * ui::em(), ImGui::GetContentRegionAvail().x - unit - back));
  if (!refused) ui::tip(tip.c_str());
  if (!p.unit.empty()) {
    ImGui::SameLine(0, gap);
    ImGui::TextDisabled("%s", shown_unit.c_str());
    if (shown_unit != p.unit) ui::tip(p.unit.c_str());
  }
  if (edited) {
    ImGui::SameLine(0, gap);
    if (ui::button(("reset_key." + p.path).c_str(), "\u00d7", "Back to the scene's value.",
                   {ImGui::GetFrameHeight(), 0}))
      editor.reset(p.path);
  }
  for (const scenes::Warning& warning : editor.warnings())
    if (warning.key == p.path) ui::warning(warning.text);
  if (p.path == "dimension") draw_note("third_axis", editor.third_axis_note());
  if (p.path == "solver.type") draw_note("color_note", editor.color_note());
  if (const std::string note = editor.note_of_change(p.path); !note.empty()) draw_note("note_of_change", note);
  if (refused) ui::refusal(editor.error());
  if (refused && p.path == "solver.type" && editor.error().starts_with("solver.type"))
    offer_scenes_in_other_units(context);
  ImGui::PopID();
}

/// "bodies[2]" gives "bodies"; a section that is not an entry of a list gives "".
std::string list_of_entry(const std::string& section) {
  return section.ends_with(']') ? section.substr(0, section.find('[')) : "";
}

float entry_buttons_width() {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::CalcTextSize("copy").x + ImGui::CalcTextSize("remove").x + 4 * style.FramePadding.x +
         style.ItemInnerSpacing.x;
}

/// As much of a section's title as fits, before the buttons if it is an entry.
std::string fitting_title(const std::string& title, bool entry) {
  const float buttons = entry ? entry_buttons_width() + ImGui::GetStyle().ItemInnerSpacing.x : 0;
  return ui::shortened(title, ImGui::GetContentRegionAvail().x - ImGui::GetTreeNodeToLabelSpacing() - buttons);
}

/// Lists in the order of the scene format. Those after the first have buttons below it as long as they are empty.
struct EntryList {
  const char* name;
  const char* label;  ///< before a shape, "+ solid box"
  const char* added;  ///< a sentence on what a new entry is
  bool goes_on;       ///< the run goes on when it changes
};
constexpr EntryList kBodies{"bodies", "+ ", "Adds a body of fluid where there is room for it.", false};
constexpr EntryList kLaterLists[] = {
    {"solids", "+ solid ", "Adds a solid where there is room for it.", false},
    {"joints", "+ joint", "Adds a hinge of the first free solid, through its middle.", false},
    {"inlets", "+ inlet: ", "Adds a nozzle at the top, where there is room for it.", false},
    {"outlets", "+ outlet: ", "Adds a region at the bottom in which particles are taken out.", true},
    {"damping", "+ damping zone", "Adds a zone at the upper end of x in which waves end.", true},
    {"probes", "+ probe: ", "Adds a probe in the middle of the domain, which can be moved by its keys.", true},
};

bool goes_on_with(const std::string& list) {
  return std::ranges::any_of(kLaterLists, [&](const EntryList& row) { return row.name == list && row.goes_on; });
}

/// Drawn at the right end of an entry's line.
void draw_entry_buttons(SceneEditor& editor, const std::string& entry) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const std::string then = goes_on_with(list_of_entry(entry)) ? " The run goes on." : " The scene starts again.";
  ImGui::SameLine(ImGui::GetContentRegionMax().x - entry_buttons_width());
  if (ui::small_button(("copy." + entry).c_str(), "copy", ("Adds another one like it." + then).c_str()))
    editor.copy_entry(entry);
  ImGui::SameLine(0, style.ItemInnerSpacing.x);
  if (ui::small_button(("remove." + entry).c_str(), "remove", ("Removes it." + then).c_str()))
    editor.remove_entry(entry);
}

/// Drawn below a list's last entry, or where it would be.
void draw_add_buttons(PanelContext& context, const EntryList& list) {
  SceneEditor& editor = context.editor;
  ImGui::Indent();
  std::vector<std::string> shapes = scenes::shapes_of_entries(list.name);
  if (shapes.empty()) shapes.emplace_back();
  const std::string tip =
      fmt::format("{} {}", list.added, list.goes_on ? "The run goes on." : "The scene starts again.");
  for (const std::string& shape : shapes) {
    const std::string label = list.label + shape;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float end = ImGui::GetItemRectMax().x + style.ItemSpacing.x + 2 * style.FramePadding.x +
                      ImGui::CalcTextSize(label.c_str()).x;
    const bool fits = end <= ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
    if (&shape != &shapes.front() && fits) ImGui::SameLine();
    const std::string name = fmt::format("add.{}{}{}", list.name, shape.empty() ? "" : ".", shape);
    if (ui::small_button(name.c_str(), label.c_str(), tip.c_str())) editor.add_entry(list.name, shape);
  }
  if (std::string_view(list.name) == "solids") {
    const char* const label = "+ solid mesh ...";
    ui::same_line_if_fits(ui::button_width(label));
    if (ui::small_button("add.solids.mesh", label,
                         "Adds a solid from a mesh file (STL, OBJ, PLY or glTF) where there is room for it. The scene "
                         "starts again. A file that is dropped on the window does the same."))
      ask_which_mesh_to_add(context);
  }
  ImGui::Unindent();
}

/// Below the last entry of that list, and for the lists after it that have no entry.
void draw_buttons_after(PanelContext& context, const std::string& list,
                        const std::vector<scenes::Parameter>& parameters) {
  SceneEditor& editor = context.editor;
  if (list == "fluids") {
    ImGui::Indent();
    if (ui::small_button("add.fluids", "+ fluid", "Adds a fluid for bodies.")) editor.add_entry(list, "");
    ImGui::Unindent();
    return;
  }
  if (list == kBodies.name) draw_add_buttons(context, kBodies);
  bool below = list == kBodies.name;
  for (const EntryList& later : kLaterLists) {
    const bool has_entries = std::ranges::any_of(
        parameters, [&](const scenes::Parameter& p) { return list_of_entry(p.section) == later.name; });
    if (list == later.name) {
      draw_add_buttons(context, later);
      below = true;
    } else if (below) {
      if (has_entries) return;  // its buttons stand below its last entry
      draw_add_buttons(context, later);
    }
  }
}

/// Warnings of the section as a whole, or of something in it that has no field of its own.
void draw_warnings_of(const SceneEditor& editor, const std::vector<scenes::Parameter>& parameters,
                      const std::string& section) {
  for (const scenes::Warning& warning : editor.warnings()) {
    const bool has_field = std::any_of(parameters.begin(), parameters.end(),
                                       [&](const scenes::Parameter& p) { return p.path == warning.key; });
    if (!has_field && scenes::is_inside(warning.key, section))
      ui::warning(scenes::problem_line("", warning.key, warning.text));
  }
}

/// @param words only keys that match them are drawn, in an open section; "": all
void draw_section(PanelContext& context, const std::vector<scenes::Parameter>& parameters,
                  const scenes::Parameter& first, const std::string& words) {
  SceneEditor& editor = context.editor;
  const std::string& name = first.section;
  const bool entry = !list_of_entry(name).empty();
  if (!words.empty()) ImGui::SetNextItemOpen(true);
  const std::string title = section_title(parameters, name), shown = fitting_title(title, entry);
  const bool open =
      ImGui::TreeNodeEx((shown + (words.empty() ? "###" : "###found.") + name).c_str(),
                        ImGuiTreeNodeFlags_SpanAvailWidth | (entry ? ImGuiTreeNodeFlags_AllowItemOverlap : 0));
  ui::mark("keys." + name);
  InterfaceTrace::instance().value("title." + name, shown);
  ui::tip(((shown == title ? "" : title + "\n\n") + without_backticks(first.section_doc)).c_str());
  if (entry) draw_entry_buttons(editor, name);
  if (!open) return;
  draw_warnings_of(editor, parameters, name);
  if (ImGui::BeginTable("##keys", 2, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("##label", 0, 1);
    ImGui::TableSetupColumn("##value", 0, 1.4f);
    for (const scenes::Parameter& p : parameters)
      if (p.section == name && matches(p, words)) draw_parameter(context, p);
    ImGui::EndTable();
  }
  ImGui::TreePop();
}

struct KeySearch {
  std::string words;
};

/// @return the words that the shown keys must have; "" for all keys
std::string draw_search(PanelContext& context) {
  std::string& words = context.memory.of<KeySearch>().words;
  const float clear = words.empty() ? 0 : ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - clear);
  const std::string hint = ui::shortened("search: viscosity, gravity, mesh, movie ...",
                                         ImGui::CalcItemWidth() - 2 * ImGui::GetStyle().FramePadding.x);
  ImGui::InputTextWithHint("##search", hint.c_str(), &words);
  ui::mark("keys.search");
  InterfaceTrace::instance().value("keys.search.words", words);
  ui::tip("Shows the keys whose name or explanation has these words, and what one can do in the window by that name.");
  if (words.empty()) return words;
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ui::button("keys.search.clear", "\u00d7", "Shows all keys again.", {ImGui::GetFrameHeight(), 0})) words.clear();
  return words;
}

/// Of a search that finds nothing.
void offer_meant_words(PanelContext& context, const std::vector<scenes::Parameter>& parameters,
                       const std::string& words) {
  ImGui::TextDisabled("nothing has these words");
  const std::string meant = meant_words(parameters, words, texts_of_actions());
  InterfaceTrace::instance().value("keys.search.meant", meant);
  if (meant.empty()) return;
  ImGui::TextDisabled("did you mean");
  ImGui::SameLine();
  if (ui::small_button("keys.search.meant", meant.c_str(), "Searches for this."))
    context.memory.of<KeySearch>().words = meant;
}

void draw_physics(PanelContext& context) {
  SceneEditor& editor = context.editor;
  if (!editor.has_scene()) return;
  ImGui::BeginDisabled(!editor.can_undo());
  if (ui::button("undo", "Undo", "Ctrl+Z")) editor.undo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!editor.can_redo());
  if (ui::button("redo", "Redo", "Ctrl+Shift+Z")) editor.redo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!editor.anything_edited());
  if (ui::button("reset_scene", "As it was", "Takes back all changes of this scene.")) editor.reset_all();
  ImGui::EndDisabled();
  ui::same_line_if_fits(ui::button_width("Save as ..."));
  if (ui::button("save_scene", "Save as ...", "Writes the scene with its changes, as YAML (Ctrl+S)."))
    ask_where_to_save(context);
  const bool has_row = editor.find(editor.error_path());  // that row then shows the error
  if (!editor.error().empty() && !has_row) ui::refusal(editor.error());
  const std::string words = draw_search(context);
  const bool can_do = draw_actions_with(context, words);
  const std::vector<scenes::Parameter> parameters =
      editor.parameters();  // a copy: an edit replaces them while they are drawn
  // Keys of the top level stand between the sections of the format, but are shown together.
  std::vector<std::string> drawn;
  std::string list;  // list of the entries that are being drawn
  for (const scenes::Parameter& p : parameters) {
    if (std::find(drawn.begin(), drawn.end(), p.section) != drawn.end() || !matches(p, words)) continue;
    if (words.empty() && !list.empty() && list_of_entry(p.section) != list)
      draw_buttons_after(context, list, parameters);
    list = list_of_entry(p.section);
    drawn.push_back(p.section);
    draw_section(context, parameters, p, words);
  }
  if (drawn.empty() && !can_do) offer_meant_words(context, parameters, words);
  if (words.empty() && !list.empty()) draw_buttons_after(context, list, parameters);
}

}  // namespace

extern const Panel physics_panel{"physics", "Scene and physics", Panel::Place::Side, false, draw_physics};

}  // namespace riffle::desktop
