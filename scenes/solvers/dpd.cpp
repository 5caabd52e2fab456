#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/format/format_keys.h"
#include "scenes/review/pair_matrix.h"
#include "scenes/review/subjects.h"
#include "scenes/solver_scene.h"
#include "sim/dpd/balanced_noise.h"
#include "sim/dpd/dpd.h"
#include "sim/solver.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

/// Either the word, or what pair_matrix() takes.
Key noise_key() {
  return optional(
      "noise", {words({"auto"}), number_from(0, 1e6, ""), rows(0, "")}, "auto",
      "Coefficient sigma of the random force, written like `repulsion`. `auto`: the one that holds the "
      "temperature, sigma^2 = 2 gamma kT.",
      [](SceneDraft& d, const Value& v) {
        if (!v.is_text()) d.noise.set(v);
      },
      [](SceneDraft& d) { return d.noise.given ? d.noise.value() : Value("auto"); });
}

std::vector<Key> make_dpd_keys() {
  const DpdSetup standard;
  return {
      field("temperature", number_above(0, "eps", 1e6), dpd_setup, &DpdSetup::temperature,
            "Energy kT that the thermostat holds; while it is 1, the unit eps of energy is kT itself."),
      field("cutoff", number_above(0, "", 1e6), dpd_setup, &DpdSetup::cutoff,
            "Radius r_c within which particles act on each other; the unit of length while it is 1. While it is not, "
            "read the unit of length wherever a unit has r_c."),
      pair_matrix("repulsion", "eps/r_c", &SceneDraft::repulsion, standard.repulsion,
                  "Coefficient a of the conservative force a (1 - r / r_c): one number for all pairs, or a row "
                  "for every fluid with a column for every fluid. It is the number itself: it does not grow with "
                  "`temperature`."),
      pair_matrix("friction", "sqrt(m eps)/r_c", &SceneDraft::friction, standard.friction,
                  "Coefficient gamma of the drag gamma (1 - r / r_c)^2, written like `repulsion`."),
      noise_key(),
      choice("weights", draft, &SceneDraft::weights, "What the coefficients multiply."),

      choice("integrator", dpd_setup, &DpdSetup::integrator, "How positions and velocities advance by a step."),
      field("lambda", number_from(0, 1, ""), dpd_setup, &DpdSetup::lambda,
            "With `velocity_verlet`: how many steps ahead the velocities for the drag are predicted."),
      choice("random", dpd_setup, &DpdSetup::random, "Random numbers of the random force."),
      choice("stream_start", dpd_setup, &DpdSetup::stream_start,
             "With `karpinski_stream`: where the numbers of a particle begin. A run that goes on from a state goes on "
             "with "
             "the state's numbers."),
  };
}

/// Entries of fluids that are not there, which nothing reads, as reading the written scene gives them: one number for all
/// pairs fills them too.
void fill_rest(PairMatrix& matrix, std::size_t fluids, const PairMatrix& standard) {
  const PairMatrix given = matrix;
  const float first = given.value[0][0];
  bool same = true;
  for (std::size_t k = 0; k < fluids; ++k)
    for (std::size_t l = 0; l < fluids; ++l) same &= given.value[k][l] == first;
  matrix = standard;
  if (same) matrix.fill(first);
  for (std::size_t k = 0; k < fluids; ++k)
    for (std::size_t l = 0; l < fluids; ++l) matrix.value[k][l] = given.value[k][l];
}

