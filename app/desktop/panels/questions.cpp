#include "app/desktop/panels/questions.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "sim/units.h"

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

std::string names_of(const std::vector<std::string>& scenes) {
  std::string text;
  for (std::size_t k = 0; k < scenes.size(); ++k)
    text += (k == 0 ? "" : k + 1 == scenes.size() ? " and " : ", ") + scenes[k];
  return text;
}

/// "12 minutes"
std::string about(double seconds) {
  const auto text = [](double count, const char* unit) {
    return fmt::format("{:g} {}{}", count, unit, count == 1 ? "" : "s");
  };
  if (seconds < 120) return text(std::floor(seconds), "second");
  return seconds < 7200 ? text(std::floor(seconds / 60), "minute") : text(std::floor(seconds / 360) / 10, "hour");
}

/// "dam_break up to t = 1.250 s (12 minutes)"
std::string names_of(const std::vector<KeptStatus>& runs) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const KeptStatus& run : runs)
    if (names.size() < kNamed) names.push_back(fmt::format("{} ({})", run.name, about(run.work.unsaved())));
  if (runs.size() > kNamed) names.push_back(fmt::format("{} more", runs.size() - kNamed));
  return names_of(names);
}

/// A step after which redo leads nowhere would forget runs.
void ask_about_runs_forth(PanelContext& context) {
  const std::vector<KeptStatus>& runs = context.editor.asks_about();
  const bool one = runs.size() == 1;
  const std::string text = fmt::format(
      "Redo (Ctrl+Shift+Z) leads to {} whose last moments are in no state file: {}. This step forgets {}. To save {}, "
      "stay, go there with Ctrl+Shift+Z, and save its state.",
      one ? "a run" : "runs", names_of(runs), one ? "it" : "them", one ? "it" : "one");
  InterfaceTrace::instance().value("runs_forth", text);
  if (!begin_question(one ? "A run would be lost###runs_forth" : "Runs would be lost###runs_forth", text)) return;
  const bool stay = ui::button("runs_forth.stay", "Stay") || context.escape;
  ImGui::SameLine();
  const bool go_on = ui::button("runs_forth.forget", one ? "Forget it" : "Forget them");
  if (stay || go_on) {
    ImGui::CloseCurrentPopup();
    context.editor.answer(go_on);
  }
  ImGui::EndPopup();
}

/// A change, or a scene that is to be opened, that makes very many particles.
void ask_about_long_start(PanelContext& context) {
  const std::string text = context.editor.asks_about_start();
  const std::string scene = context.editor.asks_about_opening();
  const std::string title = scene.empty() ? "A long start" : "A long start of " + scene;
  if (!begin_question((title + "###long_start").c_str(), text)) return;
  const bool stay =
      ui::button("long_start.stay", scene.empty() ? "Take the change back" : "Do not open it") || context.escape;
  ImGui::SameLine();
  const bool go_on = ui::button("long_start.start", "Start it");
  if (stay || go_on) {
    ImGui::CloseCurrentPopup();
    context.editor.answer(go_on);
  }
  ImGui::EndPopup();
}

