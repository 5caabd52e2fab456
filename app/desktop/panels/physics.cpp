/// All keys of the scene. Ranges, units and explanations come from the table of the scene format, as the loader's do.

#include <fmt/format.h>
#include <imgui.h>
// After imgui.h.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "app/desktop/panels/actions.h"
#include "app/desktop/panels/following_numbers.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/scene/color_choices.h"
#include "app/desktop/scene/parameter_values.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/widgets/color_field.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/widget_state.h"
#include "app/desktop/widgets/widgets.h"
#include "core/error.h"
#include "scenes/catalog.h"
#include "scenes/document/flow_keys.h"
#include "scenes/document/key_path.h"
#include "scenes/document/list_entries.h"
#include "scenes/document/problems.h"
#include "scenes/document/scene_number.h"
#include "scenes/document/ways_to_give.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/review/free_density.h"
#include "scenes/scene.h"
#include "sim/solver_info.h"

namespace riffle::desktop {

namespace {

/// @param idle nullptr if the key does something
std::string tooltip(const scenes::Parameter& p, const scenes::IdleKey* idle) {
  // The path and the value first: the row may be too narrow for them.
  const bool has_value = !p.value.empty() && (p.written || p.default_note.empty());  // else it is no default
  std::string text = p.path + (has_value ? ": " + p.value : "") + "\n\n";
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

/// "a number from 0 to 1e+06", also of one in a list or a matrix.
std::string number_allowed(const scenes::Parameter& p) {
  const scenes::Form* found = nullptr;
  for (const scenes::Form& form : p.forms) {
    const scenes::Form* inner = &form;
    while (inner->kind == scenes::Form::Kind::Tuple) inner = &inner->element[0];
    if (inner->kind == scenes::Form::Kind::Number || inner->kind == scenes::Form::Kind::Whole) found = inner;
  }
  return found ? found->describe() : "a number";
}

/// Sends a change of a number's field. If the run goes on with the change, every movement of the mouse is sent; if it
/// starts again, only the last one. A typed text is sent as it is: the loader checks it.
/// @param text the key's YAML with that text in place of the number @param index of the number in the key, "[0][1]"
void send(SceneEditor& editor, const scenes::Parameter& p, const ui::NumberChange& change, double before,
          const std::function<std::string(const std::string&)>& text, const std::string& index = "") {
  const bool live = p.effect != scenes::Effect::Restart;
  if (const auto dragged = live ? change.dragged : change.let_go) {
    const double value = dragged_to(p, before, *dragged);
    if (value != before) editor.set(p.path, text(number_as_text(p, value)), live && !change.first);
  }
  if (!change.typed) return;
  // In a list "9,81" would be two numbers.
  if (change.typed->find(',') != std::string::npos)
    editor.refuse(p.path, fmt::format("{}{}: found '{}'{}, allowed: {}", p.path, index, *change.typed,
                                      scenes::number_hint(*change.typed, p.unit), number_allowed(p)));
  else
    editor.set(p.path, text(*change.typed));
}

/// What follows_from_other() has found, until the next change: a mesh takes a while.
struct FollowingNumbers {
  std::uint64_t change = 0;  ///< SceneEditor's
  std::map<std::string, FollowingNumber> of;
};

void draw_number(PanelContext& context, const scenes::Parameter& p, float width) {
  SceneEditor& editor = context.editor;
  FollowingNumbers& following = context.memory.of<FollowingNumbers>();
  if (following.change != editor.changes()) following = {editor.changes(), {}};
  const auto [at, is_new] = following.of.try_emplace(p.path);
  if (is_new) at->second = follows_from_other(editor, p);
  const FollowingNumber follows = at->second;  // a copy: an edit replaces it
  const std::vector<double> numbers = p.numbers();
  const double value = follows.value.value_or(numbers.empty() ? 0 : numbers[0]);
  ui::NumberDrag drag = drag_of(p, value);
  std::string shown = numbers.empty() ? "none" : "";  // a 0 would be a value
  if (!follows.shown.empty()) shown = follows.shown;
  if (!shown.empty()) drag.format = shown.c_str();
  const bool dim = follows.value.has_value();
  if (dim) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55f * ImGui::GetStyle().Alpha);
  const std::string exact = dim ? scenes::flow_number(value) : p.text();
  const ui::NumberChange change = ui::number_field("##value", value, exact, drag, width);
  if (dim) ImGui::PopStyleVar();
  InterfaceTrace::instance().value("number." + p.path, shown);
  ui::mark("key." + p.path);
  ui::mark_text("key." + p.path, shown.empty() ? fmt::format("{:.5g}", value) : shown,
                width - 2 * ImGui::GetStyle().FramePadding.x);
  send(editor, p, change, value, [](const std::string& text) { return text; });
}

void draw_flag(SceneEditor& editor, const scenes::Parameter& p) {
  bool value = p.text() == "true";
  if (ImGui::Checkbox("##value", &value)) editor.set(p.path, value ? "true" : "false");
  ui::mark("key." + p.path);
}

/// The one way in which a map is given, "standing_wave"; "given" if it is another or more than one.
std::string given_way(const scenes::Parameter& p, const std::vector<scenes::WayToGive>& ways) {
  std::string found = "given";
  int count = 0;
  for (const scenes::WayToGive& way : ways)
    if (p.value.starts_with("{" + way.name + ":") || p.value.find(", " + way.name + ": {") != std::string::npos)
      found = way.name, ++count;
  return count == 1 ? found : "given";
}

void offer_words(PanelContext& context, const scenes::Parameter& p, const ui::Combo& combo) {
  if (!combo.open()) return;
  for (const std::string& choice : p.choices) {
    const WordHelp help = help_of(p, choice, *context.status.scene);
    if (combo.entry(choice, choice, choice == p.text(), help.tip, help.allowed)) context.editor.set(p.path, choice);
  }
  const std::vector<scenes::WayToGive> ways = scenes::ways_to_give(p, *context.status.scene);
  if (!p.is_word() && ways.size() < 2) return;
  const std::string given = p.is_word() ? "" : given_way(p, ways);
  for (const scenes::WayToGive& way : ways)
    if (combo.entry(way.name, way.name + " ...", way.name == given,
                    "Begins with " + way.value + ". Its keys are then fields of their own."))
      if (way.name != given) context.editor.set(p.path, way.value);
}

/// [pixel] of the button behind a field that takes the key back, with the gap before it; 0: there is none.
float reset_width(const SceneEditor& editor, const scenes::Parameter& p) {
  const bool has_button = editor.is_edited(p.path) && editor.can_reset(p.path, p.required);
  return has_button ? ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x : 0;
}

void draw_words(PanelContext& context, const scenes::Parameter& p, float width) {
  const bool is_map = p.kind == scenes::Parameter::Kind::Section && !p.is_word();
  const std::string shown = is_map ? given_way(p, scenes::ways_to_give(p, *context.status.scene)) : p.text();
  InterfaceTrace::instance().value("shown." + p.path, shown);
  offer_words(context, p,
              ui::Combo("key." + p.path, "##value", shown,
                        {.width = width, .behind = reset_width(context.editor, p), .tall = p.choices.size() > 8}));
}

/// Numbers of a key, and those of them that have a field.
struct Fields {
  const std::vector<double>& values;
  std::size_t first, count;
};

constexpr float kNumberPadding = 2;  ///< [pixel] at both sides of numbers that stand beside each other

/// With as many digits as a field has room for, at most five: a typed number has all of them.
const char* fitting_format(double value, float room) {
  for (const char* const format : {"%.5g", "%.4g", "%.3g"}) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    if (ImGui::CalcTextSize(text).x <= room) return format;
  }
  return "%.2g";
}

/// A field for each of the numbers. @param columns fields in a line
/// @param text the key's YAML with a text in place of number k
void draw_numbers(SceneEditor& editor, const scenes::Parameter& p, const Fields& fields, std::size_t columns,
                  float width, const std::function<std::string(std::size_t k, const std::string& text)>& text,
                  const std::function<std::string(std::size_t k)>& index) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, each = (width + gap) / static_cast<float>(columns) - gap;
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {kNumberPadding, ImGui::GetStyle().FramePadding.y});
  const std::vector<double>& values = fields.values;
  for (std::size_t k = fields.first; k < fields.first + fields.count; ++k) {
    if ((k - fields.first) % columns > 0) ImGui::SameLine(0, gap);
    ImGui::PushID(static_cast<int>(k));
    ui::NumberDrag drag = drag_of(p, values[k]);
    const float room = each - 2 * kNumberPadding;
    drag.format = fitting_format(values[k], room);
    const ui::NumberChange change = ui::number_field("##value", values[k], number_as_text(p, values[k]), drag, each);
    const std::string name = "key." + p.path + "." + std::to_string(k);
    ui::mark(name);
    char text_now[32];
    std::snprintf(text_now, sizeof text_now, drag.format, values[k]);
    ui::mark_text(name, text_now, room);
    ImGui::PopID();
    send(
        editor, p, change, values[k], [&](const std::string& typed) { return text(k, typed); }, index(k));
  }
  ImGui::PopStyleVar();
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
  // The digits of the values do not count: fields that moved while numbers are typed would get those of others.
  const float each = ImGui::CalcTextSize("0.00000").x + 2 * kNumberPadding, gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, (width + gap) / (each + gap)));
  const auto first = static_cast<std::size_t>(p.first_shown), shown = static_cast<std::size_t>(p.shown);
  draw_numbers(
      editor, p, {values, first, shown}, std::min(shown, fitting), width,
      [&](std::size_t k, const std::string& text) { return with_component(p, values, k, text); },
      [](std::size_t k) { return fmt::format("[{}]", k); });
}

