/// `riffle bench switch`: what it costs to change the neighbour search of a running simulation.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/cells.h"
#include "bench/left_out.h"
#include "bench/scene_bench.h"
#include "bench/scene_size.h"
#include "bench/search_choice.h"
#include "core/error.h"
#include "core/math/statistics.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/timing/seconds_since.h"
#include "neighbors/neighbor_search.h"

namespace riffle::bench {

namespace {

using Json = nlohmann::ordered_json;

struct SwitchOptions : BenchOptions {  ///< count: switches of each pair and direction
  std::vector<double> particles;       ///< none: the scene's
  std::vector<std::string> methods;    ///< none: all
  bool all_pairs = false;
  double row_seconds = 10;
  std::string command_line;
};

constexpr int kUsualSteps = 10;  ///< after a switch, of which the median is the usual step

void add_switch_options(CLI::App& command, SwitchOptions& options) {
  add_bench_options(command, options, 5,
                    "switches of each row (5), after a first one, which also loads the search's code");
  command
      .add_option("--particles", options.particles,
                  "about as many fluid particles, by another spacing (dpd: wider boxes): 72000,1e6; the scene's if not "
                  "given")
      ->delimiter(',')
      ->check(number_from(1, 2e9))
      ->type_name("N,...");
  add_methods_option(command, options.methods);
  command.add_flag("--all-pairs", options.all_pairs,
                   "from each search to each other one, in place of the scene's to each other one and back");
  command
      .add_option("--row-seconds", options.row_seconds,
                  "switch no further between two searches after this time (10), and say so")
      ->check(positive_seconds())
      ->type_name("SECONDS");
}

/// The samples of a switch from one search to another.
struct SwitchSamples {
  std::vector<double> change, first, usual;  ///< [ms]
  std::optional<double> first_ever;          ///< [ms] of the first switch and its first step, over a usual step
  std::size_t before = 0, after = 0;         ///< [bytes] of the simulation
};

struct SwitchRow {
  int particles = 0;
  std::string from, to, note;
  Spread change, first, usual;       ///< [ms] median -1: not measured
  std::optional<double> first_ever;  ///< [ms] cost of the first switch, which is not among `switches`
  std::int64_t before = -1, after = -1;
  int switches = 0;

  bool measured() const { return switches > 0; }
  double cost() const { return change.median + first.median - usual.median; }
};

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return 1e3 * seconds_since(begin);
}

/// One switch: the call, the step after it, and usual steps. Each is waited for.
void switch_once(Simulation& simulation, const MethodSettings& to, bool first_time, SwitchSamples& samples) {
  const NeighborSetup neighbors = with_search(simulation.setup().neighbors, to);
  simulation.finish();
  samples.before = simulation.memory_bytes();
  const double change = milliseconds([&] {
    simulation.set_neighbors(neighbors);
    simulation.finish();
  });
  const auto step = [&] {
    return milliseconds([&] {
      simulation.step();
      simulation.finish();
    });
  };
  const double first = step();
  std::vector<double> usual;
  for (int k = 0; k < kUsualSteps; ++k) usual.push_back(step());
  samples.after = simulation.memory_bytes();
  usual.erase(usual.begin());  // lists find their lengths in the second step
  const double median = spread_of(usual).median;
  if (first_time) {
    samples.first_ever = change + first - median;
    return;
  }
  samples.change.push_back(change);
  samples.first.push_back(first);
  samples.usual.push_back(median);
}

SwitchRow row_of(int particles, const MethodSettings& from, const MethodSettings& to, const SwitchSamples& samples) {
  SwitchRow row;
  row.particles = particles;
  row.from = name_of(from);
  row.to = name_of(to);
  for (Spread* spread : {&row.change, &row.first, &row.usual}) spread->median = -1;
  row.first_ever = samples.first_ever;
  row.switches = static_cast<int>(samples.change.size());
  if (!row.measured()) return row;
  row.change = spread_of(samples.change), row.first = spread_of(samples.first), row.usual = spread_of(samples.usual);
  row.before = static_cast<std::int64_t>(samples.before), row.after = static_cast<std::int64_t>(samples.after);
  return row;
}

/// There and back, several times: two rows.
void measure_pair(Simulation& simulation, const MethodSettings& a, const MethodSettings& b,
                  const SwitchOptions& options, std::vector<SwitchRow>& rows) {
  SwitchSamples there, back;
  std::string short_of;
  std::string note = why_left_out([&] {
    simulation.set_neighbors(with_search(simulation.setup().neighbors, a));
    for (int step = 0; step < kUsualSteps && !interrupted(); ++step) simulation.step();
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t k = 0; k <= options.count && !interrupted(); ++k) {
      if (k > 1 && seconds_since(begin) > options.row_seconds) {
        short_of = fmt::format("{} switches instead of {}: the time was up", k - 1, options.count);
        break;
      }
      switch_once(simulation, b, k == 0, there);
      switch_once(simulation, a, k == 0, back);
    }
  });
  if (note.empty()) note = short_of;
  const int particles = simulation.particle_count();
  rows.push_back(row_of(particles, a, b, there));
  rows.push_back(row_of(particles, b, a, back));
  for (std::size_t k = rows.size() - 2; k < rows.size(); ++k) rows[k].note = note;
  if (!note.empty()) log::warn("{} to {} and back: {}", name_of(a), name_of(b), note);
}

