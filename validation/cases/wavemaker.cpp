/// A piston in a tank makes regular waves, kd = 1 and H/d = 0.1, which end in a damping zone. Everything as scenes have it
/// by default. Level probes at three to five depths from the piston measure the wave between start-up and the first
/// reflection: the amplitude of the first harmonic over whole periods, fitted with the mean and the second harmonic.
///
/// Accepted: height over stroke within 5 % of the theory of wavemakers (Dean and Dalrymple 1991) at each probe.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/motion/wavemaker.h"
#include "sim/probes/probe_meter.h"
#include "validation/cases.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr float kDepth = 0.4f;                    // d [m]
constexpr double kKd = 1, kGravityOfTank = 9.81;  // k d
constexpr double kProbesAt[] = {3, 4, 5};         // [d] from the piston at rest
constexpr double kRoomBeforeZone = 2;             // [d] between the last probe and the damping zone
constexpr double kSettling = 0.5;  // [T] from the end of the ramp to the first sample, beyond the way there
constexpr int kSamplesPerPeriod = 50;

struct Tank {
  int per_height;  ///< particles per wave height
  int periods;     ///< that are measured
  std::string text() const { return fmt::format("{} particles per wave height", per_height); }
};

double period() { return 2 * std::numbers::pi / std::sqrt(kGravityOfTank * kKd / kDepth * std::tanh(kKd)); }
double wavelength() { return 2 * std::numbers::pi * kDepth / kKd; }
/// d omega / d k
double group_speed() { return 0.5 * wavelength() / period() * (1 + 2 * kKd / std::sinh(2 * kKd)); }

SimulationSetup tank_setup(const Tank& tank) {
  SimulationSetup setup;
  const auto zone_from = static_cast<float>((kProbesAt[2] + kRoomBeforeZone) * kDepth),
             end = zone_from + static_cast<float>(wavelength());
  const float height = 0.1f * kDepth, piston = 0.5f * kDepth;
  setup.domain.dimension = 2;
  setup.domain.min = {-piston, 0, 0};
  setup.domain.max = {end, 1.5f * kDepth, 1};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.gravity = {0, -static_cast<float>(kGravityOfTank), 0};
  setup.spacing = height / static_cast<float>(tank.per_height);
  setup.fluids.emplace_back();
  setup.bodies.emplace_back().max = {end, kDepth, 1};
  SolidRegion& wall = setup.solid_regions.emplace_back();
  wall.name = "piston";
  wall.min = {-2 * piston, 0, 0};
  wall.max = {0, 1.5f * kDepth, 0};
  wall.drive.given = true;
  wall.drive.ramp = static_cast<float>(period());
  WavemakerSetup& wave = wall.drive.wave;
  wave.given = true;
  wave.height = height;
  wave.period = static_cast<float>(period());
  wave.depth = kDepth;
  wavemaker::apply(wall.drive, -double{setup.gravity.y});
  DampingZone& zone = setup.damping.emplace_back();
  zone.min = {zone_from, 0, 0};
  zone.max = {end, 1.5f * kDepth, 0};
  zone.strength = static_cast<float>(3 * 2 * std::numbers::pi / period());
  zone.outer = BoxFace::XMax;
  return setup;
}

struct Level {
  std::vector<double> t, y;  ///< [s] [m]
};

std::vector<Level> levels_of(const CaseContext& context, const Tank& tank, double end) {
  Simulation simulation(context.noted(tank_setup(tank)), context.device);
  std::vector<ProbeSetup> probes;
  for (const double at : kProbesAt) {
    const auto x = static_cast<float>(at * kDepth);
    probes.push_back({.kind = ProbeKind::Level, .at = {x, 0, 0}, .to = {x, 1.5f * kDepth, 0}});
  }
  ProbeMeter meter(simulation, probes);
  std::vector<Level> levels(probes.size());
  const auto moments = static_cast<int>(std::ceil(kSamplesPerPeriod * end / period()));
  for (int k = 0; k <= moments; ++k) {
    if (k > 0) run_until(simulation, end * k / moments, [&](double t) { context.progress(t / end, tank.text()); });
    const ProbeSample sample = meter.measure(simulation);
    for (std::size_t p = 0; p < levels.size(); ++p) {
      levels[p].t.push_back(end * k / moments);
      levels[p].y.push_back(sample.values[2 * p]);
    }
  }
  return levels;
}

