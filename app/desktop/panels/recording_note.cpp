#include <fmt/format.h>

#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/recording/recording_text.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

void red_dot() {
  const float r = 0.35f * ui::em();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + r, at.y + 0.5f * ImGui::GetTextLineHeight()}, r,
                                              IM_COL32(214, 64, 56, 255));
  ImGui::Dummy({2 * r, ImGui::GetTextLineHeight()});
  ImGui::SameLine();
}

void draw_running(PanelContext& context, const Recording& recording) {
  const char* const unit = units_of(context.status).time;
  const RecordingPlan& plan = recording.plan();
  red_dot();
  std::string progress =
      recording_progress(plan, recording.wall(), recording.frames(), recording.written(), recording.bytes());
  if (recording.jumps() > 0) progress += " Meanwhile " + jumps_text(recording.jumps()) + ".";
  InterfaceTrace::instance().value("recording_progress", progress);
  ui::text(progress);
  ui::mark("recording.progress");
  ui::dim_text(
      fmt::format("{}, {} x {}, into {}", recording_rule(plan, unit), plan.width, plan.height, plan.file.string()));
  const std::string choice = automatic_choice(plan, unit);
  InterfaceTrace::instance().value("recorded_because", choice);
  if (!choice.empty()) ui::dim_text(choice);
}

/// @return whether it is to be stopped
bool draw_files(PanelContext& context, const WorkerStatus::Files& series, const char* what, const char* stop,
                const char* tip) {
  red_dot();
  ImGui::TextUnformatted(fmt::format("{}: {}, every {:.4g} {}", what, files_text(series.files, series.one_file),
                                     series.every, units_of(context.status).time)
                             .c_str());
  ImGui::SameLine();
  const bool stopped = ui::small_button(stop, "Stop", tip);
  ui::dim_text("into " + series.pattern);
  return stopped;
}

void draw_saved(Exports& exports) {
  ui::text("saved " + exports.last_saved());
  ui::mark("recording.saved");
  if (ui::small_button("recording.hide", "Hide", "The file stays.")) exports.forget_last_saved();
}

/// How far a recording is; afterwards what was saved and where, until the user hides it. In the picture's corner.
void draw_recording_note(PanelContext& context) {
  const auto [x, y, width, height] = context.picture;
  context.taken_above = 0;
  Exports& exports = context.exports;
  const Recording& recording = exports.recording;
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("recording", recording.running());
  trace.value("recorded_frames", recording.frames());
  trace.value("written_frames", recording.written());
  trace.value("recorded_as_seen", recording.plan().as_seen);
  trace.value("last_saved", exports.last_saved());
  const bool running = recording.running() && context.status.loaded;
  const bool particles = context.status.particle_series.has_value();
  trace.value("particle_files", particles ? context.status.particle_series->files : 0);
  const bool surfaces = context.status.surface_series.has_value();
  trace.value("surface_files", surfaces ? context.status.surface_series->files : 0);
  if (!running && !particles && !surfaces && !recording.finishing() && exports.last_saved().empty()) return;
  ImGui::SetNextWindowPos({x + 0.6f * ui::em(), y + 0.6f * ui::em()});
  // Numbers grow. A window that took its width from them would be a picture late, and cut them off.
  const float wide = std::min(width - 1.2f * ui::em(), 34 * ui::em());
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, 12 * ui::em()});
  ImGui::SetNextWindowBgAlpha(0.85f);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  if (ImGui::Begin("##recording", nullptr, flags)) {
    ImGui::PushTextWrapPos();
    if (running)
      draw_running(context, recording);
    else if (recording.finishing())
      ui::text(finishing_text(recording.plan(), recording.written(), recording.frames(), recording.ends_early()));
    else if (!exports.last_saved().empty())
      draw_saved(exports);
    if (particles && draw_files(context, *context.status.particle_series, "particles", "particles.stop",
                                "Ends the series of particles."))
      exports.toggle_particles(context.status);
    if (surfaces &&
        draw_files(context, *context.status.surface_series, "surface", "surfaces.stop", "Ends the series of surfaces."))
      exports.toggle_surfaces(context.status);
    ImGui::PopTextWrapPos();
    context.taken_above = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y - y;
    trace.value("recording_note_ends", ImGui::GetWindowPos().y + ImGui::GetWindowSize().y);
  }
  ImGui::End();
}

}  // namespace

extern const Panel recording_note{"recording_note", "", Panel::Place::Picture, true, draw_recording_note};

}  // namespace riffle::desktop
