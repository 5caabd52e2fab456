#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/desktop/panels/panel.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/timings/stage_colors.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/tables.h"
#include "app/desktop/widgets/widget_state.h"
#include "app/desktop/widgets/widgets.h"
#include "core/timing/stages.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

/// What the plot shows while the mouse is over it. The columns keep the names of their stages: another scene has others.
struct HeldColumns {
  std::uint64_t scene_version = 0, run = 0;
  std::vector<std::string> stage_names;
  std::deque<StageHistory::Column> columns;
};

/// @param run the present one
void column_tip(const std::vector<std::string>& stage_names, const StageHistory::Column& column, std::uint64_t run) {
  ImGui::BeginTooltip();
  if (column.run != run) ImGui::TextDisabled("of an earlier run");
  ImGui::Text("to step %s, with %s: %s ms", ui::count(static_cast<double>(column.step)).c_str(), column.in_use.c_str(),
              ui::milliseconds(total_ms(column)).c_str());
  const auto line = [](ImU32 color, const char* name, double ms) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted("\u2212");
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::Text("%s  %s", name, ui::milliseconds(ms).c_str());
  };
  line(ui::other_color(), "other", total_ms(column) - stages_ms(column));
  for (std::size_t s = column.mean_ms.size(); s-- > 0;)
    line(ui::stage_color(stage_names[s]), stage_names[s].c_str(), double{column.mean_ms[s]});
  ImGui::EndTooltip();
}

/// Writes what was in use at the first column of each run of columns that share it, on one of three lines in the plot.
/// The newest name is always shown, even if its first column has left the plot. An older one is omitted without room.
void draw_names(const ui::PlotFrame& frame, const std::deque<StageHistory::Column>& history, std::size_t first) {
  constexpr int kLines = 3;
  float free_until[kLines];  // [pixel] up to here the line is free
  std::fill_n(free_until, kLines, frame.max().x);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float pad = 0.2f * ui::em(), height = ImGui::GetTextLineHeight();
  for (std::size_t c = history.size(); c-- > 0;) {
    if (c > 0 && history[c].event.empty()) continue;
    const float at = frame.x().pixel(static_cast<double>(first + c));
    if (!history[c].event.empty())
      draw->AddLine({at, frame.min().y}, {at, frame.max().y}, ImGui::GetColorU32(ImGuiCol_Text, 0.8f));
    const float wide = ImGui::CalcTextSize(history[c].in_use.c_str()).x + 2 * pad;
    for (int line = 0; line < kLines; ++line) {
      // Only the newest name may begin before its first column, when there is no room behind it.
      const bool newest = free_until[0] == frame.max().x;
      const float x = newest ? std::max(frame.min().x, std::min(at + 1, frame.max().x - wide)) : at + 1;
      if (x + wide > free_until[line]) continue;
      const float y = frame.min().y + 2 + static_cast<float>(line) * 1.15f * height;
      draw->AddRectFilled({x, y}, {x + wide, y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.85f), 2);
      draw->AddText({x + pad, y}, ImGui::GetColorU32(ImGuiCol_Text), history[c].in_use.c_str());
      free_until[line] = x - pad;
      break;
    }
  }
}

/// Fainter where it belongs to an earlier run.
ImU32 color_in(const StageHistory::Column& column, std::uint64_t run, ImU32 color) {
  constexpr float kEarlier = 0.3f;
  if (column.run == run) return color;
  ImVec4 faint = ImGui::ColorConvertU32ToFloat4(color);
  faint.w *= kEarlier;
  return ImGui::ColorConvertFloat4ToU32(faint);
}

