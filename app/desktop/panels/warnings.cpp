/// Over the picture: what the scene and its run are warned of, as long as it holds.

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/desktop/panels/panel.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/widgets.h"
#include "scenes/warning.h"

namespace riffle::desktop {

namespace {

/// The list of the last picture.
struct WarningList {
  bool open = true;
  std::vector<scenes::Warning> listed;
};

/// The same one, perhaps with other numbers.
bool same(const scenes::Warning& a, const scenes::Warning& b) { return a.kind == b.kind && a.key == b.key; }

void draw_list(WarningList& list) {
  const std::size_t count = list.listed.size();
  ui::warning(count == 1 ? "1 warning" : fmt::format("{} warnings", count));
  ui::mark("warnings");
  ImGui::SameLine();
  if (ui::small_button("warnings.toggle", list.open ? "Hide" : "Show", "They stay until their causes are gone."))
    list.open = !list.open;
  InterfaceTrace::instance().value("warnings_listed", list.open);
  if (!list.open) return;
  for (const scenes::Warning& warning : list.listed) {
    ImGui::Bullet();
    ui::text(warning.message());
  }
}

void draw_warnings(PanelContext& context) {
  std::vector<scenes::Warning> now;
  if (context.status.loaded) {
    now = context.editor.warnings();
    now.insert(now.end(), context.status.run_warnings.begin(), context.status.run_warnings.end());
  }
  nlohmann::json traced = nlohmann::json::object();
  for (const scenes::Warning& warning : now) traced[std::string(word_of(warning.kind))].push_back(warning.message());
  InterfaceTrace::instance().value("warnings", std::move(traced));

  WarningList& list = context.memory.of<WarningList>();
  const auto is_new = [&](const scenes::Warning& warning) {
    return std::none_of(list.listed.begin(), list.listed.end(),
                        [&](const scenes::Warning& old) { return same(old, warning); });
  };
  if (std::any_of(now.begin(), now.end(), is_new)) list.open = true;
  list.listed = std::move(now);
  if (list.listed.empty()) return;

  const auto [x, y, width, height] = context.picture;
  const float edge = 0.6f * ui::em();
  ImGui::SetNextWindowPos({x + edge, y + height - edge}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {width - 2 * edge, 0.4f * height});
  ImGui::SetNextWindowBgAlpha(0.85f);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                     ImGuiWindowFlags_NoNav;
  if (ImGui::Begin("##warnings", nullptr, flags)) {
    ImGui::PushTextWrapPos(std::min(width - 3 * ui::em(), 44 * ui::em()));
    draw_list(list);
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
}

}  // namespace

extern const Panel warnings_note{"warnings", "", Panel::Place::Picture, true, draw_warnings};

}  // namespace riffle::desktop
