/// A column of water falls and runs against a box on the floor (SPHERIC benchmark 2; Kleefsman et al. 2005): pressures on the
/// box and depths of the water, by the probes that scenes have. Everything else as scenes have it by default.
///
/// The experiment's samples, of its public trace, stand in tests/reference/allowed.csv. Of its four gauges H4 is in the
/// reservoir and H2 half way. H1 has 0.10 m of water at the moment when the front meets the box, and x = 0.496 m lies behind
/// the box. So H1 is compared with the only other place, x = 1.488 m.
///
/// Accepted: the front arrives at the box within 5 %, the first peak within 30 % as a mean over 5 ms, depths within 10 % or
/// 2 cm.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/probes/probe_meter.h"
#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr float kWaterDepth = 0.55f;    // [m]
constexpr double kSampleEvery = 0.001;  // [s] between samples
constexpr double kPeakWithin = 0.08;    // [s] after the arrival
constexpr double kArrived = 500;        // [Pa]
constexpr std::size_t kMeanOver = 5;    // samples
constexpr double kFirstDepths = 0.415;  // [s]
constexpr double kLaterDepths = 1.0;    // [s]

SimulationSetup obstacle_tank(int deep) {
  SimulationSetup setup;
  setup.domain.max = {3.22f, 1, 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = kWaterDepth / static_cast<float>(deep);
  setup.fluids.emplace_back();
  BodySetup water;
  water.min = {1.992f, 0, 0};
  water.max = {3.22f, kWaterDepth, 1};
  setup.bodies = {water};
  SolidRegion box;
  box.name = "container";
  box.min = {0.6635f, 0, 0.2955f};
  box.max = {0.8245f, 0.161f, 0.6985f};
  setup.solid_regions = {box};
  return setup;
}

ProbeSetup pressure_at(const char* name, float height) {
  return {.name = name, .at = {0.8245f, height, 0.471f}, .quantities = {Quantity::Pressure}};
}

ProbeSetup depth_at(const char* name, float x) {
  return {.name = name, .kind = ProbeKind::Level, .at = {x, 0, 0.5f}, .to = {x, 1, 0.5f}};
}

/// Columns of the samples: two pressures, then a level and a wetted length for each of three places.
enum SampleColumn : std::size_t { kP1 = 0, kP2 = 1, kHalfWay = 2, kNearWater = 4, kReservoir = 6 };

std::vector<ProbeSetup> probes_of_the_experiment() {
  return {pressure_at("P1", 0.021f), pressure_at("P2", 0.061f), depth_at("H2", 0.992f), depth_at("H1", 1.488f),
          depth_at("H4", 2.638f)};
}

double or_zero(double value) { return std::isnan(value) ? 0 : value; }

/// Centred means over 5 ms; 0 in the air.
std::vector<double> smoothed(const std::vector<ProbeSample>& samples, std::size_t column) {
  std::vector<double> means(samples.size(), 0);
  constexpr std::size_t half = kMeanOver / 2;
  for (std::size_t k = half; k + half < samples.size(); ++k) {
    for (std::size_t i = k - half; i <= k + half; ++i) means[k] += or_zero(samples[i].values[column]);
    means[k] /= double(kMeanOver);
  }
  return means;
}

struct Impact {
  double arrival = std::numeric_limits<double>::quiet_NaN();  ///< [s]
  double peak = std::numeric_limits<double>::quiet_NaN();     ///< [Pa]
};

Impact impact_at(const std::vector<ProbeSample>& samples, std::size_t column) {
  const std::vector<double> pressure = smoothed(samples, column);
  Impact impact;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (std::isnan(impact.arrival) && pressure[k] > kArrived) impact = {samples[k].time, pressure[k]};
    if (!std::isnan(impact.arrival) && samples[k].time <= impact.arrival + kPeakWithin)
      impact.peak = std::max(impact.peak, pressure[k]);
  }
  return impact;
}

double depth_when(const std::vector<ProbeSample>& samples, std::size_t column, double time) {
  for (const ProbeSample& sample : samples)
    if (sample.time >= time - 1e-6) return sample.values[column];
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<ProbeSample> samples_of(const CaseContext& context, int deep, double end) {
  Simulation simulation(context.noted(obstacle_tank(deep)), context.device);
  ProbeMeter meter(simulation, probes_of_the_experiment(), kSampleEvery);
  meter.after_step(simulation);
  run_until(simulation, end, [&](double now) {
    meter.after_step(simulation);
    context.progress(now / end, fmt::format("{} spacings deep", deep));
  });
  return meter.collect();
}

Curve curve_of(const char* name, const char* title, const char* y_label) {
  Curve curve;
  curve.name = name;
  curve.title = title;
  curve.x_label = "t [s]";
  curve.y_label = y_label;
  return curve;
}

void add(Curve& curve, const std::string& label, const std::vector<ProbeSample>& samples, std::size_t column) {
  Series series{label, {}, {}};
  for (const ProbeSample& sample : samples) {
    series.x.push_back(sample.time);
    series.y.push_back(or_zero(sample.values[column]));
  }
  curve.measured.push_back(std::move(series));
}

CaseResult run_wave_obstacle(const CaseContext& context) {
  const std::vector<int> depths = context.full() ? std::vector<int>{16, 30} : std::vector<int>{16};
  const double end = context.full() ? 1.01 : 0.52;
  CaseResult result;
  Curve pressure = curve_of("pressure_p1", "Pressure at P1", "p [Pa]");
  Curve depth = curve_of("depth_h2", "Depth at x = 0.992 m", "depth [m]");
  for (std::size_t k = 0; k < depths.size(); ++k) {
    const double count = double(depths.size());
    const std::string at = fmt::format("{} spacings deep", depths[k]);
    const std::vector<ProbeSample> samples =
        samples_of(context.part(double(k) / count, double(k + 1) / count), depths[k], end);
    for (const auto& [column, name] : {std::pair(kP1, "P1"), std::pair(kP2, "P2")}) {
      const Impact impact = impact_at(samples, column);
      result.checks.push_back(context.check(fmt::format("arrival at {}, {}", name, at), impact.arrival));
      result.checks.push_back(
          context.check(fmt::format("first peak at {}, mean over 5 ms, {}", name, at), impact.peak));
    }
    for (const double time : {kFirstDepths, kLaterDepths}) {
      if (time > end) continue;
      for (const auto& [column, place] :
           {std::pair(kHalfWay, "0.992"), std::pair(kNearWater, "1.488"), std::pair(kReservoir, "2.638")})
        result.checks.push_back(context.check(fmt::format("depth at x = {} m after {:g} s, {}", place, time, at),
                                              depth_when(samples, column, time)));
    }
    add(pressure, at, samples, kP1);
    add(depth, at, samples, kHalfWay);
  }
  pressure.reference.push_back({"peak in the experiment", {0.415}, {11239}});
  depth.reference.push_back({"experiment", {kFirstDepths, kLaterDepths}, {0.0557, 0.1791}});
  result.curves = {pressure, depth};
  return result;
}

}  // namespace

ValidationCase wave_obstacle_case() {
  return {"wave_obstacle", "a dam break onto an obstacle", "water 16 spacings deep, until the wave has met the box",
          "water 16 and 30 spacings deep, 1 s", run_wave_obstacle};
}

}  // namespace riffle
