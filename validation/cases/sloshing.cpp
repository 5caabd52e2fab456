/// A tank sways at half of its first natural frequency, from rest. Everything as scenes have it by default. The way of the water's
/// centre of mass along the tank is compared with linear potential theory (Faltinsen and Timokha, Sloshing, 2009): the
/// mode n of the surface, cos(n pi x / L), follows
///
///   b_n'' + w_n^2 b_n = -P_n X'',  w_n^2 = g k tanh(k h),  k = n pi / L,  P_n = 2 / (n pi) tanh(k h) ((-1)^n - 1)
///
/// in a tank of length L filled to h, x from its left end, whose place is X = A sin(w t).
///
/// Accepted, with WCSPH: a relative L2 difference of 5 % over two natural periods, at full size over four, and the largest
/// way within 5 %. DFSPH and PBF are reported.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/simulation.h"
#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kTankLength = 1.05, kFilledTo = 0.35, kTankGravity = 9.81;  // L, h [m], g [m/s^2]
constexpr double kSway = 0.06;                                               // A [m]
constexpr double kFrequency = 0.5;                                           // w over w_1
constexpr int kPeriods = 4;                                                  // that are compared [natural ones]
constexpr int kSamplesPerPeriod = 40;
constexpr int kModes = 41;

/// [1/s] w_n
double mode_frequency(int mode) {
  const double k = mode * std::numbers::pi / kTankLength;
  return std::sqrt(kTankGravity * k * std::tanh(k * kFilledTo));
}

/// [m] Of the centre of mass along the tank. The tank begins at full speed, and the water with it.
double way_of_theory(double t) {
  const double w = kFrequency * mode_frequency(1);
  double way = 0;
  for (int mode = 1; mode <= kModes; mode += 2) {  // even modes leave the centre where it is
    const double n_pi = mode * std::numbers::pi, own = mode_frequency(mode);
    const double forcing = -4 / n_pi * std::tanh(n_pi * kFilledTo / kTankLength) * kSway * w * w;
    const double b = forcing * (std::sin(w * t) - w / own * std::sin(own * t)) / (own * own - w * w);
    way += b * -2 * kTankLength / (n_pi * n_pi * kFilledTo);
  }
  return way;
}

SimulationSetup swaying_tank(SolverKind solver, int deep) {
  SimulationSetup setup;
  setup.solver = solver;
  setup.domain.dimension = 2;
  setup.domain.min = {0, 0, 0};
  setup.domain.max = {static_cast<float>(kTankLength), static_cast<float>(1.5 * kFilledTo), 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.gravity = {0, -static_cast<float>(kTankGravity), 0};
  setup.spacing = static_cast<float>(kFilledTo / deep);
  setup.fluids.emplace_back();
  setup.bodies.emplace_back().max = {static_cast<float>(kTankLength), static_cast<float>(kFilledTo), 1};
  setup.tank.given = true;
  setup.tank.sway_amplitude = {static_cast<float>(kSway), 0, 0};
  setup.tank.sway.period = static_cast<float>(2 * std::numbers::pi / (kFrequency * mode_frequency(1)));
  return setup;
}

double centre_of(const Simulation& simulation) {
  const std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host();
  double sum = 0;
  for (const Vec4& x : position) sum += x.x;
  return sum / static_cast<double>(position.size());
}

struct Ways {
  std::vector<double> t, measured, exact;  ///< [s] [m] [m]
};

Ways ways_of(const CaseContext& context, SolverKind solver, int deep) {
  Simulation simulation(context.noted(swaying_tank(solver, deep)), context.device);
  const double end = kPeriods * 2 * std::numbers::pi / mode_frequency(1), first = centre_of(simulation);
  const int moments = kPeriods * kSamplesPerPeriod;
  Ways ways;
  for (int k = 0; k <= moments; ++k) {
    const double time = end * k / moments;
    if (k > 0) run_until(simulation, time, [&](double t) { context.progress(t / end, to_string(solver)); });
    ways.t.push_back(time);
    ways.measured.push_back(centre_of(simulation) - first);
    ways.exact.push_back(way_of_theory(time));
  }
  return ways;
}

double largest_of(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

/// Relative, over so many samples.
double difference(const Ways& ways, std::size_t samples) {
  double difference2 = 0, sum2 = 0;
  for (std::size_t k = 0; k <= samples; ++k) {
    difference2 += std::pow(ways.measured[k] - ways.exact[k], 2);
    sum2 += std::pow(ways.exact[k], 2);
  }
  return std::sqrt(difference2 / sum2);
}

CaseResult run_sloshing(const CaseContext& context) {
  const int deep = context.full() ? 60 : 20;
  const std::string text = fmt::format("{} deep", deep);
  CaseResult result;
  Curve curve{"centre", "Way of the water's centre in a swaying tank", "t [s]", "way [m]", {}, {}};
  constexpr SolverKind kSolvers[] = {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf};
  for (int s = 0; s < 3; ++s) {
    const SolverKind solver = kSolvers[s];
    const Ways ways = ways_of(context.part(s / 3.0, (s + 1) / 3.0), solver, deep);
    const std::string name = fmt::format("{}, {}", to_string(solver), text);
    for (const int periods : {2, kPeriods})
      result.checks.push_back(context.check(fmt::format("L2 difference in {} natural periods, {}", periods, name),
                                            difference(ways, static_cast<std::size_t>(periods * kSamplesPerPeriod))));
    result.checks.push_back(context.check("largest way of the centre over theory's, " + name,
                                          largest_of(ways.measured) / largest_of(ways.exact)));
    curve.measured.push_back({name, ways.t, ways.measured});
    if (curve.reference.empty()) curve.reference.push_back({"linear theory", ways.t, ways.exact});
  }
  result.curves.push_back(std::move(curve));
  return result;
}

}  // namespace

ValidationCase sloshing_case() {
  return {"sloshing", "a tank sways at half of its natural frequency (2-D)", "20 spacings deep", "60 spacings deep",
          run_sloshing};
}

}  // namespace riffle
