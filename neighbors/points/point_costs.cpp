#include "neighbors/points/point_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "neighbors/points/point_search.h"

namespace riffle {

namespace {

constexpr int kCostRuns = 4;  // the first one warms up

std::vector<Vec4> uniform_cube(int n) {
  std::vector<Vec4> cloud(static_cast<std::size_t>(n));
  std::uint32_t bits = 1;
  const auto random = [&] { return static_cast<float>((bits = bits * 1664525u + 1013904223u) >> 8) * 0x1p-24f; };
  for (Vec4& p : cloud) p = {random(), random(), random(), 0};
  return cloud;
}

/// Half the edge of a cube that holds so many of n points.
double half_edge_for(double held, int n) { return std::cbrt(held / n) / 2; }

/// The least time of a stage of work(), which is called several times.
double stage_time(const Device& device, PointSearch& search, const char* stage, const std::function<void(int)>& work) {
  StageTimer timer(device);
  search.time_stages(&timer);
  double least = 1e30;
  for (int run = 0; run < kCostRuns; ++run) {
    timer.reset();
    work(run);
    timer.collect(true);
    double sum = 0;
    for (const StageStats& s : timer.stats())
      if (s.name == stage) sum += s.mean_ms * double(s.count);
    if (run > 0) least = std::min(least, sum);
  }
  search.time_stages(nullptr);
  return least;
}

/// Searches of a uniform cube by all of its points.
class CostCloud {
 public:
  CostCloud(const Device& device, PointStructure structure, int n)
      : device_(device), n_(n), points_(device, uniform_cube(n)), search_(device), matches_(device), counts_(device) {
    settings_.structure = structure;
    search_.build(points_.data(), n, 3);
  }

  /// Of the boxes of one search, whose width changes from run to run so that none is kept. For the points' own tree,
  /// which has none: of the search of one query.
  double build_time() {
    const char* stage = settings_.structure == PointStructure::Points ? "search" : "bvh";
    return stage_time(device_, search_, stage, [&](int run) {
      const double radius = half_edge_for(16, n_) * (1 + 0.01 * run);
      search_.range_search(points_.data(), 1, static_cast<float>(radius), 1, settings_, matches_);
    });
  }

  /// Of one more point tested: boxes of about 128 points compared with those of about 16.
  double call_time(bool nearest, bool sphere) {
    const Costs near = costs_within(half_edge_for(16, n_), nearest, sphere),
                far = costs_within(half_edge_for(128, n_), nearest, sphere);
    return std::max(far.time - near.time, 1e-9) / std::max(far.calls - near.calls, 1.0);
  }

 private:
  struct Costs {
    double time, calls;
  };

  Costs costs_within(double radius, bool nearest, bool sphere) {
    PointSearchSettings settings = settings_;
    settings.sphere_test = sphere;
    settings.count = true;  // so that every candidate is tested
    const auto ask = [&](int) {
      if (nearest)
        search_.knn(points_.data(), n_, 8, static_cast<float>(radius), settings, matches_);
      else
        search_.range_search(points_.data(), n_, static_cast<float>(radius), 1, settings, matches_);
    };
    Costs costs{stage_time(device_, search_, "search", ask), 0};
    search_.count_work(&counts_);
    ask(0);
    search_.count_work(nullptr);
    for (const std::uint32_t calls : counts_.calls.to_host()) costs.calls += calls;
    return costs;
  }

  Device device_;
  int n_;
  Buffer<Vec4> points_;
  PointSearch search_;
  PointMatches matches_;
  SearchCounts counts_;
  PointSearchSettings settings_;
};

int call_points(const Device& device) { return device.is_cuda() ? 1 << 18 : 1 << 13; }

BoxCosts measure_box_costs(const Device& device, PointStructure structure) {
  const int few = device.is_cuda() ? 1 << 18 : 1 << 15, many = 8 * few;
  const double build = CostCloud(device, structure, few).build_time(),
               large_build = CostCloud(device, structure, many).build_time();
  CostCloud cloud(device, structure, call_points(device));
  BoxCosts costs;
  costs.box = std::max(large_build - build, 0.0) / (many - few);
  costs.start = std::max(build - costs.box * few, 0.0);
  costs.nearest = cloud.call_time(true, true);
  costs.call = cloud.call_time(false, false);
  costs.sphere_call = cloud.call_time(false, true);
  return costs;
}

/// In one tree for all bundles, the cost of a bundle is that of a launch. Its kernel makes the sphere test in all boxes;
/// the ratio of the paper's costs with and without it (appendix A: 20:1 and 2:1) stands for the points outside the sphere.
BundleCosts measure_launch_costs(const Device& device) {
  CostCloud cloud(device, PointStructure::Points, call_points(device));
  return {.build = cloud.build_time(), .test = cloud.call_time(false, true), .whole = 10};
}

std::recursive_mutex measuring;

}  // namespace

BundleCosts BoxCosts::bundle_costs(std::int64_t boxes, QueryEnd end) const {
  const double build = start + box * double(boxes);
  if (end == QueryEnd::Nearest) return {.build = build, .test = nearest, .whole = 1};
  return {.build = build, .test = call, .whole = std::max(sphere_call / call, 1.0)};
}

const BoxCosts& box_costs(const Device& device, PointStructure structure) {
  static std::map<std::tuple<DeviceKind, int, PointStructure>, BoxCosts> known;
  const std::lock_guard lock(measuring);
  const std::tuple key{device.kind, device.ordinal, structure};
  if (!known.contains(key)) known[key] = measure_box_costs(device, structure);
  return known[key];
}

BundleCosts bundle_costs_of(const Device& device, PointStructure structure, std::int64_t points, QueryEnd end) {
  if (structure != PointStructure::Points) return box_costs(device, structure).bundle_costs(points, end);
  static std::map<std::pair<DeviceKind, int>, BundleCosts> known;
  const std::lock_guard lock(measuring);
  const std::pair key{device.kind, device.ordinal};
  if (!known.contains(key)) known[key] = measure_launch_costs(device);
  return known[key];
}

}  // namespace riffle
