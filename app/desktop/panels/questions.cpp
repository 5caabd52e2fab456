#include "app/desktop/panels/questions.h"

#include <imgui.h>

#include <string>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

namespace {

/// Begins a question in the middle of the window. @return whether it is drawn; then ImGui::EndPopup() ends it
bool begin_question(const char* title, const std::string& text) {
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    return false;
  ImGui::PushTextWrapPos(30 * ui::em());
  ui::text(text);
  ImGui::PopTextWrapPos();
  return true;
}

void ask_about_lost_run(PanelContext& context) {
  if (!begin_question("This run would be lost###lost_run",
                      "There is not enough memory to keep this run while another one begins. Undo would bring back the "
                      "scene, but at time 0."))
    return;
  const bool stay = ui::button("lost_run.stay", "Stay with this run") || context.escape;
  ImGui::SameLine();
  const bool leave = ui::button("lost_run.leave", "Leave it");
  if (stay || leave) {
    ImGui::CloseCurrentPopup();
    context.editor.answer(leave);
  }
  ImGui::EndPopup();
}

std::string names_of(const std::vector<std::string>& scenes) {
  std::string text;
  for (std::size_t k = 0; k < scenes.size(); ++k)
    text += (k == 0 ? "" : k + 1 == scenes.size() ? " and " : ", ") + scenes[k];
  return text;
}

void ask_about_changes(PanelContext& context, ClosingQuestion& question) {
  const std::vector<std::string> unsaved = context.editor.unsaved();
  InterfaceTrace::instance().value("unsaved", unsaved);
  const bool of_this = context.editor.present_is_unsaved();
  if (!begin_question("Changes are not saved###unsaved",
                      "The changes of " + names_of(unsaved) + " are not saved." +
                          (of_this              ? ""
                           : unsaved.size() > 1 ? " Undo (Ctrl+Z) leads back to them."
                                                : " Undo (Ctrl+Z) leads back to that scene.") +
                          (context.exports.recording.running()
                               ? " When the window closes, the recording ends and its file is completed."
                               : "")))
    return;
  if (of_this) {
    if (ui::button("unsaved.save", "Save ...")) {
      question.asked = false;
      question.saving = true;
      ask_where_to_save(context);
    }
    ImGui::SameLine();
  }
  question.close = ui::button("unsaved.discard", "Discard them");
  ImGui::SameLine();
  if (ui::button("unsaved.stay", "Stay") || context.escape) question.asked = false;
  if (!question.asked) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void ask_about_folder(PanelContext& context) {
  Exports& exports = context.exports;
  if (!begin_question("The folder is missing###missing_folder",
                      "The folder " + exports.missing_folder() +
                          " does not exist. The section Export has another one if "
                          "you change it there."))
    return;
  const bool make = ui::button("missing_folder.make", "Make the folder and save");
  ImGui::SameLine();
  const bool cancel = ui::button("missing_folder.cancel", "Cancel") || context.escape;
  if (make || cancel) {
    ImGui::CloseCurrentPopup();
    exports.answer_missing_folder(make, context.status, context.view);
  }
  ImGui::EndPopup();
}

/// Says what is being completed before the program ends.
void show_leaving(PanelContext& context, Leaving& leaving) {
  const std::string text =
      leaving.doing + (leaving.early ? "" : "\n\nClose again to end it here; what is written plays and stays.");
  InterfaceTrace::instance().value("leaving", text);
  if (!begin_question("Riffle closes when this is done###leaving", text)) return;
  if (!leaving.early) {
    leaving.asks_early = ui::button("leaving.early", "End it here");
    ImGui::SameLine();
    leaving.stays = ui::button("leaving.stay", "Stay", "The files are completed, and the window stays open.");
    leaving.stays |= context.escape;
  }
  if (leaving.stays) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void draw_questions(PanelContext& context) {
  ClosingQuestion& closing = context.memory.of<ClosingQuestion>();
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("asks_about_run", context.editor.asks());
  trace.value("asks_about_changes", closing.asked);
  trace.value("missing_folder", context.exports.missing_folder());
  Leaving& leaving = context.memory.of<Leaving>();
  if (leaving.doing.empty()) trace.value("leaving", "");
  if (context.notice) return;  // it comes first
  if (!leaving.doing.empty()) return show_leaving(context, leaving);
  if (context.editor.asks())
    ask_about_lost_run(context);
  else if (closing.asked)
    ask_about_changes(context, closing);
  else if (!context.exports.missing_folder().empty())
    ask_about_folder(context);
  else if (!draw_scene_files(context) && std::exchange(closing.saving, false) && !context.editor.present_is_unsaved())
    closing.close = context.editor.unsaved().empty(), closing.asked = !closing.close;
}

}  // namespace

extern const Panel questions{"questions", "", Panel::Place::Picture, true, draw_questions};

}  // namespace riffle::desktop
