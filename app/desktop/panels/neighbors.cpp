#include <fmt/format.h>

#include "app/desktop/panels/panels.h"
#include "app/desktop/widgets/widgets.h"

namespace riffle {

namespace {

void choose_method(PanelContext& context) {
  const NeighborSetup& in_use = context.status.neighbors;
  const std::string current(in_use.automatic ? "auto" : to_string(in_use.method));
  const auto choose = [&](const std::string& name, const std::string& summary) {
    if (ImGui::Selectable(name.c_str(), name == current)) context.editor.set("neighbors.method", name);
    ui::mark("method." + name);
    ui::tip(summary.c_str());
  };
  ImGui::SetNextItemWidth(-1);
  const bool open = ImGui::BeginCombo("##method", current.c_str(), ImGuiComboFlags_HeightLarge);
  ui::mark("method");
  if (!open) return;
  for (const NeighborMethodInfo& info : neighbor_methods()) choose(std::string(info.name), std::string(info.summary));
  choose("auto", "Measures the methods on the running particles, picks the fastest and says why.");
  ImGui::EndCombo();
}

}  // namespace

void draw_neighbors_panel(PanelContext& context) {
  if (!ui::section("neighbors", "Neighbour search", true)) return;
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
  const bool waits = status.search_bytes == 0 && status.neighbors.method != NeighborMethod::BruteForce;
  ui::row("memory", waits ? "with the next step" : ui::bytes(static_cast<double>(status.search_bytes)),
          "What the search keeps beyond the particles.");
  draw_comparison(context);
  draw_audit(context);
}

}  // namespace riffle
