#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/diagnostics_record.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/widgets.h"
#include "app/report/series_columns.h"
#include "app/run/scene_view.h"
#include "scenes/scene.h"
#include "sim/measure/solid_measurement.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

struct Chart {
  DiagnosticGroup group;
  const char* name;  ///< for InterfaceTrace
  const char* title;
  const char* tip;
};

const Chart kCharts[] = {
    {DiagnosticGroup::Energy, "plot.energy", "Energy",
     "Viscosity, walls and friction lower the total, a thermostat changes it both ways. A total that grows by itself "
     "means that the steps are too long."},
    {DiagnosticGroup::Density, "plot.density", "Density error",
     "How much denser than at rest the fluid is. About 1 % is usual."},
    {DiagnosticGroup::Temperature, "plot.temperature", "Temperature",
     "The thermostat holds it at the scene's value. A higher one means that the steps are too long."},
    {DiagnosticGroup::Momentum, "plot.momentum", "Momentum",
     "Only gravity and walls change it: the forces between particles add up to zero."},
    {DiagnosticGroup::Force, "plot.force", "Force on the solid",
     "What the fluid does to the solid: mean values between two samples."},
    {DiagnosticGroup::Torque, "plot.torque", "Torque on the solid",
     "About the middle of the solid's bounds: mean values between two samples."},
    {DiagnosticGroup::Mixing, "plot.mixing", "Mixing",
     "How far the two fluids of the interface have come into each other."},
    {DiagnosticGroup::Pairs, "plot.pairs", "Unlike pairs", "It rises while fluids mix and falls while they separate."},
};

/// Whose forces are plotted.
struct ShownSolid {
  std::string name;
};

bool belongs_to(const DiagnosticChannel& channel, DiagnosticGroup group, const std::string& solid) {
  return channel.group == group && (channel.solid.empty() || channel.solid == solid);
}

/// What the chart shows, and each of its lines with the column of the table that has it.
std::string tip_of(const Chart& chart, const std::vector<DiagnosticChannel>& channels,
                   const std::vector<FluidSetup>& fluids, const std::string& solid) {
  std::string text = chart.tip;
  bool fluid_described = false;
  for (const DiagnosticChannel& channel : channels) {
    if (!belongs_to(channel, chart.group, solid) || channel.column.empty()) continue;
    const bool per_fluid =
        std::ranges::any_of(fluids, [&](const FluidSetup& f) { return channel.column == "temperature_" + f.name; });
    if (per_fluid && std::exchange(fluid_described, true)) continue;
    std::string column = per_fluid ? "temperature_FLUID" : channel.column;
    if (!channel.solid.empty()) column.replace(column.size() - channel.solid.size(), std::string::npos, "SOLID");
    text +=
        fmt::format("\n\n{} ({}): {}{}", per_fluid ? "each fluid" : channel.name, column, series_column(column).meaning,
                    column == "pair_energy" ? " The plot shows the sum over all particles." : "");
  }
  return text + "\n\nThe names in parentheses are the columns of Export, Diagnostics (CSV).";
}

struct MixingAxis {
  bool logarithmic = false;
};

std::string unit_of(DiagnosticGroup group, const SimulationSetup& setup) {
  const bool reduced = !solver_info(setup).si();
  const std::string depth = setup.domain.dimension == 2 ? "/m" : "";
  switch (group) {
    case DiagnosticGroup::Energy: return reduced ? units_of(setup).energy : "J" + depth;
    case DiagnosticGroup::Momentum:
      if (reduced) return units_of(setup).of_cutoff ? "m r_c/\u03c4" : "reduced units";
      return depth.empty() ? "kg m/s" : "kg/s";
    case DiagnosticGroup::Mixing: return units_of(setup).length;
    case DiagnosticGroup::Temperature: return units_of(setup).energy;
    case DiagnosticGroup::Force: return unit_text(SeriesUnit::Force, setup);
    case DiagnosticGroup::Torque: return unit_text(SeriesUnit::Torque, setup);
    case DiagnosticGroup::Pairs:
    case DiagnosticGroup::Density: break;
  }
  return "";
}

/// A fluid's line has the colour that the fluid has in the picture.
void color_fluids(std::vector<ui::PlotLine>& lines, const std::vector<FluidSetup>& fluids) {
  if (fluids.size() < 2) return;
  const std::vector<Vec3> colors = fluid_colors(fluids);
  for (ui::PlotLine& line : lines)
    for (std::size_t f = 0; f < fluids.size(); ++f)
      if (line.name == fluids[f].name)
        line.color = ImGui::GetColorU32(ImVec4(colors[f].x, colors[f].y, colors[f].z, 1));
}

