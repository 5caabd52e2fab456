/// `riffle bench rtnn`: what figures 12 to 14 of Zhu 2022 measure, on any cloud, with this program's own tree. In place of
/// the grids of its figure 11 there is this program's own; its other libraries and the oracle of figure 13 are not among the
/// rows.

#include "bench/rtnn/rtnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/command/command.h"
#include "app/report/outputs.h"
#include "app/terminal/signals.h"
#include "bench/clouds/generated.h"
#include "bench/clouds/point_file.h"
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
  if (options.sweep == "radius") {
    std::vector<Setting> settings;
    for (const float r : radii_for(cloud.points, {4, 8, 16, 32, 64, 128, 256, 512}, options.seed))
      settings.push_back({r, options.neighbors, options.leaf});
    return settings;
  }
  const float radius = options.radius > 0 ? static_cast<float>(options.radius)
                                          : radii_for(cloud.points, {kRtnnMeanCount}, options.seed).front();
  if (options.sweep == "none") return {{radius, options.neighbors, options.leaf}};
  std::vector<Setting> settings;
  if (options.sweep == "neighbors")
    for (int k = 1; k <= 128; k *= 2) settings.push_back({radius, k, options.leaf});
  else
    for (int leaf = 1; leaf <= 32; leaf *= 2) settings.push_back({radius, options.neighbors, leaf});
  return settings;
}

std::vector<RtnnTask> tasks_of(const RtnnBenchOptions& options) {
  std::vector<RtnnTask> tasks;
  if (options.range()) tasks.push_back(RtnnTask::Range);
  if (options.knn()) tasks.push_back(RtnnTask::Knn);
  if (options.range() && options.sweep != "neighbors") tasks.push_back(RtnnTask::Count);  // it has no K
  return tasks;
}

void measure_cloud(const Device& device, const RtnnCloud& cloud, const RtnnBenchOptions& options, RtnnReport& report) {
  const std::vector<Setting> settings = settings_of(cloud, options);
  const std::string sweep = options.sweep == "none" ? "" : options.sweep;
  for (const bool shuffled : {true, false}) {
    if (!(shuffled ? options.shuffled() : options.in_order())) continue;
    RtnnInput input(cloud, shuffled, options.seed);
    for (const RtnnTask task : tasks_of(options))
      for (const Setting& setting : settings) {
        if (interrupted()) return;
        RtnnCase one{&cloud,
                     shuffled,
                     task,
                     setting.radius,
                     setting.neighbors,
                     setting.leaf,
                     sweep,
                     rtnn_variants(task, sweep.empty())};
        if (task == RtnnTask::Count)
          one.neighbors = 0;
        else if (one.neighbors == 0)
          one.neighbors = task == RtnnTask::Range ? 32 : 8;
        log::info("{}, {}: {}, r = {:g}{}{}", cloud.name, shuffled ? "shuffled" : "in order", to_string(task),
                  one.radius, one.neighbors > 0 ? fmt::format(", K = {}", one.neighbors) : "",
                  one.leaf > 0 ? fmt::format(", {} per leaf", one.leaf) : "");
        for (RtnnRow& row : measure_case(device, one, input, options)) report.rows.push_back(std::move(row));
      }
  }
}

void measure_clouds(const Device& device, std::vector<RtnnCloud>& clouds, const RtnnBenchOptions& options,
                    RtnnReport& report) {
  const Interruption interruption;
  for (RtnnCloud& cloud : clouds) {
    if (interrupted()) break;
    measure_cloud(device, cloud, options, report);
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

std::vector<RtnnVariant> rtnn_variants(RtnnTask task, bool approximations) {
  std::vector<RtnnVariant> variants;
  const auto add = [&](const char* name, PointSearchSettings settings, const char* approximation = "") {
    variants.push_back({name, settings, approximation, std::nullopt, false});
  };
  if (task == RtnnTask::Count) {
    for (const NeighborMethod method : {NeighborMethod::Rtnn, NeighborMethod::Green})
      variants.push_back({std::string(to_string(method)), {}, "", method, false});
    return variants;
  }
  PointSearchSettings none{.order = QueryOrder::AsGiven}, sched{.order = QueryOrder::FirstHit}, partition = sched;
  partition.partition = true;
  PointSearchSettings bundle = partition;
  bundle.bundle = true;
  add("NoOpt", none);
  add("Sched", sched);
  add("Sched+Partition", partition);
  add("Sched+Partition+Bundle", bundle);
  add("Morton", {.order = QueryOrder::Morton});
  add("grid", {.order = QueryOrder::Morton});
  variants.back().grid = true;
  if (!approximations) return variants;
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

namespace {

int bench_rtnn(const RtnnBenchOptions& given) {
  const RtnnBenchOptions options = understood(given);
  const ReportOutputs outputs{options.csv, options.json};
  outputs.prepare();
  const Device device = select_device(options.device);
  RtnnReport report{
      start_session(device, options.command_line, options.runs, std::min(kRtnnWarmUp, options.runs)), {}, {}, {}};
  std::vector<RtnnCloud> clouds;  // all are read first, so that a bad file is found before hours of measuring
  for (const std::string& name : options.clouds) clouds.push_back(load_cloud(name, options));
  measure_clouds(device, clouds, options, report);
  outputs.deliver(rtnn_text(report), to_json(report), rtnn_csv(report));
  return exit_code_or_interrupted(report.wrong() ? 1 : 0);
}

}  // namespace

CommandRow rtnn_command() {
  return command_row(
      "bench rtnn", "range search and nearest neighbours in point clouds by a tree of boxes: each optimisation's share",
      add_rtnn_bench_options, bench_rtnn);
}

}  // namespace riffle::bench
