#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/scene_files.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/new_scenes.h"
#include "app/desktop/scene/scene_list.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/list_room.h"
#include "app/desktop/widgets/thumbnails.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/scene.h"
#include "sim/setup.h"

namespace riffle::desktop {

namespace {

const char* const kOpen = "Open ...";

void draw_device(PanelContext& context) {
  const WorkerStatus& status = context.status;
  if (!cuda_status().usable) {
    ui::row("device", status.device_name, cuda_status().reason.c_str());
    return;
  }
  const ui::Combo combo("device", "##device", status.device_name, {.width = -1});
  if (!combo.open()) return;
  for (const DeviceRequest request : {DeviceRequest::Cuda, DeviceRequest::Cpu}) {
    const Device device = select_device(request);
    if (combo.entry(std::string(to_string(device.kind)), device_name(device), device == status.device))
      context.worker.set_device(request);
  }
}

/// For a scene without a picture: a tank with water in it. Nothing is to come in its place.
void draw_placeholder(ImVec2 least, ImVec2 most) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding, height = most.y - least.y;
  draw->AddRectFilled(least, most, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
  const ImVec2 middle{0.5f * (least.x + most.x), 0.5f * (least.y + most.y)};
  const float half = 0.28f * height, thick = 0.05f * height;
  const ImVec2 low{middle.x - 1.3f * half, middle.y - half}, high{middle.x + 1.3f * half, middle.y + half};
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  draw->AddRectFilled({low.x, middle.y}, high, ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.5f));
  const ImVec2 tank[] = {low, {low.x, high.y}, high, {high.x, low.y}};
  draw->AddPolyline(tank, 4, ink, 0, thick);
}

/// A line of the list: the scene's picture, title, file name and description. @param mark prefix of the traced name
/// @param reveal if this scene runs, scrolls to it when the list is opened
/// @return whether it was chosen
bool scene_entry(PanelContext& context, const scenes::CatalogEntry& entry, const char* mark, bool reveal) {
  const WorkerStatus& status = context.status;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float height = 3.6f * ui::em(), width = height * Thumbnails::kAspect, gap = 0.25f * ui::em();
  ImGui::PushID(entry.path.c_str());
  std::error_code none;
  const bool current =
      status.loaded && !status.scene->is_new && std::filesystem::equivalent(entry.path, status.scene->path, none);
  InterfaceTrace::instance().value("current of " + entry.path, current);
  const bool chosen = ImGui::Selectable("##entry", current, 0, {0, height + 2 * gap});
  if (current && reveal && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  ui::mark(mark + entry.name);
  ImGui::PopID();
  if (!ImGui::IsItemVisible()) return chosen;

  const ImVec2 corner = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
  const ImVec2 least{corner.x + gap, corner.y + gap}, most{least.x + width, least.y + height};
  if (const GLuint texture = context.thumbnails.texture(entry))
    draw->AddImageRounded(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)), least, most, {0, 0},
                          {1, 1}, IM_COL32_WHITE, ImGui::GetStyle().FrameRounding);
  else
    draw_placeholder(least, most);
  draw->AddRect(least, most, ImGui::GetColorU32(ImGuiCol_Border), ImGui::GetStyle().FrameRounding);

  const float left = most.x + 0.7f * ui::em();
  const std::string description = ui::broken_at_spaces(entry.description, end.x - left - gap);
  InterfaceTrace::instance().value("description of " + entry.name, description);
  draw->PushClipRect({left, corner.y}, {end.x - gap, end.y - gap}, true);
  const std::string& title = entry.title.empty() ? entry.name : entry.title;
  draw->AddText({left, least.y}, ImGui::GetColorU32(ImGuiCol_Text), title.c_str());
  const std::string file = context.scenes.told_apart(entry);
  InterfaceTrace::instance().value("file of " + entry.path, file);
  if (title != file) {
    const float name_at = std::max(left + ImGui::CalcTextSize(title.c_str()).x + ui::em(),
                                   end.x - gap - ImGui::CalcTextSize(file.c_str()).x);
    draw->AddText({name_at, least.y}, ImGui::GetColorU32(ImGuiCol_TextDisabled), file.c_str());
  }
  draw->AddText(ImGui::GetFont(), ui::em(), {left, least.y + 1.25f * ui::em()},
                ImGui::GetColorU32(ImGuiCol_TextDisabled), description.c_str());
  draw->PopClipRect();
  // A tip covers the next entry: only a description that is cut off gets one.
  const float room = end.y - gap - least.y - 1.25f * ui::em();
  if (ImGui::CalcTextSize(description.c_str()).y > room) ui::tip(entry.description.c_str());
  return chosen;
}

/// A scene that was saved from another often has its title. The name of its file tells them apart.
/// A run that goes on from a state has the state's.
std::string title_of(const WorkerStatus& status, const SceneList& scenes) {
  const scenes::Scene& scene = *status.scene;
  const std::string file = std::filesystem::path(scene.path).stem().string();
  if (!status.state_file.empty() && (scene.is_new || !scenes.is_recent(scene.path)))
    return scene.name + " (" + std::filesystem::path(status.state_file).filename().string() + ")";
  return !scene.is_new && scenes.is_recent(scene.path) && file != scene.name ? file + " (" + scene.name + ")"
                                                                             : scene.name;
}

