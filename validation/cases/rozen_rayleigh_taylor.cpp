/// Growth of one Rayleigh-Taylor mode with everything that the bucket-sort paper combines: leap-frog with extrapolated
/// drag, its formula of random numbers, normalised weights, its search with its own insertion, and the smaller upper part
/// heavy. Figure 4 of the paper shows such a run and has no number.
///
/// Fluids, box and mode are those of dpd_rayleigh_taylor, but the interface lies at two thirds of the height: linear
/// theory gives 0.05229 in place of 0.05432, the inviscid rate is 0.0668. The bounds are those of that case for 8 seeds,
/// times the share of the rates, and for amplitudes times that of cosh n t.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/math/statistics.h"
#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/mixing.h"
#include "validation/particle_state.h"
#include "validation/rayleigh_taylor_theory.h"

namespace riffle {

namespace {

constexpr double kPaperGravity = 0.05, kPaperHeight = 64.0 / 3.0, kPaperInterface = kPaperHeight * 2 / 3,
                 kPaperWavelength = 32;

/// Amplitude and kT of one seed.
struct PaperRun {
  std::vector<double> t, amplitude;
  double kT = 0;
};

PaperRun grow_one(const CaseContext& context, double depth, double equilibration, double until, int seed, int seeds) {
  SimulationSetup setup = dpd_rayleigh_taylor(depth, kPaperGravity, equilibration, static_cast<std::uint64_t>(seed));
  setup.start.height = static_cast<float>(kPaperInterface);
  as_in_bucket_paper(setup);
  Simulation simulation(context.noted(setup), context.device);
  const MixingBox box{0, kPaperHeight, kPaperInterface, 0, kPaperWavelength, 1, 64};
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  PaperRun run;
  for (double t = 0; t <= until + 1e-9; t += 1.5) {
    if (t > 0)
      run_until(simulation, t, [&](double now) {
        context.progress((seed - 1 + now / until) / seeds, fmt::format("seed {} of {}", seed, seeds));
      });
    std::vector<float> height, across;
    for (const Vec4& x : by_id<Vec4>(simulation, "position")) height.push_back(x.y), across.push_back(x.x);
    run.t.push_back(t);
    run.amplitude.push_back(measure_mixing(height, across, fluid, box).a_cos);
  }
  run.kT = simulation.diagnostics().thermal->temperature;
  return run;
}

CaseResult run_paper_growth(const CaseContext& context) {
  const bool full = context.full();
  const int seeds = full ? 8 : 4;
  const double until = full ? 42 : 15;
  std::vector<PaperRun> runs;
  for (int seed = 1; seed <= seeds; ++seed)
    runs.push_back(full ? grow_one(context, 8, 20, until, seed, seeds) : grow_one(context, 4, 4, until, seed, seeds));
  const auto mean = [&](const auto& of) {
    std::vector<double> values;
    for (const PaperRun& run : runs) values.push_back(of(run));
    return mean_of(values);
  };
  const auto at = [&](double time) {
    return mean([&](const PaperRun& run) { return interpolate(run.t, run.amplitude, time); });
  };

  CaseResult result;
  auto& checks = result.checks;
  if (!full) {
    checks = {context.check("amplitude at t = 15", at(15).mean),
              context.check("kT at t = 15", mean([](const PaperRun& run) { return run.kT; }).mean)};
    return result;
  }
  constexpr double k = 2 * std::numbers::pi / kPaperWavelength;
  const WallDistances walls{kPaperInterface, kPaperHeight - kPaperInterface};
  const double exact = exact_growth({3, 9, 0.81, 0.81, kPaperGravity, 0.956}, k, walls),
               inviscid = inviscid_growth({3, 9, 0, 0, kPaperGravity, 0}, k, walls);
  const SampleMean rate = mean([](const PaperRun& run) { return fit_cosh_growth(run.t, run.amplitude, 3.2).n; });
  checks.push_back(context.check("growth rate", rate.mean, exact));
  checks.push_back(figure("  its standard error", rate.standard_error, "1/time"));
  checks.push_back(
      context.check("standard errors below the inviscid rate", (inviscid - rate.mean) / rate.standard_error));
  for (const double time : {30.0, 42.0}) {
    const SampleMean amplitude = at(time);
    checks.push_back(context.check(fmt::format("amplitude at t = {:g}", time), amplitude.mean));
    checks.push_back(figure("  its standard error", amplitude.standard_error, "r_c"));
  }
  checks.push_back(context.check("kT at t = 42", mean([](const PaperRun& run) { return run.kT; }).mean));
  Series measured{"Riffle, mean of 8 seeds", runs.front().t, {}}, theory{"linear theory, a_0 = 1", measured.x, {}};
  for (const double t : measured.x) measured.y.push_back(at(t).mean), theory.y.push_back(std::cosh(exact * t));
  result.curves.push_back({"amplitude", "Amplitude of the mode", "t", "a [r_c]", {measured}, {theory}});
  return result;
}

}  // namespace

ValidationCase rozen_rayleigh_taylor_case() {
  return {"rozen_rayleigh_taylor",
          "Rayleigh-Taylor growth of two DPD fluids, with the bucket-sort paper's whole combination",
          "8,192 particles, to t = 15, four seeds", "16,384 particles, to t = 42, 8 seeds", run_paper_growth};
}

}  // namespace riffle
