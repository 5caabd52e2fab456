/// Every key of the scene, from the scene format's own table: ranges, units and explanations are the loader's.

#include <fmt/format.h>
#include <imgui.h>
// After imgui.h.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"
#include "scenes/list_entries.h"
#include "scenes/yaml_writer.h"

namespace riffle {

namespace {

/// The least and the largest of a key's numbers as a widget takes them; what is open stays far away.
struct Range {
  double min, max;
  bool bounded() const { return min > -1e30 && max < 1e30; }
};

Range range_of(const Parameter& p) { return {std::max(p.min, -1e30), std::min(p.max, 1e30)}; }

/// What a drag of one pixel changes: a share of the value, or of the range where it begins at 0.
float drag_speed(const Parameter& p, double value) {
  const Range range = range_of(p);
  const double scale = value != 0 ? std::fabs(value) : range.bounded() ? 0.1 * (range.max - range.min) : 0.1;
  return static_cast<float>(0.005 * scale);
}

std::string tooltip(const Parameter& p) {
  std::string text = p.doc;
  const Form* number = nullptr;
  for (const Form& form : p.forms)
    if (form.kind == Form::Kind::Number || form.kind == Form::Kind::Whole) number = &form;
  if (number) text += "\n\n" + number->describe();
  if (!p.default_note.empty())
    text += "\nDefault: " + p.default_note;
  else if (!p.default_value.empty())
    text += "\nDefault: " + p.default_value;
  text += "\n" + p.path;
  if (p.effect == Effect::Restart) text += "\nA change starts the scene again.";
  return text;
}

/// Sends what a widget has changed: at every movement where the run goes on, when it is let go where it starts again.
class Sender {
 public:
  Sender(SceneEditor& editor, const Parameter& parameter) : editor_(editor), p_(parameter) {}

  /// After the widget. @param value the YAML that it stands for
  void after_item(bool changed, const std::string& value) {
    static std::string held;  // path of the key whose widget is held with a value that is not sent
    static std::string held_value;
    if (p_.effect != Effect::Restart) {
      const bool goes_on = ImGui::IsItemActive() && !ImGui::IsItemActivated();
      if (changed) editor_.set(p_.path, value, goes_on);
      return;
    }
    if (changed) held = p_.path, held_value = value;
    if (ImGui::IsItemDeactivatedAfterEdit() && held == p_.path) {
      editor_.set(p_.path, held_value);
      held.clear();
    }
  }

