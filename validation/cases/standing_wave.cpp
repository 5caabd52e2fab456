/// A standing wave on water of even depth, periodic along x, which starts flat with the velocities of linear theory
/// (amplitude 0.015 wavelengths). standing_wave.csv has omega^2 = g k tanh(k H), and the decay rate 2 nu k^2 of the
/// amplitude by viscosity.
///
/// Accepted with 50 particles per wavelength: the period within 1 %, and the decay rate within 15 % where viscosity
/// outweighs what the scheme dissipates by itself. The default artificial viscosity outweighs the viscosity of the table's
/// waves, so rows with a decay rate have none. At the reduced size two periods are fitted in place of four, with 32
/// particles per wavelength, and the bounds are 2 and 30 %. DFSPH has the same bounds.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "sim/by_id.h"
#include "validation/cases.h"
#include "validation/oscillation_fit.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

const float kDefaultRatio = SimulationSetup{}.chosen_support_ratio(),
            kDefaultViscosity = WcsphSetup{}.artificial_viscosity;
constexpr float kNarrowRatio = 2;
/// The support and the artificial viscosity of papers on delta-SPH (Antuono et al. 2010 and later, also Wendland C2).
constexpr float kPublishedRatio = 4, kPublishedViscosity = 0.02f;

struct Wave {
  std::size_t row = 0;  ///< of the table
  int per_wavelength = 50;
  DensityScheme density = WcsphSetup{}.density;
  float support_ratio = kDefaultRatio;
  float artificial_viscosity = kDefaultViscosity;
  bool viscous = false;  ///< with the table's nu; false: 0
  SolverKind solver = SolverKind::Wcsph;

  std::string text(double wavelength, double depth) const {
    const std::string scheme = solver == SolverKind::Wcsph ? fmt::format("{}, ", word_of(density)) : "";
    return fmt::format("depth {} of {} m, {} per wavelength, {}support_ratio {}, artificial_viscosity {}", depth,
                       wavelength, per_wavelength, scheme, support_ratio, artificial_viscosity);
  }
};

/// The table's columns.
struct Waves {
  std::vector<double> wavelength, depth, gravity, viscosity, omega, decay;

  explicit Waves(const ReferenceTable& table)
      : wavelength(table.numbers("lambda")),
        depth(table.numbers("H")),
        gravity(table.numbers("g")),
        viscosity(table.numbers("nu")),
        omega(table.numbers("omega")),
        decay(table.numbers("amplitude_decay_rate_2nuk2")) {}
};

SimulationSetup wave_setup(const Wave& wave, const Waves& table) {
  const std::size_t row = wave.row;
  const auto length = static_cast<float>(table.wavelength[row]), depth = static_cast<float>(table.depth[row]);
  SimulationSetup setup;
  setup.solver = wave.solver;
  setup.domain.dimension = 2;
  setup.domain.max = {length, 1.2f * depth, 1};
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[1] = Axis::Walled;
  setup.gravity = {0, -static_cast<float>(table.gravity[row]), 0};
  setup.spacing = length / static_cast<float>(wave.per_wavelength);
  setup.fluids.emplace_back();
  setup.fluids[0].viscosity = wave.viscous ? static_cast<float>(table.viscosity[row]) : 0;
  BodySetup water;
  water.max = {length, depth, 1};
  water.flow.flow = Flow::StandingWave;
  water.flow.wavelength = length;
  water.flow.depth = depth;
  water.flow.center = {0, depth, 0};
  water.flow.speed = static_cast<float>(0.015 * table.wavelength[row] * table.omega[row]);
  setup.bodies.push_back(water);
  setup.wcsph.density = wave.density;
  setup.support_ratio = wave.support_ratio;
  setup.wcsph.artificial_viscosity = wave.artificial_viscosity;
  return setup;
}

/// [wavelengths] Height of the surface's wave: the Fourier component of the mass over x.
double elevation(const Simulation& simulation) {
  const auto position = by_id<Vec4>(simulation, "position");
  const double length = simulation.setup().domain.max.x, k = 2 * std::numbers::pi / length;
  double sum = 0;
  for (const Vec4& p : position) sum += std::cos(k * p.x);
  return 2 * simulation.setup().particle_volume() * sum / (length * length);
}

struct Rocking {
  Series elevation;
  OscillationFit fit;
};

Rocking rock(const CaseContext& context, const Wave& wave, const Waves& table, const std::string& name, int periods) {
  Simulation simulation(context.noted(wave_setup(wave, table)), context.device);
  const double omega = table.omega[wave.row], end = periods * 2 * std::numbers::pi / omega;
  const int moments = 40 * periods;
  Rocking result{{name, {0}, {0}}, {}};
  for (int k = 1; k <= moments; ++k) {
    run_until(simulation, end * k / moments, [&](double t) { context.progress(t / end, name); });
    result.elevation.x.push_back(end * k / moments);
    result.elevation.y.push_back(elevation(simulation));
  }
  result.fit = fit_decaying_oscillation(result.elevation.x, result.elevation.y, omega);
  return result;
}

