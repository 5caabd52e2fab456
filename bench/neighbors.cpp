/// `riffle bench neighbors`: build, reorder and query timed separately, every method side by side.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "app/command/command.h"
#include "app/report/outputs.h"
#include "app/terminal/signals.h"
#include "bench/double_pairs.h"
#include "bench/rows.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/text/output_files.h"

namespace riffle::bench {

namespace {

constexpr int kCompared = 1024;  ///< particles whose neighbours are counted again if there are too many to count all
constexpr int kWarmUpRounds = 3;

BenchRow empty_row(const BenchGroup& group, const BenchCloud* cloud) {
  BenchRow row;
  row.scenario = group.scenario;
  row.table = group.table;
  row.sweep = group.sweep;
  row.value = group.value;
  row.input = to_string(group.order);
  row.builds_only = group.builds_only;
  row.particles = group.particles;
  if (cloud) row.cloud = cloud->text, row.radius = double{cloud->h};
  return row;
}

BenchRow published_row(const BenchGroup& group, const BenchCloud* cloud, const PublishedFigure& figure) {
  BenchRow row = empty_row(group, cloud);
  row.state = RowState::Published;
  row.method = figure.label;
  row.source = figure.source;
  row.build.median = figure.build_ms;
  row.query.median = figure.query_ms;
  row.total.median = figure.total_ms;
  row.reorder.median = row.list.median = -1;
  row.memory_bytes = figure.memory_bytes;
  row.neighbors_mean = figure.neighbors;
  return row;
}

void take(BenchRow& row, const SearchMeasurement& m, const CountCheck& check, int runs_wanted) {
  row.build = m.build, row.reorder = m.reorder, row.list = m.list, row.query = m.query, row.total = m.total;
  row.runs = m.runs;
  row.reordered_bytes = m.reordered_bytes;
  row.memory_bytes = static_cast<std::int64_t>(m.memory_bytes);
  row.neighbors_mean = m.mean;
  row.neighbors_min = m.min;
  row.neighbors_max = m.max;
  row.compared = check.compared;
  row.wrong = check.wrong;
  row.figures = m.figures;
  row.state = check.wrong == 0 ? RowState::Measured : RowState::Wrong;
  row.note = note_of_runs(m.runs, runs_wanted);
  if (check.wrong > 0)
    row.note = fmt::format("{} of {} particles are wrong: {}", check.wrong, check.compared, check.first);
}

/// The variants of a group on the device, one row each.
class GroupMeasurement {
 public:
  GroupMeasurement(const Device& device, const BenchGroup& group, const NeighborBenchOptions& options)
      : device_(device),
        group_(group),
        options_(options),
        cloud_(group.make()),
        now_(device, cloud_.now),
        before_(device, cloud_.before) {
    const int count = static_cast<int>(cloud_.now.size());
    const bool all = count <= kBruteForceLimit;
    particles_ = random_particles(count, all ? count : kCompared, 1 + static_cast<std::uint64_t>(group.order));
    const Buffer<std::uint32_t> askers(device, particles_);
    expected_ = all_pairs_digests(device, cloud(), {askers.data(), static_cast<int>(particles_.size())}).to_host();
  }

  const BenchCloud& bench_cloud() const { return cloud_; }

  /// The rows of positions in double precision. The radius is the single precision's.
  std::vector<BenchRow> measure_doubles() const {
    return measure_double_pairs(device_, group_.make_doubles(), double{cloud_.h}, empty_row(group_, &cloud_),
                                random_particles(static_cast<int>(cloud_.now.size()),
                                                 std::min(kCompared, static_cast<int>(cloud_.now.size())), 7),
                                options_, std::min(kWarmUpRounds, options_.runs));
  }

  /// One row, and a second one with lists if the search has any: on CUDA those of a step, on the CPU on request.
  std::vector<BenchRow> measure(const BenchVariant& variant) const {
    std::vector<BenchRow> rows{measure(variant, false).first};
    // Brute force with lists would only time the same pair tests again.
    // A search that scatters keeps no lists: one particle's neighbours are found by many threads.
    const bool no_lists = (device_.is_cpu() && variant.settings.method == NeighborMethod::BruteForce) ||
                          variant.sums == TileSums::Scatter;
    if (group_.builds_only || no_lists || !rows[0].measured() || interrupted()) return rows;
    auto [row, listed] = measure(variant, true);
    if (listed) rows.push_back(std::move(row));
    return rows;
  }

