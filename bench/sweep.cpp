/// `riffle bench sweep`: whole steps of a scene at many sizes, support radii, solvers and searches, in one table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/gnuplot.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/left_out.h"
#include "bench/scene_bench.h"
#include "bench/scene_size.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/text/output_files.h"
#include "neighbors/method.h"
#include "render/media/process.h"
#include "sim/setup.h"
#include "sim/solver_info.h"

namespace riffle::bench {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct SweepOptions : BenchOptions {
  std::vector<double> particles;       ///< about as many; empty: the scene's
  std::vector<double> support_ratios;  ///< [spacings]; empty: the scene's
  std::vector<std::string> solvers;    ///< empty: the scene's
  std::vector<std::string> methods;    ///< empty: the scene's
  std::string plots;                   ///< folder; "": none
  std::string command_line;
};

void add_sweep_options(CLI::App& command, SweepOptions& options) {
  add_bench_options(command, options, 50, "steps measured of each row (50)");
  command
      .add_option(
          "--particles", options.particles,
          "about as many fluid particles, by another spacing (dpd: wider boxes): 72000,1e6; the scene's if not given")
      ->delimiter(',')
      ->check(number_from(1, 2e9))
      ->type_name("N,...");
  command
      .add_option("--support-ratios", options.support_ratios,
                  "support radii in spacings: 2,2.56,3,3.46; the scene's if not given")
      ->delimiter(',')
      ->check(number_from(0.1, 100))
      ->type_name("R,...");
  std::vector<std::string> known;
  for (const SolverInfo* info : solvers()) known.emplace_back(info->name);
  command.add_option("--solvers", options.solvers, "wcsph,pbf; the scene's if not given")
      ->delimiter(',')
      ->check(one_of("solver", known))
      ->type_name("S,...");
  std::vector<std::string> searches;
  for (const auto& info : neighbor_methods()) searches.emplace_back(info.name);
  command.add_option("--methods", options.methods, "hoetzlein,fenns; the scene's if not given")
      ->delimiter(',')
      ->check(one_of("neighbour search", searches))
      ->type_name("M,...");
  command.add_option("--plots", options.plots, "a folder for plots by gnuplot, their scripts and data")
      ->type_name("FOLDER");
}

/// One row of the table: the scene's changes, and what came of them.
struct SweepRow {
  std::string solver, method;
  double particles = 0, support_ratio = 0;  ///< wanted; 0: the scene's
  std::optional<StepFigures> figures;
  std::string note;  ///< why there are no figures

  /// [ns] of a step per particle and neighbour
  double cost() const { return 1e9 / (figures->rate() * std::max(1.0, figures->neighbors.mean)); }
};

/// "pbf, fenns, 1e+06 particles, support of 3 spacings": what the row changes.
std::string wanted(const SweepRow& row) {
  std::vector<std::string> words;
  if (!row.solver.empty()) words.push_back(row.solver);
  if (!row.method.empty()) words.push_back(row.method);
  if (row.particles > 0) words.push_back(fmt::format("{:g} particles", row.particles));
  if (row.support_ratio > 0) words.push_back(fmt::format("support of {:g} spacings", row.support_ratio));
  return words.empty() ? "the scene as it is" : fmt::format("{}", fmt::join(words, ", "));
}

std::vector<SweepRow> rows_of(const SweepOptions& options) {
  const auto or_scenes = [](auto values) {
    if (values.empty()) values.emplace_back();
    return values;
  };
  std::vector<SweepRow> rows;
  for (const std::string& solver : or_scenes(options.solvers))
    for (const double particles : or_scenes(options.particles))
      for (const std::string& method : or_scenes(options.methods))
        for (const double ratio : or_scenes(options.support_ratios))
          rows.push_back({solver, method, particles, ratio, {}, {}});
  return rows;
}

scenes::Scene scene_of(const SweepOptions& options, const SweepRow& row) {
  SceneOptions changed = options.scene;
  if (!row.solver.empty()) changed.overrides.push_back("solver.type=" + row.solver);
  if (!row.method.empty()) changed.overrides.push_back("neighbors.method=" + row.method);
  if (row.support_ratio > 0) changed.overrides.push_back(fmt::format("particles.support_ratio={}", row.support_ratio));
  if (row.particles > 0) changed = sized(changed, row.particles);
  return load_with_options(changed);
}

void measure(const SweepOptions& options, SweepRow& row) {
  const std::string note = why_left_out([&] {
    const scenes::Scene scene = scene_of(options, row);
    const Device device = select_device_for(scene.simulation, options.scene.device);
    row.figures = measure_steps(scene, device, options.from_time, options.count);
    if (row.figures && !row.figures->failure.empty()) {
      row.note = row.figures->failure;
      row.figures.reset();
    }
  });
  if (!note.empty()) row.note = note;
}

/// The smallest cost of the rows with the same solver and size.
std::map<std::pair<std::string, int>, double> best_costs(const std::vector<SweepRow>& rows) {
  std::map<std::pair<std::string, int>, double> best;
  for (const SweepRow& row : rows) {
    if (!row.figures) continue;
    const auto [at, fresh] = best.try_emplace({row.figures->solver, row.figures->particles}, row.cost());
    if (!fresh) at->second = std::min(at->second, row.cost());
  }
  return best;
}

std::string table_of(std::vector<SweepRow> rows) {
  const auto best = best_costs(rows);
  const auto over_best = [&](const SweepRow& row) {
    return row.figures ? row.cost() / best.at({row.figures->solver, row.figures->particles})
                       : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const SweepRow& a, const SweepRow& b) { return over_best(a) > over_best(b); });
  std::vector<std::vector<std::string>> table{{"solver", "search", "particles", "support", "neighbours", "ms/step",
                                               "M p-steps/s", "GPIPS", "with walls", "dt", "simulated/s", "B/particle",
                                               "pair, of best", "lists"}};
  for (const SweepRow& row : rows) {
    if (!row.figures) {
      const auto or_none = [](double x) { return x > 0 ? fmt::format("{:g}", x) : std::string("-"); };
      table.push_back({row.solver.empty() ? "-" : row.solver, row.method.empty() ? "-" : row.method,
                       or_none(row.particles), or_none(row.support_ratio), "-", "-", "-", "-", "-", "-", "-", "-", "-",
                       row.note.empty() ? "not measured" : row.note});
      continue;
    }
    const StepFigures& f = *row.figures;
    const double rate = f.rate();
    table.push_back({f.solver, f.neighbors.name(), grouped(f.particles), fmt::format("{:.4g}", f.support_ratio),
                     fmt::format("{:.1f}", f.neighbors.mean), fmt::format("{:.3f}", f.ms_per_step()),
                     three_digits(1e-6 * rate), three_digits(f.neighbors.fluid_gpips(rate)),
                     three_digits(f.neighbors.all_gpips(rate)), fmt::format("{:.3g}", f.mean_dt()),
                     fmt::format("{:.3g}", f.simulated_per_second()), fmt::format("{:.0f}", f.bytes_per_particle()),
                     fmt::format("{:.2f}", over_best(row)), describe(f.neighbors.lists, f.particles)});
  }
  return aligned_table(table) +
         "\nThe largest cost of a pair first: the step's time per particle and neighbour, over the smallest one of "
         "that "
         "solver and size.\n";
}