CaseResult rock_waves(const CaseContext& context, const std::vector<Wave>& waves) {
  const ReferenceTable file = context.table("standing_wave.csv");
  const Waves table(file);
  const bool full = context.full();
  CaseResult result;
  Curve curve{"elevation", "Surface of a standing wave", "t / period", "elevation / wavelength", {}, {}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < waves.size(); ++k) {
    const Wave& wave = waves[k];
    const double count = double(waves.size());
    const std::string name = wave.text(table.wavelength[wave.row], table.depth[wave.row]) +
                             (wave.viscous ? fmt::format(", nu {}", table.viscosity[wave.row]) : "");
    const Rocking found = rock(context.part(double(k) / count, double(k + 1) / count), wave, table, name, full ? 4 : 2);
    const double omega = table.omega[wave.row], period = 2 * std::numbers::pi;
    result.checks.push_back(
        context.check("period: " + name, found.fit.found() ? period / found.fit.frequency : nan, period / omega));
    const std::string decay = "decay rate of the amplitude: " + name;
    const double rate = found.fit.found() ? found.fit.decay : nan;
    result.checks.push_back(wave.viscous ? context.check(decay, rate, table.decay[wave.row])
                                         : figure(decay, rate, "1/s", "of the scheme itself"));
    Series shown = found.elevation;
    for (double& t : shown.x) t *= omega / period;
    curve.measured.push_back(shown);
  }
  Series exact{"linear theory", {}, {}};
  for (int k = 0; k <= 200; ++k) {
    exact.x.push_back((full ? 4.0 : 2.0) * k / 200);
    exact.y.push_back(0.015 * std::sin(2 * std::numbers::pi * exact.x.back()));
  }
  curve.reference.push_back(exact);
  result.curves.push_back(curve);
  return result;
}

CaseResult run_standing_wave(const CaseContext& context) {
  constexpr DensityScheme kSummation = DensityScheme::Summation, kContinuity = DensityScheme::Continuity;
  const bool full = context.full();
  // First with the defaults.
  std::vector<Wave> waves = {{1, 32},
                             {1, 32, kSummation, kNarrowRatio},
                             {1, 32, kContinuity, kNarrowRatio},
                             {3, 32, kContinuity, kDefaultRatio, 0, true}};
  if (full)
    waves = {{0, 50},
             {1, 100},
             {0, 50, kSummation, kDefaultRatio},
             {0, 50, kSummation, kNarrowRatio},
             {0, 50, kContinuity, kNarrowRatio},
             {1, 100, kSummation, kNarrowRatio},
             {1, 100, kContinuity, kNarrowRatio},
             {0, 50, kContinuity, kPublishedRatio, kPublishedViscosity},
             {3, 50, kContinuity, kNarrowRatio, 0, true},
             {3, 50, kContinuity, kDefaultRatio, 0},
             {3, 50, kContinuity, kDefaultRatio, 0, true},
             {2, 100, kContinuity, kDefaultRatio, 0, true}};
  CaseResult result = rock_waves(context, waves);
  result.notes.push_back("Kernel wendland_c2, speed_of_sound auto.");
  return result;
}

CaseResult run_incompressible_wave(const CaseContext& context) {
  constexpr DensityScheme kScheme = WcsphSetup{}.density;  // not read
  const SolverKind solver = SolverKind::Dfsph;
  SimulationSetup own;
  own.solver = solver;
  const float ratio = own.chosen_support_ratio();
  std::vector<Wave> waves = {{1, 32, kScheme, ratio, kDefaultViscosity, false, solver},
                             {3, 32, kScheme, ratio, 0, true, solver}};
  if (context.full())
    waves = {{0, 50, kScheme, ratio, kDefaultViscosity, false, solver},
             {1, 100, kScheme, ratio, kDefaultViscosity, false, solver},
             {3, 50, kScheme, ratio, 0, true, solver}};
  return rock_waves(context, waves);
}

}  // namespace

ValidationCase standing_wave_case() {
  return {"standing_wave", "a standing wave on water of even depth (WCSPH, 2-D)",
          "32 particles per wavelength, two periods", "50 and 100 particles per wavelength, four periods",
          run_standing_wave};
}

ValidationCase standing_wave_dfsph_case() {
  return {"standing_wave_dfsph", "a standing wave on water of even depth (DFSPH, 2-D)",
          "32 particles per wavelength, two periods", "50 and 100 particles per wavelength, four periods",
          run_incompressible_wave};
}

}  // namespace riffle
