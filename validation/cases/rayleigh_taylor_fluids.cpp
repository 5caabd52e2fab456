/// Growth of one Rayleigh-Taylor mode of two SPH, PBF or DFSPH fluids, compared with exact linear theory: 2-D, box
/// 32 x 21.333, densities 1 and 3 (A = 0.5), g = 0.05, amplitude 1, wavelength 32, free-slip floor and ceiling.
///
/// The theory uses a viscosity that is measured beforehand, on vortices that decay in a periodic box with the same
/// spacing, step and settings: SPH adds a little to the viscosity it is given, and that of PBF follows from its
/// iterations. Particles start near a lattice, displaced at random by up to a tenth of the spacing. Acceptance: growth
/// rate (cosh fit until a = 0.1 wavelengths) within 10 % of the exact one, 72 particles per wavelength or more; with
/// gravity reversed the interface does not grow. From seed to seed the rate varies by 0.3 % (PBF) and 0.2 % (SPH) at 72
/// particles per wavelength (six and five seeds), so that the bound is more than ten deviations away. The full size
/// gives the mean of four seeds and its standard error.
///
/// DFSPH has its own support, no shifting, and density ratios of 3 and 10. Its theory has the viscosity that the fluids
/// are given. One seed; 48 particles per wavelength at the reduced size.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/math/statistics.h"
#include "validation/cases.h"
#include "validation/mixing.h"
#include "validation/particle_state.h"
#include "validation/rayleigh_taylor_theory.h"

namespace riffle {

namespace {

constexpr double kLight = 1, kGravity = 0.05, kWavelength = 32, kHeight = 64.0 / 3.0, kEvery = 0.5;
constexpr double kViscosity = 0.135;  ///< kinematic, of the mixture (dynamic viscosities over densities, both summed)

/// What is simulated.
struct Fluids {
  SolverKind solver = SolverKind::Wcsph;
  int per_wavelength = 72;
  double heavy = 3;  ///< density

