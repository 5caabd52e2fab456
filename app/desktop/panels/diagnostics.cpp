#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/desktop/panels/panel.h"
#include "app/desktop/panels/panel_parts.h"
#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/diagnostics_record.h"
#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/scene/shown_unit.h"
#include "app/desktop/widgets/combo.h"
#include "app/desktop/widgets/interface_trace.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/widgets.h"
#include "app/report/measured_loads.h"
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
     "Of the particles and of free solids, and their total. Solids that move as the scene says have no part in it, nor "
     "do "
     "springs of joints and forces that the scene gives a solid. Viscosity, walls, friction and contact of solids "
     "lower "
     "the total, a thermostat changes it both ways. A total that grows by itself, without a driven solid or a hand, "
     "means that the steps are too long."},
    {DiagnosticGroup::Density, "plot.density", "Density error",
     "How much denser than at rest the fluid is. About 1 % is usual."},
    {DiagnosticGroup::Temperature, "plot.temperature", "Temperature",
     "The thermostat holds the local one at the scene's value. A higher one means that the steps are too long. In the "
     "others a flow that differs from place to place counts as heat."},
    {DiagnosticGroup::Pressure, "plot.pressure", "Pressure",
     "Of the whole fluid, from its temperature and the forces of its pairs. A flow that differs from place to place "
     "counts as pressure."},
    {DiagnosticGroup::Momentum, "plot.momentum", "Momentum",
     "Only gravity and walls change it: the forces between particles add up to zero."},
    {DiagnosticGroup::Force, "plot.force", "Force",
     "What the fluid does to the solid or the face: mean values between two samples. On a solid that rests on the "
     "floor it points down: no fluid is beneath it, so that the pressure acts from above and from the sides only. "
     "Raised by some particle spacings, with fluid beneath it, it is pushed up."},
    {DiagnosticGroup::Torque, "plot.torque", "Torque",
     "About the middle of the solid's bounds: mean values between two samples."},
    {DiagnosticGroup::Mixing, "plot.mixing", "Mixing",
     "How far the two fluids of the interface have come into each other."},
    {DiagnosticGroup::Pairs, "plot.pairs", "Unlike pairs", "It rises while fluids mix and falls while they separate."},
    {DiagnosticGroup::Domains, "plot.domains", "Domain size",
     "How large the regions of one fluid are. It grows while fluids separate, until the box limits it."},
    {DiagnosticGroup::ProbePressure, "plot.probe_pressure", "Pressure at the probe",
     "It has gaps while the place is in the air."},
    {DiagnosticGroup::ProbeVelocity, "plot.probe_velocity", "Velocity at the probe",
     "It has gaps while the place is in the air."},
    {DiagnosticGroup::ProbeDensity, "plot.probe_density", "Density at the probe",
     "It has gaps while the place is in the air."},
    {DiagnosticGroup::ProbeCompression, "plot.probe_compression", "Compression at the probe",
     "It has gaps while the place is in the air."},
    {DiagnosticGroup::ProbeLevel, "plot.probe_level", "Level",
     "Where the fluid ends along the probe's line, and how much of the line lies in fluid: they differ where air is "
     "below a wave or a drop."},
    {DiagnosticGroup::ProbeFlow, "plot.probe_flow", "Flow", "The volume of fluid that passes the probe per time."},
};

/// Whose forces are plotted, and which probe's values.
struct ShownSubjects {
  std::string solid, probe;
  std::string& of(bool probes) { return probes ? probe : solid; }
};

/// The earlier run whose curves are beside those of the present one; 0: none.
struct RunBeside {
  std::uint64_t state = 0;
  std::uint64_t scene_version = 0;  ///< WorkerStatus's when it was chosen: beside another scene it says nothing
};

/// Runs whose numbers have the units of the present one, the last that was left first.
std::vector<const KeptStatus*> comparable_runs(const WorkerStatus& status) {
  std::vector<const KeptStatus*> runs;
  const SimulationSetup& now = status.scene->simulation;
  for (const KeptStatus& kept : status.kept) {
    const SimulationSetup& then = kept.scene->simulation;
    if (kept.diagnostics && kept.diagnostics->rows > 1 && units_of(then).si == units_of(now).si &&
        units_of(then).of_cutoff == units_of(now).of_cutoff && then.domain.dimension == now.domain.dimension)
      runs.insert(runs.begin(), &kept);
  }
  return runs;
}