/// Milliseconds per step over the last seconds, stages stacked, with a line at each change. It stands still while the
/// mouse is over it, until another run begins.
void draw_stacked_plot(const WorkerStatus& status, HeldColumns& held) {
  if (held.scene_version != status.scene_version || held.run != status.history_run)
    held = {status.scene_version, status.history_run, {}, {}};
  const bool holds = !held.columns.empty();
  const auto& history = holds ? held.columns : status.history;
  const auto& stage_names = holds ? held.stage_names : status.stage_names;
  const ui::PlotFrame frame("stage_plot", 10 * ui::em(), {0, double{StageHistory::kColumns}}, {0, plot_top_ms(history)},
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
      draw->AddRectFilled({x, frame.y().pixel(next)}, {right, frame.y().pixel(sum)},
                          color_in(history[c], held.run, ui::stage_color(stage_names[s])));
      sum = next;
    }
    draw->AddRectFilled({x, frame.y().pixel(total_ms(history[c]))}, {right, frame.y().pixel(sum)},
                        color_in(history[c], held.run, ui::other_color()));
  }
  draw_names(frame, history, first);
  draw->PopClipRect();

  if (!frame.hovered()) {
    held.columns.clear();
    return;
  }
  if (!holds) {
    held.stage_names = status.stage_names;
    held.columns = status.history;
  }
  const double at = frame.x().value(ImGui::GetMousePos().x) - static_cast<double>(first);
  if (at >= 0 && at < static_cast<double>(columns)) {
    frame.vertical_line(std::floor(at) + 0.5 + static_cast<double>(first), ImGui::GetColorU32(ImGuiCol_Text, 0.5f));
    column_tip(held.stage_names, held.columns[static_cast<std::size_t>(at)], held.run);
  }
}

void number_cell(double ms) {
  ImGui::TableNextColumn();
  ui::right_aligned(ui::milliseconds(ms));
}

/// @return whether the name is shortened, because the column is narrow
bool name_cell(const std::string& name, std::optional<ImU32> color) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (color) ui::swatch(*color);
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string shown = ui::shortened(name, room);
  ImGui::TextUnformatted(shown.c_str());
  ui::mark("timings." + name);
  ui::mark_text("timings." + name, shown, room);
  return shown != name;
}

const char* tip_of(const std::string& stage) {
  if (const StageInfo* known = find_stage(stage)) return known->tip;
  if (stage == "colour values")
    return "The quantity that colours show, at all particles, before a picture: with a search of its own if it is "
           "summed "
           "over neighbours. It is no part of a step.";
  return stage == "other" ? "The rest of a step on the host's clock, outside of its stages." : "";
}

/// Narrow panels leave out the p95, which the tips then have: the words above the columns would be cut.
bool shows_p95() { return ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x > 20 * ui::em(); }

void stage_row(const StageStats& stage, std::optional<ImU32> color) {
  const bool with_p95 = ImGui::TableGetColumnCount() == 5;
  const bool shortened = name_cell(stage.name, color);
  std::string tip = tip_of(stage.name);
  if (shortened) tip = stage.name + (tip.empty() ? "" : "\n\n") + tip;
  if (!with_p95 && stage.count > 0)
    tip += (tip.empty() ? "" : "\n\n") + fmt::format("p95: {} ms", ui::milliseconds(stage.p95_ms));
  ui::tip(tip.c_str());
  if (stage.count == 0) {  // the stage is no longer done
    for (int cell = 0; cell < (with_p95 ? 3 : 2); ++cell) ImGui::TableNextColumn();
    return;
  }
  number_cell(stage.mean_ms);
  number_cell(stage.median_ms);
  if (with_p95) number_cell(stage.p95_ms);
}

void step_row(const StageStats& stage, std::optional<ImU32> color, const StepStatistics::Before& before) {
  stage_row(stage, color);
  ImGui::TableNextColumn();
  if (before.what.empty()) return;
  const auto then = before.median_ms.find(stage.name);
  ui::right_aligned(then == before.median_ms.end() ? "\u2212" : ui::milliseconds(then->second));
}

bool begin_stage_table(const char* id, const char* what, const char* last) {
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {0.2f * ui::em(), ImGui::GetStyle().CellPadding.y});
  const bool with_p95 = shows_p95();
  const bool open = ImGui::BeginTable(id, with_p95 ? 5 : 4, flags);
  ImGui::PopStyleVar();
  if (!open) return false;
  ImGui::TableSetupColumn(what, 0, with_p95 ? 2.5f : 2.0f);
  for (const char* statistic : {"mean", "median", "p95", last})
    if (with_p95 || std::string_view(statistic) != "p95") ImGui::TableSetupColumn(statistic, 0, 1);
  ui::header_row();
  return true;
}

