#include "scenes/review/review.h"

#include "scenes/review/subjects.h"

namespace riffle {

namespace {

struct SolverReview {
  SolverKind solver;
  void (*settings)(SceneDraft&, Findings&);
  void (*fixed_step)(const SimulationSetup&, Findings&);  ///< of a step that the scene gives
};

constexpr SolverReview kSolverReviews[] = {
    {SolverKind::Wcsph, review_wcsph, review_wcsph_step},
    {SolverKind::Pbf, review_pbf, review_pbf_step},
    {SolverKind::Dpd, review_dpd, review_dpd_step},
};

}  // namespace

Scene review(SceneDraft draft, const KeyLocations& locations, Problems& problems) {
  Findings out(locations, problems, draft.scene.warnings);
  const SimulationSetup& setup = draft.scene.simulation;
  review_domain(draft, out);
  review_resolution(draft, out);
  review_solver_keys(draft, out);
  review_fluids(draft, out);
  review_start(draft, out);
  review_bodies(draft, out);
  for (const SolverReview& row : kSolverReviews)
    if (row.solver == setup.solver) row.settings(draft, out);
  review_neighbors(draft, out);
  review_time(draft, out);
  for (const SolverReview& row : kSolverReviews)
    if (row.solver == setup.solver && setup.step.fixed > 0 && out.none_refused()) row.fixed_step(setup, out);
  review_picture(draft, out);
  return std::move(draft.scene);
}

}  // namespace riffle
