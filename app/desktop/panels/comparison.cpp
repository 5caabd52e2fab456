/// The comparison of all neighbour searches: a button in the search panel, and a table in a window of its own.

#include <fmt/format.h>

#include <algorithm>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/timings/stage_colors.h"
#include "app/desktop/widgets/beside.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/tables.h"
#include "app/desktop/widgets/widgets.h"
#include "core/timing/stages.h"
#include "scenes/scene.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

constexpr float kTableWidth = 61;  // [em] with room for bars and badges
constexpr int kTellingRuns = 6;    // with fewer the range of the median is that of all runs
constexpr double kMostTimes = 6;   // times as slow as the fastest: up to here bars are drawn to scale

struct ShownComparison {
  bool open = false;
  int drawn = -1;         ///< Dear ImGui's number of the picture in which it was last drawn
  ImVec2 screen{0, 0};    ///< [pixel] of the window when its size was last chosen
  ui::Rectangle place{};  ///< [pixel] where it was last drawn
};

/// The measured values of each search, in the order of the columns.
struct Part {
  const char* stage;
  double ComparedSearch::*ms;
};
constexpr Part kParts[] = {{"build", &ComparedSearch::build_ms},
                           {"reorder", &ComparedSearch::reorder_ms},
                           {"list", &ComparedSearch::list_ms},
                           {"query", &ComparedSearch::query_ms}};
static_assert(std::ranges::all_of(kParts, [](const Part& part) { return is_stage(part.stage); }));

/// The stages in proportion to their medians, together as long as the total. A bar that would be longer than the axis
/// ends in an arrow.
void draw_bar(const ComparedSearch& row, double longest_ms, const char* badge) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float all = ImGui::GetContentRegionAvail().x, width = all - 7 * ui::em(),
              height = 0.8f * ImGui::GetTextLineHeight();
  double parts_ms = 0;
  for (const Part& part : kParts) parts_ms += row.*part.ms;
  const double scale = parts_ms > 0 ? row.total_ms.median / (parts_ms * longest_ms) : 0;
  float x = at.x;
  for (const Part& part : kParts) {
    const float wide = std::min(width * static_cast<float>(row.*part.ms * scale), at.x + width - x);
    const float y = at.y + 0.5f * (ImGui::GetTextLineHeight() - height);
    ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + wide, y + height}, ui::stage_color(part.stage));
    x += wide;
  }
  const char* note = *badge != '\0' ? badge : row.total_ms.median > longest_ms ? "\u2192" : "";
  ImGui::GetWindowDrawList()->AddText({x + 0.4f * ui::em(), at.y}, ImGui::GetColorU32(ImGuiCol_Text), note);
  ImGui::Dummy({all, ImGui::GetTextLineHeight()});
}

void row_tip(const ComparedSearch& row) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(28 * ui::em());
  const std::string name = row.name();
  switch (row.state) {
    case ComparedSearch::State::Waiting: ImGui::Text("%s has not been measured yet.", name.c_str()); break;
    case ComparedSearch::State::Refused: ImGui::Text("%s: %s", name.c_str(), row.reason.c_str()); break;
    case ComparedSearch::State::Measured:
      ImGui::TextUnformatted(
          fmt::format(
              "{}: medians of {} runs within a few seconds. The median of such runs lies between {} and {} ms{}. "
              "Measured again under another load of the machine, it may lie elsewhere. The median of each stage is its "
              "own, so the stages need not add up to "
              "the "
              "total. {:.2f} neighbours per particle within the radius that it was built "
              "for. Click to use it from the next step on.",
              name, row.runs, ui::milliseconds(row.total_ms.low), ui::milliseconds(row.total_ms.high),
              row.runs < kTellingRuns ? ", the fastest and the slowest run: so few tell little"
                                      : " with a probability of 95 %",
              row.mean)
              .c_str());
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// Writes from the present cell to the end of the row, whose other cells are empty. Cuts long text; the tip has all.
void draw_over_the_row(const std::string& text, float row_end) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 window = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect({at.x, window.y}, {std::min(row_end, window.x + size.x), window.y + size.y});
  draw->AddText(at, ImGui::GetColorU32(ImGuiCol_TextDisabled), text.c_str());
  draw->PopClipRect();
}

/// "fastest" if the ranges leave no doubt, or "may be fastest" for all that may be it.
constexpr const char* kMayBe = "may be fastest";
const char* badge_of(const ComparisonStatus& comparison, const ComparedSearch& row) {
  if (&row != comparison.fastest()) return comparison.level_with_fastest(row) ? kMayBe : "";
  return comparison.has_one_fastest() ? "fastest" : kMayBe;
}

