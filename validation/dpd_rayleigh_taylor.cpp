/// Growth of one Rayleigh-Taylor mode of two DPD fluids, compared with linear theory and two LAMMPS runs: box
/// 32 x 21.333 x 8, masses 1 and 3 (A = 0.5), a = 40 between them, g = 0.05, dt = 0.03, amplitude 1, wavelength 32.
///
/// Acceptance: cosh fit until a = 3.2; the mean of eight seeds or more within 0.046 to 0.060 and more than three
/// standard errors below the inviscid rate 0.069; a(30) = 2.35 +- 0.35, a(42) = 4.0 +- 0.6. Controls: with gravity
/// reversed the interface does not grow; without gravity the amplitude stays constant but for diffusion. The theory is
/// exact between free-slip walls. Both fluids have the viscosity 0.81 that was measured for the light one; a = 40 gives
/// the tension 0.956.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/cases.h"
#include "validation/dpd_setups.h"
#include "validation/mixing.h"
#include "validation/particle_state.h"
#include "validation/rayleigh_taylor_theory.h"

namespace riffle {

namespace {

constexpr double kGravity = 0.05, kHeight = 64.0 / 3.0, kWavelength = 32, kEvery = 1.5;
constexpr double kViscosity = 0.81, kTension = 0.956;

struct Growth {
  std::vector<double> t, cosine, sine;
  double at(double time) const { return interpolate(t, cosine, time); }
  double largest_mode() const {
    double most = 0;
    for (std::size_t i = 0; i < t.size(); ++i) most = std::max(most, std::hypot(cosine[i], sine[i]));
    return most;
  }
};

Growth grow(double depth, double gravity, double equilibration, double until, std::uint64_t seed,
            const CaseContext& context, const std::string& what) {
  Simulation simulation(context.noted(dpd_rayleigh_taylor(depth, gravity, equilibration, seed)), context.device);
  const MixingBox box{0, kHeight, kHeight / 2, 0, kWavelength, 1, 64};
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  Growth growth;
  for (double t = 0; t <= until + 1e-9; t += kEvery) {
    if (t > 0) run_until(simulation, t, [&](double now) { context.progress(now / until, what); });
    std::vector<float> height, across;
    for (const Vec4& x : by_id<Vec4>(simulation, "position")) height.push_back(x.y), across.push_back(x.x);
    const MixingMeasures m = measure_mixing(height, across, fluid, box);
    growth.t.push_back(t);
    growth.cosine.push_back(m.a_cos);
    growth.sine.push_back(m.a_sin);
  }
  return growth;
}

CaseResult run_reduced(const CaseContext& context) {
  const double depth = 4, until = 15, settle = 4;
  const Growth falls = grow(depth, kGravity, settle, until, 1, context.part(0, 0.5), "growth");
  const Growth stays = grow(depth, -kGravity, settle, until, 1, context.part(0.5, 1), "gravity reversed");
  CaseResult result;
  result.checks.push_back(context.check("amplitude at t = 15", falls.at(15)));
  result.checks.push_back(context.check("amplitude with gravity reversed, largest", stays.largest_mode()));
  result.checks.push_back(context.check("growth over the reversed", falls.at(15) - stays.at(15)));
  return result;
}

CaseResult run_full(const CaseContext& context) {
  constexpr int kSeeds = 8;
  constexpr double kUntil = 54;
  const StratifiedFluids fluids{3, 9, kViscosity, kViscosity, kGravity, kTension};
  const double k = 2 * std::numbers::pi / kWavelength;
  const WallDistances walls{kHeight / 2, kHeight / 2};
  const double inviscid = inviscid_growth({3, 9, 0, 0, kGravity, 0}, k, walls);
  CaseResult result;
  std::vector<double> rates, mean;
  Growth last;
  for (int s = 0; s < kSeeds; ++s) {
    const double begin = s / (kSeeds + 2.0), end = (s + 1) / (kSeeds + 2.0);
    last = grow(8, kGravity, 20, kUntil, static_cast<std::uint64_t>(s + 1), context.part(begin, end),
                fmt::format("seed {} of {}", s + 1, kSeeds));
    rates.push_back(fit_cosh_growth(last.t, last.cosine, 3.2).n);
    mean.resize(last.t.size(), 0.0);
    for (std::size_t i = 0; i < last.t.size(); ++i) mean[i] += last.cosine[i] / kSeeds;
  }
  double n = 0, variance = 0;
  for (const double rate : rates) n += rate / kSeeds;
  for (const double rate : rates) variance += (rate - n) * (rate - n) / (kSeeds - 1);
  const double error = std::sqrt(variance / kSeeds);
  auto& checks = result.checks;
  checks.push_back(context.check("growth rate, mean of 8 seeds", n, exact_growth(fluids, k, walls)));
  checks.push_back(figure("its standard error", error, "1/time"));
  checks.push_back(context.check("standard errors below the inviscid rate", (inviscid - n) / error));
  checks.push_back(figure("textbook approximation", approximate_growth(fluids, k), "1/time"));
  checks.push_back(context.check("amplitude at t = 30", interpolate(last.t, mean, 30)));
  checks.push_back(context.check("amplitude at t = 42", interpolate(last.t, mean, 42)));

  const Growth reversed = grow(8, -kGravity, 20, kUntil, 1, context.part(0.8, 0.9), "gravity reversed");
  const Growth weightless = grow(8, 0, 20, kUntil, 1, context.part(0.9, 1), "no gravity");
  checks.push_back(context.check("largest amplitude, gravity reversed", reversed.largest_mode()));
  checks.push_back(context.check("amplitude at t = 54, no gravity", weightless.at(kUntil)));
  const ReferenceTable table = context.table("rayleigh_taylor_dpd_mode.csv");
  std::vector<double> theory;
  for (const double t : last.t) theory.push_back(std::cosh(exact_growth(fluids, k, walls) * t));
  result.curves.push_back({"amplitude",
                           "Amplitude of the mode",
                           "t",
                           "a [r_c]",
                           {{"Riffle, mean of 8 seeds", last.t, mean},

                            {"gravity reversed", reversed.t, reversed.cosine},
                            {"no gravity", weightless.t, weightless.cosine}},
                           {{"LAMMPS, mean of 2 seeds", table.numbers("t"), table.numbers("a_cos_mean")},
                            {"linear theory, a_0 = 1", last.t, theory}}});
  return result;
}

CaseResult run_dpd_rayleigh_taylor(const CaseContext& context) {
  return context.full() ? run_full(context) : run_reduced(context);
}

}  // namespace

ValidationCase dpd_rayleigh_taylor_case() {
  return {"dpd_rayleigh_taylor", "Rayleigh-Taylor growth of two DPD fluids", "8,192 particles, to t = 15, one seed",
          "16,384 particles, to t = 54, eight seeds and two controls", run_dpd_rayleigh_taylor};
}

}  // namespace riffle
