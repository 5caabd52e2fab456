#include <fmt/format.h>

#include <algorithm>

#include "scenes/format/format_keys.h"
#include "scenes/review/subjects.h"
#include "scenes/solver_scene.h"
#include "sim/solver.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

std::vector<Key> make_dfsph_keys() {
  return {
      field("density_error", number_from(1e-6, 0.1, ""), dfsph_setup, &DfsphSetup::density_error,
            "Mean error of the density, as a share of the rest density, at which the iterations for the pressure end."),
      field("largest_density_error", number_from(1e-6, 10, ""), dfsph_setup, &DfsphSetup::largest_density_error,
            "The same for the particle with the largest error. Both must hold."),
      field("divergence_error", number_from(1e-6, 0.1, ""), dfsph_setup, &DfsphSetup::divergence_error,
            "Mean change of the density in one step, as a share of the rest density, at which the iterations for a "
            "velocity without divergence end."),
      field("max_iterations", whole(1, 10000), dfsph_setup, &DfsphSetup::max_iterations,
            "Most iterations of either kind in one step. A step that ends there is counted as `unconverged`, and the "
            "next ones are shorter."),
      field("divergence_free", flag(), dfsph_setup, &DfsphSetup::divergence_free,
            "Whether the velocity is made free of divergence, besides the density. `false` saves time, and splashes "
            "are livelier."),
  };
}

void review_dfsph(SceneDraft& draft, Findings& out) {
  SimulationSetup& setup = draft.scene.simulation;
  warn_of_endless_fall(setup, "", out);
  if (out.intact({"dimension", "domain", "particles"})) warn_of_support_ratio(setup, out);
  if (out.intact({"solver"})) review_kernel(setup, out);
  if (out.intact({"solver"})) review_damping(setup.wcsph, out);
  if (!out.intact({"solver", "fluids", "particles", "dimension", "domain"})) return;
  review_faces(setup, out);
  review_viscosity(setup, out);
  if (!review_tension(draft, out)) return;
  review_negative_pressure(setup, out);
  review_shifting(setup, out);
}

void review_fixed_dfsph_step(const SimulationSetup& setup, Findings& out) {
  const StepBounds bounds = step_bounds(setup);
  if (setup.step.fixed > bounds.constant)
    out.warn(
        WarningKind::DfsphStep, "time.step",
        fmt::format(
            "{:g} s is above the largest advisable step of {:.3g} s (cfl {:g} at {:.3g} m/s, as fast as a fall makes "
            "the fluid, and viscosity): pressures may not converge",
            setup.step.fixed, bounds.constant, setup.step.cfl, expected_speed(setup)));
}

}  // namespace

SolverScene dfsph_scene() { return {SolverKind::Dfsph, make_dfsph_keys, review_dfsph, review_fixed_dfsph_step}; }

}  // namespace riffle::scenes
