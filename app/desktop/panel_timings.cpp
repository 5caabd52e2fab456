#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/desktop/interface_trace.h"
#include "app/desktop/panels.h"
#include "app/desktop/tables.h"
#include "app/desktop/widgets.h"

namespace riffle {

namespace {

constexpr ImU32 kOther = IM_COL32(128, 128, 128, 255);

double stages_of(const StageHistory::Column& column) {
  return std::accumulate(column.mean_ms.begin(), column.mean_ms.end(), 0.0);
}

/// All of the step; on a GPU, which works behind the host, stages may take longer than the host's call.
double total_of(const StageHistory::Column& column) { return std::max(stages_of(column), double{column.wall_ms}); }

void column_tip(const WorkerStatus& status, const StageHistory::Column& column) {
  ImGui::BeginTooltip();
  ImGui::Text("to step %s: %s ms", ui::count(static_cast<double>(column.step)).c_str(),
              ui::milliseconds(total_of(column)).c_str());
  const auto line = [](ImU32 color, const char* name, double ms) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted("\u2212");
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::Text("%s  %s", name, ui::milliseconds(ms).c_str());
  };
  line(kOther, "other", total_of(column) - stages_of(column));
  for (std::size_t s = column.mean_ms.size(); s-- > 0;)
    line(ui::stage_color(s), status.stage_names[s].c_str(), double{column.mean_ms[s]});
  ImGui::EndTooltip();
}

/// Milliseconds per step over the last moments, stage upon stage, with a line where something was changed. It stands still
/// while the mouse is over it.
void draw_stacked_plot(const WorkerStatus& status, std::deque<StageHistory::Column>& held) {
  const auto& history = held.empty() ? status.history : held;
  // The highest column of all would let one outlier flatten the rest.
  std::vector<double> sorted;
  for (const auto& column : history) sorted.push_back(total_of(column));
  std::sort(sorted.begin(), sorted.end());
  const double top = sorted.empty() ? 1 : std::max(1e-3, 1.25 * sorted[(sorted.size() - 1) * 97 / 100]);
  const ui::PlotFrame frame("stage_plot", 9 * ui::em(), {0, double{StageHistory::kColumns}}, {0, top},
                            AxisScale::Linear, false, "ms per step");
  if (history.empty()) {
    frame.message("no step yet");
    return;
  }
  const auto columns = history.size(), first = StageHistory::kColumns - columns;
  const auto left_of = [&](std::size_t c) { return frame.x().pixel(static_cast<double>(first + c)); };
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(frame.min(), frame.max(), true);
  for (std::size_t c = 0; c < columns; ++c) {
    const float x = left_of(c), right = std::max(x + 1, left_of(c + 1));
    double sum = 0;
    for (std::size_t s = 0; s < history[c].mean_ms.size(); ++s) {
      const double next = sum + double{history[c].mean_ms[s]};
      draw->AddRectFilled({x, frame.y().pixel(next)}, {right, frame.y().pixel(sum)}, ui::stage_color(s));
      sum = next;
    }
    draw->AddRectFilled({x, frame.y().pixel(total_of(history[c]))}, {right, frame.y().pixel(sum)}, kOther);
  }
  float taken[3] = {};  // [pixel] by names of events on each of three lines
  for (std::size_t c = 0; c < columns; ++c) {
    if (history[c].event.empty()) continue;
    const float x = left_of(c) + 3;
    draw->AddLine({left_of(c), frame.min().y}, {left_of(c), frame.max().y}, ImGui::GetColorU32(ImGuiCol_Text, 0.8f));
    const auto line = std::min_element(std::begin(taken), std::end(taken),
                                       [x](float a, float b) { return std::max(a, x) < std::max(b, x); });
    draw->AddText({x, frame.min().y + 1.2f * ui::em() * static_cast<float>(1 + (line - taken))},
                  ImGui::GetColorU32(ImGuiCol_Text), history[c].event.c_str());
    *line = x + ImGui::CalcTextSize(history[c].event.c_str()).x + 4;
  }
  draw->PopClipRect();

  if (!frame.hovered()) {
    held.clear();
    return;
  }
  if (held.empty()) held = status.history;
  const double at = frame.x().value(ImGui::GetMousePos().x) - static_cast<double>(first);
  if (at >= 0 && at < static_cast<double>(columns)) {
    frame.vertical_line(std::floor(at) + 0.5 + static_cast<double>(first), ImGui::GetColorU32(ImGuiCol_Text, 0.5f));
    column_tip(status, held[static_cast<std::size_t>(at)]);
  }
}

void number_cell(double ms) {
  ImGui::TableNextColumn();
  ui::right_aligned(ui::milliseconds(ms));
}

void name_cell(const char* name, std::optional<ImU32> color) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (color) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = 0.6f * ui::em();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 0.25f * ui::em()},
                                              {at.x + side, at.y + 0.25f * ui::em() + side}, *color, 2);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5f * side);
  }
  ImGui::TextUnformatted(name);
}

