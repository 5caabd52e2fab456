#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/desktop/panels.h"
#include "app/desktop/widgets.h"

namespace riffle {

namespace {

/// Milliseconds per step over the last moments, stage upon stage, with a line where something was changed.
void draw_stacked_plot(const WorkerStatus& status) {
  const ImVec2 size{ImGui::GetContentRegionAvail().x, 8 * ui::em()};
  const ImVec2 min = ImGui::GetCursorScreenPos(), max{min.x + size.x, min.y + size.y};
  ImGui::InvisibleButton("##stages", size);
  ui::mark("stage_plot");
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_FrameBg), 4);
  if (status.history.empty()) {
    const char* text = "no step yet";
    const ImVec2 wide = ImGui::CalcTextSize(text);
    draw->AddText({0.5f * (min.x + max.x - wide.x), 0.5f * (min.y + max.y - wide.y)},
                  ImGui::GetColorU32(ImGuiCol_TextDisabled), text);
    return;
  }
  // The highest column of all would let one outlier flatten the rest.
  std::vector<float> totals;
  for (const auto& column : status.history)
    totals.push_back(std::accumulate(column.mean_ms.begin(), column.mean_ms.end(), 0.0f));
  std::vector<float> sorted = totals;
  std::sort(sorted.begin(), sorted.end());
  const float top = std::max(1e-3f, 1.25f * sorted[(sorted.size() - 1) * 97 / 100]);

  const float width = size.x / static_cast<float>(StageHistory::kColumns);
  const float scale = size.y / top;
  const auto columns = status.history.size();
  draw->PushClipRect(min, max, true);
  for (std::size_t c = 0; c < columns; ++c) {
    const auto& column = status.history[c];
    const float x = max.x - width * static_cast<float>(columns - c);
    float y = max.y;
    for (std::size_t s = 0; s < column.mean_ms.size(); ++s) {
      const float next = y - scale * column.mean_ms[s];
      draw->AddRectFilled({x, next}, {x + std::max(1.0f, width), y}, ui::stage_color(s));
      y = next;
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    if (status.history[c].event.empty()) continue;
    const float x = max.x - width * static_cast<float>(columns - c);
    draw->AddLine({x, min.y}, {x, max.y}, ImGui::GetColorU32(ImGuiCol_Text, 0.8f));
    draw->AddText({x + 3, min.y + 2}, ImGui::GetColorU32(ImGuiCol_Text), status.history[c].event.c_str());
  }
  draw->PopClipRect();
  const std::string label = ui::milliseconds(top) + " ms";
  draw->AddText({min.x + 4, min.y + 2}, ImGui::GetColorU32(ImGuiCol_TextDisabled), label.c_str());

  if (!ImGui::IsItemHovered()) return;
  const float at = (max.x - ImGui::GetMousePos().x) / width;
  const auto back = static_cast<std::size_t>(std::max(0.0f, at));
  if (back >= columns) return;
  const auto& column = status.history[columns - 1 - back];
  ImGui::BeginTooltip();
  ImGui::Text("to step %s: %s ms", ui::count(static_cast<double>(column.step)).c_str(),
              ui::milliseconds(totals[columns - 1 - back]).c_str());
  for (std::size_t s = column.mean_ms.size(); s-- > 0;) {
    ImGui::PushStyleColor(ImGuiCol_Text, ui::stage_color(s));
    ImGui::TextUnformatted("\u2212");
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::Text("%s  %s", status.stage_names[s].c_str(), ui::milliseconds(column.mean_ms[s]).c_str());
  }
  ImGui::EndTooltip();
}

void draw_stage_table(const char* id, const std::vector<StageStats>& stages, const WorkerStatus* colors) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable(id, 4, flags)) return;
  ImGui::TableSetupColumn("stage [ms]", 0, 2.2f);
  ImGui::TableSetupColumn("mean", 0, 1);
  ImGui::TableSetupColumn("median", 0, 1);
  ImGui::TableSetupColumn("p95", 0, 1);
  ImGui::TableHeadersRow();
  const auto right = [](double ms) {
    const std::string text = ui::milliseconds(ms);
    ImGui::TableNextColumn();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                         ImGui::CalcTextSize(text.c_str()).x);
    ImGui::TextUnformatted(text.c_str());
  };
  for (const StageStats& stage : stages) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (colors) {
      const auto& names = colors->stage_names;
      const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), stage.name) - names.begin());
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float side = 0.6f * ui::em();
      ImGui::GetWindowDrawList()->AddRectFilled(
          {at.x, at.y + 0.25f * ui::em()}, {at.x + side, at.y + 0.25f * ui::em() + side}, ui::stage_color(index), 2);
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5f * side);
    }
    ImGui::TextUnformatted(stage.name.c_str());
    right(stage.mean_ms);
    right(stage.median_ms);
    right(stage.p95_ms);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_timings_panel(PanelContext& context) {
  if (!ui::section("timings", "Timings", true)) return;
  const WorkerStatus& status = context.status;
  ui::row("steps", fmt::format("{:.0f} /s", status.steps_per_second));
  ui::row("particle steps", ui::count(status.steps_per_second * status.particles) + " /s",
          "Particles times steps per second: what programs of this kind are compared by.");
  ui::row("pictures", fmt::format("{:.0f} /s", context.view.frame_rate));
  draw_stacked_plot(status);
  draw_stage_table("##steps", status.stages, &status);
  if (!context.view.frame_costs.empty()) draw_stage_table("##pictures", context.view.frame_costs, nullptr);
}

}  // namespace riffle
