/// `riffle bench rng`: compares the generators' numbers with independent uniform ones, and measures their speed.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/terminal/signals.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "sim/random/random_samples.h"
#include "sim/random/random_statistics.h"

namespace riffle::bench {

namespace {

using Json = nlohmann::ordered_json;

struct RngBenchOptions {
  DeviceRequest device = DeviceRequest::Auto;
  std::int64_t count = 10000000;  ///< numbers of each row
  std::uint64_t seed = 1;
  std::string csv, json;     ///< files; "-": standard output; "": none
  std::string command_line;  ///< as given, for the report
};

void add_rng_bench_options(CLI::App& command, RngBenchOptions& options) {
  add_device_option(command, options.device);
  command.add_option("--count", options.count, "numbers of each row (10000000)")
      ->check(whole_number_from(10000, 100000000))
      ->type_name("N");
  command.add_option("--seed", options.seed, "seed of the generators (1)")->check(whole_number())->type_name("S");
  add_csv_option(command, options.csv);
  add_json_option(command, "the result", options.json);
}

struct RngRow {
  RandomKind kind;
  SampleOrder order;
  RandomStatistics statistics;
  std::string fault;  ///< "": passed
};

struct RngSpeed {
  std::string device;  ///< "cpu", "cuda", "cpu, in batches"
  double numbers_per_second;
};

struct RngGenerator {
  RandomKind kind;
  std::int64_t compared, asymmetric;  ///< pairs
  std::vector<RngSpeed> speeds;
};

struct RngReport {
  RngBenchOptions options;
  Device device;
  std::vector<RngRow> rows;
  std::vector<RngGenerator> generators;
  bool interrupted = false;  ///< rows or generators are missing

