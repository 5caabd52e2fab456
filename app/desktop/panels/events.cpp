/// The scene's events: those that have acted, and those to come, which can be removed.

#include <fmt/format.h>
#include <imgui.h>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene_events.h"

namespace riffle::desktop {

namespace {

/// "step 40: gravity from [0, -9.81] to [0, -5]"
std::string text_of(const scenes::SceneEvent& event) {
  std::string text;
  for (const scenes::KeyChange& change : event.changes) text += (text.empty() ? "" : "; ") + change_text(change);
  if (event.changes.empty())  // the keys had these values before
    for (const auto& [path, value] : event.set) text += (text.empty() ? "" : "; ") + path + " is " + value;
  return fmt::format("step {}: {}", event.step, text);
}

/// The list without one of its entries, as YAML; "": it has no other.
std::string list_without(const std::vector<scenes::SceneEvent>& events, std::size_t one) {
  scenes::Node list;
  list.kind = scenes::Node::Kind::List;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (i != one) list.items.push_back(scenes::event_node({events[i].step, events[i].set}));
  return list.items.empty() ? "" : flow_text(list);
}

}  // namespace

void draw_events(PanelContext& context) {
  SceneEditor& editor = context.editor;
  const scenes::Scene* const scene = editor.scene();
  if (scene == nullptr || scene->events.empty()) return;
  const std::vector<scenes::SceneEvent> events = scene->events;  // a copy: an edit replaces them while they are drawn
  const std::size_t acted = events_before(*scene, context.status.clock.step);
  const std::string title = fmt::format("Events ({}, {} to come)", events.size(), events.size() - acted);
  const bool open = ImGui::TreeNodeEx((title + "###events").c_str(), ImGuiTreeNodeFlags_SpanAvailWidth);
  ui::mark("keys.events");
  InterfaceTrace::instance().value("title.events", title);
  ui::tip("Changes of keys at steps of the run. Save writes edits that were made while it ran as such.");
  if (!open) return;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::string text = text_of(events[i]), name = fmt::format("events[{}]", i);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float room = ImGui::GetContentRegionAvail().x - ui::button_width("remove") - style.ItemSpacing.x;
    const std::string shown = ui::shortened(text, room);
    if (i < acted)
      ImGui::TextDisabled("%s", shown.c_str());
    else
      ImGui::TextUnformatted(shown.c_str());
    ui::mark(name);
    InterfaceTrace::instance().value(name, text);
    ui::tip((text + (i < acted ? "\n\nIt has acted." : "\n\nIt is to come.")).c_str());
    if (i < acted) continue;
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ui::button_width("remove"));
    if (ui::small_button(("remove." + name).c_str(), "remove", "Removes it. The run goes on.")) {
      const std::string rest = list_without(events, i);
      editor.set_together({scenes::Edit{"events", rest.empty() ? std::nullopt : std::optional(rest)}});
    }
  }
  ImGui::TreePop();
}

}  // namespace riffle::desktop