void ask_about_lost_run(PanelContext& context) {
  if (!context.editor.asks_about_start().empty()) return ask_about_long_start(context);
  if (!context.editor.asks_about().empty()) return ask_about_runs_forth(context);
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

/// The question that was answered last: the status may have it for a moment longer.
struct LaterAnswer {
  std::uint64_t question = 0;
};

void ask_about_later_moments(PanelContext& context) {
  const WorkerStatus& status = context.status;
  if (!begin_question(
          "Later moments would be lost###lost_later",
          fmt::format(
              "Playing on from t = {:.4g} {} forgets the later moments of this run, up to t = {:.4g} {}. There is "
              "not enough memory to keep them, so undo (Ctrl+Z) could not bring them back.",
              status.clock.time, units_of(status).time, status.last_moment, units_of(status).time)))
    return;
  const bool stay = ui::button("lost_later.stay", "Stay here") || context.escape;
  ImGui::SameLine();
  const bool go_on = ui::button("lost_later.go_on", "Forget them and play on");
  if (stay || go_on) {
    ImGui::CloseCurrentPopup();
    context.worker.answer_about_later(go_on);
    context.memory.of<LaterAnswer>().question = status.later_question;
  }
  ImGui::EndPopup();
}

/// What closing the window does to files that are being written; "" for nothing.
std::string what_is_completed(const PanelContext& context) {
  std::string text;
  if (context.exports.recording.running())
    text += " When the window closes, the recording ends and its file is completed.";
  if (context.status.particle_series)
    text += " The particles that are saved over time end with the last moment, and their files are completed.";
  if (context.status.surface_series)
    text += " The surface that is saved over time ends with the last moment, and its files are completed.";
  return text;
}

void ask_about_changes(PanelContext& context, ClosingQuestion& question) {
  const std::vector<std::string> unsaved = context.editor.unsaved();
  InterfaceTrace::instance().value("unsaved", unsaved);
  const bool of_this = context.editor.present_is_unsaved();
  if (!begin_question("Changes are not saved###unsaved",
                      "The changes of " + names_of(unsaved) + " are not saved." +
                          (of_this              ? ""
                           : unsaved.size() > 1 ? " Undo (Ctrl+Z) and redo (Ctrl+Shift+Z) lead to them."
                                                : " Undo (Ctrl+Z) or redo (Ctrl+Shift+Z) leads to that scene.") +
                          what_is_completed(context)))
    return;
  if (of_this) {
    if (ui::button("unsaved.save", "Save ...")) {
      question.asked = false;
      question.saving = true;
      ask_where_to_save(context);
    }
    ImGui::SameLine();
  }
  if (ui::button("unsaved.discard", "Discard them")) question.close = question.answered = true;
  ImGui::SameLine();
  const bool stay = ui::button("unsaved.stay", "Stay") || context.escape;
  if (stay) question = {};
  if (!question.asked || question.answered) ImGui::CloseCurrentPopup();
  if (question.answered) question.asked = false;
  ImGui::EndPopup();
}

void ask_about_runs(PanelContext& context, ClosingQuestion& question) {
  const WorkerStatus& status = context.status;
  const RunLimit limit = context.memory.of<RunLimit>();
  const bool present = !question.leave_run && !question.state && limit.exceeded_by(status);
  const std::vector<KeptStatus> kept = question.leave_kept ? std::vector<KeptStatus>() : limit.kept_beyond(status);
  if (!present && kept.empty()) {  // saved since
    question.answered = true;
    question.asked_run = false;
    return;
  }
  std::string text;
  if (present)
    text = fmt::format(
               "This run was computed for {} since it began or since its last saved state. Closing the window "
               "loses that. A state file has all that the run needs to go on from here.",
               about(status.work.unsaved())) +
           (status.ended ? " The run has ended with a fault. Go back to a moment before it to save a state." : "");
  if (!kept.empty())
    text += fmt::format(
        "{}Undo and redo lead to {} whose last moments are in no state file: {}. Closing the window loses {}. To save "
        "{}, stay, go there with Ctrl+Z or Ctrl+Shift+Z, and save its state.",
        present ? "\n\n" : "", kept.size() == 1 ? "an earlier run" : "earlier runs", names_of(kept),
        kept.size() == 1 ? "it" : "them", kept.size() == 1 ? "it" : "one");
  text +=
      fmt::format("\n\nRiffle asks because more than {} of computing of a run would be lost.", about(limit.seconds)) +
      what_is_completed(context);
  InterfaceTrace::instance().value("unsaved_run", text);
  const bool one = present ? kept.empty() : kept.size() == 1;
  if (!begin_question(one ? "A run is not saved###unsaved_run" : "Runs are not saved###unsaved_run", text)) return;
  if (present && !status.ended) {
    if (ui::button("unsaved_run.save", "Save the state ...")) {
      question.asked_run = false;
      question.saving_run = true;
      question.states_asked = context.exports.states_asked();
      ask_where_to_save_state(context);
    }
    ImGui::SameLine();
  }
  if (ui::button("unsaved_run.close", one ? "Close without it" : "Close without them"))
    question.leave_run = question.leave_kept = question.answered = true;
  ImGui::SameLine();
  const bool stay = ui::button("unsaved_run.stay", "Stay") || context.escape;
  if (stay) question = {};
  if (!question.asked_run || question.answered) ImGui::CloseCurrentPopup();
  if (question.answered) question.asked_run = false;
  ImGui::EndPopup();
}

/// The question where to save the state was answered.
void follow_saved_run(PanelContext& context, ClosingQuestion& question) {
  question.saving_run = false;
  if (context.exports.states_asked() > question.states_asked) {
    question.state = context.exports.last_state();
    question.leave_run = question.answered = true;
  } else {
    question = {};
  }
}

/// The question where to save the scene was answered.
void follow_saved_scene(PanelContext& context, ClosingQuestion& question) {
  question.saving = false;
  if (context.editor.present_is_unsaved())
    question = {};
  else if (context.editor.unsaved().empty())
    question.close = question.answered = true;
  else
    question.asked = true;
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
  trace.value("asks_about_start", context.editor.asks_about_start());
  trace.value("asks_about_changes", closing.asked);
  trace.value("asks_about_unsaved_run", closing.asked_run);
  trace.value("missing_folder", context.exports.missing_folder());
  const bool asks_later = context.status.later_question > context.memory.of<LaterAnswer>().question;
  trace.value("asks_about_later", asks_later);
  Leaving& leaving = context.memory.of<Leaving>();
  if (leaving.doing.empty()) trace.value("leaving", "");
  if (context.notice) return;  // it comes first
  if (!leaving.doing.empty()) return show_leaving(context, leaving);
  if (context.editor.asks())
    ask_about_lost_run(context);
  else if (asks_later)
    ask_about_later_moments(context);
  else if (closing.asked)
    ask_about_changes(context, closing);
  else if (closing.asked_run)
    ask_about_runs(context, closing);
  else if (!context.exports.missing_folder().empty())
    ask_about_folder(context);
  else if (draw_scene_files(context))
    return;
  else if (closing.saving_run)
    follow_saved_run(context, closing);
  else if (closing.saving)
    follow_saved_scene(context, closing);
}

}  // namespace

bool RunLimit::exceeded_by(const WorkerStatus& status) const {
  return status.loaded && status.work.unsaved() > seconds;
}

std::vector<KeptStatus> RunLimit::kept_beyond(const WorkerStatus& status) const {
  std::vector<KeptStatus> runs;
  for (const KeptStatus& kept : status.kept)
    if (kept.has_states && kept.work.unsaved() > seconds) runs.push_back(kept);
  std::ranges::sort(runs, std::greater(), [](const KeptStatus& kept) { return kept.work.unsaved(); });
  return runs;
}

extern const Panel questions{"questions", "", Panel::Place::Picture, true, draw_questions};

}  // namespace riffle::desktop