std::string search_in_use(const NeighborSetup& search) {
  const std::string name(to_string(search.method));
  return search.automatic ? "auto: " + name : name;
}

/// Which steps the table counts. Always the same number of lines, so that nothing below moves.
void draw_what_is_timed(const WorkerStatus& status, const StepTable& table) {
  const std::string with = " with " + search_in_use(status.neighbors);
  const std::string over = table.of_earlier_run() ? "none yet; grey: earlier run"
                           : table.outdated()     ? "no step yet" + with
                                                  : fmt::format("{} steps{}", table.shown().steps, with);
  ui::row(
      "over the last", over,
      "All rows count these steps: those of the plot's last ten seconds, or 100 steps if these took longer. The count "
      "begins again after a switch of search, solver or device, after a change of parameters and with a new run. Grey "
      "numbers are of before. Median and p95 are over moments: means over the steps of a tenth of a second. On a GPU "
      "the "
      "stages of a step are timed about every 2 ms, and stand for the steps in between. A timed step takes a little "
      "longer, so the stages may add up to more than a step.");
  const std::string& before = table.shown().before.what;
  ui::row("before the switch (medians)", before.empty() ? "\u2212" : before,
          "In use before the last switch of search, solver or device. The column \u201cbefore\u201d shows the medians "
          "of that time.");
  const auto or_none = [](const std::string& text) { return text.empty() ? std::string("\u2212") : text; };
  ui::row("a step takes", or_none(table.outdated() ? "" : against_before(table.shown())),
          "By medians, beside the time before the switch. Where the moments of both overlap (from the 5th to the 95th "
          "percentile), their scatter is larger than the difference, and which is quicker stays open: Compare all "
          "times all searches in turns.");
  ui::row("other programs", or_none(other_programs(table.shown())),
          "Processors that other programs kept busy in that time. Times under another load cannot be compared.");
}

void draw_step_table(const StepTable& table) {
  if (!begin_stage_table("##steps", "stage [ms]", "before")) return;
  const StepStatistics& shown = table.shown();
  if (table.outdated()) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  for (const StageStats& stage : shown.stages) step_row(stage, ui::stage_color(stage.name), shown.before);
  if (shown.steps > 0) {
    step_row(shown.other, ui::other_color(), shown.before);
    step_row(shown.step, std::nullopt, shown.before);
  }
  if (table.outdated()) ImGui::PopStyleColor();
  ImGui::EndTable();
}

void draw_picture_table(const ViewState& view) {
  if (!begin_stage_table("##pictures", "picture [ms]", "")) return;
  for (const StageStats& stage : view.frame_costs) stage_row(stage, std::nullopt);
  if (view.picture_times.count() > 0) {
    stage_row(view.picture_times.stats("picture to picture"), std::nullopt);
    ui::tip("From one picture of the window to the next while the simulation plays, with the wait for the screen.");
  }
  ImGui::EndTable();
}

void trace(const WorkerStatus& status, const ViewState& view, const StepTable& table, bool plot_is_held) {
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  const StepStatistics& shown = table.shown();
  nlohmann::json medians = nlohmann::json::object(), before = nlohmann::json::object();
  double stages = 0;
  for (const StageStats& stage : shown.stages) {
    if (stage.count == 0) continue;
    medians[stage.name] = stage.median_ms;
    stages += stage.mean_ms;
  }
  for (const auto& [stage, ms] : shown.before.median_ms) before[stage] = ms;
  trace.value("timings", {{"rows", shown.stages.size()},
                          {"outdated", table.outdated()},
                          {"of_earlier_run", table.of_earlier_run()},
                          {"columns", status.history.size()},
                          {"earlier_columns", std::ranges::count_if(status.history,
                                                                    [&](const StageHistory::Column& column) {
                                                                      return column.run != status.history_run;
                                                                    })},
                          {"with", search_in_use(status.neighbors)},
                          {"before", shown.before.what},
                          {"lists", describe(status.lists, status.particles)},
                          {"medians", medians},
                          {"medians_before", before},
                          {"step_ms", shown.step.mean_ms},
                          {"step_median_ms", shown.step.median_ms},
                          {"step_p95_ms", shown.step.p95_ms},
                          {"stages_ms", stages},
                          {"steps", shown.steps},
                          {"steps_per_second", shown.steps_per_second()},
                          {"simulated_per_second", shown.simulated_per_second()},
                          {"neighbors", status.instruments.pairs.fluid},
                          {"wall_neighbors", status.instruments.pairs.walls},
                          {"against_before", against_before(shown)},
                          {"other_programs", other_programs(shown)},
                          {"plot_is_held", plot_is_held},
                          {"picture_ms", view.picture_times.stats("").median_ms}});
}