/// GPIPS against the number of neighbours, a line for each solver, search and size.
void draw_plots(const std::vector<SweepRow>& rows, const std::string& folder) {
  std::map<std::string, std::vector<std::pair<double, double>>> lines;
  for (const SweepRow& row : rows)
    if (row.figures)
      lines[fmt::format("{}, {}, {} particles", row.figures->solver, row.figures->neighbors.name(),
                        grouped(row.figures->particles))]
          .emplace_back(row.figures->neighbors.mean, row.figures->neighbors.fluid_gpips(row.figures->rate()));
  if (lines.empty()) return;
  std::string data, plots;
  int index = 0;
  for (auto& [name, points] : lines) {
    std::sort(points.begin(), points.end());
    for (const auto& [neighbors, gpips] : points) data += fmt::format("{},{}\n", neighbors, gpips);
    data += "\n\n";
    plots += fmt::format("{}'sweep.csv' index {} using 1:2 with linespoints pt 7 title {}", index ? ", \\\n " : " ",
                         index, gp_text(name));
    ++index;
  }
  write_text(fs::path(folder) / "sweep.csv", data);
  write_text(fs::path(folder) / "sweep.gp",
             "set terminal svg size 1060,560 font 'DejaVu Sans,13' background '#ffffff' noenhanced\n"
             "set output 'sweep.svg'\nset datafile separator ','\nset xlabel 'neighbours'\n"
             "set ylabel 'GPIPS, fluid pairs'\nset yrange [0:*]\nset grid lc rgb '#dddddd'\n"
             "set key outside right top Left reverse\nplot" +
                 plots + "\n");
  const std::string gnuplot = render::find_program("gnuplot");
  if (gnuplot.empty()) {
    log::warn("gnuplot is not installed: {} has the script and the data, but no picture", folder);
    return;
  }
  draw_with_gnuplot(gnuplot, folder, "sweep");
}

int bench_sweep(const SweepOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  if (!options.plots.empty()) prepare_folder(options.plots);
  load_with_options(options.scene);     // a scene that is wrong by itself is no row's fault
  select_device(options.scene.device);  // a device that is asked for by name and missing is no row's fault either
  std::optional<Interruption> interruption(std::in_place);
  std::vector<SweepRow> rows = rows_of(options);
  std::size_t measured = 0;
  for (SweepRow& row : rows) {
    if (interrupted()) break;
    measure(options, row);
    if (row.figures)
      ++measured;
    else if (!row.note.empty())
      log::warn("a row is left out ({}): {}", wanted(row), row.note);
  }
  if (measured == 0 && interrupted()) return interrupted_before();
  Json list = Json::array();
  for (const SweepRow& row : rows) {
    Json entry = row.figures ? to_json(*row.figures) : Json::object();
    entry["wanted"] = wanted(row);
    entry["note"] = row.note;
    list.push_back(entry);
  }
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(
      table_of(rows) + interruption_text(interrupted()),
      {{"bench", "sweep"}, {"command", options.command_line}, {"interrupted", interrupted()}, {"rows", list}});
  if (!options.plots.empty()) draw_plots(rows, options.plots);
  if (measured == 0) throw RuntimeFailure("no row could be measured; the table says why");
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow sweep_command() {
  return command_row("bench sweep", "whole steps at many sizes, support radii, solvers and searches, in one table",
                     add_sweep_options, bench_sweep);
}

}  // namespace riffle::bench
