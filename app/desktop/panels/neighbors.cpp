#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle::desktop {

namespace {

void choose_method(PanelContext& context) {
  const NeighborSetup& in_use = context.status.neighbors;
  const std::string current(in_use.automatic ? "auto" : to_string(in_use.method));
  const ui::Combo combo("method", "##method", current, {.width = -1, .tall = true});
  if (!combo.open()) return;
  const auto offer = [&](const std::string& name, const std::string& summary) {
    if (combo.entry(name, name, name == current, summary)) context.editor.set("neighbors.method", name);
  };
  for (const NeighborMethodInfo& info : neighbor_methods()) offer(std::string(info.name), std::string(info.summary));
  offer("auto", "Measures the methods on the running particles, picks the fastest and says why.");
}

void draw_neighbors(PanelContext& context) {
  const WorkerStatus& status = context.status;
  ImGui::BeginDisabled(!status.loaded);
  choose_method(context);
  ImGui::EndDisabled();
  if (!status.loaded) return;
  if (status.tuning) {
    ImGui::PushTextWrapPos();
    ImGui::TextDisabled("%s", status.tuning->measuring ? "measuring the methods ..." : status.tuning->reason.c_str());
    ImGui::PopTextWrapPos();
  }
  const bool not_built = status.search_bytes == 0 && status.neighbors.method != NeighborMethod::BruteForce;
  ui::row("memory", not_built ? "with the next step" : ui::bytes(static_cast<double>(status.search_bytes)),
          "What the search keeps beyond the particles.");
  draw_comparison(context);
  draw_audit(context);
}

}  // namespace

extern const Panel neighbors_panel{"neighbors", "Neighbour search", Panel::Place::Side, true, draw_neighbors};

}  // namespace riffle::desktop
