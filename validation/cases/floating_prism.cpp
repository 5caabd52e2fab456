/// A prism of half the density of water, twice as wide as high, floats in a long tank whose ends are damping zones: in 2-D, everything
/// else as scenes have it by default. It is held a quarter of its height too high (heave), or turned by 8 degrees (roll), for
/// 5 sqrt(depth / g), in which the water settles. Then it is let go. A damped oscillation is fitted to its height, or its angle,
/// over the next two or three seconds.
///
/// Periods and rates of decay are reported. Beside a period stands that without added mass, 2 pi sqrt(H rho_b / (rho g)) for the
/// heave, and 2 pi sqrt(I / (m g GM)) for the roll, GM = B^2 / (12 T) - (H - T) / 2 with the draught T: water that moves with the prism
/// makes the period longer.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/simulation.h"
#include "validation/cases.h"
#include "validation/oscillation_fit.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kPrismHeight = 0.2, kBreadth = 2 * kPrismHeight, kDepthOfTank = 3 * kPrismHeight;  // H, B [m]
constexpr double kLengthOfTank = 10 * kBreadth, kZone = 3 * kBreadth;  // [m] of the tank, of a damping zone
constexpr double kPrismDensity = 0.5;                                  // of the water's
constexpr double kGravityOfPrism = 9.81;
constexpr double kDraught = kPrismDensity * kPrismHeight;
constexpr double kFirstAngle = 8 * std::numbers::pi / 180;
constexpr int kSamplesPerSecond = 50;

enum class PrismMotion { Heave, Roll };

struct PrismRun {
  PrismMotion motion;
  int across;  ///< particles along the height
  double end;  ///< [s]
  const char* word() const { return motion == PrismMotion::Heave ? "heave" : "roll"; }
  std::string text() const { return fmt::format("{}, {} particles along the height", word(), across); }
};

/// [s]
double period_without_water(PrismMotion motion) {
  if (motion == PrismMotion::Heave) return 2 * std::numbers::pi * std::sqrt(kDraught / kGravityOfPrism);
  const double inertia_over_mass = (kBreadth * kBreadth + kPrismHeight * kPrismHeight) / 12;
  const double metacentre = kBreadth * kBreadth / (12 * kDraught) - 0.5 * (kPrismHeight - kDraught);
  return 2 * std::numbers::pi * std::sqrt(inertia_over_mass / (kGravityOfPrism * metacentre));
}

SimulationSetup floating_prism(const PrismRun& run) {
  SimulationSetup setup;
  const auto length = static_cast<float>(kLengthOfTank), depth = static_cast<float>(kDepthOfTank),
             zone = static_cast<float>(kZone), top = static_cast<float>(kDepthOfTank + 2 * kPrismHeight);
  setup.domain.dimension = 2;
  setup.domain.max = {length, top, 0};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.gravity = {0, -static_cast<float>(kGravityOfPrism), 0};
  setup.spacing = static_cast<float>(kPrismHeight / run.across);
  setup.fluids.emplace_back();
  setup.bodies.emplace_back().max = {length, depth, 0};
  DampingZone before, behind;
  before.max = {zone, top, 0};
  behind.min = {length - zone, 0, 0};
  behind.max = {length, top, 0};
  before.outer = BoxFace::XMin;
  behind.outer = BoxFace::XMax;
  before.strength = behind.strength = 10;
  setup.damping = {before, behind};
  SolidRegion& prism = setup.solid_regions.emplace_back();
  prism.name = "prism";
  prism.shape = Shape::Polygon;
  const bool heave = run.motion == PrismMotion::Heave;
  const double angle = heave ? 0 : kFirstAngle, x = 0.5 * kLengthOfTank,
               y = kDepthOfTank + 0.5 * kPrismHeight - kDraught + (heave ? 0.25 * kPrismHeight : 0);
  for (const auto& [across, up] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    const double dx = across * kBreadth, dy = up * kPrismHeight;
    prism.corners.push_back({static_cast<float>(x + dx * std::cos(angle) - dy * std::sin(angle)),
                             static_cast<float>(y + dx * std::sin(angle) + dy * std::cos(angle))});
  }
  return setup;
}

