/// Over the picture: what the program is busy with, and what to do if there is no scene.

#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

namespace {

constexpr double kMoment = 0.2;  // [s] a shorter load shows no sign

void draw_hint(const ScreenArea& area, const char* text) {
  const float wrap = 0.8f * area.width;
  const ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
  ImGui::GetBackgroundDrawList()->AddText(
      ImGui::GetFont(), ImGui::GetFontSize(),
      {area.x + 0.5f * (area.width - size.x), area.y + 0.5f * (area.height - size.y)},
      ImGui::GetColorU32(ImGuiCol_TextDisabled), text, nullptr, wrap);
}

/// Why the picture shows no particle; "" if it does.
const char* why_empty(const PanelContext& context) {
  switch (context.view.seen) {
    case Seen::Particles: break;
    case Seen::AllCutAway: return "The cut plane leaves out all particles in view (Picture, cut)";
    case Seen::NothingInView:
      return "No particle is in view. The Home key shows the whole domain; if the fluid has left it, go back on the "
             "line "
             "below.";
  }
  return "";
}

/// Where there is no scene.
std::string how_to_begin(const WorkerStatus& status) {
  const char* const how = "Choose a scene at the top left, or drop a .yaml file here";
  return status.cancelled.empty() ? how : fmt::format("You cancelled {}. {}", status.cancelled, how);
}

/// "placing particles: 1.20 M of 3.43 M"
std::string text_of(const StartPoint& start) {
  const auto share = [&](const char* what, const char* unit) {
    const auto done = static_cast<double>(start.done), all = static_cast<double>(start.all);
    return fmt::format("{}: {}{} of {}", what, unit, ui::count(done), ui::count(all));
  };
  switch (start.stage) {
    case StartStage::Counting: return "counting particles";
    case StartStage::Walls: return "placing particles of solids";
    case StartStage::Particles: return share("placing particles", "");
    case StartStage::Equilibration: return share("equilibrating", "step ");
    case StartStage::Simulation: return "filling memory, measuring the first moment";
  }
  return "";
}

void draw_progress(PanelContext& context) {
  const WorkerStatus& status = context.status;
  const std::string text = status.start ? text_of(*status.start) : "";
  InterfaceTrace::instance().value("start", text);
  if (!text.empty()) ImGui::TextDisabled("%s", text.c_str());
  if (status.start && status.start->all > 0) {
    const double done = static_cast<double>(status.start->done) / static_cast<double>(status.start->all);
    ImGui::ProgressBar(static_cast<float>(done), {16 * ui::em(), 0.4f * ui::em()}, "");
  }
  if (!status.can_cancel) return;
  const bool cancels = context.worker.gives_up();
  ImGui::BeginDisabled(cancels);
  const char* const tip = status.loaded ? "Goes on with what was there before (Esc)." : "Opens nothing (Esc).";
  if (ui::button("cancel_start", cancels ? "Cancelling ..." : "Cancel", tip)) context.worker.give_up_start();
  ImGui::EndDisabled();
}

void draw_busy_sign(const ScreenArea& area, PanelContext& context) {
  const ImVec2 least{area.x, area.y}, most{area.x + area.width, area.y + area.height};
  // The picture below still shows the scene before.
  ImGui::GetBackgroundDrawList()->AddRectFilled(least, most, ImGui::GetColorU32(ImGuiCol_WindowBg, 0.6f));
  ImGui::SetNextWindowPos({area.x + 0.5f * area.width, area.y + 0.5f * area.height}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::Begin("##busy", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::Text("%s ...", context.status.busy.c_str());
  ui::mark("busy");
  draw_progress(context);
  ImGui::End();
}

/// When the program became busy [s]; -1: it is not.
struct BusySince {
  double time = -1;
};

void draw_busy_sign(PanelContext& context) {
  double& since = context.memory.of<BusySince>().time;
  const ScreenArea& area = context.picture;
  if (context.status.busy.empty()) {
    since = -1;
    const std::string hint = context.status.loaded   ? why_empty(context)
                             : awaits_scene(context) ? ""
                                                     : how_to_begin(context.status);
    InterfaceTrace::instance().value("hint", hint);
    InterfaceTrace::instance().value("start", "");
    if (!hint.empty()) draw_hint(area, hint.c_str());
    return;
  }
  if (since < 0) since = ImGui::GetTime();
  if (ImGui::GetTime() - since > kMoment) draw_busy_sign(area, context);
}

}  // namespace

extern const Panel busy_sign{"busy_sign", "", Panel::Place::Picture, true, draw_busy_sign};

}  // namespace riffle::desktop