void draw_row(PanelContext& context, const ComparedSearch& row, bool next, double longest_ms) {
  const NeighborSetup& in_use = context.status.neighbors;
  const std::string name = row.name(), structure = row.structure == TreeStructure::Optix ? "optix" : "lbvh";
  const bool measured = row.state == ComparedSearch::State::Measured;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool current = in_use.method == row.method &&
                       (row.structure == TreeStructure::Automatic || context.status.search_structure == structure);
  ImGui::PushID(name.c_str());
  if (ImGui::Selectable("##row", current, ImGuiSelectableFlags_SpanAllColumns) && !(current && !in_use.automatic)) {
    if (row.structure != TreeStructure::Automatic) context.editor.set("neighbors.structure", structure);
    context.editor.set("neighbors.method", std::string(to_string(row.method)));
  }
  ui::mark("compare.row." + name);
  const float row_end = ImGui::GetItemRectMax().x;
  row_tip(row);
  ImGui::PopID();
  ImGui::SameLine(0, 0);
  ImGui::TextUnformatted(name.c_str());
  if (current) {
    ImGui::SameLine(0, 0.4f * ui::em());
    ImGui::TextDisabled("in use");
  }
  if (!measured) {
    ImGui::TableNextColumn();
    draw_over_the_row(row.state == ComparedSearch::State::Refused ? row.reason
                      : next                                      ? "is next ..."
                                                                  : "waits",
                      row_end);
    return;
  }
  const auto number = [](const std::string& text) {
    ImGui::TableNextColumn();
    ui::right_aligned(text);
  };
  number(ui::milliseconds(row.total_ms.median));
  ui::mark("compare.total." + name);
  number(ui::milliseconds(row.total_ms.low) + " \u2013 " + ui::milliseconds(row.total_ms.high));
  for (const Part& part : kParts) number(row.*part.ms > 0 ? ui::milliseconds(row.*part.ms) : "\u2212");
  number(fmt::format("{}", row.runs));
  number(ui::bytes(static_cast<double>(row.memory_bytes)));
  number(fmt::format("{:.1f}", row.mean));
  ImGui::TableNextColumn();
  draw_bar(row, longest_ms, badge_of(context.status.instruments.comparison, row));
  ui::mark("compare.bar." + name);
}

void draw_table(PanelContext& context, const ComparisonStatus& comparison) {
  const ComparedSearch* fastest = comparison.fastest();
  // A very slow search must not make the bars of the others invisible.
  double longest_ms = 0;
  for (const ComparedSearch& row : comparison.rows)
    if (row.state == ComparedSearch::State::Measured && row.total_ms.median <= kMostTimes * fastest->total_ms.median)
      longest_ms = std::max(longest_ms, row.total_ms.median);
  // A narrow window scrolls: squeezed columns cannot be read, and the bars would cover them.
  const float least = kTableWidth * ui::em(),
              row_height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  // The total stands beside the method, and both stay in sight.
  const bool scrolls = ImGui::GetContentRegionAvail().x < least;
  const float height = static_cast<float>(comparison.rows.size() + 1) * row_height + ImGui::GetStyle().ScrollbarSize;
  constexpr ImGuiTableFlags look = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX;
  const ImGuiTableFlags flags = look | (scrolls ? ImGuiTableFlags_ScrollX : ImGuiTableFlags_None);
  if (!ImGui::BeginTable("##searches", 11, flags, {0, scrolls ? height : 0}, scrolls ? least : 0)) return;
  ImGui::TableSetupColumn("method [ms]", ImGuiTableColumnFlags_WidthFixed, 9.5f * ui::em());
  ImGui::TableSetupColumn("total", ImGuiTableColumnFlags_WidthFixed, 3 * ui::em());
  ImGui::TableSetupColumn("range", ImGuiTableColumnFlags_WidthFixed, 6.4f * ui::em());
  for (const Part& part : kParts)
    ImGui::TableSetupColumn(part.stage, ImGuiTableColumnFlags_WidthFixed, 3.2f * ui::em());
  ImGui::TableSetupColumn("runs", ImGuiTableColumnFlags_WidthFixed, 2.4f * ui::em());
  ImGui::TableSetupColumn("memory", ImGuiTableColumnFlags_WidthFixed, 4.6f * ui::em());
  ImGui::TableSetupColumn("neighbours", ImGuiTableColumnFlags_WidthFixed, 5.5f * ui::em());
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  if (scrolls) ImGui::TableSetupScrollFreeze(2, 0);
  ui::header_row();
  bool first_waiting = true;
  for (const ComparedSearch& row : comparison.rows) {
    const bool waits = row.state == ComparedSearch::State::Waiting;
    draw_row(context, row, waits && first_waiting, longest_ms);
    if (waits) first_waiting = false;
  }
  ImGui::EndTable();
}