/// Whether the list of scenes was opened with a new entry at its top.
struct SceneNews {
  bool shown = false;
};

/// @param mark prefix of the traced names
void offer_new_scenes(PanelContext& context, const char* mark) {
  for (const NewScene& scene : new_scenes()) {
    scenes::CatalogEntry entry;
    entry.path = entry.name = std::string("new ") + scene.name;
    entry.title = entry.name;
    entry.description = scene.description;
    if (scene_entry(context, entry, mark, false)) context.new_scene(scene);
  }
}

/// The size of a list of scenes at most, [pixel].
ImVec2 list_size() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  return {std::min(40 * ui::em(), 0.9f * display.x), 0.85f * display.y};
}

void draw_new_button(PanelContext& context) {
  if (ui::button("new_scene", "New ...",
                 "A scene to build your own: a tank, a channel, a box, or almost nothing. It waits "
                 "at time 0 until you press Play."))
    ImGui::OpenPopup("##new_scene");
  ui::place_next_popup({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, list_size().y, list_size().x);
  if (!ImGui::BeginPopup("##new_scene")) return;
  ui::mark_list();
  offer_new_scenes(context, "new.");
  if (context.escape) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void draw_scene(PanelContext& context) {
  const WorkerStatus& status = context.status;
  const std::string name = status.loaded           ? title_of(status, context.scenes)
                           : !status.busy.empty()  ? status.busy
                           : awaits_scene(context) ? "loading ..."
                                                   : "no scene";
  InterfaceTrace::instance().value("scene_list", name);
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::SetNextItemWidth(-ImGui::CalcTextSize(kOpen).x - 2 * style.FramePadding.x - style.ItemInnerSpacing.x);
  ui::bound_next_list({ImGui::CalcItemWidth(), ImGui::GetFrameHeight()}, list_size().y, list_size().x);
  const bool open = ImGui::BeginCombo("##scene", name.c_str());
  ui::mark("scene");
  if (open) {
    ui::mark_list();
    bool& news = context.memory.of<SceneNews>().shown;
    if (ImGui::IsWindowAppearing()) news = context.scenes.take_news();
    if (ImGui::IsWindowAppearing()) context.scenes.leave_out_missing();
    ImGui::TextDisabled("new, to build your own");
    offer_new_scenes(context, "");
    if (!context.scenes.recent().empty()) ImGui::TextDisabled("opened or saved recently");
    std::string chosen;
    for (const scenes::CatalogEntry& entry : context.scenes.recent())
      if (scene_entry(context, entry, "recent.", !news)) chosen = entry.path;
    ImGui::TextDisabled("Riffle's scenes, and those in ./scenes");
    for (const scenes::CatalogEntry& entry : context.scenes.found())
      if (scene_entry(context, entry, "scene.", !news)) chosen = entry.path;
    if (!chosen.empty()) context.open_scene(chosen);
    ImGui::EndCombo();
  }
  ImGui::SameLine(0, style.ItemInnerSpacing.x);
  if (ui::button("open_scene", kOpen, "A scene that is not in the list, by its file (Ctrl+O)."))
    ask_which_to_open(context);
  draw_new_button(context);
  ui::same_line_if_fits(ui::button_width("Open state ..."));
  if (ui::button("open_state", "Open state ...",
                 "Goes on with a run from a state file, to the last bit. Undo (Ctrl+Z) brings the present run back."))
    ask_which_state_to_open(context);
  ui::same_line_if_fits(ui::button_width("Save state ..."));
  ImGui::BeginDisabled(!status.loaded);
  if (ui::button(
          "save_state", "Save state ...",
          "Writes all that the run needs to go on from here, with its scene, into one HDF5 file. \"Open state ...\" "
          "and \"riffle resume\" go on from it. The rows of Diagnostics are in it, too."))
    ask_where_to_save_state(context);
  ImGui::EndDisabled();
  if (!status.loaded) return;
  ImGui::PushTextWrapPos();
  ui::dim_text(status.scene->description);
  ImGui::PopTextWrapPos();
  ui::row("solver", to_string(status.scene->simulation.solver));
  draw_device(context);
  ui::row("particles", status.wall_particles > 0 ? fmt::format("{} + {} of walls", ui::count(status.particles),
                                                               ui::count(status.wall_particles))
                                                 : ui::count(status.particles));
  ui::row("memory", ui::bytes(static_cast<double>(status.memory_bytes)), "Allocated by the simulation on its device.");
  ui::row("moments to go back to", ui::bytes(static_cast<double>(status.moments_bytes)),
          "Saved states in the computer's memory: they take an eighth of what is free, at most 2 GiB.");
  // The row is there from the start: one that came with the first such run would move the buttons below under the mouse.
  ui::row(
      "runs to bring back",
      status.kept_runs > 0 ? fmt::format("{}, {}", status.kept_runs, ui::bytes(static_cast<double>(status.kept_bytes)))
                           : "none",
      "Runs that you left by a new start, a change or another scene, with their saved moments. Undo (Ctrl+Z) brings "
      "them back. When their states, or their tables and plots, need more than an eighth of the free memory or 2 GiB, "
      "the oldest are forgotten first.");
}

}  // namespace

extern const Panel scene_panel{"scene", "", Panel::Place::Side, true, draw_scene};

}  // namespace riffle::desktop