SimulationSetup let_go(SimulationSetup setup) {
  setup.solid_regions[0].free.given = true;
  setup.solid_regions[0].free.density = static_cast<float>(1000 * kPrismDensity);
  return setup;
}

struct PrismSwing {
  std::vector<double> t, y;  ///< [s]; height [widths] or angle [degrees], about no particular place
  OscillationFit fit;
};

PrismSwing swing_of(const CaseContext& context, const PrismRun& run) {
  const SimulationSetup held = context.noted(floating_prism(run));
  const double settled = 5 * std::sqrt(kDepthOfTank / kGravityOfPrism), all = settled + run.end;
  const auto progress = [&](double now) { context.progress(now / all, run.text()); };
  Simulation before(held, context.device);
  run_until(before, settled, progress);
  Simulation simulation(let_go(held), context.device, before.save_state());
  PrismSwing swing;
  const int samples = static_cast<int>(std::lround(run.end * kSamplesPerSecond));
  for (int k = 0; k <= samples; ++k) {
    const double time = double(k) / kSamplesPerSecond;
    if (k > 0) run_until(simulation, settled + time, progress);
    const BodyState prism = simulation.bodies()[0];
    swing.t.push_back(time);
    swing.y.push_back(run.motion == PrismMotion::Heave
                          ? (prism.center[1] - (kDepthOfTank + 0.5 * kPrismHeight - kDraught)) / kPrismHeight
                          : (2 * std::asin(prism.turn[3]) + kFirstAngle) * 180 / std::numbers::pi);
  }
  // The water that moves along makes the period longer by a third or so.
  swing.fit =
      fit_decaying_oscillation(swing.t, swing.y, 2 * std::numbers::pi / (1.35 * period_without_water(run.motion)));
  return swing;
}

CaseResult run_floating_prism(const CaseContext& context) {
  std::vector<PrismRun> runs = {{PrismMotion::Heave, 6, 2}, {PrismMotion::Roll, 6, 3}};
  if (context.full())
    runs = {{PrismMotion::Heave, 10, 2},
            {PrismMotion::Heave, 20, 2},
            {PrismMotion::Roll, 10, 3},
            {PrismMotion::Roll, 20, 3}};
  CaseResult result;
  Curve heave{"heave", "A prism that is let go too high", "t [s]", "height over equilibrium / H", {}, {}},
      roll{"roll", "A prism that is let go turned", "t [s]", "angle [degrees]", {}, {}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const PrismRun& run = runs[k];
    const double count = double(runs.size());
    const PrismSwing swing = swing_of(context.part(double(k) / count, double(k + 1) / count), run);
    const bool is_heave = run.motion == PrismMotion::Heave;
    const double period = swing.fit.found() ? 2 * std::numbers::pi / swing.fit.frequency : NAN;
    result.checks.push_back(figure("period of " + run.text(), period, "s"));
    result.checks.push_back(
        context.check("period over that without added mass, " + run.text(), period / period_without_water(run.motion)));
    result.checks.push_back(figure("decay of " + run.text(), swing.fit.found() ? swing.fit.decay : NAN, "1/s"));
    result.checks.push_back(
        figure("rms of what the fit leaves, over that of the motion, " + run.text(), swing.fit.residual));
    (is_heave ? heave : roll).measured.push_back({run.text(), swing.t, swing.y});
  }
  result.curves = {heave, roll};
  return result;
}

}  // namespace

ValidationCase floating_prism_case() {
  return {"floating_prism", "heave and roll of a prism that floats (WCSPH, 2-D)", "6 particles along its height",
          "10 and 20 particles along its height", run_floating_prism};
}

}  // namespace riffle
