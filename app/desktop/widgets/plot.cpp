#include "app/desktop/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/desktop/platform/gui.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop::ui {

namespace {

/// @param pixels at a content scale of 1 @return [pixel] on this screen
float line_width(float pixels) { return pixels * em() / kFontSize; }

struct Margins {
  float left, bottom;
};

Margins margins(const AxisTicks& y_ticks, bool x_marks) {
  float widest = 0;
  for (const AxisTick& tick : y_ticks.ticks) widest = std::max(widest, ImGui::CalcTextSize(tick.label.c_str()).x);
  // Plots that stand one above the other begin at the same place, whatever their numbers.
  return {std::max(widest, 2.6f * em()) + 0.6f * em(), x_marks ? 1.3f * em() : 0.35f * em()};
}

/// On the screen.
ImU32 ink_of(const PlotLine& line) {
  return line.faint ? (line.color & ~IM_COL32_A_MASK) | (110u << IM_COL32_A_SHIFT) : line.color;
}

/// A line through the last value of each point, over a band from the lowest to the highest.
void draw_line(ImDrawList* draw, const PlotFrame& frame, const PlotLine& line) {
  const ImU32 ink = ink_of(line);
  const ImU32 band = (line.color & ~IM_COL32_A_MASK) | ((line.faint ? 25u : 60u) << IM_COL32_A_SHIFT);
  ImVec2 before{};
  bool drawn = false, dash = true;
  float dash_begin = 0;
  for (const PlotPoint& point : line.points) {
    if (!std::isfinite(point.last) || !frame.y().has(point.last)) {
      drawn = false;
      continue;
    }
    const ImVec2 at{frame.x().pixel(point.x), frame.y().pixel(point.last)};
    if (point.high > point.low)
      draw->AddLine({at.x, frame.y().pixel(point.low)}, {at.x, frame.y().pixel(point.high)}, band, line_width(2));
    if (drawn && (!line.dashed || dash)) draw->AddLine(before, at, ink, line_width(1.5f));
    if (line.dashed && std::fabs(at.x - dash_begin) > line_width(5)) dash = !dash, dash_begin = at.x;
    // Between samples that lie apart the line is a guess: they show where they are.
    const bool apart = !drawn || at.x - before.x > line_width(8);
    if (apart && !line.dashed) draw->AddCircleFilled(at, line_width(2), ink);
    before = at;
    drawn = true;
  }
}

/// The nearest point in x, at most `reach` away; nullptr if there is none.
const PlotPoint* nearest(const PlotLine& line, double x, double reach) {
  const PlotPoint* best = nullptr;
  for (const PlotPoint& point : line.points)
    if (std::fabs(point.x - x) <= reach && (!best || std::fabs(point.x - x) < std::fabs(best->x - x))) best = &point;
  return best;
}

void draw_place(const Plot& plot, double x) {
  ImGui::TextDisabled("%s = %s", plot.x_label.c_str(), plot_number(x, plot.x_unit).c_str());
}

/// A piece of the line before its name.
void draw_key(const PlotLine& line) {
  const float wide = 0.9f * em();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float y = at.y + 0.5f * ImGui::GetTextLineHeight();
  const float gap = line.dashed ? 0.15f * wide : 0;  // on both sides of the middle
  draw->AddLine({at.x, y}, {at.x + 0.5f * wide - gap, y}, ink_of(line), line_width(2));
  draw->AddLine({at.x + 0.5f * wide + gap, y}, {at.x + wide, y}, ink_of(line), line_width(2));
  ImGui::Dummy({wide, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 0.35f * em());
}

/// Of the marks under the mouse.
void draw_texts_of_marks(const PlotFrame& frame, const Plot& plot) {
  const float reach = 0.5f * em();
  for (const PlotMark& mark : plot.marks) {
    if (std::fabs(frame.x().pixel(mark.at) - ImGui::GetMousePos().x) > reach) continue;
    ImGui::PushTextWrapPos(24 * em());
    text(mark.text);
    ImGui::PopTextWrapPos();
    InterfaceTrace::instance().value("tip", mark.text);
  }
}

void draw_crosshair(ImDrawList* draw, const PlotFrame& frame, const Plot& plot) {
  const double x = frame.x().value(ImGui::GetMousePos().x);
  const AxisRange& range = frame.x().range();
  const double reach = 0.05 * (range.max - range.min);
  frame.vertical_line(x, ImGui::GetColorU32(ImGuiCol_Text, 0.5f));
  ImGui::BeginTooltip();
  std::optional<double> shown;  // the time of the nearest sample, for which all numbers are
  nlohmann::json traced = nlohmann::json::object();
  for (const PlotLine& line : plot.lines) {
    const PlotPoint* point = nearest(line, shown.value_or(x), reach);
    if (!point) continue;
    const double at = shown.value_or(point->x);
    if (!std::exchange(shown, at)) draw_place(plot, at);
    const bool between = point->x != at;  // a curve of theory, or an earlier run, has points of its own
    const double value = between ? value_at(line, at) : point->last;
    if (between && !std::isfinite(value)) continue;
    if (std::isfinite(value) && frame.y().has(value))
      draw->AddCircleFilled({frame.x().pixel(at), frame.y().pixel(value)}, line_width(3), ink_of(line));
    draw_key(line);
    traced[line.name + (line.faint ? ", earlier run" : "")] = value;
    ImGui::Text("%s%s  %s", line.name.c_str(), line.faint ? ", earlier run" : "",
                plot_number(value, plot.unit).c_str());
    if (!between && point->high > point->low) {
      ImGui::SameLine();
      ImGui::TextDisabled("(%s to %s)", plot_number(point->low).c_str(), plot_number(point->high).c_str());
    }
  }
  if (!shown) draw_place(plot, x);
  InterfaceTrace::instance().value(plot.name + std::string(".values"), {{"x", shown.value_or(x)}, {"y", traced}});
  draw_texts_of_marks(frame, plot);
  ImGui::EndTooltip();
}

/// Small, so that the lines stay visible.
void draw_marks_of(ImDrawList* draw, const PlotFrame& frame, const Plot& plot) {
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_CheckMark);
  nlohmann::json traced = nlohmann::json::array();
  for (const PlotMark& mark : plot.marks) {
    const float x = frame.x().pixel(mark.at), y = frame.min().y, r = 0.28f * em();
    if (x < frame.min().x || x > frame.max().x) continue;
    draw->AddLine({x, y}, {x, y + 1.2f * em()}, ink, line_width(1.5f));
    draw->AddTriangleFilled({x - r, y}, {x + r, y}, {x, y + 1.5f * r}, ink);
    traced.push_back({{"x", x}, {"y", y + 0.5f * (frame.max().y - y)}, {"text", mark.text}});
  }
  InterfaceTrace::instance().value(plot.name + std::string(".marks"), traced);
}

/// On a ground of its own: a line may go through it.
void draw_note_in(ImDrawList* draw, const PlotFrame& frame, const std::string& note) {
  const float gap = 0.3f * em(), room = frame.max().x - frame.min().x - 4 * gap;
  const std::string words = broken_at_spaces(note, room);
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  // Where the line has ended there is room, and the upper edge has the marks.
  const ImVec2 at{frame.max().x - size.x - 2 * gap, frame.max().y - size.y - 2 * gap};
  draw->AddRectFilled({at.x - gap, at.y - gap}, {at.x + size.x + gap, at.y + size.y + gap},
                      ImGui::GetColorU32(ImGuiCol_FrameBg, 0.85f), gap);
  draw->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
}

}  // namespace