/// Within the window of the program whatever its size is, and as wide as the table if there is room.
void place_window(ShownComparison& shown) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float margin = ui::em();
  const ImVec2 most{std::max(screen.x - 2 * margin, 1.0f), std::max(screen.y - 2 * margin, 1.0f)};
  ImGui::SetNextWindowSizeConstraints({std::min(20 * ui::em(), most.x), 0}, most);
  const bool appears = shown.drawn < ImGui::GetFrameCount() - 1;
  if (appears || shown.screen.x != screen.x || shown.screen.y != screen.y) {
    // The panels at the left stay in sight in a small window.
    const float width =
        std::min(kTableWidth * ui::em() + 2 * margin, std::max(0.7f * screen.x, screen.x - 18 * ui::em()));
    ImGui::SetNextWindowPos({screen.x - std::min(width, most.x) - margin, margin}, ImGuiCond_Always);
    ImGui::SetNextWindowSize({width, 0}, ImGuiCond_Always);
    shown.screen = screen;
    return;
  }
  const auto inside = [](float at, float end, float room) { return std::max(0.0f, std::min(at, room - (end - at))); };
  const ui::Rectangle& now = shown.place;
  const ImVec2 there{inside(now.least.x, now.most.x, screen.x), inside(now.least.y, now.most.y, screen.y)};
  if (there.x != now.least.x || there.y != now.least.y) ImGui::SetNextWindowPos(there, ImGuiCond_Always);
}

/// Wraps at the window's edge.
void disabled_text(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

/// As Timings has it: times under another load cannot be compared.
std::string other_programs_text(const ComparisonStatus& comparison) {
  if (!comparison.others) return "";
  return fmt::format(", while other programs kept {:.1f} processors busy", *comparison.others);
}

/// Why totals here are not the times of steps.
std::string what_query_leaves_out(const WorkerStatus& status) {
  const char* more = "pressures and forces";
  if (status.loaded && status.scene->simulation.solver == SolverKind::Dpd) more = "forces and random numbers";
  if (status.loaded && status.scene->simulation.solver == SolverKind::Pbf) more = "constraints, in several iterations,";
  return fmt::format("query: one pass that only counts the neighbours. A step also computes {} in its passes.", more);
}

void trace(const ComparisonStatus& comparison) {
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  nlohmann::json rows = nlohmann::json::array();
  for (const ComparedSearch& row : comparison.rows)
    rows.push_back({{"method", row.name()},
                    {"measured", row.state == ComparedSearch::State::Measured},
                    {"total_ms", row.total_ms.median},
                    {"neighbours", row.mean},
                    {"runs", row.runs},
                    {"range_ms", {row.total_ms.low, row.total_ms.high}},
                    {"badge", row.state == ComparedSearch::State::Measured ? badge_of(comparison, row) : ""},
                    {"reason", row.reason}});
  trace.value("comparison", {{"running", comparison.running},
                             {"step", comparison.step},
                             {"rounds", comparison.rounds},
                             {"rows", rows},
                             {"load", other_programs_text(comparison)}});
}

}  // namespace

void draw_comparison(PanelContext& context) {
  const ComparisonStatus& comparison = context.status.instruments.comparison;
  ShownComparison& shown = context.memory.of<ShownComparison>();
  bool& open = shown.open;
  ImGui::BeginDisabled(comparison.running || context.status.ended);
  if (ui::button(
          "compare", comparison.running ? "Comparing ..." : "Compare all",
          "Times every search on the present particles, in turns between the steps, until they can be told apart or 3 "
          "seconds of measuring are over. Each is built as in a running simulation: on particles that have moved by "
          "one "
          "step. Skins are left out.")) {
    context.worker.compare_searches();
    open = true;
  }
  ImGui::EndDisabled();
  trace(comparison);
  if (comparison.empty()) return;
  ImGui::SameLine();
  ui::checkbox("compare.show", "Show the table", &open);
  if (!open) return;
  place_window(shown);
  const char* const unit = units_of(context.status).time;
  const std::string title = fmt::format("Searches at step {}, t = {:.4g} {}###comparison",
                                        ui::count(static_cast<double>(comparison.step)), comparison.time, unit);
  if (ImGui::Begin(title.c_str(), &open, ImGuiWindowFlags_NoCollapse)) {
    disabled_text(fmt::format(
        "{} particles on {}{}. Each time is the median of that row's runs; the range is that of the total's median "
        "in these few seconds. Under another load of the machine, or at another moment, times may lie outside "
        "it. Each stage has the median of its own, so stages need not add up to the total. A "
        "slow search has fewer runs. \u201c{}\u201d: its range overlaps that of "
        "the fastest, or the difference is less than 2 %. Click a row to use that search",
        ui::count(comparison.particles), comparison.device_name, other_programs_text(comparison), kMayBe));
    draw_table(context, comparison);
    for (const Part& part : kParts) {
      ui::swatch(ui::stage_color(part.stage));
      ImGui::TextDisabled("%s", part.stage);
      ImGui::SameLine(0, ui::em());
    }
    ImGui::NewLine();
    disabled_text(what_query_leaves_out(context.status));
  }
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  shown.place = {at, {at.x + size.x, at.y + size.y}};
  shown.drawn = ImGui::GetFrameCount();
  InterfaceTrace::instance().value("comparison_place", {at.x, at.y, size.x, size.y});
  ImGui::End();
}

bool close_comparison(PanelContext& context) {
  ShownComparison& shown = context.memory.of<ShownComparison>();
  const bool is_seen = shown.open && shown.drawn >= ImGui::GetFrameCount() - 1;
  if (is_seen) shown.open = false;
  return is_seen;
}

}  // namespace riffle::desktop