void stage_row(const StageStats& stage, std::optional<ImU32> color) {
  name_cell(stage.name.c_str(), color);
  number_cell(stage.mean_ms);
  number_cell(stage.median_ms);
  number_cell(stage.p95_ms);
}

bool begin_stage_table(const char* id, const char* what) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable(id, 4, flags)) return false;
  ImGui::TableSetupColumn(what, 0, 2.2f);
  for (const char* statistic : {"mean", "median", "p95"}) ImGui::TableSetupColumn(statistic, 0, 1);
  ui::header_row();
  return true;
}

void draw_step_table(const StepTable& table) {
  if (!begin_stage_table("##steps", "stage [ms]")) return;
  if (table.outdated()) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  for (const StepTable::Row& row : table.rows()) stage_row(row.stage, ui::stage_color(row.color));
  if (table.step().count > 0) {
    name_cell("other", kOther);
    ui::mark("timings.other");
    ui::tip(
        "What a step takes on the host's clock beyond its stages. A GPU works behind the host, so that there the "
        "stages may add up to more than the step; then it is 0.");
    number_cell(table.other_ms());
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    stage_row(table.step(), std::nullopt);
  }
  if (table.outdated()) ImGui::PopStyleColor();
  ImGui::EndTable();
}

void draw_picture_table(const ViewState& view) {
  if (!begin_stage_table("##pictures", "picture [ms]")) return;
  for (const StageStats& stage : view.frame_costs) stage_row(stage, std::nullopt);
  if (view.picture_times.count() > 0) {
    stage_row(view.picture_times.stats("picture to picture"), std::nullopt);
    ui::tip("From one picture of the window to the next while the simulation plays, waiting for the screen included.");
  }
  ImGui::EndTable();
}

}  // namespace

void draw_timings_panel(PanelContext& context) {
  if (!ui::section("timings", "Timings", true)) return;
  const WorkerStatus& status = context.status;
  ui::row("steps", fmt::format("{:.0f} /s", status.steps_per_second), "Over the last second.");
  ui::row("particle steps", ui::count(status.steps_per_second * status.particles) + " /s",
          "Particles times steps per second: what programs of this kind are compared by.");
  ui::row("pictures", fmt::format("{:.0f} /s", context.view.frame_rate),
          "Drawn over the last second; none is when nothing changes.");
  if (status.device_free > 0) {
    const auto all = static_cast<double>(cuda_status().total_memory), free = static_cast<double>(status.device_free);
    ui::row("GPU memory", fmt::format("{} used, {} free", ui::bytes(all - free), ui::bytes(free)),
            "Of the whole GPU, other programs included.");
  }
  draw_stacked_plot(status, context.view.held_history);
  StepTable& table = context.view.step_table;
  table.follow(status.stages, status.stage_names, status.step_time, status.stages_ms, status.playing);
  draw_step_table(table);
  draw_picture_table(context.view);
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  trace.value("timings", {{"rows", table.rows().size()},
                          {"outdated", table.outdated()},
                          {"step_ms", status.step_time.mean_ms},
                          {"stages_ms", status.stages_ms},
                          {"steps", status.step_time.count},
                          {"picture_ms", context.view.picture_times.stats("").median_ms}});
}

}  // namespace riffle