PlotFrame::PlotFrame(const char* name, float height, AxisRange x, AxisRange y, AxisScale y_scale, bool x_marks,
                     const std::string& unit, const std::string& x_unit)
    : x_(x, AxisScale::Linear, 0, 1), y_(y, y_scale, 0, 1) {
  const AxisTicks y_ticks = axis_ticks(y, y_scale, std::max(2, static_cast<int>(height / (2.2f * em()))));
  const Margins around = margins(y_ticks, x_marks);
  const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(name);
  ImGui::InvisibleButton("##plot", size);
  ImGui::PopID();
  mark(name);
  const std::string corner_text = y_ticks.factor + (y_ticks.factor.empty() || unit.empty() ? "" : " ") + unit;
  // The unit stands above the axes: within them lines and bars would cover it.
  min_ = {corner.x + around.left, corner.y + (corner_text.empty() ? 0.35f : 1.2f) * em()};
  max_ = {corner.x + size.x, corner.y + size.y - around.bottom};
  x_ = AxisMap(x, AxisScale::Linear, min_.x, max_.x);
  y_ = AxisMap(y, y_scale, max_.y, min_.y);
  const ImVec2 mouse = ImGui::GetMousePos();
  hovered_ = ImGui::IsItemHovered() && mouse.x >= min_.x && mouse.x <= max_.x && mouse.y >= min_.y && mouse.y <= max_.y;

  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_TextDisabled), grid = ImGui::GetColorU32(ImGuiCol_Text, 0.10f);
  draw->AddRectFilled(min_, max_, ImGui::GetColorU32(ImGuiCol_FrameBg), 2);
  float lowest = 0;  // [pixel] where the numbers beside the axis y end
  for (const AxisTick& tick : y_ticks.ticks) {
    const float at = std::round(y_.pixel(tick.value));
    draw->AddLine({min_.x, at}, {max_.x, at}, grid);
    const ImVec2 wide = ImGui::CalcTextSize(tick.label.c_str());
    lowest = std::max(lowest, at + 0.5f * wide.y);
    draw->AddText({min_.x - 0.35f * em() - wide.x, at - 0.5f * wide.y}, ink, tick.label.c_str());
  }
  draw->AddText({min_.x, corner.y}, ink, corner_text.c_str());
  if (!x_marks) return;
  const float unit_width = ImGui::CalcTextSize(x_unit.c_str()).x, below = max_.y + 0.1f * em();
  draw->AddText({max_.x - unit_width, below}, ink, x_unit.c_str());
  const float end = x_unit.empty() ? max_.x : max_.x - unit_width - 0.4f * em();
  // A number below the axis x does not begin below one beside the axis y that reaches as far down.
  const float first = lowest > below ? min_.x - 0.3f * em() : corner.x;
  // The unit leaves no room for a number here.
  const AxisTicks x_ticks =
      axis_ticks({x.min, x_.value(end)}, AxisScale::Linear, std::max(2, static_cast<int>(size.x / (5 * em()))));
  for (const AxisTick& tick : x_ticks.ticks) {
    const float at = std::round(x_.pixel(tick.value));
    draw->AddLine({at, min_.y}, {at, max_.y}, grid);
    const std::string label = tick.label + x_ticks.factor;
    const float wide = ImGui::CalcTextSize(label.c_str()).x;
    draw->AddText({std::max(first, std::min(at - 0.5f * wide, end - wide)), below}, ink, label.c_str());
  }
}