/// nullptr if there is none.
const KeptStatus* run_beside(PanelContext& context) {
  RunBeside& beside = context.memory.of<RunBeside>();
  if (std::exchange(beside.scene_version, context.status.scene_version) != context.status.scene_version)
    beside.state = 0;
  const std::uint64_t chosen = beside.state;
  for (const KeptStatus* run : comparable_runs(context.status))
    if (run->state == chosen) return run;
  return nullptr;
}

/// With the step that leads from it to the present one, or to it: names of runs of one scene are often the same.
std::string name_beside(PanelContext& context, const KeptStatus& run) {
  const std::string step = context.editor.step_at(run.state);
  return run.name + (step.empty() ? "" : ", " + step);
}

void choose_run_beside(PanelContext& context) {
  const std::vector<const KeptStatus*> runs = comparable_runs(context.status);
  InterfaceTrace::instance().value("runs_beside", runs.size());
  if (runs.empty()) return;
  std::uint64_t& chosen = context.memory.of<RunBeside>().state;
  const KeptStatus* const shown = run_beside(context);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Beside it");
  ImGui::SameLine();
  const std::string none = "no earlier run";
  const ui::Combo combo(
      "diagnostics.beside", "##beside", shown != nullptr ? name_beside(context, *shown) : none,
      {.width = 8 * ui::em(),
       .tip = "Its curves are fainter, in the same plots. These are the runs that undo and redo lead to, as "
              "far as they have the same units: start again, change something, and compare."});
  InterfaceTrace::instance().value("run_beside", shown != nullptr ? name_beside(context, *shown) : none);
  if (!combo.open()) return;
  if (combo.entry("none", none, shown == nullptr)) chosen = 0;
  for (std::size_t k = 0; k < runs.size(); ++k)
    if (combo.entry(std::to_string(k + 1), name_beside(context, *runs[k]) + "##" + std::to_string(runs[k]->state),
                    runs[k] == shown))
      chosen = runs[k]->state;
}

bool belongs_to(const DiagnosticChannel& channel, DiagnosticGroup group, const std::string& subject) {
  return channel.group == group && (channel.subject.empty() || channel.subject == subject);
}

/// What the chart shows, and each of its lines with the column of the table that has it.
std::string tip_of(const Chart& chart, const std::vector<DiagnosticChannel>& channels,
                   const std::vector<FluidSetup>& fluids, const std::string& subject) {
  std::string text = chart.tip;
  bool fluid_described = false;
  for (const DiagnosticChannel& channel : channels) {
    if (!belongs_to(channel, chart.group, subject) || channel.column.empty()) continue;
    const bool per_fluid =
        std::ranges::any_of(fluids, [&](const FluidSetup& f) { return channel.column == "temperature_" + f.name; });
    if (per_fluid && std::exchange(fluid_described, true)) continue;
    std::string column = per_fluid ? "temperature_FLUID" : channel.column;
    if (!channel.subject.empty())
      column.replace(column.size() - channel.subject.size(), std::string::npos,
                     is_of_probe(channel.group) ? "PROBE" : "SOLID");
    text += fmt::format(
        "\n\n{} ({}): {}{}", per_fluid ? "each fluid" : channel.name, column, series_column(column).meaning,
        column == "pair_energy" ? " The plot shows the sum over all particles, as of the other energies." : "");
  }
  return text + "\n\nThe names in parentheses are the columns of Export, Diagnostics (CSV).";
}