/// One number per pair of fluids. @return false if there is no room for them
bool draw_matrix(SceneEditor& editor, const scenes::Parameter& p, float width) {
  constexpr std::size_t kMost = 3;
  const std::vector<double> values = p.numbers();
  const auto size = static_cast<std::size_t>(p.components);
  if (size < 2 || size > kMost || values.size() != size * size) return false;
  draw_numbers(
      editor, p, {values, 0, values.size()}, size, width,
      [&](std::size_t k, const std::string& text) { return with_entry(p, values, size, k / size, k % size, text); },
      [size](std::size_t k) { return fmt::format("[{}][{}]", k / size, k % size); });
  return true;
}

/// The colour that pictures use.
void draw_color(PanelContext& context, const scenes::Parameter& p) {
  const std::vector<double> numbers = p.numbers();
  Vec3 shown{};
  if (numbers.size() >= 3)
    shown = {static_cast<float>(numbers[0]), static_cast<float>(numbers[1]), static_cast<float>(numbers[2])};
  if (const auto used = color_in_pictures(p, *context.status.scene)) shown = *used;
  InterfaceTrace::instance().value("shown." + p.path, {shown.x, shown.y, shown.z});
  if (const auto chosen = ui::color_field("key." + p.path, shown, ""))
    context.editor.set(p.path, scenes::vector_text(chosen->rgb), chosen->goes_on);
}