void PlotFrame::vertical_line(double at, ImU32 color) const {
  const float pixel = x_.pixel(at);
  if (pixel >= min_.x && pixel <= max_.x) ImGui::GetWindowDrawList()->AddLine({pixel, min_.y}, {pixel, max_.y}, color);
}

void PlotFrame::message(const char* text) const {
  const ImVec2 wide = ImGui::CalcTextSize(text);
  ImGui::GetWindowDrawList()->AddText({0.5f * (min_.x + max_.x - wide.x), 0.5f * (min_.y + max_.y - wide.y)},
                                      ImGui::GetColorU32(ImGuiCol_TextDisabled), text);
}

double value_at(const PlotLine& line, double x) {
  const auto after = std::ranges::lower_bound(line.points, x, {}, &PlotPoint::x);
  if (after != line.points.end() && after->x == x) return after->last;
  if (after == line.points.begin() || after == line.points.end()) return std::numeric_limits<double>::quiet_NaN();
  const PlotPoint &a = *(after - 1), &b = *after;
  return a.last + (b.last - a.last) * (x - a.x) / (b.x - a.x);
}

ImU32 plot_color(std::size_t index, Appearance appearance) {
  static constexpr ImU32 dark[] = {IM_COL32(86, 180, 233, 255),  IM_COL32(230, 159, 0, 255),
                                   IM_COL32(0, 184, 138, 255),   IM_COL32(232, 237, 242, 255),
                                   IM_COL32(213, 110, 170, 255), IM_COL32(240, 228, 66, 255),
                                   IM_COL32(240, 96, 60, 255),   IM_COL32(140, 130, 240, 255)};
  static constexpr ImU32 light[] = {IM_COL32(0, 98, 160, 255),  IM_COL32(196, 110, 0, 255),  IM_COL32(0, 122, 90, 255),
                                    IM_COL32(28, 35, 45, 255),  IM_COL32(168, 64, 126, 255), IM_COL32(122, 112, 0, 255),
                                    IM_COL32(186, 40, 20, 255), IM_COL32(88, 72, 190, 255)};
  static_assert(std::size(dark) == kPlotColors && std::size(light) == kPlotColors);
  const std::size_t which = index % std::size(dark);
  return appearance == Appearance::Dark ? dark[which] : light[which];
}

