#include "app/desktop/shell/shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
// After imgui.h.
#include <imgui_internal.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/recording/exports.h"
#include "app/desktop/shell/typing_guard.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/side_message.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

namespace {

struct Shortcut {
  int key;
  const char* keys;
  const char* what;
  void (*act)(PanelContext&);
};

const Shortcut kShortcuts[] = {
    {GLFW_KEY_SPACE, "Space", "play or pause", [](PanelContext& c) { c.worker.play(!c.status.playing); }},
    {GLFW_KEY_PERIOD, ".", "one step", [](PanelContext& c) { c.worker.step(); }},
    {GLFW_KEY_COMMA, ",", "back to the saved moment before this one", [](PanelContext& c) { c.worker.step_back(); }},
    {GLFW_KEY_R, "R", "start again from time 0", [](PanelContext& c) { c.editor.start_again(); }},
    {GLFW_KEY_HOME, "Home", "the home view",
     [](PanelContext& c) {
       c.view.camera.home();
       c.view.picture_changed = true;
     }},
    {GLFW_KEY_ESCAPE, "Esc", "take a drag back; close; cancel a start; select nothing",
     [](PanelContext& c) {
       if (c.view.selection.dragged) {
         c.view.selection.given_up = true;
         return;
       }
       if (std::exchange(c.view.show_shortcuts, false)) return;
       if (!c.notice && (ui::close_message() || close_comparison(c))) return;
       if (!c.notice && c.status.can_cancel && !c.status.busy.empty()) return c.worker.give_up_start();
       if (c.status.end_note) return c.worker.close_end_note();
       if (!std::exchange(c.view.selection.entry, "").empty()) return;
       c.worker.unpick();
     }},
    {GLFW_KEY_L, "L", "legend",
     [](PanelContext& c) { c.editor.set("picture.legend", c.view.render.legend ? "false" : "true"); }},
    {GLFW_KEY_TAB, "Tab", "hide or show the panels", [](PanelContext& c) { c.view.show_panels = !c.view.show_panels; }},
};

struct MouseHelp {
  const char* gesture;
  const char* what;
};
constexpr MouseHelp kMouse[] = {
    {"drag a number", "change it"},
    {"click a number", "type it; Enter or a click elsewhere applies it, Esc does not"},
    {"drop a file", "open a scene or a state (.h5, .zip); a mesh becomes a solid"},
    {"drag", "turn (2-D scenes: move)"},
    {"Shift + drag, middle button", "move"},
    {"wheel", "nearer, farther"},
    {"click", "follow a particle; select a solid, a mark, at time 0 a body"},
    {"drag a handle", "move, turn or resize what is selected; Ctrl: whole spacings"},
    {"double click", "turn around that particle from now on"},
    {"right button", "pull the fluid or a free solid; Shift: push the fluid away"},
};

void handle_with_control(const KeyPress& press, PanelContext& context) {
  if (press.mods & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) return;
  const bool shift = press.mods & GLFW_MOD_SHIFT;
  if (press.key == GLFW_KEY_Z && shift) context.editor.redo();
  if (press.key == GLFW_KEY_Z && !shift) context.editor.undo();
  if (press.key == GLFW_KEY_R && !shift) context.exports.toggle_recording(context.status, context.view);
  if (press.key == GLFW_KEY_O && !shift) ask_which_to_open(context);
  if (press.key == GLFW_KEY_S && !shift && context.editor.has_scene()) ask_where_to_save(context);
  if (press.key == GLFW_KEY_P && !shift) context.exports.save_picture(context.status, context.view);
}

}  // namespace

bool close_top_popup() {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  if (gui.OpenPopupStack.empty()) return false;
  const ImGuiWindow* top = gui.OpenPopupStack.back().Window;
  if (!top || top->Flags & ImGuiWindowFlags_Modal) return false;
  ImGui::ClosePopupToLevel(gui.OpenPopupStack.Size - 1, true);
  return true;
}

bool pressed_escape(const std::vector<KeyPress>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const KeyPress& press) { return press.key == GLFW_KEY_ESCAPE; });
}

bool is_for_window(const KeyPress& press) {
  constexpr int kKeys[] = {GLFW_KEY_O, GLFW_KEY_P, GLFW_KEY_Q, GLFW_KEY_R, GLFW_KEY_S};
  constexpr int kMods = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER | GLFW_MOD_SHIFT;
  return (press.mods & kMods) == GLFW_MOD_CONTROL &&
         std::find(std::begin(kKeys), std::end(kKeys), press.key) != std::end(kKeys);
}

bool pressed_quit(const std::vector<KeyPress>& keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [](const KeyPress& press) { return press.key == GLFW_KEY_Q && is_for_window(press); });
}

void handle_shortcuts(PanelContext& context, TypingGuard& guard, const std::vector<KeyPress>& keys) {
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  for (const KeyPress& press : keys) {
    if (!guard.lets_through(press, ImGui::GetIO().WantTextInput, ImGui::GetTime()) || popup) continue;
    if (press.mods & GLFW_MOD_CONTROL) handle_with_control(press, context);
    if (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) continue;
    for (const Shortcut& shortcut : kShortcuts)
      if (press.key == shortcut.key) shortcut.act(context);
    const bool question_mark = press.key == GLFW_KEY_SLASH && press.mods & GLFW_MOD_SHIFT;
    if (question_mark || press.key == GLFW_KEY_F1) context.view.show_shortcuts = !context.view.show_shortcuts;
  }
}

void draw_shortcuts(bool* open) {
  if (!*open) return;
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::Begin("Keys and mouse", open, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse)) {
    if (ImGui::BeginTable("##keys", 2, ImGuiTableFlags_SizingFixedFit)) {
      const auto line = [](const char* keys, const char* what) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(keys);
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", what);
      };
      for (const Shortcut& s : kShortcuts) line(s.keys, s.what);
      line("Ctrl+Z, Ctrl+Shift+Z", "undo, redo: changes, new starts, opened scenes and states");
      line("Ctrl+O, Ctrl+S", "open a scene, save it as ...");
      line("Ctrl+R", "record, stop recording");
      line("Ctrl+P", "save the picture");
      line("Ctrl+Q", "close the window");
      line("? or F1", "this list");
      for (const MouseHelp& m : kMouse) line(m.gesture, m.what);
      ImGui::EndTable();
    }
    ui::mark("shortcuts");
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    InterfaceTrace::instance().value("shortcuts_box", {corner.x, corner.y, size.x, size.y});
  }
  ImGui::End();
}

}  // namespace riffle::desktop