/// Whether the key is the name of a fluid that the scene has.
bool names_a_fluid(const scenes::Parameter& p) {
  const bool of_entry = p.section.starts_with("bodies[") || p.section.starts_with("inlets[");
  return (of_entry && p.label == "fluid") || p.path == "start.interface.upper" || p.path == "start.interface.lower";
}

void choose_fluid(SceneEditor& editor, const scenes::Parameter& p, float width) {
  const ui::Combo combo("key." + p.path, "##value", p.text(), {.width = width, .behind = reset_width(editor, p)});
  InterfaceTrace::instance().value("shown." + p.path, p.text());
  if (!combo.open()) return;
  std::vector<std::string> names;  // a copy: an edit replaces the scene
  for (const FluidSetup& fluid : editor.scene()->simulation.fluids) names.push_back(fluid.name);
  for (const std::string& name : names)
    if (combo.entry(name, name, name == p.text())) editor.set(p.path, scenes::string_text(name));
}

void draw_text(SceneEditor& editor, const scenes::Parameter& p, float width) {
  if (names_a_fluid(p)) return choose_fluid(editor, p, width);
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
    case scenes::Parameter::Kind::Whole: draw_number(context, p, width); break;
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
      const std::string shown = ui::shortened(label, 18 * ui::em());
      const std::string tip = (shown == label ? "" : label + "\n\n") + entry.description;
      if (ui::small_button(("open_instead." + entry.name).c_str(), shown.c_str(), tip.c_str())) chosen = entry.path;
    }
  if (!chosen.empty()) context.open_scene(chosen);
}

/// What the last change has brought along, until the next one. By the names of the notes.
struct ShownNotes {
  struct Note {
    std::string text;
    std::uint64_t change = 0;  ///< SceneEditor's, in which it came
    bool closed = false;
  };
  std::map<std::string, Note> notes;
};

