#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"

namespace riffle {

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
    {GLFW_KEY_R, "R", "start again from time 0", [](PanelContext& c) { c.worker.reset(); }},
    {GLFW_KEY_HOME, "Home", "the view that the scene began with",
     [](PanelContext& c) {
       c.view.camera.home();
       c.view.picture_changed = true;
     }},
    {GLFW_KEY_L, "L", "legend",
     [](PanelContext& c) {
       c.view.render.legend = !c.view.render.legend;
       c.view.picture_changed = true;
     }},
    {GLFW_KEY_TAB, "Tab", "hide or show the panels", [](PanelContext& c) { c.view.show_panels = !c.view.show_panels; }},
};

struct MouseHelp {
  const char* gesture;
  const char* what;
};
constexpr MouseHelp kMouse[] = {
    {"drag", "turn (2-D scenes: move)"},
    {"Shift + drag, middle button", "move"},
    {"wheel", "nearer, further"},
    {"double click", "turn around that point"},
};

}  // namespace

void handle_shortcuts(PanelContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || io.KeyCtrl || io.KeyAlt || io.KeySuper) return;
  for (const Shortcut& shortcut : kShortcuts)
    if (ImGui::IsKeyPressed(shortcut.key, false)) shortcut.act(context);
  if (io.KeyShift && ImGui::IsKeyPressed(GLFW_KEY_SLASH, false))
    context.view.show_shortcuts = !context.view.show_shortcuts;
  if (ImGui::IsKeyPressed(GLFW_KEY_F1, false)) context.view.show_shortcuts = !context.view.show_shortcuts;
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
      line("? or F1", "this list");
      for (const MouseHelp& m : kMouse) line(m.gesture, m.what);
      ImGui::EndTable();
    }
    ui::mark("shortcuts");
  }
  ImGui::End();
}

}  // namespace riffle
