#include "sim/solver.h"

#include <algorithm>
#include <cmath>

#include "sim/dpd/dpd.h"
#include "sim/pbf/pbf.h"
#include "sim/wcsph/wcsph.h"

namespace riffle {

std::unique_ptr<Solver> make_solver(const SimulationSetup& setup, ParticleSet& particles,
                                    const std::shared_ptr<const Boundary>& walls) {
  switch (setup.solver) {
    case SolverKind::Wcsph: break;
    case SolverKind::Pbf: return std::make_unique<PbfSolver>(setup, particles, walls);
    case SolverKind::Dpd: return std::make_unique<DpdSolver>(setup, particles);
  }
  return std::make_unique<WcsphSolver>(setup, particles, walls);
}

StepBounds step_bounds(const SimulationSetup& setup) {
  switch (setup.solver) {
    case SolverKind::Wcsph: break;
    case SolverKind::Pbf: return pbf_step_bounds(setup);
    case SolverKind::Dpd: return dpd_step_bounds(setup);
  }
  return wcsph_step_bounds(setup);
}

float stable_dt(const SimulationSetup& setup) {
  if (setup.solver == SolverKind::Dpd) return dpd_stable_dt(setup);
  const StepBounds bounds = step_bounds(setup);
  const float gravity = std::sqrt(length2(setup.gravity));
  float dt = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  if (gravity > 0) dt = std::min(dt, std::sqrt(bounds.force_length / gravity));
  return dt;
}

float signal_speed(const SimulationSetup& setup) {
  switch (setup.solver) {
    case SolverKind::Wcsph: break;
    case SolverKind::Pbf: return automatic_speed_of_sound(setup);
    case SolverKind::Dpd: return 10 * dpd_thermal_speed(setup);
  }
  return speed_of_sound_of(setup);
}

float expected_speed(const SimulationSetup& setup) {
  return (setup.solver == SolverKind::Dpd ? 0.2f : 0.1f) * signal_speed(setup);
}

float search_radius(const SimulationSetup& setup) {
  return setup.solver == SolverKind::Pbf ? pbf_search_radius(setup) : setup.support_radius();
}

void Solver::stir(ParticleSet& particles, const StepControl& control, StageTimer& timer) const {
  if (!stirring_) return;
  auto timing = timer.scope("stirring");
  add_stirring(particles, *stirring_, domain_, control.state());
}

void find_neighborhoods(ParticleSet& particles, NeighborSearch& search, const Domain& domain, float h,
                        StageTimer& timer) {
  {
    auto timing = timer.scope("build");
    search.build(particles.get<Vec4>("position").data(), particles.count(), domain, h);
  }
  if (search.wants_reorder()) {
    auto timing = timer.scope("reorder");
    particles.reorder(search.order());
  }
}

}  // namespace riffle
