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
#include "app/desktop/widgets/widgets.h"
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

void choose_speed(PanelContext& context) {
  const double speed = context.status.speed;
  std::string label = std::isinf(speed) ? "fastest" : fmt::format("{:g} x", speed);
  for (const Speed& s : kSpeeds)
    if (s.value == speed) label = s.label;
  const ui::Combo combo(
      "speed", "##speed", label,
      {.width = 6.5f * ui::em(),
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

/// The timeline: a slider over the run so far, back to any saved moment.
void draw_scrubber(PanelContext& context) {
  const WorkerStatus& status = context.status;
  const double first = status.first_moment, last = std::max(status.last_moment, status.clock.time);
  double time = status.clock.time;
  ImGui::SetNextItemWidth(-1);
  ImGui::BeginDisabled(!(last > first));
  const double most = last > first ? last : first + 1;
  if (ImGui::SliderScalar("##moments", ImGuiDataType_Double, &time, &first, &most, "%.3f", ImGuiSliderFlags_NoInput))
    context.worker.seek(time);
  const bool held = ImGui::IsItemActive();
  ImGui::EndDisabled();
  ui::mark("scrub");
  if (last > first) draw_ends(first, last);
  if (held) return;  // a tip would cover the time that is being chosen
  ui::tip(fmt::format("{} moments are saved in {}. Go back to one, change something and play on from there: the later "
                      "moments are then forgotten.",
                      status.moments, ui::bytes(static_cast<double>(status.moments_bytes)))
              .c_str());
}

/// Writes texts beside the last item, as many as fit as a whole. The first has the colour of text, the others are dim.
void say_what_fits(const std::vector<std::string>& texts) {
  const float gap = 2 * ui::em();
  float room = ImGui::GetContentRegionAvail().x;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    room -= ImGui::CalcTextSize(texts[i].c_str()).x + (i > 0 ? gap : 0);
    if (room < 0) return;
    if (i > 0) ImGui::SameLine(0, gap);
    ImGui::TextColored(ImGui::GetStyleColorVec4(i > 0 ? ImGuiCol_TextDisabled : ImGuiCol_Text), "%s", texts[i].c_str());
    ui::mark("said." + std::to_string(i));
  }
}

void draw_transport(PanelContext& context) {
  const WorkerStatus& status = context.status;
  Worker& worker = context.worker;
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
  ImGui::SameLine();
  draw_record_button(context);
  ImGui::SameLine();
  ImGui::EndDisabled();
  if (ui::button("help", "?", "Keys and mouse (F1)")) context.view.show_shortcuts = !context.view.show_shortcuts;
  ImGui::BeginDisabled(!status.loaded);
  ImGui::SameLine();
  const bool reduced = status.loaded && !solver_info(status.scene->simulation).si();
  const std::string unit = units_of(status).time;
  ImGui::AlignTextToFramePadding();
  std::vector<std::string> said = {
      fmt::format("t = {:.3f} {}", status.clock.time, unit),
      fmt::format("step {}   dt {:.3g} {}", ui::count(static_cast<double>(status.clock.step)), status.clock.dt, unit)};
  if (status.playing)
    said.push_back(fmt::format("{:.2g} {}", status.achieved_speed, reduced ? unit + "/s" : "x real time"));
  say_what_fits(said);
  if (!status.playing && !status.ended && status.last_moment > status.clock.time) {
    ImGui::SameLine(0, 2 * ui::em());
    ImGui::TextDisabled("playing on forgets the later moments");
    ui::mark("forgets");
  }
  if (status.ended) {
    ImGui::SameLine(0, 2 * ui::em());
    ui::refusal(kEnded);
    ui::mark("ended");
  }
  ImGui::EndDisabled();
}

}  // namespace

extern const Panel transport_panel{"transport", "", Panel::Place::LowerEdge, true, draw_transport};

}  // namespace riffle::desktop
