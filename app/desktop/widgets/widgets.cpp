#include "app/desktop/widgets/widgets.h"

#include <fmt/format.h>
// After imgui.h.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widget_state.h"
#include "core/text/number_text.h"

namespace riffle::desktop::ui {

constexpr ImU32 kRefused = IM_COL32(232, 118, 92, 255);
constexpr ImU32 kWarned[] = {IM_COL32(240, 190, 90, 255), IM_COL32(150, 95, 0, 255)};  // on dark and on light ground

void mark(const std::string& name) { InterfaceTrace::instance().item(name); }

void mark_text(const std::string& name, const std::string& text, float room) {
  InterfaceTrace::instance().text(name, ImGui::CalcTextSize(text.c_str(), nullptr, true).x, room);
}

namespace {

/// Whether the mouse has not moved since the last press: what lies under it may have come there by that click.
bool still_where_it_clicked() {
  constexpr float kMoved = 3;  // [pixel]
  WidgetState::Press& press = widget_state().press;
  const ImVec2 mouse = ImGui::GetMousePos();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) press = {mouse, true};
  press.still = press.still && std::hypot(mouse.x - press.at.x, mouse.y - press.at.y) <= kMoved;
  return press.still;
}

/// Whether the mouse was moved to the last item and rests there. If items overlap, only the one that is drawn last in a
/// frame counts; the frame before has shown which one that is.
bool rests_on_item() {
  constexpr double kRest = 0.3;  // [s]
  WidgetState& state = widget_state();
  if (const int now = ImGui::GetFrameCount(); now != state.frame) {
    if (!state.topmost.is(state.resting.corner)) state.resting = state.topmost;
    state.topmost = {};
    state.frame = now;
  }
  if (still_where_it_clicked() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  state.topmost = {ImGui::GetItemRectMin(), ImGui::GetTime()};
  return state.resting.is(state.topmost.corner) && ImGui::GetTime() - state.resting.since >= kRest;
}

}  // namespace

namespace {

void draw_tip(const char* words) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(em() * 24);
  text(words);
  ImGui::PopTextWrapPos();
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  InterfaceTrace::instance().value("tip_box", {corner.x, corner.y, size.x, size.y});
  ImGui::EndTooltip();
  InterfaceTrace::instance().value("tip", words);
}

}  // namespace

void tip(const char* words) {
  if (*words && rests_on_item()) draw_tip(words);
}

void tip_above(const char* words) {
  if (!*words || !rests_on_item()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  // Dear ImGui keeps a tip within the screen only where it chooses the place itself.
  const float half = 0.5f * (24 * em() + 2 * ImGui::GetStyle().WindowPadding.x);
  const float x = std::clamp(mouse.x, half, std::max(half, ImGui::GetIO().DisplaySize.x - half));
  ImGui::SetNextWindowPos({x, ImGui::GetItemRectMin().y - 0.3f * em()}, ImGuiCond_Always, {0.5f, 1});
  draw_tip(words);
}

bool button(const char* name, const char* label, const char* text, ImVec2 size) {
  ImGui::PushID(name);
  const bool pressed = ImGui::Button(label, size);
  mark(name);
  tip(text);
  ImGui::PopID();
  return pressed;
}

std::string shortened(const std::string& text, float room) {
  const auto fits = [&](const std::string& part) { return ImGui::CalcTextSize(part.c_str()).x <= room; };
  if (fits(text)) return text;
  const auto is_within_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::string part = text;
  while (!part.empty() && !fits(part + "...")) {
    while (part.size() > 1 && is_within_letter(part.back())) part.pop_back();  // of UTF-8
    part.pop_back();
  }
  return part + "...";
}

bool small_button(const char* name, const char* label, const char* text) {
  ImGui::PushID(name);
  const bool pressed = ImGui::SmallButton(label);
  mark(name);
  tip(text);
  ImGui::PopID();
  return pressed;
}

bool checkbox(const char* name, const char* label, bool* value, const char* text) {
  ImGui::PushID(name);
  const bool changed = ImGui::Checkbox(label, value);
  mark(name);
  tip(text);
  ImGui::PopID();
  return changed;
}

void reveal_section(const std::string& name) { widget_state().section_to_reveal = name; }

bool section(const char* name, const char* label, bool open_at_first) {
  WidgetState& state = widget_state();
  bool& remembered = state.open_sections.try_emplace(name, open_at_first).first->second;
  const bool revealed = state.section_to_reveal == name;
  ImGui::SetNextItemOpen(revealed || remembered, revealed ? ImGuiCond_Always : ImGuiCond_FirstUseEver);
  remembered = ImGui::CollapsingHeader(fmt::format("{}##{}", label, name).c_str());
  mark(std::string("section.") + name);
  if (revealed) {
    ImGui::SetScrollHereY(0);
    state.section_to_reveal.clear();
  }
  return remembered;
}

void row(const char* label, const std::string& value, const char* text) {
  ImGui::TextDisabled("%s", label);
  tip(text);
  const float width = ImGui::CalcTextSize(value.c_str()).x, right = ImGui::GetContentRegionMax().x;
  const float begin = ImGui::GetItemRectMin().x - ImGui::GetWindowPos().x + ImGui::GetScrollX();
  const float end = begin + ImGui::GetItemRectSize().x + ImGui::GetStyle().ItemSpacing.x;
  if (end <= right - width)
    ImGui::SameLine(right - width);
  else  // below the label
    ImGui::SetCursorPosX(std::max(begin, right - width));
  ImGui::PushTextWrapPos();
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopTextWrapPos();
  tip(text);
}

void row_of_one_line(const std::string& label, const std::string& value, const char* text) {
  const float right = ImGui::GetContentRegionMax().x, gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = right - ImGui::GetCursorPosX();
  const std::string part = shortened(value, room);
  const float width = ImGui::CalcTextSize(part.c_str()).x;
  ImGui::TextDisabled("%s", shortened(label, std::max(0.0f, room - width - gap)).c_str());
  tip(text);
  ImGui::SameLine(right - width);
  ImGui::TextUnformatted(part.c_str());
  tip(text);
}

void same_line_if_fits(float width) {
  const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
  if (end <= ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x) ImGui::SameLine();
}

float button_width(const char* label) { return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x; }

namespace {

/// A word as it is, or in parts that end with slashes if it is too long for a line.
std::vector<std::string> parts_of_word(const std::string& word, bool fits) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < word.size() || parts.empty();) {
    const std::size_t slash = fits ? std::string::npos : word.find('/', at);
    const std::size_t end = slash == std::string::npos ? word.size() : slash + 1;
    parts.push_back(word.substr(at, end - at));
    at = end;
  }
  return parts;
}

}  // namespace

