/// A ball, a box and a polygon, held still under water in one tank (in 2-D their sections). Everything as scenes have it by
/// default. The mean force over 2 s, after 5 sqrt(H/g) in which the water settles, is the weight of the water that the
/// solid displaces.
///
/// Accepted for WCSPH: within 5 % with 10 particles across a solid, within 2 % with 20. PBF and DFSPH are reported.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "validation/cases.h"
#include "validation/cases/submerged_bodies.h"
#include "validation/particle_state.h"

namespace riffle {

namespace {

constexpr double kMeanOver = 2;  // [s]
constexpr double kDensityOfWater = 1000, kGravityOfTank = 9.81;

struct SubmergedRun {
  SolverKind solver;
  int dimension, across;
  std::string text() const {
    const std::string at = fmt::format("{}-D, {} across", dimension, across);
    return solver == SolverKind::Wcsph ? at : fmt::format("{}, {}", to_string(solver), at);
  }
};

SimulationSetup submerged_solids(const SubmergedRun& run) {
  SimulationSetup setup = tank_of_submerged_bodies(run.dimension, run.across);
  setup.solver = run.solver;
  setup.face_forces = true;
  return setup;
}

struct Forces {
  std::vector<double> upwards;  ///< of each solid, over that of Archimedes
  double sideways = 0;          ///< largest, over the same
  double lost = 0;              ///< momentum that no solid has got, over the weight of the water times the time
};

Forces forces_on(const CaseContext& context, const SubmergedRun& run) {
  const SimulationSetup setup = context.noted(submerged_solids(run));
  Simulation simulation(setup, context.device);
  const double settled = 5 * std::sqrt(kSubmergedDepth / kGravityOfTank), end = settled + kMeanOver;
  const auto progress = [&](double now) { context.progress(now / end, run.text()); };
  run_until(simulation, settled, progress);
  const Diagnostics before = simulation.diagnostics();
  run_until(simulation, end, progress);
  const Diagnostics after = simulation.diagnostics();
  const auto gained = [&](std::size_t s, int k) { return after.solids[s].impulse[k] - before.solids[s].impulse[k]; };
  Forces forces;
  const double time = after.solids[0].time - before.solids[0].time, weight = after.mass * kGravityOfTank * time;
  double all[3] = {0, 0, 0};
  for (std::size_t s = 0; s < after.solids.size(); ++s) {
    for (int k = 0; k < 3; ++k) all[k] += gained(s, k);
    if (s == 0) continue;
    const SolidRegion& solid = setup.solid_regions[s - 1];
    const double displaced =
        kDensityOfWater * kGravityOfTank * time * shape_info(solid.shape).volume(solid, run.dimension, 1);
    forces.upwards.push_back(gained(s, 1) / displaced);
    forces.sideways =
        std::max({forces.sideways, std::fabs(gained(s, 0)) / displaced, std::fabs(gained(s, 2)) / displaced});
  }
  for (int k = 0; k < 3; ++k)
    forces.lost = std::max(forces.lost,
                           std::fabs(before.momentum[k] - after.momentum[k] - (k == 1 ? weight : 0) - all[k]) / weight);
  return forces;
}

CaseResult run_archimedes(const CaseContext& context) {
  std::vector<SubmergedRun> runs = {{SolverKind::Wcsph, 2, 10}, {SolverKind::Dfsph, 2, 10}, {SolverKind::Pbf, 2, 10}};
  if (context.full())
    for (const SubmergedRun& run : {SubmergedRun{SolverKind::Wcsph, 2, 20},
                                    {SolverKind::Dfsph, 2, 20},
                                    {SolverKind::Pbf, 2, 20},
                                    {SolverKind::Wcsph, 3, 10},
                                    {SolverKind::Dfsph, 3, 10},
                                    {SolverKind::Pbf, 3, 10}})
      runs.push_back(run);
  CaseResult result;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const double count = double(runs.size());
    const SubmergedRun& run = runs[k];
    const SimulationSetup setup = submerged_solids(run);
    const Forces forces = forces_on(context.part(double(k) / count, double(k + 1) / count), run);
    const bool judged = run.solver == SolverKind::Wcsph;
    for (std::size_t s = 0; s < forces.upwards.size(); ++s) {
      const std::string name = fmt::format("force over Archimedes', {}, {}", setup.solid_regions[s].name, run.text());
      result.checks.push_back(judged ? context.check(name, forces.upwards[s]) : figure(name, forces.upwards[s]));
    }
    const std::string sideways = "largest force sideways over Archimedes', " + run.text(),
                      lost = "momentum that the water loses without a solid's gain over its weight, " + run.text();
    result.checks.push_back(judged ? context.check(sideways, forces.sideways) : figure(sideways, forces.sideways));
    result.checks.push_back(judged ? context.check(lost, forces.lost) : figure(lost, forces.lost));
  }
  return result;
}

}  // namespace

ValidationCase archimedes_case() {
  return {"archimedes", "solids held still under water", "2-D, 10 particles across a solid",
          "2-D with 10 and 20 particles across a solid, 3-D with 10", run_archimedes};
}

}  // namespace riffle
