/// `riffle bench resort`: what the re-sort of the bucket-sort paper saves in whole steps, over the share of particles that
/// change cell from step to step. The share grows with the length of the step.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/csv.h"
#include "app/report/gnuplot.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/left_out.h"
#include "bench/scene_bench.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/timing/stages.h"
#include "neighbors/search_stats.h"
#include "render/media/process.h"

namespace riffle::bench {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSharesSampled = 20;  ///< builds of which the share is taken

struct ResortOptions : BenchOptions {
  std::vector<double> steps{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.04};
  std::string csv, plots, command_line;
};

void add_resort_options(CLI::App& command, ResortOptions& options) {
  add_bench_options(command, options, 200, "steps measured of each row (200)");
  command
      .add_option(
          "--time-steps", options.steps,
          "lengths of the step: the longer, the more particles change cell (0.0005,0.001,0.0025,0.005,0.01,0.02,"
          "0.04, for a scene of dpd)")
      ->delimiter(',')
      ->check(number_from(1e-9, 1e9))
      ->type_name("TIME,...");
  add_csv_option(command, options.csv);
  command.add_option("--plots", options.plots, "a folder for a plot by gnuplot, its script and its data")
      ->check(output_path())
      ->type_name("FOLDER");
}

/// One way of building.
struct Way {
  std::optional<StepFigures> figures;
  double build_ms = 0, reorder_ms = 0;  ///< means over the steps
};

struct ResortRow {
  double step = 0;                                          ///< [scene's unit of time]
  double share = std::numeric_limits<double>::quiet_NaN();  ///< of the particles that change cell in a step
  double full_builds = 0;                                   ///< share of the builds, with re-sorts
  Way resorts, always;
  std::string note;  ///< why figures are missing

