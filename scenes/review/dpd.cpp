#include <fmt/format.h>

#include <cmath>

#include "scenes/review/pair_matrix.h"
#include "scenes/review/subjects.h"
#include "sim/dpd/dpd.h"
#include "sim/solver.h"

namespace riffle {

namespace {

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
  bool told = false;
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
      if (!draft.noise.given) {
        sigma = static_cast<float>(std::sqrt(balance));
        continue;
      }
      const double sigma2 = double{sigma} * sigma;
      if (told || std::abs(sigma2 - balance) <= 1e-3 * balance) continue;
      told = true;
      out.warn("solver.noise",
               fmt::format(
                   "between '{}' and '{}' friction and the temperature kT = {:g} need sigma = {:.4g}, found {:.4g}: {}",
                   fluids[k].name, fluids[l].name, dpd.temperature, std::sqrt(balance) / c, std::sqrt(sigma2) / c,
                   gamma > 0 ? fmt::format("these pairs drive the fluid towards kT = {:.4g}", sigma2 / (2 * gamma))
                             : "without friction the fluid heats up without end"));
    }
  if (dpd.random == RandomKind::KarpinskiStream) out.warn("solver.random", kKarpinskiStreamWarning);
}

}  // namespace

void review_dpd(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  warn_of_endless_fall(setup, "", out);
  if (setup.dpd.integrator == DpdIntegrator::LeapFrog && out.given("solver.lambda"))
    out.warn("solver.lambda", "has no effect: it belongs to solver.integrator velocity_verlet");
  if (out.intact({"solver", "fluids", "particles"})) fill_matrices(draft, setup, out);
}

void review_dpd_step(const SimulationSetup& setup, Findings& out) {
  const double stable = stable_dt(setup);
  if (setup.step.fixed > stable)
    out.warn("time.step",
             fmt::format("{:g} is above the largest advisable step of {:.3g}, which follows from repulsion, "
                         "friction and masses: the temperature will be off",
                         setup.step.fixed, stable));
}

}  // namespace riffle
