#include "scenes/review/review.h"

#include "scenes/review/subjects.h"
#include "scenes/solver_scene.h"

namespace riffle::scenes {

Scene review(SceneDraft draft, const KeyLocations& locations, Problems& problems) {
  Findings out(locations, problems, draft.scene);
  const SimulationSetup& setup = draft.scene.simulation;
  review_domain(draft, out);
  review_resolution(draft, out);
  review_fluids(draft, out);
  warn_of_thin_liquid(setup, out);
  review_start(draft, out);
  review_inlet_fluids(draft, out);
  review_bodies(draft, out);
  review_motion_tables(draft, out);
  review_wavemakers(draft, out);
  review_solids(draft, out);
  review_water_depths(draft, out);
  review_damping_zones(draft, out);
  const SolverScene solver = solver_scene(setup.solver);
  solver.review(draft, out);
  review_probes(draft, out);
  review_neighbors(draft, out);
  review_time(draft, out);
  if (setup.step.fixed > 0 && out.none_refused()) solver.review_fixed_step(setup, out);
  review_solid_motion(draft, out);
  review_free_bodies(draft, out);
  review_joints(draft, out);
  review_moving_tank(draft, out);
  review_body_force(draft, out);
  review_openings(draft, out);
  review_picture(draft, out);
  if (out.none_refused()) review_duration(draft.scene, out);
  if (out.none_refused()) warn_of_fall_upwards(setup, out);
  return std::move(draft.scene);
}

}  // namespace riffle::scenes