 private:
  ParticleCloud cloud() const { return {now_.data(), static_cast<int>(cloud_.now.size()), cloud_.domain, cloud_.h}; }

  std::pair<BenchRow, bool> measure(const BenchVariant& variant, bool lists) const {
    BenchRow row = empty_row(group_, &cloud_);
    row.method = variant.label + (lists ? ", lists" : "");
    SearchSettings settings = variant.settings;
    settings.spacing = cloud_.spacing;
    SearchMeasureInput input;
    input.cloud = cloud();
    input.lists = lists;
    input.sums = variant.sums;
    settings.list_always = lists && device_.is_cpu();
    input.runs = options_.runs;
    input.warm_up = std::min(kWarmUpRounds, options_.runs);
    input.seconds = options_.row_seconds;
    input.stop = interrupted;
    input.previous = cloud_.before.empty() ? nullptr : before_.data();
    input.in_previous_order = group_.order == CloudOrder::Previous;
    input.rebuild = variant.rebuild || input.in_previous_order;
    // A tree may be refitted only where the particles lie as a run leaves them. Otherwise every build is a full one.
    settings.tree_rebuild = input.in_previous_order ? TreeRebuild::Automatic : TreeRebuild::Always;
    if (!group_.builds_only)
      set_bucket_rebuild(settings, input.in_previous_order ? BucketBuilds::AsInARun : BucketBuilds::Full);
    try {
      const SearchMeasurement m = measure_search(device_, settings, input);
      take(row, m, check_counts(m.neighbors, particles_, expected_), options_.runs);
      return {row, m.listed};
    } catch (const Unavailable& error) {
      row.note = error.what();
    } catch (const InputError& error) {
      row.note = error.what();
    } catch (const std::exception& error) {
      throw RuntimeFailure(fmt::format("{}, {}, {}: {}", row.scenario, row.table, row.method, error.what()));
    }
    row.state = RowState::Refused;
    return {row, true};
  }

  Device device_;
  const BenchGroup& group_;
  const NeighborBenchOptions& options_;
  BenchCloud cloud_;
  Buffer<Vec4> now_, before_;
  std::vector<std::uint32_t> particles_;  ///< the compared ones
  std::vector<NeighborDigest> expected_;  ///< (particles_)
};

void measure_group(const Device& device, const BenchGroup& group, const NeighborBenchOptions& options,
                   BenchReport& report) {
  if (options.max_particles > 0 && group.particles > options.max_particles) {
    BenchRow row = empty_row(group, nullptr);
    row.state = RowState::LeftOut;
    row.method = "all";
    row.note = "left out by --max-particles " + std::to_string(options.max_particles);
    report.rows.push_back(row);
    return;
  }
  log::info(
      "{}: {}{}, {}", group.scenario, group.table,
      group.sweep.empty() ? "" : fmt::format(", {} {}", grouped(static_cast<std::int64_t>(group.value)), group.sweep),
      to_string(group.order));
  if (group.variants.empty()) {  // it has none of the requested methods
    for (const PublishedFigure& figure : group.published) report.rows.push_back(published_row(group, nullptr, figure));
    return;
  }
  try {
    const GroupMeasurement measurement(device, group, options);
    for (const BenchVariant& variant : group.variants) {
      if (interrupted()) return;
      for (BenchRow& row : measurement.measure(variant)) report.rows.push_back(std::move(row));
    }
    if (group.make_doubles)
      for (BenchRow& row : measurement.measure_doubles()) report.rows.push_back(std::move(row));
    for (const PublishedFigure& figure : group.published)
      report.rows.push_back(published_row(group, &measurement.bench_cloud(), figure));
  } catch (const Unavailable& error) {
    BenchRow row = empty_row(group, nullptr);
    row.state = RowState::Refused;
    row.method = "all";
    row.note = error.what();
    report.rows.push_back(row);
  }
}

BenchReport measure_all(const NeighborBenchOptions& options) {
  const Device device = select_device(options.device);
  BenchReport report{start_session(device, options.command_line, options.runs, std::min(kWarmUpRounds, options.runs)),
                     {}};
  const Interruption interruption;
  for (const std::string& scenario : options.scenarios)
    for (const BenchGroup& group : bench_groups(scenario, options, device))
      if (!interrupted()) measure_group(device, group, options, report);
  mark_fastest(report.rows);
  report.interrupted = interrupted();
  return report;
}

/// The file's text. @throws InputError
std::string text_of(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(fmt::format("--from {}: is a folder; a file's name is needed", file));
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in.is_open() && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in.is_open() || in.bad())
    throw InputError(
        fmt::format("--from {}: cannot be read: {}", file, errno ? std::strerror(errno) : "the reading failed"));
  return text.str();
}

BenchReport read_report(const std::string& file) {
  const std::string text = text_of(file);
  try {
    return bench_report_from(nlohmann::ordered_json::parse(text));
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(
        fmt::format("--from {}: is not a report of `riffle bench neighbors`: it is not JSON from byte {} of {} on",
                    file, error.byte, text.size()));
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format(
        "--from {}: is not a report of `riffle bench neighbors`: a number in it is larger than any double", file));
  } catch (const InputError& error) {
    throw InputError(fmt::format("--from {}: {}", file, error.what()));
  }
}

