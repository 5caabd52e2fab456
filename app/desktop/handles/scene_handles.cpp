#include "app/desktop/handles/scene_handles.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/document/parameters.h"
#include "scenes/scene.h"

namespace riffle::desktop {

namespace {

std::size_t entries_of(const scenes::Scene& scene, const std::string& list) {
  const SimulationSetup& setup = scene.simulation;
  if (list == "bodies") return setup.bodies.size();
  if (list == "solids") return setup.solid_regions.size();
  if (list == "inlets") return setup.inlets.size();
  if (list == "outlets") return setup.outlets.size();
  return scene.probes.size();
}

PictureProjection projection_of(const PanelContext& context) { return {camera_in_picture(context), context.picture}; }

bool moves_while_it_runs(const scenes::PlacedEntry& entry) {
  const auto* solid = std::get_if<SolidRegion>(&entry.what);
  return solid && solid->moves();
}

}  // namespace

void SceneHandles::follow(PanelContext& context) {
  Selection& selection = context.view.selection;
  InterfaceTrace& trace = InterfaceTrace::instance();
  const scenes::Scene* scene = context.editor.scene();
  entry_.reset();
  handles_.clear();
  if (std::exchange(scene_version_, context.status.scene_version) != context.status.scene_version) selection = {};
  if (scene && context.status.loaded && !selection.entry.empty()) {
    entry_ = scenes::placed_entry(*scene, selection.entry, context.editor.parameters());
    // After one is added or removed the number may be that of another entry.
    if (entry_) {
      const std::size_t count = entries_of(*scene, entry_->path.list);
      if (list_ == entry_->path.list && count != count_) entry_.reset();
      list_ = entry_ ? entry_->path.list : "";
      count_ = count;
    }
    if (!entry_) selection.entry.clear();
  } else {
    list_.clear();
  }
  if (!entry_) {
    drag_.reset();
    selection.dragged = false;
  } else {
    const scenes::PlacedEntry& shown = drag_ ? drag_->now : *entry_;
    sizes_ = sizes_of(shown);
    handles_ = handles_of(shown, sizes_, projection_of(context), ui::em());
  }
  trace.value("selected", selection.entry);
  nlohmann::json places = nlohmann::json::object();
  if (trace.on())
    for (const Handle& handle : handles_)
      if (const auto at = projection_of(context).pixel(handle.grip)) places[handle.name] = {at->x, at->y};
  trace.value("handles", std::move(places));
}

bool SceneHandles::take_mouse(PanelContext& context, bool over) {
  Selection& selection = context.view.selection;
  const ImGuiIO& io = ImGui::GetIO();
  const PictureProjection picture = projection_of(context);
  if (drag_) {
    if (std::exchange(selection.given_up, false)) {
      drag_.reset();
      selection.dragged = false;
      return true;
    }
    drag_->now = drag_->drag.at(picture.ray(io.MousePos), io.KeyCtrl);
    std::vector<scenes::Edit> edits =
        edits_between(drag_->drag.start(), drag_->now, context.editor.scene()->simulation.spacing);
    if (edits != drag_->edits) {
      // An edit that starts the scene again is tried when it is let go: its review may take long.
      const bool live = std::ranges::all_of(edits, [&](const scenes::Edit& edit) {
        const scenes::Parameter* const key = context.editor.find(edit.path);
        return key && key->effect != scenes::Effect::Restart;
      });
      drag_->edits = std::move(edits);
      drag_->refused = live ? context.editor.why_refused(drag_->edits) : "";
    }
    if (!ImGui::IsMouseDown(0)) let_go(context);
    return true;
  }
  lit_ = over && entry_ ? handle_at(handles_, picture, io.MousePos, ui::em()) : -1;
  if (lit_ < 0) return false;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!ImGui::IsMouseClicked(0)) return false;
  const SimulationSetup& setup = context.editor.scene()->simulation;
  drag_.emplace(Drag{HandleDrag(*entry_, handles_[static_cast<std::size_t>(lit_)], sizes_, picture.ray(io.MousePos),
                                picture.forward(), {setup.spacing, setup.domain.min, setup.domain.max}),
                     *entry_,
                     {},
                     ""});
  selection.dragged = true;
  selection.given_up = false;
  return true;
}