  double shear(double viscosity) const { return viscosity * (kLight + heavy) / 2; }  ///< dynamic, the same in both
};

SimulationSetup common(const Fluids& fluids) {
  const SolverKind solver = fluids.solver;
  const int per_wavelength = fluids.per_wavelength;
  SimulationSetup setup;
  setup.solver = solver;
  setup.domain.dimension = 2;
  setup.domain.max = {static_cast<float>(kWavelength), static_cast<float>(kHeight), 1};
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[1] = Axis::Walled;
  setup.spacing = static_cast<float>(kWavelength / per_wavelength);
  if (solver != SolverKind::Dfsph) setup.support_ratio = 3;
  setup.wcsph.artificial_viscosity = 0;
  setup.wcsph.negative_pressure = true;
  if (solver != SolverKind::Dfsph) setup.wcsph.shifting = 5;
  setup.wcsph.walls = WallSlip::FreeSlip;
  setup.pbf.negative_pressure = true;
  setup.pbf.artificial_pressure = 0;
  setup.pbf.xsph = 0;
  if (solver == SolverKind::Pbf) setup.step.fixed = 0.15f * setup.spacing;
  return setup;
}

SimulationSetup two_fluids(const Fluids& fluids, double gravity, std::uint64_t seed) {
  SimulationSetup setup = common(fluids);
  setup.gravity = {0, static_cast<float>(-gravity), 0};
  const double shear = fluids.shear(kViscosity);
  for (const double density : {kLight, fluids.heavy}) {
    setup.fluids.emplace_back();
    setup.fluids.back().name = density == kLight ? "light" : "heavy";
    setup.fluids.back().rest_density = static_cast<float>(density);
    setup.fluids.back().viscosity = static_cast<float>(shear / density);
  }
  BodySetup box;
  box.max = setup.domain.max;
  box.jitter = 0.1f;
  setup.bodies.push_back(box);
  setup.seed = seed;
  setup.start.has_interface = true;
  setup.start.upper = 1;
  setup.start.lower = 0;
  setup.start.height = static_cast<float>(kHeight / 2);
  setup.start.amplitude = 1;
  setup.start.wavelength = static_cast<float>(kWavelength);
  // Reversed gravity drives no flow; the automatic speed of sound would follow the height in either direction.
  if (fluids.solver == SolverKind::Wcsph)
    setup.wcsph.speed_of_sound = static_cast<float>(10 * std::sqrt(2 * kGravity * kHeight));
  return setup;
}

/// Kinematic viscosity from the decay exp(-2 nu k^2 t) of u = -U cos kx sin ky, v = U sin kx cos ky. U is the speed of
/// the interface at the end of the fit, because what shifting adds depends on the speed.
double measured_viscosity(const Fluids& fluids, const CaseContext& context) {
  const int per_wavelength = fluids.per_wavelength;
  constexpr double speed = 0.3, from = 5, until = 25;
  const double k = 2 * std::numbers::pi / kWavelength;
  SimulationSetup setup = common(fluids);
  setup.gravity = {};
  setup.domain.max.y = static_cast<float>(kWavelength);
  setup.domain.axis[1] = Axis::Periodic;
  setup.fluids.emplace_back();
  setup.fluids[0].rest_density = static_cast<float>((kLight + fluids.heavy) / 2);
  setup.fluids[0].viscosity = static_cast<float>(kViscosity);
  setup.wcsph.speed_of_sound = static_cast<float>(10 * std::sqrt(2 * kGravity * kHeight));
  for (int y = 0; y < per_wavelength; ++y)
    for (int x = 0; x < per_wavelength; ++x) {  // a body has one velocity, so every particle is a body
      BodySetup cell;
      cell.min = {float(x) * setup.spacing, float(y) * setup.spacing, 0};
      cell.max = {float(x + 1) * setup.spacing, float(y + 1) * setup.spacing, 1};
      const double px = k * (x + 0.5) * setup.spacing, py = k * (y + 0.5) * setup.spacing;
      cell.velocity = {float(-speed * std::cos(px) * std::sin(py)), float(speed * std::sin(px) * std::cos(py)), 0};
      setup.bodies.push_back(cell);
    }
  Simulation simulation(context.noted(setup), context.device);
  const auto energy_at = [&](double t) {
    run_until(simulation, t, [&](double now) { context.progress(now / until, "viscosity"); });
    return simulation.diagnostics().kinetic_energy;
  };
  const double early = energy_at(from), late = energy_at(until);
  return std::log(early / late) / (4 * k * k * (until - from));
}

struct Growth {
  std::vector<double> t, a;
  double largest = 0;
};

Growth grow(const Fluids& fluids, double gravity, double until, std::uint64_t seed, const CaseContext& context) {
  Simulation simulation(context.noted(two_fluids(fluids, gravity, seed)), context.device);
  const MixingBox box{0, kHeight, kHeight / 2, 0, kWavelength, 1, 64};
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  Growth growth;
  for (int step = 0; step * kEvery <= until + 1e-9; ++step) {
    const double t = step * kEvery;
    if (t > 0)
      run_until(simulation, t, [&](double now) {
        context.progress(now / until, fmt::format("{} particles per wavelength, seed {}", fluids.per_wavelength, seed));
      });
    std::vector<float> height, across;
    for (const Vec4& x : by_id<Vec4>(simulation, "position")) height.push_back(x.y), across.push_back(x.x);
    const MixingMeasures m = measure_mixing(height, across, fluid, box);
    growth.t.push_back(t);
    growth.a.push_back(m.a_cos);
    growth.largest = std::max(growth.largest, std::hypot(m.a_cos, m.a_sin));
  }
  return growth;
}

CaseResult run(SolverKind solver, const CaseContext& context) {
  const bool full = context.full();
  const int per_wavelength = full ? 96 : 72;
  const double until = full ? 40 : 34, k = 2 * std::numbers::pi / kWavelength;
  const Fluids which{solver, per_wavelength};
  static_cast<void>(context.noted(two_fluids(which, kGravity, 1)));  // ahead of the viscosity's run
  const double viscosity = measured_viscosity(which, context.part(0, 0.2));
  const int seeds = full ? 4 : 1;
  const double share = (full ? 0.7 : 0.8) / (full ? seeds + 1 : seeds);  // of one run
  std::vector<Growth> growths;
  std::vector<double> rates;
  for (int s = 0; s < seeds; ++s) {
    growths.push_back(grow(which, kGravity, until, static_cast<std::uint64_t>(s + 1),
                           context.part(0.2 + share * s, 0.2 + share * (s + 1))));
    rates.push_back(fit_cosh_growth(growths.back().t, growths.back().a, 0.1 * kWavelength).n);
  }
  const Growth& falls = growths.front();
  const SampleMean rate = mean_of(rates);
  const double shear = which.shear(viscosity);
  const StratifiedFluids fluids{kLight, which.heavy, shear, shear, kGravity, 0};
  const WallDistances walls{kHeight / 2, kHeight / 2};
  const double exact = exact_growth(fluids, k, walls);
  const CoshGrowth fit = fit_cosh_growth(falls.t, falls.a, 0.1 * kWavelength);
  CaseResult result;
  auto& checks = result.checks;
  checks.push_back(figure("kinematic viscosity, from decaying vortices", viscosity, "m^2/s"));
  checks.push_back(context.check("growth rate", rate.mean, exact));
  if (full) checks.push_back(figure("  its standard error", rate.standard_error, "1/s"));
  checks.push_back(figure("inviscid between the same walls",
                          inviscid_growth({kLight, which.heavy, 0, 0, kGravity, 0}, k, walls), "1/s"));
  std::vector<double> theory;
  for (const double t : falls.t) theory.push_back(fit.a0 * std::cosh(exact * t));
  Curve curve{"amplitude",
              "Amplitude of the mode",
              "t [s]",
              "a [m]",
              {{fmt::format("{} per wavelength", per_wavelength), falls.t, falls.a}},
              {{"linear theory", falls.t, theory}}};
  if (full) {
    const Growth stays = grow(which, -kGravity, until, 1, context.part(1 - share, 1));
    checks.push_back(context.check("largest amplitude, gravity reversed", stays.largest));
    curve.measured.push_back({"gravity reversed", stays.t, stays.a});
  }
  result.curves.push_back(curve);
  return result;
}

/// The theory has the viscosity that the fluids are given: the vortices that would measure it lose their energy.
CaseResult run_incompressible_fingers(const CaseContext& context) {
  const double k = 2 * std::numbers::pi / kWavelength, until = 34;
  const WallDistances walls{kHeight / 2, kHeight / 2};
  CaseResult result;
  Curve curve{"amplitude", "Amplitude of the mode", "t [s]", "a [m]", {}, {}};
  int run = 0;
  for (const double heavy : {3.0, 10.0}) {
    const Fluids which{SolverKind::Dfsph, context.full() ? 96 : 48, heavy};
    const Growth falls = grow(which, kGravity, until, 1, context.part(0.5 * run, 0.5 * (run + 1)));
    ++run;
    const double shear = which.shear(kViscosity);
    const double exact = exact_growth({kLight, heavy, shear, shear, kGravity, 0}, k, walls);
    const CoshGrowth fit = fit_cosh_growth(falls.t, falls.a, 0.1 * kWavelength);
    const std::string at = fmt::format(", density ratio {:g}", heavy);
    result.checks.push_back(context.check("growth rate" + at, fit.n, exact));
    result.checks.push_back(figure("amplitude at the end" + at, falls.a.back(), "m", "1 at the start"));
    std::vector<double> theory;
    for (const double t : falls.t) theory.push_back(std::cosh(exact * t));
    curve.measured.push_back({fmt::format("density ratio {:g}", heavy), falls.t, falls.a});
    curve.reference.push_back({fmt::format("linear theory, density ratio {:g}", heavy), falls.t, theory});
  }
  result.curves.push_back(curve);
  return result;
}

}  // namespace

ValidationCase rayleigh_taylor_sph_case() {
  return {"rayleigh_taylor_sph", "Rayleigh-Taylor growth of two SPH fluids", "72 particles per wavelength",
          "96 particles per wavelength, four seeds, and gravity reversed",
          [](const CaseContext& context) { return run(SolverKind::Wcsph, context); }};
}

ValidationCase rayleigh_taylor_pbf_case() {
  return {"rayleigh_taylor_pbf", "Rayleigh-Taylor growth of two PBF fluids", "72 particles per wavelength",
          "96 particles per wavelength, four seeds, and gravity reversed",
          [](const CaseContext& context) { return run(SolverKind::Pbf, context); }};
}

ValidationCase rayleigh_taylor_dfsph_case() {
  return {"rayleigh_taylor_dfsph", "Rayleigh-Taylor growth of two DFSPH fluids, density ratios 3 and 10",
          "48 particles per wavelength", "96 particles per wavelength", run_incompressible_fingers};
}

}  // namespace riffle