/// Refuses an output file that is the folder of the plots or the report that is read.
void require_different_files(const NeighborBenchOptions& options) {
  if (std::any_of(options.plots.begin(), options.plots.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw InputError("--plots: a folder whose name has a control character cannot be given to gnuplot");
  const std::pair<const char*, const std::string*> outputs[] = {
      {"--csv", &options.csv}, {"--json", &options.json}, {"--markdown", &options.markdown}};
  for (const auto& [option, file] : outputs) {
    if (file->empty() || *file == "-") continue;
    if (!options.plots.empty() && same_file(*file, options.plots))
      throw InputError(fmt::format("{} and --plots are the same, {}", option, *file));
    if (!options.from.empty() && same_file(*file, options.from))
      throw InputError(fmt::format("{} and --from are the same file, {}", option, *file));
    if (file != &options.markdown && !options.markdown.empty() && same_file(*file, options.markdown))
      throw InputError(fmt::format("{} and --markdown are the same file, {}", option, *file));
  }
}

}  // namespace

bool BenchReport::wrong() const {
  return std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.state == RowState::Wrong; });
}

void set_bucket_rebuild(SearchSettings& settings, BucketBuilds builds) {
  settings.bucket_rebuild = builds == BucketBuilds::Full     ? BucketRebuild::Always
                            : builds == BucketBuilds::Resort ? BucketRebuild::Never
                                                             : BucketRebuild::Automatic;
}

void mark_fastest(std::vector<BenchRow>& rows) {
  std::map<std::string, BenchRow*> best;
  for (BenchRow& row : rows) {
    row.fastest = false;
    if (row.state != RowState::Measured || row.query.median < 0) continue;  // a list alone is less than a search
    BenchRow*& held = best[fmt::format("{}/{}/{}/{}", row.scenario, row.table, row.value, row.input)];
    if (!held || row.deciding_ms() < held->deciding_ms()) held = &row;
  }
  for (auto& [group, row] : best) row->fastest = true;
}

namespace {

int bench_neighbors(const NeighborBenchOptions& given) {
  const NeighborBenchOptions options = understood(given);
  const ReportOutputs outputs{options.csv, options.json};
  require_different_files(options);
  if (!options.plots.empty()) prepare_folder(options.plots);  // first, for it may make a folder of a file's name
  outputs.prepare();
  if (!options.markdown.empty()) prepare_file(options.markdown);
  const BenchReport report = options.from.empty() ? measure_all(options) : read_report(options.from);
  outputs.deliver(bench_text(report), to_json(report), bench_csv(report));
  if (!options.markdown.empty()) write_text(options.markdown, bench_markdown(report));
  if (!options.plots.empty()) log::info("{}", write_plots(report, options.plots));
  return exit_code_or_interrupted(report.wrong() ? 1 : 0);
}

}  // namespace

CommandRow neighbors_command() {
  return command_row(
      "bench neighbors",
      "build, reorder and query of every neighbour search, beside the figures of papers and public codes",
      add_neighbor_bench_options, bench_neighbors);
}

}  // namespace riffle::bench