/// At the last item, which is the key's field. @param trace  its name for tests  @param text  "": nothing
void show_note(PanelContext& context, const std::string& trace, const std::string& path, const std::string& text) {
  ShownNotes::Note& note = context.memory.of<ShownNotes>().notes[trace + path];
  if (note.text != text) note = {text, context.editor.changes()};
  if (text.empty() || note.closed || note.change != context.editor.changes()) return;
  ui::message_at_item({trace, ui::MessageKind::Note, text, {}, [&note] { note.closed = true; }});
}

/// A sign at the right end of the key's name, which has a place of its own there.
void draw_sign(float at, ImU32 ink) {
  const float y = ImGui::GetItemRectMin().y;
  ImGui::GetWindowDrawList()->AddText({at, y}, ink, "!");
}

float sign_width() { return 0.7f * ui::em(); }

/// What the key's tip says besides: warnings and notes, which stay as long as they hold.
struct KeyRemarks {
  std::string text;
  bool warned = false;
};

KeyRemarks remarks_on(const SceneEditor& editor, const std::string& path) {
  KeyRemarks remarks;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) remarks.text += text + "\n\n";
  };
  for (const scenes::Warning& warning : editor.warnings())
    if (warning.key == path) {
      add("Warning: " + warning.text);
      remarks.warned = true;
    }
  if (path == "dimension") add(editor.third_axis_note());
  if (path == "solver.type") add(editor.color_note());
  add(editor.note_of_change(path));
  return remarks;
}

/// What the range of a free solid's density leaves out: "" for other keys.
std::string least_density_text(const SceneEditor& editor, const scenes::Parameter& p) {
  if (!p.section.starts_with("solids[") || p.label != "density") return "";
  if (!solver_info(editor.scene()->simulation).has_density) return "";
  return fmt::format(
      "\nIn this scene at least {:.3g} {}, a fiftieth of the densest fluid: a lighter body is too fast for "
      "the step.",
      scenes::least_density_of_free(editor.scene()->simulation), p.unit);
}

/// A unit is never cut. @param beside  in the line of the field, where it fits there; else below it
void draw_unit(const scenes::Parameter& p, bool beside) {
  if (p.unit.empty()) return;
  if (beside) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ui::dim_text(p.unit);
  ui::mark("unit." + p.path);
}

/// Typed again as it was: then the message of a refusal has nothing to say any more.
void forget_old_refusal(SceneEditor& editor, const std::string& path, std::uint64_t refusals_before) {
  const bool left = ImGui::IsItemDeactivated() && ui::widget_state().opened.field == 0;
  if (left && editor.refusals() == refusals_before && editor.error_path() == path) editor.forget_error();
}

/// At the last item, which is the key's field.
void show_messages(PanelContext& context, const std::string& path) {
  SceneEditor& editor = context.editor;
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (path == "dimension") {
    trace.value("third_axis", editor.third_axis_note());
    show_note(context, "third_axis", path, editor.third_axis_note());
  }
  if (path == "solver.type") {
    trace.value("color_note", editor.color_note());
    show_note(context, "color_note", path, editor.color_note());
  }
  const std::string of_change = editor.note_of_change(path);
  if (!of_change.empty()) trace.value("note_of_change", of_change);
  show_note(context, "note_of_change", path, of_change);
  if (editor.error_path() != path || editor.error().empty()) return;
  std::string refusal = editor.error();
  // The range of the key alone would lead to the next refusal.
  const scenes::Parameter* const key = editor.find(path);
  if (const std::string least = key ? least_density_text(editor, *key) : ""; refusal.find("fiftieth") == refusal.npos)
    refusal += least;
  std::function<void()> offers;
  if (path == "solver.type" && editor.error().starts_with("solver.type"))
    offers = [&context] { offer_scenes_in_other_units(context); };
  ui::message_at_item(
      {"refusal", ui::MessageKind::Refusal, refusal, std::move(offers), [&editor] { editor.forget_error(); }});
}