/// Three digits, and at most six behind the point.
std::string gpips_text(double value) {
  const double magnitude = value > 0 ? std::floor(std::log10(value)) : 0;
  return fmt::format("{:.{}f}", value, static_cast<int>(std::clamp(2 - magnitude, 0.0, 6.0)));
}

/// @param rate [steps/s]
void draw_pair_rate(const WorkerStatus& status, double rate) {
  const PairCountStatus& pairs = status.instruments.pairs;
  const double giga = 1e-9 * rate * status.particles;
  const bool known = pairs.fluid > 0 || pairs.walls > 0;
  ui::row("GPIPS",
          known ? fmt::format("{} fluid, {} walls", gpips_text(giga * pairs.fluid), gpips_text(giga * pairs.walls))
                : "\u2212",
          (pairs.why_none.empty()
               ? fmt::format(
                     "1e9 pairs within the support radius per second, each counted by both of its particles and once "
                     "per step, however often the solver visits it: pairs of fluid particles, and pairs of a fluid "
                     "and a wall particle. A particle has {:.1f} neighbours and {:.1f} wall particles within the "
                     "radius. They are counted now and then, which took {} ms and takes at most 1 % of the time.",
                     pairs.fluid, pairs.walls, ui::milliseconds(pairs.ms))
               : "Pairs cannot be counted: " + pairs.why_none)
              .c_str());
  ui::mark("gpips");
}

/// The course to plot: the one of that name, or else the share that is re-sorted, or else the first.
const SearchCourse* plotted_course(const std::vector<SearchCourse>& courses, const std::string& wanted) {
  const std::string_view by_default = kShareResorted;
  for (const std::string_view name : {std::string_view(wanted), by_default})
    for (const SearchCourse& course : courses)
      if (course.latest.name == name) return &course;
  return courses.empty() ? nullptr : &courses.front();
}

const char* tip_of_count(const std::string& name) {
  if (name == "occupied")
    return "Of the search's last build, looked at now and then. A cell without particles costs memory and time.";
  if (name == "fullest") return "Particles that crowd into one cell make the search slow.";
  if (name == kResorted || name == kShareResorted)
    return "Particles that changed cell between two builds of bucket. Only these are sorted again, until a quarter of "
           "all "
           "has changed cell since the last full build.";
  return "";
}

void draw_course(const SearchCourse& course) {
  const auto text = [&](float value) {
    SearchFigure figure = course.latest;
    figure.value = double{value};
    return figure.text();
  };
  const auto [low, high] = std::ranges::minmax(course.values);
  ImGui::PlotLines("##search_plot", course.values.data(), static_cast<int>(course.values.size()), 0,
                   fmt::format("{} ({} to {})", text(course.values.back()), text(low), text(high)).c_str(),
                   std::min(0.0f, low), std::max(1.2f * high, 1e-6f), {ImGui::GetContentRegionAvail().x, 3 * ui::em()});
  ui::mark("search_plot");
  ui::tip("One point for each time that it was looked at, at most two a second: the newest is at the right.");
}