  /// Whether philox passes. The other generators are known to fail.
  bool sound() const {
    for (const RngRow& row : rows)
      if (row.kind == RandomKind::Philox && !row.fault.empty()) return false;
    for (const RngGenerator& generator : generators)
      if (generator.kind == RandomKind::Philox && generator.asymmetric > 0) return false;
    return true;
  }
};

RngRow measure_row(const RngReport& report, RandomKind kind, SampleOrder order) {
  const auto thetas = sample_thetas(report.device, kind, report.options.seed, order, report.options.count);
  RngRow row{kind, order, random_statistics(thetas, theta_range(kind)), ""};
  row.fault = row.statistics.fault();
  return row;
}

RngGenerator measure_generator(const RngReport& report, RandomKind kind) {
  const std::uint64_t seed = report.options.seed;
  const std::int64_t count = report.options.count;
  RngGenerator generator{kind, count, asymmetric_pairs(report.device, kind, seed, count), {}};
  const auto add = [&](const char* device, auto&& measure) {
    if (!interrupted()) generator.speeds.push_back({device, measure()});
  };
  add("cpu", [&] { return random_speed(Device{}, kind, seed, count); });
  if (kind != RandomKind::KarpinskiStream)
    add("cpu, in batches", [&] { return random_speed_in_batches(kind, seed, count); });
  if (report.device.is_cuda()) add("cuda", [&] { return random_speed(report.device, kind, seed, count); });
  return generator;
}

RngReport measure(const RngBenchOptions& options) {
  RngReport report{options, select_device(options.device), {}, {}, false};
  const Interruption interruption;
  for (const auto& [kind, word, doc] : words_of(RandomKind{})) {
    if (interrupted()) break;
    log::info("{}", to_string(kind));
    for (const SampleOrder order : kSampleOrders)
      if (!interrupted()) report.rows.push_back(measure_row(report, kind, order));
    if (!interrupted()) report.generators.push_back(measure_generator(report, kind));
  }
  report.interrupted = interrupted();
  return report;
}

std::string cycle_text(const RandomStatistics& s) {
  return s.cycle == 0 ? "none" : fmt::format("{} after {}", grouped(s.cycle), grouped(s.before));
}

std::string text_of(const RngReport& report) {
  std::string text = fmt::format(
      "{} numbers of each row on {}, seed {}. z: distance from independent uniform numbers in standard errors.\n\n",
      grouped(report.options.count), device_name(report.device), report.options.seed);
  text += interruption_text(report.interrupted);
  text += fmt::format("{:<16} {:<10} {:>10} {:>8} {:>10} {:>8} {:>10} {:>12} {:>16}  {}\n", "generator", "along",
                      "mean", "z", "variance", "z", "256 bins z", "256 x 256 z", "cycle", "state");
  for (const RngRow& row : report.rows) {
    const RandomStatistics& s = row.statistics;
    text += fmt::format("{:<16} {:<10} {:>10.6f} {:>8.1f} {:>10.6f} {:>8.1f} {:>10.1f} {:>12.1f} {:>16}  {}\n",
                        to_string(row.kind), to_string(row.order), s.mean, s.mean_z, s.variance, s.variance_z, s.bins_z,
                        s.pairs_z, cycle_text(s), row.fault.empty() ? "pass" : "fail");
  }
  text += fmt::format("\n{:<16} {:<10} correlation of numbers 1 to {} places apart, largest z\n", "generator", "along",
                      kLags);
  for (const RngRow& row : report.rows) {
    text += fmt::format("{:<16} {:<10}", to_string(row.kind), to_string(row.order));
    for (const double lag : row.statistics.lag) text += fmt::format(" {:>8.5f}", lag);
    text += fmt::format(" {:>8.1f}\n", row.statistics.largest_lag_z());
  }
  text += fmt::format("\n{:<16} {:<38} million numbers per second\n", "generator", "theta_ij = theta_ji");
  for (const RngGenerator& generator : report.generators) {
    text += fmt::format(
        "{:<16} {:<38}", to_string(generator.kind),
        generator.asymmetric == 0
            ? "yes"
            : fmt::format("no, {} of {} pairs differ", grouped(generator.asymmetric), grouped(generator.compared)));
    for (const RngSpeed& speed : generator.speeds)
      text += fmt::format(" {}: {:.4g}", speed.device, 1e-6 * speed.numbers_per_second);
    text += "\n";
  }
  text += "\n";
  for (const RngRow& row : report.rows)
    if (!row.fault.empty()) text += fmt::format("{}, {}: {}\n", to_string(row.kind), to_string(row.order), row.fault);
  return text;
}

std::string csv_of(const RngReport& report) {
  std::string text = "generator,along,count,mean,mean_z,variance,variance_z";
  for (int l = 1; l <= kLags; ++l) text += fmt::format(",lag{}", l);
  for (int l = 1; l <= kLags; ++l) text += fmt::format(",lag{}_z", l);
  text += ",bins_z,pairs_z,cycle,before_cycle,state\n";
  for (const RngRow& row : report.rows) {
    const RandomStatistics& s = row.statistics;
    text += fmt::format("{},{},{},{},{},{},{}", to_string(row.kind), to_string(row.order), s.count, s.mean, s.mean_z,
                        s.variance, s.variance_z);
    for (const double lag : s.lag) text += fmt::format(",{}", lag);
    for (const double z : s.lag_z) text += fmt::format(",{}", z);
    text += fmt::format(",{},{},", s.bins_z, s.pairs_z);
    text += s.cycle > 0 ? fmt::format("{},{},", s.cycle, s.before) : ",,";
    text += row.fault.empty() ? "pass\n" : "fail\n";
  }
  return text;
}

Json json_of(const RngReport& report) {
  Json rows = Json::array(), generators = Json::array();
  for (const RngRow& row : report.rows) {
    const RandomStatistics& s = row.statistics;
    const auto of_cycle = [&](std::int64_t value) { return s.cycle > 0 ? Json(value) : Json(nullptr); };
    rows.push_back({{"generator", to_string(row.kind)},
                    {"along", to_string(row.order)},
                    {"count", s.count},
                    {"mean", s.mean},
                    {"mean_z", s.mean_z},
                    {"variance", s.variance},
                    {"variance_z", s.variance_z},
                    {"lags", s.lag},
                    {"lags_z", s.lag_z},
                    {"bins_z", s.bins_z},
                    {"pairs_z", s.pairs_z},
                    {"cycle", of_cycle(s.cycle)},
                    {"before_cycle", of_cycle(s.before)},
                    {"passed", row.fault.empty()},
                    {"fault", row.fault}});
  }
  for (const RngGenerator& generator : report.generators) {
    Json speeds = Json::object();
    for (const RngSpeed& speed : generator.speeds) speeds[speed.device] = speed.numbers_per_second;
    generators.push_back({{"generator", to_string(generator.kind)},
                          {"pairs_compared", generator.compared},
                          {"pairs_asymmetric", generator.asymmetric},
                          {"numbers_per_second", speeds}});
  }
  return {{"bench", "rng"},
          {"command", report.options.command_line},
          {"device", {{"kind", to_string(report.device.kind)}, {"name", device_name(report.device)}}},
          {"machine", {{"processor", device_name(Device{})}, {"threads", cpu_threads()}}},
          {"count", report.options.count},
          {"seed", report.options.seed},
          {"passed", report.sound()},
          {"interrupted", report.interrupted},
          {"rows", rows},
          {"generators", generators}};
}

int bench_rng(const RngBenchOptions& options) {
  const ReportOutputs outputs{options.csv, options.json};
  outputs.prepare();
  const RngReport report = measure(options);
  outputs.deliver(text_of(report), json_of(report), csv_of(report));
  if (!report.sound()) log::error("philox fails: see the rows");
  return exit_code_or_interrupted(report.sound() ? 0 : 1);
}

}  // namespace

CommandRow rng_command() {
  return command_row("bench rng", "how random the numbers of each generator are, and how quickly they are made",
                     add_rng_bench_options, bench_rng);
}

}  // namespace riffle::bench