void draw_parameter(PanelContext& context, const scenes::Parameter& p) {
  SceneEditor& editor = context.editor;
  if (p.kind == scenes::Parameter::Kind::Section && p.choices.empty()) return;
  ImGui::PushID(p.path.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool edited = editor.is_edited(p.path);
  const KeyRemarks remarks = remarks_on(editor, p.path);
  const float name_room = ImGui::GetContentRegionAvail().x - sign_width();
  const float sign_at = ImGui::GetCursorScreenPos().x + name_room;
  if (edited) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  ImGui::TextUnformatted(broken_name(p.label, name_room, [](const std::string& text) {
                           return ImGui::CalcTextSize(text.c_str()).x;
                         }).c_str());
  if (edited) ImGui::PopStyleColor();
  if (!remarks.text.empty())
    draw_sign(sign_at, remarks.warned ? ui::warning_color() : ImGui::GetColorU32(ImGuiCol_CheckMark));
  const bool refused = editor.error_path() == p.path && !editor.error().empty();  // a tip would cover the reason
  const scenes::IdleKey* const idle_now = editor.idle(p.path);
  const std::optional<scenes::IdleKey> idle_copy =  // an edit replaces it
      idle_now ? std::optional(*idle_now) : std::nullopt;
  const scenes::IdleKey* const idle = idle_copy ? &*idle_copy : nullptr;
  std::string tip = remarks.text + tooltip(p, idle) + least_density_text(editor, p);
  if (color_in_pictures(p, *context.status.scene))
    tip += "\nShown is the colour that pictures use: a fluid before this one has the given colour.";
  if (!refused) ui::tip(tip.c_str());
  ImGui::TableNextColumn();
  // The button's place is kept for it: a field that became narrower with the first edit would move the next ones.
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, back = ImGui::GetFrameHeight() + gap;
  const float room = ImGui::GetContentRegionAvail().x - back;
  const float unit = p.unit.empty() ? 0 : ImGui::CalcTextSize(p.unit.c_str()).x + gap;
  const bool unit_beside = room - unit >= 4 * ui::em();
  const std::uint64_t refusals = editor.refusals();
  ImGui::BeginGroup();
  draw_value_or_dim(context, p, idle, unit_beside ? room - unit : room);
  ImGui::EndGroup();
  if (refused) forget_old_refusal(editor, p.path, refusals);
  if (!refused) ui::tip(tip.c_str());
  show_messages(context, p.path);
  if (unit_beside) draw_unit(p, true);
  if (reset_width(editor, p) > 0) {
    ImGui::SameLine(0, gap);
    if (ui::button(("reset_key." + p.path).c_str(), "\u00d7", "Back to the scene's value.",
                   {ImGui::GetFrameHeight(), 0}))
      editor.reset(p.path);
  }
  if (!unit_beside) draw_unit(p, false);
  ImGui::PopID();
}

/// "bodies[2]" gives "bodies"; a section that is not an entry of a list gives "".
std::string list_of_entry(const std::string& section) {
  return section.ends_with(']') ? section.substr(0, section.find('[')) : "";
}

/// Keys of an entry are also found by what people call it: "drain".
bool is_found(const scenes::Parameter& p, const std::string& words) {
  return matches(p, words, words_of_list(list_of_entry(p.section)));
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

/// Warnings of the section as a whole, or of something in it that has no field of its own; "": none.
std::string warnings_of(const SceneEditor& editor, const std::vector<scenes::Parameter>& parameters,
                        const std::string& section) {
  std::string text;
  for (const scenes::Warning& warning : editor.warnings()) {
    const bool has_field = std::any_of(parameters.begin(), parameters.end(),
                                       [&](const scenes::Parameter& p) { return p.path == warning.key; });
    if (!has_field && scenes::is_inside(warning.key, section))
      text += "Warning: " + scenes::problem_line("", warning.key, warning.text) + "\n\n";
  }
  return text;
}

/// @param words only keys that match them are drawn, in an open section; "": all
void draw_section(PanelContext& context, const std::vector<scenes::Parameter>& parameters,
                  const scenes::Parameter& first, const std::string& words) {
  SceneEditor& editor = context.editor;
  const std::string& name = first.section;
  const bool entry = !list_of_entry(name).empty();
  if (!words.empty()) ImGui::SetNextItemOpen(true);
  const std::string title = section_title(parameters, name), shown = fitting_title(title, entry);
  const std::string warned = warnings_of(editor, parameters, name);
  if (!warned.empty()) ImGui::PushStyleColor(ImGuiCol_Text, ui::warning_color());
  const bool has_handles =
      entry && list_of_entry(name) != "fluids" && list_of_entry(name) != "joints" && list_of_entry(name) != "damping";
  const bool selected = has_handles && context.view.selection.entry == name;
  const bool open =
      ImGui::TreeNodeEx((shown + (words.empty() ? "###" : "###found.") + name).c_str(),
                        ImGuiTreeNodeFlags_SpanAvailWidth | (entry ? ImGuiTreeNodeFlags_AllowItemOverlap : 0) |
                            (selected ? ImGuiTreeNodeFlags_Selected : 0));
  if (has_handles && ImGui::IsItemClicked()) context.view.selection.entry = name;
  if (!warned.empty()) ImGui::PopStyleColor();
  ui::mark("keys." + name);
  InterfaceTrace::instance().value("title." + name, shown);
  ui::tip((warned + (shown == title ? "" : title + "\n\n") + without_backticks(first.section_doc)).c_str());
  if (entry) draw_entry_buttons(editor, name);
  if (!open) return;
  if (ImGui::BeginTable("##keys", 2, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("##label", 0, 1);
    ImGui::TableSetupColumn("##value", 0, 1.4f);
    for (const scenes::Parameter& p : parameters)
      if (p.section == name && is_found(p, words)) {
        if (list_of_entry(name) == "inlets" && p.label == "speed") draw_flow_choice(context, name);
        draw_parameter(context, p);
      }
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

/// To which state "As opened" leads.
std::string what_goes_back(PanelContext& context) {
  const std::string file = std::filesystem::path(context.status.source ? context.status.source->path : "").filename();
  const std::string changes = context.editor.changes_since_opened();
  if (changes.empty()) return "The scene is as it was opened from " + file + ".";
  return "All keys are again as " + file + " had them when it was opened: it takes back " + changes +
         ". Undo brings the changes back. The run goes on where the keys allow it, and starts again otherwise.";
}

void draw_physics(PanelContext& context) {
  SceneEditor& editor = context.editor;
  if (!editor.has_scene()) return;
  ImGui::BeginDisabled(!editor.can_undo());
  const std::string taken = editor.what_undo_takes(), brought = editor.what_redo_brings();
  if (ui::button("undo", "Undo", (taken.empty() ? "Ctrl+Z" : "Takes back " + taken + " (Ctrl+Z).").c_str()))
    editor.undo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!editor.can_redo());
  const std::string redone = "Brings back what undo took: " + brought + " (Ctrl+Shift+Z).";
  if (ui::button("redo", "Redo", brought.empty() ? "Ctrl+Shift+Z" : redone.c_str())) editor.redo();
  InterfaceTrace::instance().value("undo_takes", taken);
  InterfaceTrace::instance().value("redo_brings", brought);
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!editor.anything_edited());
  const bool back = ui::button("reset_scene", "As opened");
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ui::tip(what_goes_back(context).c_str());
  if (back) editor.reset_all();
  ImGui::EndDisabled();
  ui::same_line_if_fits(ui::button_width("Save as ..."));
  if (ui::button("save_scene", "Save as ...", "Writes the scene with its changes, as YAML (Ctrl+S)."))
    ask_where_to_save(context);
  const std::string words = draw_search(context);
  const bool can_do = draw_actions_with(context, words);
  const std::vector<scenes::Parameter> parameters =
      editor.parameters();  // a copy: an edit replaces them while they are drawn
  // Keys of the top level stand between the sections of the format, but are shown together.
  std::vector<std::string> drawn;
  std::string list;  // list of the entries that are being drawn
  for (const scenes::Parameter& p : parameters) {
    if (std::find(drawn.begin(), drawn.end(), p.section) != drawn.end() || !is_found(p, words)) continue;
    if (words.empty() && !list.empty() && list_of_entry(p.section) != list)
      draw_buttons_after(context, list, parameters);
    list = list_of_entry(p.section);
    drawn.push_back(p.section);
    draw_section(context, parameters, p, words);
  }
  if (drawn.empty() && !can_do) offer_meant_words(context, parameters, words);
  if (words.empty() && !list.empty()) draw_buttons_after(context, list, parameters);
  if (words.empty()) draw_events(context);
}

}  // namespace

extern const Panel physics_panel{"physics", "Scene and physics", Panel::Place::Side, false, draw_physics};

}  // namespace riffle::desktop