std::string broken_at_spaces(const std::string& text, float room,
                             const std::function<float(const std::string&)>& width_of) {
  std::string broken, line;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    std::string before = line.empty() ? "" : " ";  // the first part of a word
    for (const std::string& part : parts_of_word(word, width_of(word) <= room)) {
      if (!line.empty() && width_of(line + before + part) > room) {
        broken += line + "\n";
        line = part;
      } else {
        line += before + part;
      }
      before.clear();
    }
    if (end < text.size() && text[end] == '\n') broken += std::exchange(line, "") + "\n";
    at = end + 1;
  }
  return broken + line;
}

std::string broken_at_spaces(const std::string& text, float room) {
  return broken_at_spaces(
      text, room, [](const std::string& line) { return ImGui::CalcTextSize(line.c_str(), nullptr, false, -1).x; });
}

void text(const std::string& words) {
  const float wrap = ImGui::GetCurrentWindowRead()->DC.TextWrapPos;  // as Dear ImGui's: 0 is the window's edge
  const float room = wrap < 0 ? 1e9f : wrap == 0 ? ImGui::GetContentRegionAvail().x : wrap - ImGui::GetCursorPosX();
  ImGui::TextUnformatted(broken_at_spaces(words, room).c_str());
}

void dim_text(const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::PushTextWrapPos();
  text(words);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

namespace {

void colored(const std::string& words, ImU32 color) {
  ImGui::PushTextWrapPos();
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  text(words);
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

}  // namespace

ImU32 warning_color() {
  const ImVec4 ink = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  return kWarned[ink.x + ink.y + ink.z < 1.5f];
}
ImU32 refusal_color() { return kRefused; }

void warning(const std::string& text) { colored(text, warning_color()); }
void refusal(const std::string& text) { colored(text, refusal_color()); }

bool icon_button(const char* name, Icon icon, const char* text, bool active) {
  const float side = ImGui::GetFrameHeight();
  ImGui::PushID(name);
  if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_TabActive));
  const bool pressed = ImGui::Button("##icon", {1.4f * side, side});
  if (active) ImGui::PopStyleColor();
  mark(name);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 c{0.5f * (min.x + max.x), 0.5f * (min.y + max.y)};
  const float r = 0.24f * side;
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  switch (icon) {
    case Icon::Play:
      draw->AddTriangleFilled({c.x - 0.8f * r, c.y - r}, {c.x - 0.8f * r, c.y + r}, {c.x + r, c.y}, ink);
      break;
    case Icon::Pause:
      draw->AddRectFilled({c.x - 0.8f * r, c.y - r}, {c.x - 0.2f * r, c.y + r}, ink);
      draw->AddRectFilled({c.x + 0.2f * r, c.y - r}, {c.x + 0.8f * r, c.y + r}, ink);
      break;
    case Icon::Step:
      draw->AddTriangleFilled({c.x - r, c.y - r}, {c.x - r, c.y + r}, {c.x + 0.5f * r, c.y}, ink);
      draw->AddRectFilled({c.x + 0.55f * r, c.y - r}, {c.x + r, c.y + r}, ink);
      break;
    case Icon::StepBack:
      draw->AddTriangleFilled({c.x + r, c.y - r}, {c.x + r, c.y + r}, {c.x - 0.5f * r, c.y}, ink);
      draw->AddRectFilled({c.x - 0.75f * r, c.y - r}, {c.x - 0.55f * r, c.y + r}, ink);
      draw->AddRectFilled({c.x - 1.15f * r, c.y - r}, {c.x - 0.95f * r, c.y + r}, ink);
      break;
    case Icon::Reset:
      draw->AddTriangleFilled({c.x + r, c.y - r}, {c.x + r, c.y + r}, {c.x - 0.5f * r, c.y}, ink);
      draw->AddRectFilled({c.x - r, c.y - r}, {c.x - 0.55f * r, c.y + r}, ink);
      break;
    case Icon::Record: draw->AddCircleFilled(c, r, IM_COL32(214, 64, 56, 255)); break;
    case Icon::Stop:
      draw->AddRectFilled({c.x - 0.85f * r, c.y - 0.85f * r}, {c.x + 0.85f * r, c.y + 0.85f * r}, ink);
      break;
  }
  tip(text);
  ImGui::PopID();
  return pressed;
}

float em() { return ImGui::GetFontSize(); }

std::string bytes(double value) { return bytes_text(value); }

std::string count(double value) {
  if (value >= 1e6) return fmt::format("{:.2f} M", value * 1e-6);
  return std::isfinite(value) ? grouped(std::llround(value)) : fmt::format("{}", value);
}

std::string milliseconds(double ms) { return milliseconds_text(ms, 3); }

}  // namespace riffle::desktop::ui
