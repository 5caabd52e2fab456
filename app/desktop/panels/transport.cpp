#include "app/desktop/panels/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/desktop/panels/export.h"
#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "app/run/scene_view.h"
#include "scenes/scene.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

/// A simulation that has blown up cannot go on from its present state.
const char* const kEnded = "ended: go back on the line above, or start again";

struct Speed {
  const char* label;
  double value;
};
constexpr Speed kSpeeds[] = {{"1/16 x", 0.0625}, {"1/8 x", 0.125}, {"1/4 x", 0.25}, {"1/2 x", 0.5},
                             {"1 x", 1},         {"2 x", 2},       {"5 x", 5},      {"fastest", INFINITY}};

constexpr float kSpeedWidth = 6.5f;  // [em]

void choose_speed(PanelContext& context) {
  const double speed = context.status.speed;
  std::string label = std::isinf(speed) ? "fastest" : fmt::format("{:g} x", speed);
  for (const Speed& s : kSpeeds)
    if (s.value == speed) label = s.label;
  const ui::Combo combo(
      "speed", "##speed", label,
      {.width = kSpeedWidth * ui::em(),
       .tall = true,
       .tip = "Simulated time per second. The machine may be slower: the speed that it reaches is shown "
              "at the right."});
  if (!combo.open()) return;
  for (const Speed& s : kSpeeds)
    if (combo.entry(s.label, s.label, s.value == speed)) context.worker.set_speed(s.value);
}

/// Writes the first and the last moment at the ends of the timeline; its own number is in the middle.
void draw_ends(double first, double last) {
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  const float y = least.y + ImGui::GetStyle().FramePadding.y, pad = ImGui::GetStyle().FramePadding.x;
  const std::string begin = fmt::format("{:.3g}", first), end = fmt::format("{:.3f}", last);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  draw->AddText({least.x + pad, y}, ink, begin.c_str());
  draw->AddText({most.x - pad - ImGui::CalcTextSize(end.c_str()).x, y}, ink, end.c_str());
}

struct TimeBar {
  bool dragged = false;  ///< the mouse has moved it and has not left it since
};

/// The timeline: a slider over the run so far, back to any saved moment.
void draw_scrubber(PanelContext& context) {
  const WorkerStatus& status = context.status;
  const double first = status.first_moment, last = std::max(status.last_moment, status.clock.time);
  double time = status.clock.time;
  ImGui::SetNextItemWidth(-1);
  ImGui::BeginDisabled(!(last > first));
  const double most = last > first ? last : first + 1;
  // Rounded to three digits the end would lie before the newest moment.
  constexpr ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat;
  if (ImGui::SliderScalar("##moments", ImGuiDataType_Double, &time, &first, &most, "%.3f", flags))
    context.worker.seek(time);
  const bool held = ImGui::IsItemActive();
  ImGui::EndDisabled();
  ui::mark("scrub");
  if (last > first) draw_ends(first, last);
  bool& dragged = context.memory.of<TimeBar>().dragged;
  dragged = held || (dragged && ImGui::IsItemHovered());
  if (dragged) return;  // the mouse rests where it has chosen a time, and not to ask what the bar is
  ui::tip_above(fmt::format("{} moments are saved in {}. Go back to one, change something and play on from there: {}",
                            status.moments, ui::bytes(static_cast<double>(status.moments_bytes)),
                            playing_on(status).tip)
                    .c_str());
}

struct Said {
  std::string text;
  std::string shorter;  ///< where that does not fit; "" for none
  ImGuiCol color = ImGuiCol_TextDisabled;
  const char* mark = nullptr;  ///< for InterfaceTrace
};

/// Writes texts beside the last item, as many as fit as a whole.
void say_what_fits(const std::vector<Said>& texts) {
  const float gap = 2 * ui::em();
  float room = ImGui::GetContentRegionAvail().x;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) room -= gap;
    const auto fits = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= room; };
    const std::string& text = fits(texts[i].text) ? texts[i].text : texts[i].shorter;
    if (text.empty() || !fits(text)) return;
    room -= ImGui::CalcTextSize(text.c_str()).x;
    if (i > 0) ImGui::SameLine(0, gap);
    ImGui::TextColored(ImGui::GetStyleColorVec4(texts[i].color), "%s", text.c_str());
    ui::mark("said." + std::to_string(i));
    if (texts[i].mark) ui::mark(texts[i].mark);
    if (&text == &texts[i].shorter) ui::tip(texts[i].text.c_str());
  }
}