/// What the step's own search counted when pairs were counted last. Methods count different things: it is closed at first,
/// so that a switch moves nothing below.
void draw_search_counts(const WorkerStatus& status) {
  const PairCountStatus& pairs = status.instruments.pairs;
  std::string& wanted = ui::widget_state().choices["search_plot"];
  const SearchCourse* const plotted = plotted_course(pairs.courses, wanted);
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (trace.on()) {
    trace.value("search_counts", describe(pairs.search));
    trace.value("search_plot", plotted != nullptr ? nlohmann::json{{"count", plotted->latest.name},
                                                                   {"unit", plotted->latest.unit},
                                                                   {"points", plotted->values.size()},
                                                                   {"latest", plotted->values.back()}}
                                                  : nlohmann::json(nullptr));
  }
  const bool open = ImGui::TreeNodeEx("What the search counts",
                                      ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen);
  ui::mark("search_counts");
  ui::tip("Cells and what the method counts besides, and a plot of the one that you choose.");
  if (!open) return;
  for (const SearchCourse& course : pairs.courses) {
    const std::string& name = course.latest.name;
    ui::row(name.c_str(), course.latest.text(), tip_of_count(name));
    ui::mark("search_count." + course.latest.key());
  }
  if (plotted == nullptr) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Plot");
  ImGui::SameLine();
  if (const ui::Combo combo("search_plot.count", "##search_plot_count", plotted->latest.name,
                            {.width = 10 * ui::em(), .tall = true, .tip = "Chosen in later starts of the window too."});
      combo.open())
    for (const SearchCourse& course : pairs.courses)
      if (combo.entry(course.latest.key(), course.latest.name, &course == plotted)) wanted = course.latest.name;
  draw_course(*plotted);
}

/// What is paid for the speed.
void draw_pace(const WorkerStatus& status) {
  if (status.pace.real) {
    ui::row(
        "pace", status.pace.behind ? "behind, " + status.pace.eased : status.pace.eased,
        "The scene has time.pace: real. While the simulation is slower than the speed that it plays at, steps become "
        "longer and bounds of errors wider, up to the limits that the key's text states.");
    ui::mark("pace");
  }
  if (!std::isnan(status.density_error))
    ui::row("density error", fmt::format("{:.2g} %", 100 * status.density_error),
            "Mean compression of all particles, when it was last looked at; about every two seconds.");
}

struct ShownTimings {
  HeldColumns held;
  StepTable table;
};

void draw_timings(PanelContext& context) {
  const WorkerStatus& status = context.status;
  auto& [held, table] = context.memory.of<ShownTimings>();
  table.follow(status.timings, status.loaded ? to_string(status.scene->simulation.solver) : "",
               {status.scene_version, status.history_run});
  const double rate = table.outdated() ? 0 : table.shown().steps_per_second();
  ui::row("steps", fmt::format("{:.3g} /s", rate),
          "Of the steps that the table counts, with what is done between them: pictures, measurements, and waiting if "
          "the speed is not \u201cfastest\u201d. Without these a step takes the mean in the table's last row.");
  ui::row("particle steps", ui::count(rate * status.particles) + " /s",
          "Particles times steps per second: the usual measure for comparing such programs.");
  draw_pair_rate(status, rate);
  ui::row("time step", fmt::format("{:.3g} {}", status.clock.last_dt, units_of(status).time),
          "Of the last step. The solver chooses it from speeds and forces, unless the scene gives it.");
  const double simulated = table.outdated() ? 0 : table.shown().simulated_per_second();
  ui::row(
      "simulated",
      status.playing && !table.outdated() ? fmt::format("{:.3g} {} /s", simulated, units_of(status).time) : "\u2212",
      "Simulated time per second, of the same steps, with all that is done between them.");
  draw_pace(status);
  ui::row("lists", describe(status.lists, status.particles),
          "Neighbour lists that the step's passes read. Without them every pass searches.");
  draw_search_counts(status);
  const double pictures = context.view.frame_rate;
  ui::row("pictures", pictures < 9.95 ? fmt::format("{:.1f} /s", pictures) : fmt::format("{:.0f} /s", pictures),
          "Drawn in the last second. None is drawn while nothing changes.");
  if (status.device_free > 0) {
    const auto all = static_cast<double>(cuda_status().total_memory), free = static_cast<double>(status.device_free);
    ui::row("GPU memory", fmt::format("{} used, {} free", ui::bytes(all - free), ui::bytes(free)),
            "Of the whole GPU, with other programs.");
  }
  draw_stacked_plot(status, held);
  draw_what_is_timed(status, table);
  draw_step_table(table);
  draw_picture_table(context.view);
  trace(status, context.view, table, !held.columns.empty());
}

}  // namespace

extern const Panel timings_panel{"timings", "Timings", Panel::Place::Side, true, draw_timings};

}  // namespace riffle::desktop
