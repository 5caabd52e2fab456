/// Questions that are asked before something is lost.

#include <imgui.h>

#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

namespace {

const char* const kLostRun = "This run would be lost###lost_run";

void ask_about_lost_run(PanelContext& context) {
  SceneEditor& editor = context.editor;
  InterfaceTrace::instance().value("asks_about_run", editor.asks());
  if (!editor.asks()) return;
  if (!ImGui::IsPopupOpen(kLostRun)) ImGui::OpenPopup(kLostRun);
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(kLostRun, nullptr, ImGuiWindowFlags_AlwaysAutoResize)) return;
  ImGui::PushTextWrapPos(30 * ui::em());
  ImGui::TextUnformatted(
      "There is not enough memory to keep this run while another one begins. Undo would bring back the scene, but at "
      "time 0.");
  ImGui::PopTextWrapPos();
  const bool stay = ui::button("lost_run.stay", "Stay with this run") || context.escape;
  ImGui::SameLine();
  const bool leave = ui::button("lost_run.leave", "Leave it");
  if (stay || leave) {
    ImGui::CloseCurrentPopup();
    editor.answer(leave);
  }
  ImGui::EndPopup();
}

void draw_questions(PanelContext& context) { ask_about_lost_run(context); }

}  // namespace

extern const Panel questions{"questions", "", Panel::Place::Picture, true, draw_questions};

}  // namespace riffle::desktop