 private:
  SceneEditor& editor_;
  const Parameter& p_;
};

bool drag_number(const char* id, const Parameter& p, double& value, float width) {
  const Range range = range_of(p);
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::DragScalar(id, ImGuiDataType_Double, &value, drag_speed(p, value), &range.min, &range.max,
                                         "%.5g", ImGuiSliderFlags_AlwaysClamp);
  // A key that must be above its least value cannot be dragged onto it.
  if (p.above_min && value <= p.min) value = std::nextafter(static_cast<float>(p.min), INFINITY);
  return changed;
}

void draw_number(SceneEditor& editor, const Parameter& p, float width) {
  const std::vector<double> numbers = p.numbers();
  double value = numbers.empty() ? 0 : numbers[0];
  const bool changed = drag_number("##value", p, value, width);
  ui::mark("key." + p.path);
  Sender(editor, p).after_item(changed, number_text(value));
}

void draw_whole(SceneEditor& editor, const Parameter& p, float width) {
  const std::vector<double> numbers = p.numbers();
  int value = numbers.empty() ? 0 : static_cast<int>(numbers[0]);
  const int least = static_cast<int>(std::max(p.min, -2e9)), most = static_cast<int>(std::min(p.max, 2e9));
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::DragInt("##value", &value, 0.1f, least, most, "%d", ImGuiSliderFlags_AlwaysClamp);
  ui::mark("key." + p.path);
  value -= value % p.multiple_of;
  Sender(editor, p).after_item(changed, std::to_string(value));
}

void draw_flag(SceneEditor& editor, const Parameter& p) {
  bool value = p.text() == "true";
  if (ImGui::Checkbox("##value", &value)) editor.set(p.path, value ? "true" : "false");
  ui::mark("key." + p.path);
}

void draw_words(SceneEditor& editor, const Parameter& p, float width) {
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo("##value", p.text().c_str());
  ui::mark("key." + p.path);
  if (!open) return;
  for (const std::string& choice : p.choices) {
    if (ImGui::Selectable(choice.c_str(), choice == p.text())) editor.set(p.path, choice);
    ui::mark("key." + p.path + "." + choice);
  }
  ImGui::EndCombo();
}

void draw_vector(SceneEditor& editor, const Parameter& p, float width) {
  if (p.component == Parameter::Kind::Choice) {  // a word per axis
    std::string value = p.value;
    ImGui::SetNextItemWidth(width);
    const bool changed = ImGui::InputText("##value", &value, ImGuiInputTextFlags_EnterReturnsTrue);
    ui::mark("key." + p.path);
    if (changed) editor.set(p.path, value);
    return;
  }
  std::vector<double> values = p.numbers();
  values.resize(static_cast<std::size_t>(p.components), 0.0);
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::fabs(v));
  const Range range = range_of(p);
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::DragScalarN("##value", ImGuiDataType_Double, values.data(), p.components,
                                          drag_speed(p, largest), &range.min, &range.max, "%.4g");
  ui::mark("key." + p.path);
  std::string text;
  for (const double v : values)
    text += (text.empty() ? "[" : ", ") +
            (p.component == Parameter::Kind::Whole ? fmt::format("{:.0f}", v) : number_text(v));
  Sender(editor, p).after_item(changed, text + "]");
}

void draw_color(SceneEditor& editor, const Parameter& p) {
  const std::vector<double> numbers = p.numbers();
  float rgb[3] = {};
  for (std::size_t c = 0; c < 3 && c < numbers.size(); ++c) rgb[c] = static_cast<float>(numbers[c]);
  const bool changed = ImGui::ColorEdit3("##value", rgb, ImGuiColorEditFlags_NoInputs);
  ui::mark("key." + p.path);
  Sender(editor, p).after_item(changed, vector_text(rgb));
}

void draw_text(SceneEditor& editor, const Parameter& p, float width) {
  std::string value = p.kind == Parameter::Kind::Matrix ? p.value : p.text();
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputText("##value", &value, ImGuiInputTextFlags_EnterReturnsTrue);
  ui::mark("key." + p.path);
  if (entered) editor.set(p.path, p.kind == Parameter::Kind::Matrix ? value : string_text(value));
}

/// "auto" where a number may stand as well: either is typed, and the words can be chosen.
void draw_word_or_value(SceneEditor& editor, const Parameter& p, float width) {
  const float arrow = ImGui::GetFrameHeight();
  std::string value = p.text();
  ImGui::SetNextItemWidth(width - arrow);
  const bool entered = ImGui::InputText("##value", &value, ImGuiInputTextFlags_EnterReturnsTrue);
  ui::mark("key." + p.path);
  if (entered) editor.set(p.path, value);
  ImGui::SameLine(0, 0);
  if (!ImGui::BeginCombo("##words", "", ImGuiComboFlags_NoPreview)) return;
  for (const std::string& choice : p.choices)
    if (ImGui::Selectable(choice.c_str(), choice == p.text())) editor.set(p.path, choice);
  ImGui::EndCombo();
}

void draw_value(SceneEditor& editor, const Parameter& p, float width) {
  if (p.is_word() && p.kind != Parameter::Kind::Choice && p.kind != Parameter::Kind::Section) {
    draw_word_or_value(editor, p, width);
    return;
  }
  switch (p.kind) {
    case Parameter::Kind::Number: draw_number(editor, p, width); break;
    case Parameter::Kind::Whole: draw_whole(editor, p, width); break;
    case Parameter::Kind::Flag: draw_flag(editor, p); break;
    case Parameter::Kind::Choice: draw_words(editor, p, width); break;
    case Parameter::Kind::Vector: draw_vector(editor, p, width); break;
    case Parameter::Kind::Color: draw_color(editor, p); break;
    case Parameter::Kind::Matrix:
    case Parameter::Kind::Text: draw_text(editor, p, width); break;
    case Parameter::Kind::Section: draw_words(editor, p, width); break;
  }
}

void draw_parameter(SceneEditor& editor, const Parameter& p) {
  if (p.kind == Parameter::Kind::Section && p.choices.empty()) return;
  ImGui::PushID(p.path.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const bool edited = editor.is_edited(p.path);
  if (edited) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  ImGui::TextUnformatted(p.label.c_str());
  if (edited) ImGui::PopStyleColor();
  ui::tip(tooltip(p).c_str());
  ImGui::TableNextColumn();
  const float unit = p.unit.empty() ? 0 : ImGui::CalcTextSize(p.unit.c_str()).x + ImGui::GetStyle().ItemInnerSpacing.x;
  const float back = edited ? ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x : 0;
  draw_value(editor, p, std::max(4 * ui::em(), ImGui::GetContentRegionAvail().x - unit - back));
  ui::tip(tooltip(p).c_str());
  if (!p.unit.empty()) {
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::TextDisabled("%s", p.unit.c_str());
  }
  if (edited) {
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    if (ui::button(("reset_key." + p.path).c_str(), "\u00d7", "As in the scene", {ImGui::GetFrameHeight(), 0}))
      editor.reset(p.path);
  }
  ImGui::PopID();
}

/// "bodies" of "bodies[2]"; "" of a section that is no entry of a list.
std::string list_of_entry(const std::string& section) {
  return section.ends_with(']') ? section.substr(0, section.find('[')) : "";
}

/// At the right end of an entry's line.
void draw_entry_buttons(SceneEditor& editor, const std::string& entry) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize("copy").x + ImGui::CalcTextSize("remove").x + 4 * style.FramePadding.x +
                      style.ItemInnerSpacing.x;
  ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
  if (ui::small_button(("copy." + entry).c_str(), "copy", "Another one like it. The scene starts again."))
    editor.copy_entry(entry);
  ImGui::SameLine(0, style.ItemInnerSpacing.x);
  if (ui::small_button(("remove." + entry).c_str(), "remove", "Takes it out of the scene, which starts again."))
    editor.remove_entry(entry);
}

/// Below a list's last entry.
void draw_add_buttons(SceneEditor& editor, const std::string& list) {
  ImGui::Indent();
  if (list == "fluids" && ui::small_button("add.fluids", "+ fluid", "A fluid more, for bodies to be made of."))
    editor.add_entry(list, "");
  const std::vector<std::string> shapes = shapes_of_entries(list);
  for (const std::string& shape : shapes) {
    if (&shape != &shapes.front()) ImGui::SameLine();
    if (ui::small_button(("add." + list + "." + shape).c_str(), ("+ " + shape).c_str(),
                         "Another body of fluid, where there is room for one. The scene starts again."))
      editor.add_entry(list, shape);
  }
  ImGui::Unindent();
}

void draw_section(SceneEditor& editor, const std::vector<Parameter>& parameters, const Parameter& first) {
  const std::string& name = first.section;
  const bool entry = !list_of_entry(name).empty();
  const bool open = ImGui::TreeNodeEx(
      name.c_str(), ImGuiTreeNodeFlags_SpanAvailWidth | (entry ? ImGuiTreeNodeFlags_AllowItemOverlap : 0));
  ui::mark("keys." + name);
  ui::tip(first.section_doc.c_str());
  if (entry) draw_entry_buttons(editor, name);
  if (!open) return;
  if (ImGui::BeginTable("##keys", 2, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("##label", 0, 1);
    ImGui::TableSetupColumn("##value", 0, 1.4f);
    for (const Parameter& p : parameters)
      if (p.section == name) draw_parameter(editor, p);
    ImGui::EndTable();
  }
  ImGui::TreePop();
}

void draw_save(PanelContext& context) {
  static std::string file;
  static std::string result;
  if (ui::button("save_scene", "Save as ...", "The scene with its changes, as YAML.")) {
    file = std::filesystem::path(context.status.scene->path).stem().string() + "-edited.yaml";
    result.clear();
    ImGui::OpenPopup("##save_scene");
  }
  if (!ImGui::BeginPopup("##save_scene")) return;
  if (pressed_escape(context.keys)) ImGui::CloseCurrentPopup();
  ImGui::SetNextItemWidth(22 * ui::em());
  const bool entered = ImGui::InputText("##file", &file, ImGuiInputTextFlags_EnterReturnsTrue);
  ui::mark("save_scene.file");
  ImGui::SameLine();
  if ((ui::button("save_scene.do", "Save") || entered) && !file.empty()) {
    try {
      context.editor.save(file);
      result = "saved as " + std::filesystem::absolute(file).string();
    } catch (const std::exception& failure) {
      result = failure.what();
    }
  }
  if (!result.empty()) {
    ImGui::PushTextWrapPos(26 * ui::em());
    ImGui::TextUnformatted(result.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_physics_panel(PanelContext& context) {
  if (!ui::section("physics", "Scene and physics", false)) return;
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
  if (ui::button("reset_scene", "As it was", "Takes all changes of this scene back.")) editor.reset_all();
  ImGui::EndDisabled();
  ImGui::SameLine();
  draw_save(context);
  if (!editor.error().empty()) {
    ImGui::PushTextWrapPos();
    ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(232, 118, 92, 255));
    ImGui::TextUnformatted(editor.error().c_str());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  }
  const std::vector<Parameter> parameters = editor.parameters();  // a copy: edits replace them while they are drawn
  // Keys of the top level stand between sections in the format: they are shown together.
  std::vector<std::string> drawn;
  std::string list;  // whose entries are being drawn
  for (const Parameter& p : parameters) {
    if (std::find(drawn.begin(), drawn.end(), p.section) != drawn.end()) continue;
    if (!list.empty() && list_of_entry(p.section) != list) draw_add_buttons(editor, list);
    list = list_of_entry(p.section);
    drawn.push_back(p.section);
    draw_section(editor, parameters, p);
  }
  if (!list.empty()) draw_add_buttons(editor, list);
}

}  // namespace riffle
