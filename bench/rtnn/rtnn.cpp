/// `riffle bench rtnn`: what figures 5, 7, 8 and 12 to 16 of Zhu 2022 measure, on any cloud, in each structure. In place of
/// the grids of its figure 11 there is this program's own; its other libraries are not among the rows.

#include "bench/rtnn/rtnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "app/command/command.h"
#include "app/terminal/signals.h"
#include "bench/clouds/generated.h"
#include "bench/clouds/point_file.h"
#include "bench/rtnn/output.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"

namespace riffle::bench {

namespace {

RtnnCloud load_cloud(const std::string& name, const RtnnBenchOptions& options) {
  RtnnCloud cloud;
  cloud.name = name;
  if (const auto kind = cloud_kind_from(name)) {
    for (const CloudKindInfo& info : cloud_kinds())
      if (info.kind == *kind) cloud.text = info.text;
    cloud.points = generate_cloud(*kind, options.count, options.seed);
    return cloud;
  }
  PointFile file = read_points(name, options.drop_bad_points ? BadPoints::Drop : BadPoints::Refuse);
  if (file.dropped > 0)
    log::warn("{}: {} points are left out, the first of them {}", name, grouped(file.dropped), file.first_dropped);
  if (file.points.empty()) throw InputError(fmt::format("{}: has no points to search", name));
  const double* o = file.origin;
  if (o[0] != 0 || o[1] != 0 || o[2] != 0)
    log::info("{}: ({}, {}, {}) is taken off every point, to keep what single precision would lose", name, o[0], o[1],
              o[2]);
  cloud.text = "a file's points";
  cloud.points = std::move(file.points);
  cloud.dropped = file.dropped;
  cloud.first_dropped = file.first_dropped;
  std::copy_n(file.origin, 3, cloud.origin);
  return cloud;
}

/// Rounded so that it can be typed. Points that are all at one place would give a radius below the smallest allowed.
float rounded(double radius) {
  return std::strtof(fmt::format("{:.3g}", std::clamp(radius, 1e-18, 1e18)).c_str(), nullptr);
}

std::vector<float> radii_for(const std::vector<Vec4>& points, const std::vector<double>& means, std::uint64_t seed) {
  std::vector<Vec4> asking;
  for (const std::uint32_t i :
       random_particles(static_cast<int>(points.size()), std::min(256, static_cast<int>(points.size())), seed))
    asking.push_back(points[i]);
  std::vector<float> radii;
  for (const double r : radii_of_mean_counts(points, asking, means)) {
    const float radius = rounded(r);
    if (std::find(radii.begin(), radii.end(), radius) == radii.end()) radii.push_back(radius);
  }
  return radii;
}

/// Radius, K and leaf of every case.
struct Setting {
  float radius;
  int neighbors, leaf;
};

std::vector<Setting> settings_of(const RtnnCloud& cloud, const RtnnBenchOptions& options) {
  std::vector<Setting> settings;
  if (options.sweeps("radius")) {
    for (const float r : radii_for(cloud.points, {4, 8, 16, 32, 64, 128, 256, 512}, options.seed))
      settings.push_back({r, options.neighbors, options.leaf});
    return settings;
  }
  const float radius = options.radius > 0 ? static_cast<float>(options.radius)
                                          : radii_for(cloud.points, {kRtnnMeanCount}, options.seed).front();
  if (options.sweeps("neighbors"))
    for (int k = 1; k <= 128; k *= 2) settings.push_back({radius, k, options.leaf});
  else if (options.sweeps("leaf"))
    for (int leaf = 1; leaf <= 32; leaf *= 2) settings.push_back({radius, options.neighbors, leaf});
  else if (options.sweeps("width"))
    for (int quarters = 1; quarters <= 8; ++quarters)
      settings.push_back({rounded(0.25 * quarters * double{radius}), options.neighbors, options.leaf});
  else
    settings.push_back({radius, options.neighbors, options.leaf});
  return settings;
}

std::vector<RtnnTask> tasks_of(const RtnnBenchOptions& options) {
  if (options.sweeps("boxes")) return {RtnnTask::Range};  // the trees are the same
  std::vector<RtnnTask> tasks;
  if (options.range()) tasks.push_back(RtnnTask::Range);
  if (options.knn()) tasks.push_back(RtnnTask::Knn);
  // It has no K, no boxes, and no queries but the points.
  if (options.range() && (options.sweeps("none") || options.sweeps("radius") || options.sweeps("leaf")))
    tasks.push_back(RtnnTask::Count);
  return tasks;
}

/// The queries of a cloud in one order, or so many of them, or so many points. They take memory when they are measured.
struct Asked {
  std::string order;
  std::function<RtnnInput()> input;
};

/// A query in each cell of a cube of cells, in their order and at random (figure 5).
void add_raster(const RtnnCloud& cloud, const RtnnBenchOptions& options, std::vector<Asked>& all) {
  const double most = std::cbrt(double(cloud.points.size()));
  const auto sorted = std::make_shared<PointsByX>();
  for (const double share : {0.01, 0.03, 0.1, 0.3, 1.0}) {
    const int per_axis = std::max(1, static_cast<int>(std::lround(most * std::cbrt(share))));
    const auto queries = [&cloud, &options, per_axis] { return raster_queries(cloud.points, per_axis, options.seed); };
    all.push_back(
        {"raster", [=, &cloud, &options] { return RtnnInput(cloud.points, queries(), options.seed, sorted); }});
    all.push_back({"random", [=, &cloud, &options] {
                     std::vector<Vec4> some = queries();
                     const std::size_t count = some.size();
                     return RtnnInput(cloud.points, shuffled_points(std::move(some), count, options.seed), options.seed,
                                      sorted);
                   }});
  }
}

/// Trees of a sixth of the points and more, and one query (figure 15).
void add_numbers_of_boxes(const RtnnCloud& cloud, const RtnnBenchOptions& options, std::vector<Asked>& all) {
  for (std::size_t sixths = 1; sixths <= 6; ++sixths) {
    const std::size_t count = std::max<std::size_t>(1, cloud.points.size() * sixths / 6);
    all.push_back({"shuffled", [count, &cloud, &options] {
                     std::vector<Vec4> some = shuffled_points(cloud.points, count, options.seed);
                     const Vec4 query = some.front();
                     return RtnnInput(std::move(some), {query}, options.seed);
                   }});
  }
}

std::vector<Asked> inputs_of(const RtnnCloud& cloud, const RtnnBenchOptions& options) {
  std::vector<Asked> all;
  if (options.sweeps("queries")) {
    add_raster(cloud, options, all);
    return all;
  }
  if (options.sweeps("boxes")) {
    add_numbers_of_boxes(cloud, options, all);
    return all;
  }
  if (options.shuffled())
    all.push_back({"shuffled", [&] {
                     return RtnnInput(shuffled_points(cloud.points, cloud.points.size(), options.seed), options.seed);
                   }});
  if (options.in_order()) all.push_back({"in order", [&] { return RtnnInput(cloud.points, options.seed); }});
  return all;
}

std::string case_text(const RtnnCase& one) {
  std::string text = fmt::format("{}, {}: {}", one.cloud->name, one.input, to_string(one.task));
  if (one.task != RtnnTask::Count) text += fmt::format(" in {}", to_string(one.structure));
  text += fmt::format(", r = {:g}", one.radius);
  if (one.neighbors > 0) text += fmt::format(", K = {}", one.neighbors);
  if (one.leaf > 0) text += fmt::format(", {} per leaf", one.leaf);
  return text;
}

void measure_input(const Device& device, const RtnnCloud& cloud, const std::string& order, RtnnInput& input,
                   const std::vector<Setting>& settings, const RtnnBenchOptions& options, RtnnReport& report,
                   RtnnOutput& output) {
  const std::string sweep = options.sweeps("none") ? "" : options.sweep;
  for (const RtnnTask task : tasks_of(options))
    for (const Setting& setting : settings)
      for (const PointStructure structure : options.searched()) {
        if (interrupted()) return;
        if (task == RtnnTask::Count && structure != options.searched().front()) continue;  // it has its own
        RtnnCase one{&cloud,       order,          structure,
                     task,         setting.radius, setting.neighbors,
                     setting.leaf, sweep,          rtnn_variants(task, structure, sweep)};
        if (task == RtnnTask::Count)
          one.neighbors = 0;
        else if (one.neighbors == 0)
          one.neighbors = task == RtnnTask::Range ? 32 : 8;
        log::info("{}", case_text(one));
        for (RtnnRow& row : measure_case(device, one, input, options, report.rows))
          report.rows.push_back(std::move(row));
        output.add(report);
      }
}

void measure_cloud(const Device& device, const RtnnCloud& cloud, const RtnnBenchOptions& options, RtnnReport& report,
                   RtnnOutput& output) {
  const std::vector<Setting> settings = settings_of(cloud, options);
  for (const Asked& asked : inputs_of(cloud, options)) {
    if (interrupted()) return;
    RtnnInput input = asked.input();
    measure_input(device, cloud, asked.order, input, settings, options, report, output);
  }
}

/// Those that the rows' bundles were chosen by.
std::vector<RtnnCosts> costs_of(const Device& device, const RtnnBenchOptions& options, const RtnnReport& report) {
  std::vector<RtnnCosts> costs;
  for (const PointStructure structure : options.searched())
    if (structure != PointStructure::Points &&
        std::any_of(report.rows.begin(), report.rows.end(), [&](const RtnnRow& row) {
          return row.structure == to_string(structure) && row.measured() && row.variant.ends_with("Bundle");
        }))
      costs.push_back({structure, box_costs(device, structure)});
  return costs;
}

void measure_clouds(const Device& device, std::vector<RtnnCloud>& clouds, const RtnnBenchOptions& options,
                    RtnnReport& report, RtnnOutput& output) {
  const Interruption interruption;
  for (RtnnCloud& cloud : clouds) {
    if (interrupted()) break;
    measure_cloud(device, cloud, options, report, output);
    report.cloud_points.push_back(static_cast<std::int64_t>(cloud.points.size()));
    cloud.points.clear();
    report.clouds.push_back(std::move(cloud));
  }
  report.interrupted = interrupted();
}

}  // namespace

bool RtnnReport::wrong() const {
  return std::any_of(rows.begin(), rows.end(), [](const RtnnRow& row) { return row.state == RtnnState::Wrong; });
}

std::vector<RtnnVariant> rtnn_variants(RtnnTask task, PointStructure structure, const std::string& sweep) {
  std::vector<RtnnVariant> variants;
  const auto add = [&](const char* name, const PointSearchSettings& settings, const char* approximation = "") {
    variants.push_back({name, settings, approximation, std::nullopt});
  };
  if (task == RtnnTask::Count) {
    for (const NeighborMethod method : {NeighborMethod::Rtnn, NeighborMethod::Green})
      variants.push_back({std::string(to_string(method)), {}, "", method});
    return variants;
  }
  PointSearchSettings none{.order = QueryOrder::AsGiven}, sched{.order = QueryOrder::FirstHit}, partition = sched;
  partition.partition = true;
  PointSearchSettings bundle = partition;
  bundle.bundle = true;
  if (sweep != "parts") add("NoOpt", none);
  if (sweep == "queries" || sweep == "boxes") return variants;
  if (sweep != "parts") add("Sched", sched);
  if (sweep == "width") return variants;
  add("Sched+Partition", partition);
  add("Sched+Partition+Bundle", bundle);
  if (sweep == "parts") return variants;
  if (structure != PointStructure::Points && sweep.empty()) {
    add("Oracle", sched);
    variants.back().oracle = true;
  }
  add("Morton", {.order = QueryOrder::Morton});
  if (structure == PointStructure::Points) {
    add("grid", {.order = QueryOrder::Morton});
    variants.back().grid = true;
  }
  if (!sweep.empty()) return variants;
  if (task == RtnnTask::Knn) {
    bundle.reach = MegacellReach::EqualVolume;
    add("... equal volume", bundle, "searched as far as a ball of the megacell's volume reaches");
    return variants;
  }
  PointSearchSettings boxes = sched, narrow = sched;
  boxes.sphere_test = false;
  narrow.box_scale = 0.8f;
  add("Sched, no sphere test", boxes, "what is in a box of half-width r is taken, up to sqrt(3) r away");
  add("Sched, boxes of 0.8 r", narrow, "what is in the ball and in a box of half-width 0.8 r");
  return variants;
}

std::vector<RtnnBuildFit> build_fits(const std::vector<RtnnRow>& rows) {
  struct Times {
    std::vector<double> boxes, ms;
  };
  std::map<std::pair<std::string, std::string>, Times> all;  // by cloud and structure
  for (const RtnnRow& row : rows) {
    if (row.sweep != "boxes" || !row.measured() || row.bvh.median < 0) continue;
    Times& times = all[{row.cloud, row.structure}];
    times.boxes.push_back(double(row.points));
    times.ms.push_back(row.bvh.median);
  }
  std::vector<RtnnBuildFit> fits;
  for (const auto& [key, times] : all)
    if (times.boxes.front() < times.boxes.back())
      fits.push_back({key.first, key.second, fit_line(times.boxes, times.ms)});
  return fits;
}

namespace {

int bench_rtnn(const RtnnBenchOptions& given) {
  const RtnnBenchOptions options = understood(given);
  RtnnOutput output({options.csv, options.json});
  const Device device = select_device(options.device);
  for (const PointStructure structure : kPointStructures)  // by `all`, what the device lacks is a refused row
    if (std::find(options.structures.begin(), options.structures.end(), to_string(structure)) !=
        options.structures.end())
      require_structure(device, structure);
  RtnnReport report{start_session(device, options.command_line, options.runs, std::min(kRtnnWarmUp, options.runs)),
                    {},
                    {},
                    {},
                    {},
                    {}};
  std::vector<RtnnCloud> clouds;  // all are read first, so that a bad file is found before hours of measuring
  for (const std::string& name : options.clouds) clouds.push_back(load_cloud(name, options));
  output.begin(report, clouds);
  measure_clouds(device, clouds, options, report, output);
  report.fits = build_fits(report.rows);
  report.costs = costs_of(device, options, report);
  output.end(report);
  return exit_code_or_interrupted(report.wrong() ? 1 : 0);
}

}  // namespace

CommandRow rtnn_command() {
  return command_row(
      "bench rtnn", "range search and nearest neighbours in point clouds by a tree of boxes: each optimisation's share",
      add_rtnn_bench_options, bench_rtnn);
}

}  // namespace riffle::bench