void draw_legend(std::span<const PlotLine> lines, const std::string& beside) {
  const float room = ImGui::GetContentRegionAvail().x, right = ImGui::GetCursorScreenPos().x + room;
  float end = 0;  // [pixel] of the entry before; 0: this entry begins a row
  const auto entry = [&](const PlotLine& line, const std::string& full) {
    const float key = 1.25f * em();
    const std::string name = shortened(full, room - key);
    const float wide = key + ImGui::CalcTextSize(name.c_str()).x;
    if (end > 0 && end + em() + wide <= right) ImGui::SameLine(0, em());
    draw_key(line);
    ImGui::TextDisabled("%s", name.c_str());
    end = ImGui::GetItemRectMax().x;
  };
  const PlotLine* faint = nullptr;
  for (const PlotLine& line : lines) line.faint ? void(faint = faint ? faint : &line) : entry(line, line.name);
  if (faint != nullptr) entry(*faint, beside);
}

void draw_plot(const Plot& plot) {
  std::vector<double> x, y;
  for (const PlotLine& line : plot.lines)
    for (const PlotPoint& point : line.points) {
      if (!line.dashed) x.push_back(point.x);
      y.insert(y.end(), {point.low, point.high, point.last});
    }
  AxisRange along =
      x.empty() ? AxisRange{} : AxisRange{*std::min_element(x.begin(), x.end()), *std::max_element(x.begin(), x.end())};
  if (!(along.max > along.min)) along.max = along.min + 1;
  const AxisRange up = range_of(y, plot.scale);
  const PlotFrame frame(plot.name, plot.height, along, up, plot.scale, true, "", plot.x_unit);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(frame.min(), frame.max(), true);
  for (const PlotLine& line : plot.lines) draw_line(draw, frame, line);
  draw_marks_of(draw, frame, plot);
  if (plot.now < along.max) frame.vertical_line(plot.now, ImGui::GetColorU32(ImGuiCol_Text, 0.5f));
  if (x.empty()) frame.message("nothing sampled yet");
  if (!plot.note.empty()) draw_note_in(draw, frame, plot.note);
  if (frame.hovered() && !x.empty()) draw_crosshair(draw, frame, plot);
  draw->PopClipRect();
  draw_legend(plot.lines, plot.beside);
}

}  // namespace riffle::desktop::ui