/// One edit, which the loader checks. What it refuses stays as it was, and the message says why.
void SceneHandles::let_go(PanelContext& context) {
  const std::vector<scenes::Edit> edits = std::move(drag_->edits);
  drag_.reset();
  context.view.selection.dragged = false;
  context.editor.set_together(edits);
}

/// The keys with their numbers, and what becomes of the run.
std::string SceneHandles::words_of(PanelContext& context, const std::vector<scenes::Edit>& edits) const {
  if (edits.empty()) return "as it was";
  std::string text;
  bool starts_again = false;
  for (const scenes::Edit& edit : edits) {
    const std::string section = fmt::format("{}[{}].", entry_->path.list, entry_->path.index);
    const std::string key_and_value =
        edit.path.substr(edit.path.starts_with(section) ? section.size() : 0) + " " + edit.value.value_or("");
    text += ui::shortened(key_and_value, 0.6f * context.picture.width) + "\n";
    const scenes::Parameter* key = context.editor.find(edit.path);
    starts_again |= !key || key->effect == scenes::Effect::Restart;
  }
  if (starts_again) return text + "The scene starts again.";
  return text + (drag_->refused.empty() ? "The run goes on." : "Not allowed: " + drag_->refused);
}

void SceneHandles::draw_words(PanelContext& context, ImDrawList* draw, const std::string& text, ImVec2 at) const {
  const ScreenArea& area = context.picture;
  const std::string words = ui::broken_at_spaces(text, 0.6f * area.width);
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const float edge = 0.4f * ui::em();
  at.x = std::clamp(at.x, area.x + edge, std::max(area.x + edge, area.x + area.width - size.x - edge));
  at.y = std::clamp(at.y, area.y + edge, std::max(area.y + edge, area.y + area.height - size.y - edge));
  draw->AddRectFilled({at.x - edge, at.y - edge}, {at.x + size.x + edge, at.y + size.y + edge},
                      ImGui::GetColorU32(ImGuiCol_PopupBg), edge);
  draw->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
}

void SceneHandles::draw(PanelContext& context) {
  InterfaceTrace& trace = InterfaceTrace::instance();
  trace.value("handle_words", "");
  if (!entry_) return;
  const bool dark = context.view.appearance == Appearance::Dark;
  const SimulationSetup& setup = context.editor.scene()->simulation;
  const PictureProjection picture = projection_of(context);
  const ImU32 still = dark ? IM_COL32(255, 255, 255, 150) : IM_COL32(0, 0, 0, 130);
  const ImU32 moved = dark ? IM_COL32(255, 240, 120, 255) : IM_COL32(210, 120, 0, 255);
  const float width = 0.12f * ui::em();
  outlines_.draw(*entry_, setup, context, picture, still, width);
  if (drag_) outlines_.draw(drag_->now, setup, context, picture, moved, 1.4f * width);
  // The mouse may have moved it, or let it go, since they were found.
  sizes_ = sizes_of(drag_ ? drag_->now : *entry_);
  handles_ = handles_of(drag_ ? drag_->now : *entry_, sizes_, picture, ui::em());
  int lit = lit_;
  if (drag_) {
    const auto same = std::ranges::find_if(handles_, [&](const Handle& handle) {
      return handle.kind == drag_->drag.handle().kind && handle.number == drag_->drag.handle().number;
    });
    lit = same == handles_.end() ? -1 : static_cast<int>(same - handles_.begin());
  }
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  const ScreenArea& area = context.picture;
  list->PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height}, true);
  draw_handles(handles_, lit, picture, ui::em(), dark);
  list->PopClipRect();
  if (drag_) {
    const std::string text = words_of(context, drag_->edits);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    draw_words(context, ImGui::GetForegroundDrawList(), text, {mouse.x + 1.5f * ui::em(), mouse.y + 1.5f * ui::em()});
    trace.value("handle_words", text);
  } else if (const auto at = picture.pixel(entry_->middle); at && std::holds_alternative<SolidRegion>(entry_->what)) {
    const bool elsewhere = moves_while_it_runs(*entry_) && context.view.picture_time > 0;
    // Below all windows and menus, as the names of marks.
    draw_words(context, list, entry_->name + (elsewhere ? ", where it is at time 0" : ""),
               {at->x + ui::em(), at->y + 1.2f * ui::em()});
  }
}

}  // namespace riffle::desktop
