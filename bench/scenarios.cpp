/// The scenarios of `riffle bench neighbors`.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/command/scene_options.h"
#include "app/run/memory_check.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "bench/double_pairs.h"
#include "bench/published/published_figures.h"
#include "bench/rows.h"
#include "core/error.h"
#include "core/text/number_text.h"
#include "neighbors/tree/tree_structures.h"
#include "scenes/catalog.h"
#include "sim/simulation.h"
#include "sim/units.h"

namespace riffle::bench {

namespace {

constexpr std::uint64_t kSeed = 20241;

bool is_h200(const Device& device) { return device_name(device).find("H200") != std::string::npos; }

/// The requested searches. Each gets a second row, with lists between reorder and query, if the device keeps lists.
void add_plain_variants(BenchGroup& group, const NeighborBenchOptions& options) {
  const auto variants = plain_variants(options, group.particles);
  group.variants.insert(group.variants.end(), variants.begin(), variants.end());
}

bool wants(const NeighborBenchOptions& options, NeighborMethod method) {
  return std::find(options.methods.begin(), options.methods.end(), method) != options.methods.end();
}

void add_h200(BenchGroup& group, const Device& device, const std::string& cloud, float radius) {
  if (!is_h200(device)) return;
  const auto figures = h200_figures(cloud, group.particles, radius);
  group.published.insert(group.published.end(), figures.begin(), figures.end());
}

/// The same cloud shuffled, in the order it was made in, and as one step later in a running simulation.
std::vector<BenchGroup> in_every_order(const BenchGroup& group, const std::function<BenchCloud()>& make) {
  std::vector<BenchGroup> groups;
  for (const CloudOrder order : {CloudOrder::Shuffled, CloudOrder::InOrder, CloudOrder::Previous}) {
    BenchGroup one = group;
    one.order = order;
    one.make = [make, order] {
      BenchCloud cloud = make();
      arrange(cloud, order == CloudOrder::Previous ? CloudOrder::Shuffled : order, kSeed + 1);
      if (order == CloudOrder::Previous) move_by_a_step(cloud, kSeed + 2);
      return cloud;
    };
    groups.push_back(std::move(one));
  }
  return groups;
}

std::vector<BenchGroup> thrust_groups(const NeighborBenchOptions& options, const Device& device) {
  std::vector<BenchGroup> groups;
  for (const std::int64_t count : {65536, 1000000}) {
    // The smaller cloud has as many neighbours per particle.
    const float h = count == 1000000 ? 0.03f : static_cast<float>(0.03 * std::cbrt(1e6 / double(count)));
    BenchGroup group;
    group.scenario = "thrust";
    group.particles = count;
    group.table = fmt::format("{} particles, r = {:.4g}", grouped(count), h);
    add_plain_variants(group, options);
    if (count == 1000000) group.published = thrust_figures();
    add_h200(group, device, "cube1M", h);
    for (BenchGroup& one : in_every_order(group, [=] { return uniform_cloud(count, 1, h, kSeed); })) {
      if (one.order == CloudOrder::InOrder) continue;  // it has no order of its own
      if (one.order == CloudOrder::Shuffled && options.positions == "double")
        one.make_doubles = [=] { return uniform_doubles(count, 1, kSeed, CloudOrder::Shuffled, kSeed + 1); };
      groups.push_back(std::move(one));
    }
  }
  return groups;
}

std::vector<BenchGroup> dense_groups(const NeighborBenchOptions& options, const Device& device) {
  std::vector<BenchGroup> groups;
  const struct {
    int nx, ny, nz;
    const char* h200;
  } sizes[] = {{40, 40, 40, ""}, {100, 100, 100, "dense1M"}, {100, 200, 200, "dense4M"}};
  for (const auto& size : sizes) {
    BenchGroup group;
    group.scenario = "dense";
    group.particles = std::int64_t{size.nx} * size.ny * size.nz;
    group.table = grouped(group.particles) + " particles";
    add_plain_variants(group, options);
    for (BenchGroup& one : in_every_order(group, [=] { return dense_lattice(size.nx, size.ny, size.nz, kSeed); })) {
      if (one.order == CloudOrder::Shuffled) add_h200(one, device, size.h200, 1);
      groups.push_back(std::move(one));
    }
  }
  return groups;
}

std::vector<BenchGroup> clustered_groups(const NeighborBenchOptions& options) {
  std::vector<BenchGroup> groups;
  const struct {
    std::int64_t count;
    float h;  ///< for about 30 neighbours on average
  } sizes[] = {{50000, 0.0107f}, {1000000, 0.00336f}};
  for (const auto& size : sizes) {
    BenchGroup group;
    group.scenario = "clustered";
    group.particles = size.count;
    group.table = grouped(group.particles) + " particles";
    add_plain_variants(group, options);
    for (BenchGroup& one : in_every_order(group, [=] { return clustered_cloud(size.count, size.h, kSeed); }))
      groups.push_back(std::move(one));
  }
  return groups;
}

}  // namespace

namespace {

/// A row of `fenns` for each number of sections and each way of summing.
void add_tile_variants(BenchVariant variant, const NeighborBenchOptions& options, std::vector<BenchVariant>& variants) {
  const std::string label = variant.label;
  for (const TileSections sections : options.sections) {
    variant.settings.sections = sections;
    for (const TileSums sums : options.sums) {
      variant.sums = sums;
      variant.label = label + (sections == TileSections::Two ? ", 2 sections" : "") +
                      (sums == TileSums::Scatter ? ", scatter" : "");
      variants.push_back(variant);
    }
  }
}

}  // namespace

std::vector<BenchVariant> plain_variants(const NeighborBenchOptions& options, std::int64_t count) {
  std::vector<BenchVariant> variants;
  for (const NeighborMethod method : options.methods) {
    if (method == NeighborMethod::BruteForce && count > kBruteForceLimit) continue;
    for (const TreeStructure structure : tree_structures(method, select_device(options.device))) {
      BenchVariant variant;
      variant.label = search_name(method, structure);
      variant.settings.method = method;
      variant.settings.structure = structure;
      if (method == NeighborMethod::Fenns)
        add_tile_variants(variant, options, variants);
      else
        variants.push_back(variant);
    }
  }
  return variants;
}

std::vector<BenchGroup> fenns_groups(int scenario, const NeighborBenchOptions& options) {
  std::vector<BenchGroup> groups;
  const float edge = scenario == 3 ? 360 : 180;
  for (const std::int64_t count : {1024, 8192, 65536, 524288, 4194304})
    for (const float h : {scenario == 3 ? 0.3f : 0.2f, 0.5f, 0.8f, 1.0f}) {
      BenchGroup group;
      group.scenario = fmt::format("fenns{}", scenario);
      group.table = fmt::format("r = {:g}", h);
      group.sweep = "particles";
      group.value = double(count);
      group.particles = count;
      add_plain_variants(group, options);
      constexpr Int3 coarse{18, 18, 18};
      if (scenario == 2)
        for (BenchVariant& variant : group.variants) variant.settings.cell_count = coarse;
      // The paper's grids, table 4: baselines have cells of 2 r.
      if (scenario != 2)
        for (const NeighborMethod method : {NeighborMethod::Green, NeighborMethod::Hoetzlein}) {
          if (!wants(options, method)) continue;
          BenchVariant variant;
          variant.label = fmt::format("{} 2r", to_string(method));
          variant.settings.method = method;
          variant.settings.cell_ratio = 2;
          group.variants.push_back(variant);
        }
      if (scenario != 2 && wants(options, NeighborMethod::Fenns)) {
        BenchVariant variant;
        variant.label = "fenns 18^3";
        variant.settings.method = NeighborMethod::Fenns;
        variant.settings.cell_count = coarse;
        add_tile_variants(variant, options, group.variants);
      }
      group.published = fenns_figures(scenario, count, h);
      group.make = [=] { return uniform_cloud(count, edge, h, kSeed); };
      groups.push_back(std::move(group));
    }
  return groups;
}

std::vector<BenchGroup> scene_groups(const NeighborBenchOptions& options, const Device& device) {
  SceneOptions scene_options;
  scene_options.scene = options.scene;
  const scenes::Scene scene = load_without_events(scene_options);
  Simulation simulation(scene.simulation, device);
  const char* const unit = units_of(scene.simulation).time;
  StepReport known = simulation.latest();
  for (std::uint64_t step = 0; known.time < options.from_time && !interrupted(); ++step) {
    simulation.step();
    known = step % 256 == 255 ? simulation.finish() : simulation.latest();
    if (step % 256 == 255 && (!std::isfinite(known.max_speed) || !(known.dt > 0)))
      throw RuntimeFailure(
          fmt::format("the scene became unstable at t = {:.6g} {}, before the measurement", known.time, unit));
  }
  if (interrupted()) return {};
  known = simulation.finish();
  const std::string failure = what_blew_up(simulation.diagnostics(), known, simulation);
  if (!failure.empty()) throw RuntimeFailure("the figures would mean nothing: " + failure);
  BenchCloud cloud{.text = fmt::format("the fluid of {} at t = {:.4g} {}", scene.name, known.time, unit),
                   .domain = scene.simulation.domain,
                   .h = scene.simulation.support_radius(),
                   .spacing = scene.simulation.spacing,
                   .now = simulation.particles().get<Vec4>("position").to_host(),
                   .before = {}};
  BenchGroup group;
  group.scenario = "scene";
  group.particles = static_cast<std::int64_t>(cloud.now.size());
  group.table = fmt::format("{}, {} particles", scene.name, grouped(group.particles));
  add_plain_variants(group, options);
  return in_every_order(group, [cloud] { return cloud; });
}

std::vector<BenchGroup> bench_groups(const std::string& scenario, const NeighborBenchOptions& options,
                                     const Device& device) {
  if (scenario == "fenns1" || scenario == "fenns2" || scenario == "fenns3") {
    const int number = scenario.back() - '0';
    auto groups = fenns_groups(number, options);
    for (BenchGroup& group : groups)
      if (number != 2) {
        for (const float h : {0.2f, 0.3f, 0.5f, 0.8f, 1.0f})
          if (group.table == fmt::format("r = {:g}", h)) add_h200(group, device, number == 1 ? "s1" : "s3", h);
      }
    return groups;
  }
  if (scenario == "bucket") return bucket_groups(options);
  if (scenario == "thrust") return thrust_groups(options, device);
  if (scenario == "dense") return dense_groups(options, device);
  if (scenario == "clustered") return clustered_groups(options);
  if (scenario == "scene") return scene_groups(options, device);
  throw InputError("'" + scenario + "' is no scenario");
}

}  // namespace riffle::bench
