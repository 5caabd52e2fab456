#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/dfsph/dfsph.h"
#include "sim/solver_info.h"
#include "sim/state.h"
#include "sim/viscosity/viscosity_choice.h"

namespace riffle::dfsph {

namespace {

std::unique_ptr<Solver> make(const SimulationSetup& setup, ParticleSet& particles,
                             const std::shared_ptr<PlacedWalls>& walls) {
  return std::make_unique<DfsphSolver>(setup, particles, walls);
}

std::vector<SolverFact> facts(const SimulationSetup& setup, double) {
  std::vector<SolverFact> facts = {
      {"pressure", fmt::format("iterated to {:g} % of the density on average, at most {} times per step",
                               100 * setup.dfsph.density_error, setup.dfsph.max_iterations)}};
  const std::string viscosity = viscosity::text(viscosity::choose(setup), setup);
  if (!viscosity.empty()) facts.push_back({"viscosity", viscosity});
  constexpr float kCalm = 5e-5f;  // docs/validation.md, archimedes
  if (!setup.solid_regions.empty() && !viscosity::is_implicit(setup) && setup.dfsph.density_error > kCalm)
    facts.push_back({"solid forces",
                     "hold as means over many steps; single values swing, with many particles by more than a tenth. A "
                     "solver.density_error of 5e-5 or less calms them"});
  return facts;
}

std::vector<float> left_pressure(const SimulationState& state) {
  const std::vector<float>* pressure = state.find<float>("pressure");
  return pressure && (state.clock.step > 0 || state.inheritance.begins) ? *pressure : std::vector<float>{};
}

std::function<double(double)> excess_under(const SimulationSetup&) {
  return [](double) { return 0.0; };
}

constexpr float kEasedCfl = 0.4f;
constexpr float kEasedError = 0.005f;
constexpr float kEasedLargest = 0.2f;

void ease(SimulationSetup& setup, double share) {
  const float cfl = std::max(setup.step.cfl, kEasedCfl);
  setup.step.cfl += static_cast<float>(share) * (cfl - setup.step.cfl);
  // By equal factors: each halves the iterations by about as many.
  const auto widen = [&](float& bound, float limit) {
    if (bound < limit) bound *= static_cast<float>(std::pow(double{limit} / bound, share));
  };
  widen(setup.dfsph.density_error, kEasedError);
  widen(setup.dfsph.divergence_error, kEasedError);
  widen(setup.dfsph.largest_density_error, kEasedLargest);
}

std::string ease_text(const SimulationSetup& setup) {
  return fmt::format("cfl {:.3g}, density_error {:.3g}", setup.step.cfl, setup.dfsph.density_error);
}

/// As the constructor adds them.
std::size_t state_bytes(const SimulationSetup& setup) {
  return 2 * sizeof(float) + sizeof(Vec4) + (viscosity::is_implicit(setup) ? 2 * sizeof(Vec4) : 0);
}

}  // namespace

extern const SolverInfo kInfo;  // sim/solvers.cpp lists it
constinit const SolverInfo kInfo{
    .kind = SolverKind::Dfsph,
    .name = "dfsph",
    .summary = "divergence-free SPH, which is incompressible and takes steps by the fluid's own speed",
    .has_density = true,
    .has_acceleration = true,
    .support_ratio = 2,
    .surface_tension = true,
    .shifting = true,
    .sph_forces = true,
    .walls_drag = true,
    .wall_particles = true,
    .adaptive_step = true,
    .long_steps = true,
    .lists_neighbors = true,
    .make = make,
    .step_bounds = step_bounds,
    .signal_speed = automatic_signal_speed,
    .particle_bytes = particle_bytes,
    .wall_particle_bytes = wall_particle_bytes,
    .state_bytes = state_bytes,
    .ease = ease,
    .ease_text = ease_text,
    .left_pressure = left_pressure,
    .excess_under = excess_under,
    .carries_pressure = true,
    .facts = facts,
    .signal_speed_name = "what gravity and the bodies' velocities allow",
    .unstable_remedy = "A smaller step helps most, a smaller time.step or time.cfl; then bodies that do not overlap",
    .compressed_remedy = "a smaller solver.density_error, or more solver.max_iterations",
};

}  // namespace riffle::dfsph