/// Fills the matrices, and sigma where the scene leaves it to follow from the temperature.
void fill_matrices(const SceneDraft& draft, SimulationSetup& setup, Findings& out) {
  DpdSetup& dpd = setup.dpd;
  const auto& fluids = setup.fluids;
  const bool sound = fill_matrix(draft.repulsion, fluids, "solver.repulsion", out, dpd.repulsion) &&
                     fill_matrix(draft.friction, fluids, "solver.friction", out, dpd.friction) &&
                     (!draft.noise.given || fill_matrix(draft.noise, fluids, "solver.noise", out, dpd.noise));
  if (!sound) return;
  const double c = draft.weights == PairWeights::Normalized
                       ? dpd::normalized_weight(setup.domain.dimension, 1 / setup.particle_volume(), dpd.cutoff)
                       : 1.0;
  bool told = false, thermostat = false;
  for (std::size_t k = 0; k < fluids.size(); ++k)
    for (std::size_t l = 0; l < fluids.size(); ++l) {
      float &a = dpd.repulsion.value[k][l], &gamma = dpd.friction.value[k][l], &sigma = dpd.noise.value[k][l];
      if (draft.weights == PairWeights::Normalized) {
        const double mass = 2.0 * fluids[k].mass * fluids[l].mass / (double{fluids[k].mass} + fluids[l].mass);
        a *= static_cast<float>(c);
        gamma *= static_cast<float>(mass * c * c);
        if (draft.noise.given) sigma *= static_cast<float>(c);
      }
      const double balance = 2.0 * gamma * dpd.temperature;  // sigma^2, after the fluctuation-dissipation theorem
      if (!draft.noise.given) sigma = riffle::dpd::balanced_noise(gamma, dpd.temperature);
      thermostat |= gamma > 0 || sigma > 0;
      if (!draft.noise.given) continue;
      const double sigma2 = double{sigma} * sigma;
      if (told || std::abs(sigma2 - balance) <= 1e-3 * balance) continue;
      told = true;
      out.warn(WarningKind::DpdNoise, "solver.noise",
               fmt::format(
                   "between '{}' and '{}' friction and the temperature kT = {:g} need sigma = {:.4g}, found {:.4g}: {}",
                   fluids[k].name, fluids[l].name, dpd.temperature, std::sqrt(balance) / c, std::sqrt(sigma2) / c,
                   gamma > 0 ? fmt::format("these pairs drive the fluid towards kT = {:.4g}", sigma2 / (2 * gamma))
                             : "without friction the fluid heats up without end"));
    }
  const DpdSetup standard;
  fill_rest(dpd.repulsion, fluids.size(), standard.repulsion);
  fill_rest(dpd.friction, fluids.size(), standard.friction);
  fill_rest(dpd.noise, fluids.size(), standard.noise);
  if (!thermostat)
    out.warn(WarningKind::DpdWithoutThermostat, "solver.friction",
             fmt::format("is 0, and so is the random force: no thermostat holds kT = {:g}. The fluid keeps its energy, "
                         "and becomes hotter or colder as it leaves its start; 4.5 is usual (Groot and Warren 1997)",
                         dpd.temperature));
  if (dpd.random == RandomKind::KarpinskiStream)
    out.warn(WarningKind::DpdRandomStream, "solver.random", kKarpinskiStreamWarning);
}

