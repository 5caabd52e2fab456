/// Over the picture: that the run has come to the scene's end, and how it goes on.

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

void draw_end_note(PanelContext& context) {
  const WorkerStatus& status = context.status;
  const bool shown = status.loaded && status.end_note;
  InterfaceTrace::instance().value("end_note", shown);
  InterfaceTrace::instance().value("contact", status.contact);
  if (!shown) return;
  const auto [x, y, width, height] = context.picture;
  const float top = std::max(4 * ui::em(), context.taken_above + 0.6f * ui::em());
  ImGui::SetNextWindowPos({x + 0.5f * width, y + top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowBgAlpha(0.85f);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
  if (ImGui::Begin("##end_note", nullptr, flags)) {
    InterfaceTrace::instance().value("end_note_begins", ImGui::GetWindowPos().y);
    ImGui::TextUnformatted(
        fmt::format("The scene ends at {:g} {} (time.end)", status.scene->run.end_time, units_of(status).time).c_str());
    if (!status.contact.empty()) {
      ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(30 * ui::em(), 0.8f * width));
      ui::text(status.contact.substr(0, status.contact.size() - 1));
      ui::mark("end_note.contact");
      ui::tip(
          "Particles are in contact that are nearer to each other than the support radius, directly or through "
          "others. The rest is the largest group of them.");
      ImGui::PopTextWrapPos();
    }
    if (ui::button("end_note.go_on", "Go on", "Plays on without an end, as Play does.")) context.worker.play(true);
    ImGui::SameLine();
    if (ui::button("end_note.close", "Close", "Esc")) context.worker.close_end_note();
  }
  ImGui::End();
}

}  // namespace

extern const Panel end_note{"end_note", "", Panel::Place::Picture, true, draw_end_note};

}  // namespace riffle::desktop