  bool measured() const { return resorts.figures && always.figures; }
  double saved() const { return 1 - resorts.figures->ms_per_step() / always.figures->ms_per_step(); }
};

double mean_of_stage(const std::vector<StageStats>& stages, std::string_view name) {
  const auto at = std::ranges::find(stages, name, &StageStats::name);
  return at == stages.end() ? 0 : at->mean_ms;
}

double count_of(const SearchStats& stats, std::string_view name) {
  const SearchCount* count = stats.find(name);
  return count ? count->value : 0;
}

/// The share over a few steps, and how many builds are full ones. A full build counts no particles.
void sample_shares(Simulation& simulation, ResortRow& row) {
  double sum = 0;
  int samples = 0;
  const SearchStats before = simulation.neighbor_search().stats();
  for (int tries = 0; tries < 8 * kSharesSampled && samples < kSharesSampled && !interrupted(); ++tries) {
    const double full = count_of(simulation.neighbor_search().stats(), "full builds");
    simulation.step();
    simulation.finish();
    const SearchStats now = simulation.neighbor_search().stats();
    if (count_of(now, "full builds") != full) continue;
    sum += count_of(now, kResorted) / simulation.particle_count();
    ++samples;
  }
  const SearchStats after = simulation.neighbor_search().stats();
  const double full = count_of(after, "full builds") - count_of(before, "full builds"),
               resorts = count_of(after, "re-sorts") - count_of(before, "re-sorts");
  row.share = samples > 0 ? sum / samples : std::numeric_limits<double>::quiet_NaN();
  row.full_builds = full + resorts > 0 ? full / (full + resorts) : 0;
}

void measure(const ResortOptions& options, ResortRow& row) {
  const std::string note = why_left_out([&] {
    SceneOptions changed = options.scene;
    changed.overrides.push_back("neighbors.method=bucket");
    changed.overrides.push_back(fmt::format("time.step={:.9g}", row.step));
    scenes::Scene scene = load_with_options(changed);
    const Device device = select_device_for(scene.simulation, options.scene.device);
    for (Way* way : {&row.resorts, &row.always}) {
      const bool resorts = way == &row.resorts;
      scene.simulation.neighbors.bucket_rebuild = resorts ? BucketRebuild::Automatic : BucketRebuild::Always;
      const auto look = [&](Simulation& simulation) {
        if (resorts) sample_shares(simulation, row);
      };
      way->figures = measure_steps(scene, device, options.from_time, options.count, look);
      if (!way->figures) return;
      if (!way->figures->failure.empty()) {
        row.note = way->figures->failure;
        way->figures.reset();
        return;
      }
      way->build_ms = mean_of_stage(way->figures->stages, "build");
      way->reorder_ms = mean_of_stage(way->figures->stages, "reorder");
    }
  });
  if (!note.empty()) row.note = note;
}

std::string table_of(const std::vector<ResortRow>& rows) {
  std::vector<std::vector<std::string>> table{{"step", "changed cell", "full builds", "re-sort ms/step", "of it build",
                                               "reorder", "always ms/step", "of it build", "reorder", "saved"}};
  std::string text;
  for (const ResortRow& row : rows) {
    if (!row.measured()) {
      table.push_back({fmt::format("{:g}", row.step), "-", "-", "-", "-", "-", "-", "-", "-",
                       row.note.empty() ? "not measured" : row.note});
      continue;
    }
    if (text.empty())
      text = fmt::format("{} on {}: {} particles, {:.1f} neighbours by bucket, {} steps of each row\n",
                         row.always.figures->scene, device_name(row.always.figures->device),
                         row.always.figures->particles, row.always.figures->neighbors.mean, row.always.figures->steps);
    table.push_back(
        {fmt::format("{:g}", row.step), fmt::format("{:.3g} %", 100 * row.share),
         fmt::format("{:.0f} %", 100 * row.full_builds), fmt::format("{:.4f}", row.resorts.figures->ms_per_step()),
         fmt::format("{:.4f}", row.resorts.build_ms), fmt::format("{:.4f}", row.resorts.reorder_ms),
         fmt::format("{:.4f}", row.always.figures->ms_per_step()), fmt::format("{:.4f}", row.always.build_ms),
         fmt::format("{:.4f}", row.always.reorder_ms), fmt::format("{:.1f} %", 100 * row.saved())});
  }
  return text + aligned_table(table) +
         "\nchanged cell: share of the particles, per step. full builds: share of the builds that make a new order, "
         "which "
         "one in a\nquarter of the particles needs. always: every build makes a new order. saved: of the step.\n";
}

std::string csv_of(const std::vector<ResortRow>& rows) {
  std::string text =
      "time_step,share_changed,full_builds,resort_ms_per_step,resort_build_ms,resort_reorder_ms,always_ms_per_step,"
      "always_build_ms,always_reorder_ms,note\n";
  const auto way = [](const Way& w) {
    return w.figures ? fmt::format("{},{},{}", w.figures->ms_per_step(), w.build_ms, w.reorder_ms) : std::string(",,");
  };
  for (const ResortRow& row : rows)
    text += fmt::format("{},{},{},{},{},{}\n", row.step, row.share, row.full_builds, way(row.resorts), way(row.always),
                        csv_field(row.note));
  return text;
}

Json to_json(const ResortRow& row) {
  Json entry{
      {"time_step", row.step}, {"share_changed", row.share}, {"full_builds", row.full_builds}, {"note", row.note}};
  for (const auto& [name, way] : {std::pair("re_sort", &row.resorts), std::pair("always", &row.always)})
    entry[name] = way->figures ? bench::to_json(*way->figures) : Json(nullptr);
  return entry;
}

void draw_plot(const std::vector<ResortRow>& rows, const std::string& folder) {
  std::string data;
  for (const ResortRow& row : rows)
    if (row.measured())
      data += fmt::format("{},{},{}\n", 100 * row.share, row.resorts.figures->ms_per_step(),
                          row.always.figures->ms_per_step());
  if (data.empty()) return;
  write_text(fs::path(folder) / "resort.csv", data);
  write_text(fs::path(folder) / "resort.gp",
             "set terminal svg size 760,480 font 'DejaVu Sans,13' background '#ffffff' noenhanced\n"
             "set output 'resort.svg'\nset datafile separator ','\nset logscale x\n"
             "set xlabel 'particles that change cell per step [%]'\nset ylabel 'ms per step'\nset yrange [0:*]\n"
             "set grid lc rgb '#dddddd'\nset key left top Left reverse\n"
             "plot 'resort.csv' using 1:2 with linespoints pt 7 title 'bucket with re-sort', \\\n"
             " 'resort.csv' using 1:3 with linespoints pt 5 title 'bucket, built again in every step'\n");
  const std::string gnuplot = render::find_program("gnuplot");
  if (gnuplot.empty()) {
    log::warn("gnuplot is not installed: {} has the script and the data, but no picture", folder);
    return;
  }
  draw_with_gnuplot(gnuplot, folder, "resort");
}

int bench_resort(const ResortOptions& options) {
  const ReportOutputs outputs{options.csv, options.json};
  outputs.prepare();
  if (!options.plots.empty()) prepare_folder(options.plots);
  load_with_options(options.scene);     // a scene that is wrong by itself is no row's fault
  select_device(options.scene.device);  // a device that is asked for by name and missing is no row's fault either
  std::optional<Interruption> interruption(std::in_place);
  std::vector<ResortRow> rows;
  for (const double step : options.steps) {
    if (interrupted()) break;
    rows.emplace_back();
    rows.back().step = step;
    measure(options, rows.back());
    if (!rows.back().note.empty()) log::warn("a row is left out (time.step {:g}): {}", step, rows.back().note);
  }
  const bool any = std::ranges::any_of(rows, &ResortRow::measured);
  if (!any && interrupted()) return interrupted_before();
  Json list = Json::array();
  for (const ResortRow& row : rows) list.push_back(to_json(row));
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(
      table_of(rows) + interruption_text(interrupted()),
      {{"bench", "resort"}, {"command", options.command_line}, {"interrupted", interrupted()}, {"rows", list}},
      csv_of(rows));
  if (!options.plots.empty()) draw_plot(rows, options.plots);
  if (!any) throw RuntimeFailure("no row could be measured; the table says why");
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow resort_command() {
  return command_row("bench resort",
                     "what the re-sort of `bucket` saves in whole steps, by how many particles change cell",
                     add_resort_options, bench_resort);
}

}  // namespace riffle::bench