/// With whose values they are: "Force on post", "Pressure at inflow".
std::string title_of(const Chart& chart, const std::string& subject) {
  const std::string title = chart.title;
  if (subject.empty()) return title;
  if (chart.group == DiagnosticGroup::Force || chart.group == DiagnosticGroup::Torque) return title + " on " + subject;
  if (!is_of_probe(chart.group)) return title;
  const std::string at_probe = " at the probe";
  return (title.ends_with(at_probe) ? title.substr(0, title.size() - at_probe.size()) : title) + " at " + subject;
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
    case DiagnosticGroup::Domains:
    case DiagnosticGroup::Mixing: return units_of(setup).length;
    case DiagnosticGroup::Temperature: return units_of(setup).energy;
    case DiagnosticGroup::Pressure: return unit_text(series_column("pressure").unit, setup);
    case DiagnosticGroup::Force: return unit_text(SeriesUnit::Force, setup);
    case DiagnosticGroup::Torque: return unit_text(SeriesUnit::Torque, setup);
    case DiagnosticGroup::ProbePressure: return unit_text(SeriesUnit::PressureSi, setup);
    case DiagnosticGroup::ProbeVelocity: return units_of(setup).speed;
    case DiagnosticGroup::ProbeDensity: return unit_text(SeriesUnit::Density, setup);
    case DiagnosticGroup::ProbeLevel: return units_of(setup).length;
    case DiagnosticGroup::ProbeFlow: return unit_text(SeriesUnit::Flow, setup);
    case DiagnosticGroup::ProbeCompression:
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

std::vector<ui::PlotLine> lines_of(const DiagnosticsView& view, DiagnosticGroup group, const std::string& subject,
                                   Appearance appearance) {
  std::vector<ui::PlotLine> lines;
  for (std::size_t c = 0; c < view.channels.size(); ++c) {
    if (!belongs_to(view.channels[c], group, subject)) continue;
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

/// The lines of an earlier run, without those that the present one has not.
void add_lines_beside(ui::Plot& plot, const KeptStatus& run, DiagnosticGroup group, const std::string& subject,
                      Appearance appearance) {
  const std::size_t present = plot.lines.size();
  for (ui::PlotLine& line : lines_of(*run.diagnostics, group, subject, appearance)) {
    const auto end = plot.lines.begin() + static_cast<std::ptrdiff_t>(present);
    const auto same = std::find_if(plot.lines.begin(), end, [&](const auto& l) { return l.name == line.name; });
    if (same == end) continue;
    line.color = same->color;
    line.faint = true;
    plot.lines.push_back(std::move(line));
  }
  if (plot.lines.size() > present) plot.beside = run.name;
}

/// Why some of the chart's lines do not go on; "" if all do.
std::string why_it_ends(const DiagnosticsView& view, DiagnosticGroup group, const std::string& subject) {
  for (const DiagnosticChannel& channel : view.channels)
    if (belongs_to(channel, group, subject) && !channel.missing.empty())
      return fmt::format("nothing is added: {} have no {}", channel.missing, channel.name);
  return "";
}

/// "t = 0.5 s: solver.viscosity from 1 to 2"
std::vector<ui::PlotMark> marks_of(const DiagnosticsView& view, const char* unit) {
  std::vector<ui::PlotMark> marks;
  for (const ParameterMark& mark : view.marks) {
    std::string text = mark.until > mark.time
                           ? fmt::format("changed from t = {:.4g} to {:.4g} {}", mark.time, mark.until, unit)
                           : fmt::format("changed at t = {:.4g} {}", mark.time, unit);
    bool is_of_fluid = false;  // a search changes nothing that is plotted
    for (const KeyChange& change : mark.changes) {
      text += "\n" + change_text(change);
      is_of_fluid |= !is_of_search(change.key);
    }
    if (is_of_fluid) marks.push_back({mark.time, text});
  }
  return marks;
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
    // Dear ImGui also wraps behind a point, which would be within a number.
    const auto width_of = [](const std::string& line) { return ImGui::CalcTextSize(line.c_str()).x; };
    const std::string text = ui::broken_at_spaces(theory_text(theory), ImGui::GetContentRegionAvail().x, width_of);
    ImGui::TextDisabled("%s", text.c_str());
    InterfaceTrace::instance().value("theory_text", text);
    ui::mark("theory");
    ui::tip(("Linear theory: " + theory.basis +
             ". The interface starts from rest, in a mode that grows and one that decays; with viscosity the rate of "
             "the one that decays is estimated. It holds for small amplitudes, up to about a tenth of the wavelength, "
             "and ends "
             "there.")
                .c_str());
  } else {
    ImGui::TextDisabled("no theory curve: %s", theory.why_none.c_str());
    ui::mark("theory");
  }
  ImGui::PopTextWrapPos();
}

/// Solids whose forces are sampled, or places of probes, in the scene's order.
std::vector<std::string> measured_subjects(const DiagnosticsView& view, bool probes) {
  std::vector<std::string> names;
  for (const DiagnosticChannel& channel : view.channels)
    if (!channel.subject.empty() && is_of_probe(channel.group) == probes &&
        (names.empty() || names.back() != channel.subject))
      names.push_back(channel.subject);
  return names;
}

/// The subject that is plotted: the first, until another is chosen.
const std::string& shown_subject(PanelContext& context, const DiagnosticsView& view, bool probes) {
  std::string& shown = context.memory.of<ShownSubjects>().of(probes);
  const std::vector<std::string> names = measured_subjects(view, probes);
  if (std::ranges::find(names, shown) == names.end()) shown = names.empty() ? "" : names.front();
  return shown;
}

void choose_subject(PanelContext& context, const DiagnosticsView& view, bool probes) {
  const std::vector<std::string> names = measured_subjects(view, probes);
  if (names.empty()) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(probes ? "Probe" : "Force on");
  ImGui::SameLine();
  std::string& shown = context.memory.of<ShownSubjects>().of(probes);
  const ui::Combo combo(probes ? "plot.probe" : "force.solid", probes ? "##probe" : "##solid", shown,
                        {.width = 12 * ui::em(),
                         .tip = probes ? "Whose values are plotted below. A line and a plane have a number for each of "
                                         "their places."
                                       : "The solid or the face whose force and torque are plotted below."});
  if (!combo.open()) return;
  for (const std::string& name : names)
    if (combo.entry(name, name, name == shown)) shown = name;
}

void choose_solid(PanelContext& context, const DiagnosticsView& view) {
  if (load_names(context.status.scene->simulation).empty()) return;
  if (!measured_subjects(view, false).empty()) return choose_subject(context, view, false);
  const std::string why = why_no_solid_forces(context.status.scene->simulation);
  ui::dim_text("no forces on solids and faces" + (why.empty() ? " before the next row" : ": " + why));
  ui::mark("no_solid_forces");
}

void draw_chart(PanelContext& context, const DiagnosticsView& view, const Chart& chart) {
  const SimulationSetup& setup = context.status.scene->simulation;
  const bool probes = is_of_probe(chart.group);
  const std::string& subject = shown_subject(context, view, probes);
  if (chart.group == DiagnosticGroup::Force) choose_solid(context, view);
  if (chart.group == DiagnosticGroup::ProbePressure) choose_subject(context, view, true);
  bool& log_growth = context.memory.of<MixingAxis>().logarithmic;
  ui::Plot plot;
  plot.lines = lines_of(view, chart.group, subject, context.view.appearance);
  color_fluids(plot.lines, context.status.scene->simulation.fluids);
  if (plot.lines.empty()) return;
  if (const KeptStatus* const run = run_beside(context))
    add_lines_beside(plot, *run, chart.group, subject, context.view.appearance);
  InterfaceTrace::instance().value(std::string(chart.name) + ".beside", plot.beside);
  const bool mixing = chart.group == DiagnosticGroup::Mixing;
  if (mixing && view.theory.applies()) plot.lines.push_back(theory_line(view, context.view.appearance));
  const std::string unit = shown_unit(unit_of(chart.group, setup));
  if (mixing) ImGui::AlignTextToFramePadding();
  const std::string of_subject = title_of(chart, subject), in_unit = unit.empty() ? "" : " [" + unit + "]";
  const float unit_width = ImGui::CalcTextSize(in_unit.c_str()).x;
  const std::string title = ui::shortened(of_subject, ImGui::GetContentRegionAvail().x - unit_width) + in_unit;
  ImGui::TextUnformatted(title.c_str());
  ui::mark(std::string(chart.name) + ".title");
  InterfaceTrace::instance().value(std::string(chart.name) + ".title", title);
  ui::tip((of_subject + in_unit + "\n\n" + tip_of(chart, view.channels, setup.fluids, subject)).c_str());
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
  plot.marks = marks_of(view, units_of(setup).time);
  plot.note = why_it_ends(view, chart.group, subject);
  InterfaceTrace::instance().value(std::string(chart.name) + ".note", plot.note);
  ui::draw_plot(plot);
  if (mixing) describe_theory(view.theory);
  if (chart.group == DiagnosticGroup::Force) draw_solid_load(context, subject);
  ImGui::Spacing();
}

/// How many rows there are, and how many there are not.
void describe_rows(PanelContext& context) {
  const WorkerStatus& status = context.status;
  ui::row("rows", fmt::format("{}, every {:.3g} {}", status.series_rows, status.row_interval, units_of(status).time),
          "Of the table of diagnostics, which Export, Diagnostics (CSV) saves and the plots show.");
  const std::string left_out = status.rows_left_out > 0 ? fmt::format("{} of {}", status.rows_left_out,
                                                                      status.series_rows + status.rows_left_out)
                                                        : "";
  InterfaceTrace::instance().value("rows_left_out", left_out);
  // The line is there from the start: one that came later would move the box below it.
  ui::row("intervals without a row", left_out.empty() ? "none" : left_out,
          "Of the movie. A row is left out where measuring would take more than 2 % of the time, where a step is "
          "longer than the interval, and where the table would have more than 100,000 rows. The saved table says in "
          "its companion NAME-changes.csv from when on rows were how far apart.");
  bool all = status.all_rows;
  if (ui::checkbox("diagnostics.all_rows", "a row for each interval", &all,
                   "From now on each of the movie's intervals gets a row, however long measuring takes."))
    context.worker.post("Rows stay as they are", [all](Playback& playback) { playback.measure_all_rows(all); });
}

void draw_diagnostics(PanelContext& context) {
  const auto& view = context.status.instruments.diagnostics;
  if (!view || !context.status.loaded || view->history.empty()) {
    ImGui::TextDisabled("nothing sampled yet");
    return;
  }
  choose_run_beside(context);
  for (const Chart& chart : kCharts) draw_chart(context, *view, chart);
  draw_profile(context);
  draw_distribution(context);
  draw_means(context, !measured_subjects(*view, false).empty());
  ui::row(
      "a sample takes", ui::milliseconds(view->sample_ms) + " ms",
      "Diagnostics read all particles. They are sampled for each of the movie's pictures, or more rarely: they take "
      "at most 2 % of the time. Export, Diagnostics (CSV) has the same samples. When there are too many for a plot, "
      "neighbours in time are merged: bands then show their range.");
  describe_rows(context);
  InterfaceTrace& trace = InterfaceTrace::instance();
  if (!trace.on()) return;
  nlohmann::json plots = nlohmann::json::array();
  for (const Chart& chart : kCharts)
    if (std::any_of(view->channels.begin(), view->channels.end(),
                    [&](const DiagnosticChannel& channel) { return channel.group == chart.group; }))
      plots.push_back(chart.name);
  nlohmann::json latest = nlohmann::json::object();
  for (std::size_t c = 0; c < view->channels.size(); ++c)
    if (!view->channels[c].column.empty())
      latest[view->channels[c].column] = view->history.buckets().back().channels[c].last;
  trace.value("diagnostics", {{"samples", view->rows},
                              {"latest", latest},
                              {"plots", plots},
                              {"end", view->history.end()},
                              {"solid", shown_subject(context, *view, false)},
                              {"probe", shown_subject(context, *view, true)},
                              {"theory", view->theory.applies()},
                              {"theory_rate", view->theory.rate}});
}

}  // namespace

extern const Panel diagnostics_panel{"diagnostics", "Diagnostics", Panel::Place::Side, false, draw_diagnostics};

}  // namespace riffle::desktop