std::vector<ui::PlotLine> lines_of(const DiagnosticsView& view, DiagnosticGroup group, const std::string& solid,
                                   Appearance appearance) {
  std::vector<ui::PlotLine> lines;
  for (std::size_t c = 0; c < view.channels.size(); ++c) {
    if (!belongs_to(view.channels[c], group, solid)) continue;
    ui::PlotLine line;
    line.name = view.channels[c].name;
    line.color = ui::plot_color(lines.size(), appearance);
    for (const SeriesHistory::Bucket& bucket : view.history.buckets()) {
      const SeriesHistory::Extent& e = bucket.channels[c];
      line.points.push_back({bucket.end, e.low, e.high, e.last});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

ui::PlotLine theory_line(const DiagnosticsView& view, Appearance appearance) {
  ui::PlotLine line;
  line.name = view.theory.label;
  line.color = ui::plot_color(4, appearance);  // the four before it are measured
  line.dashed = true;
  const auto& buckets = view.history.buckets();
  const double begin = buckets.front().begin, end = std::min(view.history.end(), view.theory.end());
  constexpr int kPoints = 120;
  for (int i = 0; i <= kPoints && end > begin; ++i) {
    const double t = begin + (end - begin) * i / kPoints, a = view.theory.at(t);
    line.points.push_back({t, a, a, a});
  }
  return line;
}

void describe_theory(const GrowthTheory& theory) {
  ImGui::PushTextWrapPos();
  if (theory.applies()) {
    ImGui::TextDisabled(
        "%s", fmt::format("a(t) = {:.3g} cosh({:.4g} t), until a = {:.3g}", theory.amplitude, theory.rate, theory.limit)
                  .c_str());
    ui::mark("theory");
    ui::tip(("Linear theory: " + theory.basis +
             ". It holds for small amplitudes, up to about a tenth of the wavelength, and ends there.")
                .c_str());
  } else {
    ImGui::TextDisabled("no theory curve: %s", theory.why_none.c_str());
    ui::mark("theory");
  }
  ImGui::PopTextWrapPos();
}

/// Solids whose forces are sampled, in the scene's order.
std::vector<std::string> measured_solids(const DiagnosticsView& view) {
  std::vector<std::string> names;
  for (const DiagnosticChannel& channel : view.channels)
    if (!channel.solid.empty() && (names.empty() || names.back() != channel.solid)) names.push_back(channel.solid);
  return names;
}

/// The solid whose forces are plotted: the first, until another is chosen.
const std::string& shown_solid(PanelContext& context, const DiagnosticsView& view) {
  ShownSolid& shown = context.memory.of<ShownSolid>();
  const std::vector<std::string> names = measured_solids(view);
  if (std::ranges::find(names, shown.name) == names.end()) shown.name = names.empty() ? "" : names.front();
  return shown.name;
}

void choose_solid(PanelContext& context, const DiagnosticsView& view) {
  if (context.status.scene->simulation.solid_regions.empty()) return;
  const std::vector<std::string> names = measured_solids(view);
  if (names.empty()) {
    ui::dim_text("no forces on solids: " + why_no_solid_forces(context.status.scene->simulation));
    ui::mark("no_solid_forces");
    return;
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Solid");
  ImGui::SameLine();
  ShownSolid& shown = context.memory.of<ShownSolid>();
  const ui::Combo combo("force.solid", "##solid", shown.name,
                        {.width = 12 * ui::em(), .tip = "Whose force and torque are plotted below."});
  if (!combo.open()) return;
  for (const std::string& name : names)
    if (combo.entry(name, name, name == shown.name)) shown.name = name;
}

void draw_chart(PanelContext& context, const DiagnosticsView& view, const Chart& chart) {
  const SimulationSetup& setup = context.status.scene->simulation;
  const std::string& solid = shown_solid(context, view);
  if (chart.group == DiagnosticGroup::Force) choose_solid(context, view);
  bool& log_growth = context.memory.of<MixingAxis>().logarithmic;
  ui::Plot plot;
  plot.lines = lines_of(view, chart.group, solid, context.view.appearance);
  color_fluids(plot.lines, context.status.scene->simulation.fluids);
  if (plot.lines.empty()) return;
  const bool mixing = chart.group == DiagnosticGroup::Mixing;
  if (mixing && view.theory.applies()) plot.lines.push_back(theory_line(view, context.view.appearance));
  const std::string unit = unit_of(chart.group, setup);
  if (mixing) ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(unit.empty() ? chart.title : fmt::format("{} [{}]", chart.title, unit).c_str());
  ui::mark(std::string(chart.name) + ".title");
  ui::tip(tip_of(chart, view.channels, setup.fluids, solid).c_str());
  if (mixing) {
    ImGui::SameLine();
    ui::checkbox("growth.log", "logarithmic", &log_growth,
                 "Exponential growth is a straight line on a logarithmic axis; what is below 0 is not shown.");
  }
  plot.name = chart.name;
  plot.unit = unit;
  plot.x_label = 't';
  plot.x_unit = units_of(setup).time;
  plot.scale = mixing && log_growth ? AxisScale::Log : AxisScale::Linear;
  plot.height = 8 * ui::em();
  plot.now = context.status.clock.time;
  ui::draw_plot(plot);
  if (mixing) describe_theory(view.theory);
  ImGui::Spacing();
}

void draw_diagnostics(PanelContext& context) {
  const auto& view = context.status.instruments.diagnostics;
  if (!view || !context.status.loaded || view->history.empty()) {
    ImGui::TextDisabled("nothing sampled yet");
    return;
  }
  for (const Chart& chart : kCharts) draw_chart(context, *view, chart);
  draw_profile(context);
  ui::row(
      "a sample takes", ui::milliseconds(view->sample_ms) + " ms",
      "Diagnostics read all particles. They are sampled for each of the movie's pictures, or more rarely: they take "
      "at most 2 % of the time. Export, Diagnostics (CSV) has the same samples. When there are too many for a plot, "
      "neighbours in time are merged: bands then show their range.");
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  nlohmann::json plots = nlohmann::json::array();
  for (const Chart& chart : kCharts)
    if (std::any_of(view->channels.begin(), view->channels.end(),
                    [&](const DiagnosticChannel& channel) { return channel.group == chart.group; }))
      plots.push_back(chart.name);
  trace.value("diagnostics", {{"samples", view->rows},
                              {"plots", plots},
                              {"end", view->history.end()},
                              {"solid", shown_solid(context, *view)},
                              {"theory", view->theory.applies()},
                              {"theory_rate", view->theory.rate}});
}

}  // namespace

extern const Panel diagnostics_panel{"diagnostics", "Diagnostics", Panel::Place::Side, false, draw_diagnostics};

}  // namespace riffle::desktop