/// [m] Amplitude of the first harmonic in t from `from` to `to`, by least squares with the mean and the second one.
double amplitude(const Level& level, double from, double to) {
  constexpr int kTerms = 5;
  std::array<std::array<double, kTerms + 1>, kTerms> rows{};
  for (std::size_t k = 0; k < level.t.size(); ++k) {
    if (level.t[k] < from || level.t[k] > to) continue;
    const double phase = 2 * std::numbers::pi * level.t[k] / period();
    const double term[kTerms + 1] = {
        1, std::cos(phase), std::sin(phase), std::cos(2 * phase), std::sin(2 * phase), level.y[k]};
    for (int a = 0; a < kTerms; ++a)
      for (int b = 0; b <= kTerms; ++b) rows[a][b] += term[a] * term[b];
  }
  for (int a = 0; a < kTerms; ++a)  // Gauss and Jordan; the matrix is positive definite
    for (int other = 0; other < kTerms; ++other) {
      if (other == a) continue;
      const double share = rows[other][a] / rows[a][a];
      for (int b = a; b <= kTerms; ++b) rows[other][b] -= share * rows[a][b];
    }
  return std::hypot(rows[1][kTerms] / rows[1][1], rows[2][kTerms] / rows[2][2]);
}

CaseResult run_wavemaker(const CaseContext& context) {
  const Tank tank = context.full() ? Tank{10, 1} : Tank{2, 1};
  const double measured_from = (1 + kSettling) * period();  // and the way to the probe
  const double end = measured_from + kProbesAt[2] * kDepth / group_speed() + tank.periods * period();
  const std::vector<Level> levels = levels_of(context, tank, end);
  const SolidDrive drive = tank_setup(tank).solid_regions[0].drive;
  const double stroke = 2 * drive.sway_amplitude.x;
  const double expected = wavemaker::height_over_stroke(WavemakerKind::Piston, kKd);
  CaseResult result;
  Curve curve{"level", "Level of the water at three probes", "t [s]", "level [m]", {}, {}};
  double x_mean = 0, log_mean = 0, xx = 0, xlog = 0;
  std::vector<double> logs;
  for (std::size_t p = 0; p < levels.size(); ++p) {
    const double from = measured_from + kProbesAt[p] * kDepth / group_speed();
    const double a = amplitude(levels[p], from, from + tank.periods * period());
    result.checks.push_back(context.check(fmt::format("height over stroke at {} depths, {}", kProbesAt[p], tank.text()),
                                          2 * a / stroke, expected));
    logs.push_back(std::log(a));
    x_mean += kProbesAt[p] * kDepth / 3, log_mean += logs.back() / 3;
    curve.measured.push_back({fmt::format("{} depths from the piston", kProbesAt[p]), levels[p].t, levels[p].y});
  }
  for (std::size_t p = 0; p < levels.size(); ++p) {
    const double dx = kProbesAt[p] * kDepth - x_mean;
    xx += dx * dx, xlog += dx * (logs[p] - log_mean);
  }
  result.checks.push_back(figure("amplitude lost per wave length, " + tank.text(),
                                 1 - std::exp(xlog / xx * wavelength()), "", "of the amplitude"));
  Series exact{"height of theory", {}, {}};
  for (const double side : {1.0, -1.0})
    for (const double t : {0.0, end}) {
      exact.x.push_back(side > 0 ? t : end - t);
      exact.y.push_back(kDepth * (1 + side * 0.05));
    }
  curve.reference.push_back(exact);
  result.curves.push_back(curve);
  return result;
}

}  // namespace

ValidationCase wavemaker_case() {
  return {"wavemaker", "a piston makes waves in a tank (WCSPH, 2-D)", "2 particles per wave height",
          "10 particles per wave height", run_wavemaker};
}

}  // namespace riffle