/// The scene's search beside each other one, or each two of them.
std::vector<std::pair<MethodSettings, MethodSettings>> pairs_of(const SwitchOptions& options,
                                                                const Simulation& simulation) {
  const std::vector<MethodSettings> searches = searches_of(options.methods, simulation.device());
  std::vector<std::pair<MethodSettings, MethodSettings>> pairs;
  if (options.all_pairs) {
    for (std::size_t a = 0; a < searches.size(); ++a)
      for (std::size_t b = a + 1; b < searches.size(); ++b) pairs.emplace_back(searches[a], searches[b]);
    return pairs;
  }
  MethodSettings own = simulation.setup().neighbors;
  own.structure = simulation.neighbor_search().structure() == "optix" ? TreeStructure::Optix : TreeStructure::Lbvh;
  for (const MethodSettings& search : searches)
    if (name_of(search) != name_of(own)) pairs.emplace_back(own, search);
  return pairs;
}

void measure_scene(const SceneOptions& wanted, const SwitchOptions& options, std::vector<SwitchRow>& rows) {
  const scenes::Scene scene = load_without_events(wanted);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  move_on(simulation, options.from_time);
  for (const auto& [from, to] : pairs_of(options, simulation))
    if (!interrupted()) measure_pair(simulation, from, to, options, rows);
  const StepReport known = simulation.finish();
  if (!(known.max_speed < std::numeric_limits<float>::infinity()))
    throw RuntimeFailure("the figures mean nothing: the fluid fell apart");
}

/// @param particles about as many; 0: the scene's own. A size that fails leaves a row that says why, in place of its own
void measure_size(const SwitchOptions& options, double particles, std::vector<SwitchRow>& rows) {
  std::vector<SwitchRow> of_size;
  const std::string note = why_left_out(
      [&] { measure_scene(particles > 0 ? sized(options.scene, particles) : options.scene, options, of_size); });
  if (!note.empty()) {
    log::warn("{}: left out: {}", particles > 0 ? fmt::format("{:g} particles", particles) : "the scene's size", note);
    of_size.assign(1, SwitchRow{});
    of_size[0].particles = static_cast<int>(particles);
    of_size[0].from = of_size[0].to = "-";
    of_size[0].note = note;
    for (Spread* spread : {&of_size[0].change, &of_size[0].first, &of_size[0].usual}) spread->median = -1;
  }
  rows.insert(rows.end(), of_size.begin(), of_size.end());
}

std::string table_of(const std::vector<SwitchRow>& rows) {
  std::vector<std::vector<std::string>> table{{"particles", "from", "to", "call", "first step", "usual step", "cost",
                                               "in steps", "first ever", "MiB before", "MiB after", "note"}};
  for (const SwitchRow& row : rows) {
    const bool any = row.measured();
    table.push_back({row.particles > 0 ? grouped(row.particles) : "-", row.from, row.to,
                     milliseconds_cell(row.change.median), milliseconds_cell(row.first.median),
                     milliseconds_cell(row.usual.median), any ? fmt::format("{:.4g}", row.cost()) : "-",
                     any ? fmt::format("{:.2f}", row.cost() / row.usual.median) : "-",
                     row.first_ever ? fmt::format("{:.4g}", *row.first_ever) : "-", mebibytes_cell(row.before, 1),
                     mebibytes_cell(row.after, 1), row.note.empty() ? "ok" : row.note});
  }
  return aligned_table(table) +
         "\n[ms] call: set_neighbors(); first step: the one after it; usual step: the median of those that follow, "
         "each "
         "waited for;\n"
         "cost: call and first step less a usual step; first ever: the cost of the first switch, for which a search's "
         "code may have to be loaded.\n";
}

Json json_of(const SwitchRow& row) {
  return {{"particles", row.particles > 0 ? Json(row.particles) : Json(nullptr)},
          {"from", row.from},
          {"to", row.to},
          {"switches", row.switches},
          {"change_ms", spread_json(row.change)},
          {"first_step_ms", spread_json(row.first)},
          {"usual_step_ms", spread_json(row.usual)},
          {"cost_ms", row.measured() ? Json(row.cost()) : Json(nullptr)},
          {"first_ever_ms", row.first_ever ? Json(*row.first_ever) : Json(nullptr)},
          {"memory_before_bytes", number_or_null(row.before)},
          {"memory_after_bytes", number_or_null(row.after)},
          {"note", row.note}};
}

int bench_switch(const SwitchOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  load_with_options(options.scene);     // a scene that is wrong by itself is found before anything is measured
  select_device(options.scene.device);  // a device that is asked for by name and missing is no row's fault either
  std::optional<Interruption> interruption(std::in_place);
  std::vector<SwitchRow> rows;
  for (const double particles : options.particles.empty() ? std::vector<double>{0} : options.particles)
    if (!interrupted()) measure_size(options, particles, rows);
  const bool any = std::any_of(rows.begin(), rows.end(), [](const SwitchRow& row) { return row.measured(); });
  if (!any && interrupted()) return interrupted_before();
  Json list = Json::array();
  for (const SwitchRow& row : rows) list.push_back(json_of(row));
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(
      options.command_line + "\n\n" + table_of(rows) + interruption_text(interrupted()),
      {{"bench", "switch"}, {"command", options.command_line}, {"interrupted", interrupted()}, {"rows", list}});
  if (!any) throw RuntimeFailure("no switch could be measured; the table says why");
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow switch_command() {
  return command_row("bench switch", "what it costs to change the neighbour search of a running scene",
                     add_switch_options, bench_switch);
}

}  // namespace riffle::bench
