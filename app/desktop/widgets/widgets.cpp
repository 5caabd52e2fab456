#include "app/desktop/widgets/widgets.h"

#include <fmt/format.h>

#include <cmath>

#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/section_memory.h"
#include "core/text/number_text.h"

std::map<std::string, bool>& riffle::open_sections() {
  static std::map<std::string, bool> sections;
  return sections;
}

namespace riffle::ui {

constexpr ImU32 kRefused = IM_COL32(232, 118, 92, 255);

void mark(const std::string& name) { InterfaceTrace::instance().item(name); }

namespace {

/// Whether the mouse has not moved since a button went down: what lies under it then may be there for the click alone.
bool still_where_it_clicked() {
  constexpr float kMoved = 3;  // [pixel]
  static bool still = false;
  static ImVec2 at;
  const ImVec2 mouse = ImGui::GetMousePos();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    still = true;
    at = mouse;
  }
  still = still && std::hypot(mouse.x - at.x, mouse.y - at.y) <= kMoved;
  return still;
}

/// The mouse was brought to the item that was made last, and rests there. Of items that lie upon each other it is the one
/// that is made last in a picture; which one that is, the picture before has shown.
bool rests_on_item() {
  constexpr double kRest = 0.3;  // [s]
  struct Place {
    ImVec2 corner{-1, -1};
    double since = 0;
    bool is(ImVec2 other) const { return corner.x == other.x && corner.y == other.y; }
  };
  static Place resting, topmost;  // in the last picture, in this one
  static int frame = 0;
  if (const int now = ImGui::GetFrameCount(); now != frame) {
    if (!topmost.is(resting.corner)) resting = topmost;
    topmost = {};
    frame = now;
  }
  if (still_where_it_clicked() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  topmost = {ImGui::GetItemRectMin(), ImGui::GetTime()};
  return resting.is(topmost.corner) && ImGui::GetTime() - resting.since >= kRest;
}

}  // namespace

void tip(const char* text) {
  if (!*text || !rests_on_item()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(em() * 24);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  InterfaceTrace::instance().value("tip", text);
}

bool button(const char* name, const char* label, const char* text, ImVec2 size) {
  ImGui::PushID(name);
  const bool pressed = ImGui::Button(label, size);
  mark(name);
  tip(text);
  ImGui::PopID();
  return pressed;
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

namespace {

std::string& section_to_reveal() {
  static std::string name;
  return name;
}

}  // namespace

void reveal_section(const std::string& name) { section_to_reveal() = name; }

bool section(const char* name, const char* label, bool open_at_first) {
  const auto remembered = open_sections().try_emplace(name, open_at_first).first;
  const bool revealed = section_to_reveal() == name;
  ImGui::SetNextItemOpen(revealed || remembered->second, revealed ? ImGuiCond_Always : ImGuiCond_FirstUseEver);
  const bool open = ImGui::CollapsingHeader(fmt::format("{}##{}", label, name).c_str());
  mark(std::string("section.") + name);
  if (revealed) {
    ImGui::SetScrollHereY(0);
    section_to_reveal().clear();
  }
  remembered->second = open;
  return open;
}

void row(const char* label, const std::string& value, const char* text) {
  ImGui::TextDisabled("%s", label);
  tip(text);
  const float width = ImGui::CalcTextSize(value.c_str()).x;
  ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
  ImGui::TextUnformatted(value.c_str());
}

void refusal(const std::string& text) {
  ImGui::PushTextWrapPos();
  ImGui::PushStyleColor(ImGuiCol_Text, kRefused);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

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

}  // namespace riffle::ui