std::vector<Said> state_of(const WorkerStatus& status) {
  const bool reduced = status.loaded && !solver_info(status.scene->simulation).si();
  const std::string unit = units_of(status).time;
  const std::string when = status.loaded ? time_text(status.scene->simulation, status.clock.time)
                                         : fmt::format("t = {:.3f} {}", status.clock.time, unit);
  std::vector<Said> said = {{when, "", ImGuiCol_Text}};
  if (status.ended)
    said.push_back({kEnded, "ended", ImGuiCol_PlotHistogram, "ended"});
  else if (!status.playing && status.last_moment > status.clock.time)
    said.push_back({playing_on(status).text, playing_on(status).shorter, ImGuiCol_TextDisabled, "forgets"});
  const std::string step = "step " + ui::count(static_cast<double>(status.clock.step));
  // The step that ends at time.end is shortened for that: its length says nothing of the others.
  const double end = status.loaded ? status.scene->run.end_time : 0;
  const bool at_end = status.loaded && !status.playing && std::fabs(status.clock.time - end) <= 1e-6 * end;
  said.push_back({at_end ? step : fmt::format("{}   dt {:.3g} {}", step, status.clock.last_dt, unit), ""});
  if (status.playing) {
    const std::string rate = fmt::format("{:.2g} {}", status.achieved_speed, reduced ? unit + "/s" : "x real time");
    if (status.pace.real)
      said.push_back({rate + ", " + status.pace.eased, rate});
    else
      said.push_back({rate, ""});
  }
  return said;
}

/// Whether the buttons and the time do not fit into one line.
bool is_narrow(float room) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const auto button = [&](const char* label) { return ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x; };
  const float icons = 5 * 1.4f * ImGui::GetFrameHeight();
  const float all = icons + kSpeedWidth * ui::em() + button("Export") + button("?") + 8 * style.ItemSpacing.x +
                    ImGui::CalcTextSize("t = 00.000 s").x;
  return all > room;
}

void draw_transport(PanelContext& context) {
  const WorkerStatus& status = context.status;
  Worker& worker = context.worker;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool earlier = status.loaded && !status.playing && !status.ended && status.last_moment > status.clock.time;
  InterfaceTrace::instance().value("playing_on", earlier ? playing_on(status).text : "");
  ImGui::BeginDisabled(!status.loaded);
  draw_scrubber(context);
  if (ui::icon_button("reset", ui::Icon::Reset, "Start again from time 0 (R). Undo (Ctrl+Z) brings this run back."))
    context.editor.start_again();
  ImGui::SameLine();
  if (ui::icon_button("step_back", ui::Icon::StepBack,
                      "Back to the saved moment before this one (,). Moments are saved every tenth of a second of "
                      "playing at first, and more rarely in a long run."))
    worker.step_back();
  ImGui::SameLine();
  ImGui::BeginDisabled(status.ended);
  const char* play_tip = status.ended ? kEnded : status.playing ? "Pause (Space)" : "Play (Space)";
  if (ui::icon_button("play", status.playing ? ui::Icon::Pause : ui::Icon::Play, play_tip, status.playing))
    worker.play(!status.playing);
  ImGui::SameLine();
  if (ui::icon_button("step", ui::Icon::Step, status.ended ? kEnded : "One step (.)")) worker.step();
  ImGui::EndDisabled();
  ImGui::SameLine();
  choose_speed(context);
  if (!is_narrow(room)) ImGui::SameLine();
  draw_record_button(context);
  ImGui::SameLine();
  ImGui::EndDisabled();
  if (ui::button("help", "?", "Keys and mouse (F1)")) context.view.show_shortcuts = !context.view.show_shortcuts;
  ImGui::SameLine();
  ImGui::BeginDisabled(!status.loaded);
  ImGui::AlignTextToFramePadding();
  say_what_fits(state_of(status));
  ImGui::EndDisabled();
}

}  // namespace

PlayingOn playing_on(const WorkerStatus& status) {
  if (status.can_keep)
    return {"playing on leaves the later moments; Ctrl+Z then brings them back", "playing on leaves later moments",
            "Ctrl+Z then brings the later moments back."};
  if (status.asks_about_later || status.last_moment <= status.clock.time)
    return {"playing on asks first: later moments would be lost", "later moments would be lost",
            "there is not enough memory to keep the later moments, so you are asked first."};
  return {
      "playing on forgets the later moments, which led to the fault", "forgets the moments up to the fault",
      "there is not enough memory to keep the later moments. Those up to the fault are forgotten without a question."};
}

float transport_height(float width) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float lines = is_narrow(width - 2 * style.WindowPadding.x) ? 3 : 2;
  return lines * ImGui::GetFrameHeight() + (lines - 1) * style.ItemSpacing.y + 2 * style.WindowPadding.y;
}

extern const Panel transport_panel{"transport", "", Panel::Place::LowerEdge, true, draw_transport};

}  // namespace riffle::desktop