/// Numbers that are usual in SI units and odd in those of DPD.
void review_units(const SimulationSetup& setup, Findings& out) {
  constexpr double kFewRadii = 3, kCrowd = 40, kHeavy = 100, kCold = 1e-4,
                   kFar = 200;  // usual: tens of r_c, 3 to 10 per r_c^d, 1
  const Domain& domain = setup.domain;
  const double cutoff = setup.dpd.cutoff;
  double shortest = INFINITY, heaviest = 0;
  for (int a = 0; a < domain.dimension; ++a) shortest = std::min(shortest, double{component(domain.extent(), a)});
  for (const FluidSetup& fluid : setup.fluids) heaviest = std::max(heaviest, double{fluid.mass});
  const double crowd = std::pow(cutoff, domain.dimension) / setup.particle_volume();
  std::string odd;
  const auto add = [&](const std::string& text) { odd += (odd.empty() ? "" : ", ") + text; };
  if (shortest < kFewRadii * cutoff) add(fmt::format("the domain is {:.3g} r_c wide", shortest / cutoff));
  if (crowd > kCrowd)
    add(fmt::format("{:.3g} particles lie in r_c^{}, where 3 to 10 are usual", crowd, domain.dimension));
  double stiffest = 0;
  for (std::size_t k = 0; k < setup.fluids.size(); ++k)
    for (std::size_t l = 0; l < setup.fluids.size(); ++l)
      stiffest = std::max(stiffest, double{setup.dpd.repulsion.value[k][l]});
  if (setup.dpd.temperature < kCold * stiffest * cutoff)
    add(
        fmt::format("kT is {:.3g} of the energy a r_c of two particles at one place, where 0.01 to 0.1 is usual: the "
                    "fluid freezes",
                    setup.dpd.temperature / (stiffest * cutoff)));
  if (!(cutoff > 1 / kFar && cutoff < kFar)) add(fmt::format("the cut-off radius is {:g}, where 1 is usual", cutoff));
  if (!(setup.dpd.temperature < kFar)) add(fmt::format("kT is {:g}, where 1 is usual", setup.dpd.temperature));
  double lightest = INFINITY;
  for (const FluidSetup& fluid : setup.fluids) lightest = std::min(lightest, double{fluid.mass});
  if (lightest < 1 / kFar) add(fmt::format("a particle has the mass {:g}, where 1 is usual", lightest));
  if (heaviest > kHeavy) add(fmt::format("a particle has the mass {:g}, where 1 is usual", heaviest));
  if (!odd.empty())
    out.warn(WarningKind::DpdUnits, "solver.type",
             fmt::format("dpd is in reduced units, not in SI: lengths in the cut-off radius r_c (solver.cutoff, {:g}), "
                         "masses in that of a particle, energies in eps, which is kT while `temperature` is 1; here {}",
                         cutoff, odd));
}

void review_dpd(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  review_faces(setup, out);
  warn_of_endless_fall(setup, "", out);
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog)
    out.idle(WarningKind::DpdLambda,
             {"solver.lambda", "has no effect: it belongs to solver.integrator velocity_verlet"},
             out.given("solver.lambda"));
  if (setup.dpd.random != RandomKind::KarpinskiStream)
    out.idle(WarningKind::DpdStreamStart,
             {"solver.stream_start", "has no effect: it belongs to solver.random karpinski_stream"},
             out.given("solver.stream_start"));
  if (out.intact({"solver", "fluids", "particles"})) fill_matrices(draft, setup, out);
  if (out.intact({"solver", "fluids", "particles", "domain", "dimension"})) review_units(setup, out);
  // Soft particles come near each other, but not as near as that.
  warn_of_close_particles(setup, 1e-3f, ". The first steps push them apart", out);
}

const char* text_of(dpd::LongSteps effect) {
  switch (effect) {
    case dpd::LongSteps::Cool: return "just above it the fluid becomes too cold";
    case dpd::LongSteps::Heat: return "just above it the fluid becomes too hot";
    case dpd::LongSteps::CoolAndHeat:
      return "above it the drag cools the fluid and collisions heat it, by a few percent at first and by much more "
             "with "
             "steps twice as long";
    case dpd::LongSteps::Pairs:
      return "and the energy of pairs within 1 %: above it that energy, and with it the pressure, becomes too high, "
             "while the "
             "temperature stays within its error for somewhat longer steps";
  }
  return "";
}

void review_fixed_dpd_step(const SimulationSetup& setup, Findings& out) {
  const double stable = stable_dt(setup);
  const dpd::LongSteps effect = dpd::effect_of_long_steps(setup);
  if (setup.step.fixed > 1.005 * stable)  // the text rounds it
    out.warn(
        WarningKind::DpdStep, "time.step",
        fmt::format("{:g} is above the largest advisable step of {:.3g}, which follows from integrator, repulsion, "
                    "friction, temperature, masses, density and cutoff: up to it the temperature is within {:g} % of kT"
                    "{}{}, and much longer steps throw the fluid apart",
                    setup.step.fixed, stable, 100 * dpd::kAdmittedTemperatureError,
                    effect == dpd::LongSteps::Pairs ? " " : ", ", text_of(effect)));
}

}  // namespace

SolverScene dpd_scene() { return {SolverKind::Dpd, make_dpd_keys, review_dpd, review_fixed_dpd_step}; }

}  // namespace riffle::scenes
