#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/solver_info.h"
#include "sim/viscosity/viscosity_choice.h"
#include "sim/wcsph/tait.h"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

namespace {

std::unique_ptr<Solver> make(const SimulationSetup& setup, ParticleSet& particles,
                             const std::shared_ptr<PlacedWalls>& walls) {
  return std::make_unique<WcsphSolver>(setup, particles, walls);
}

bool speed_is_given(const SimulationSetup& setup) { return setup.wcsph.speed_of_sound > 0; }

Pressure pressure(const SimulationSetup& setup) {
  const TaitPressure tait{setup.wcsph.tait_exponent, setup.wcsph.negative_pressure};
  const FluidTable fluids = make_fluid_table(setup, speed_of_sound(setup));
  Pressure pressure{tait, fluids.stiffness};
  std::copy(std::begin(fluids.rest_density), std::end(fluids.rest_density), pressure.rest_density);
  return pressure;
}

/// What steps of `to` start from: positions and velocities, with continuity compressions too.
bool carries_on(const SimulationSetup& from, const SimulationSetup& to) {
  return to.wcsph.density == DensityScheme::Summation || from.wcsph.density == DensityScheme::Continuity;
}

std::vector<SolverFact> facts(const SimulationSetup& setup, double) {
  std::vector<SolverFact> facts = {{"speed of sound", fmt::format("{:.4g} m/s{}", speed_of_sound(setup),
                                                                  speed_is_given(setup) ? "" : " (automatic)")}};
  const std::string viscosity = viscosity::text(viscosity::choose(setup), setup);
  if (!viscosity.empty()) facts.push_back({"viscosity", viscosity});
  return facts;
}

}  // namespace

extern const SolverInfo kInfo;  // sim/solvers.cpp lists it
constinit const SolverInfo kInfo{
    .kind = SolverKind::Wcsph,
    .name = "wcsph",
    .summary = "weakly compressible SPH",
    .has_density = true,
    .has_acceleration = true,
    .support_ratio = 3,
    .surface_tension = true,
    .shifting = true,
    .sph_forces = true,
    .wall_particles = true,
    .adaptive_step = true,
    .retries_step = true,  // it asks for memory before it moves anything
    .make = make,
    .step_bounds = step_bounds,
    .signal_speed = speed_of_sound,
    .particle_bytes = particle_bytes,
    .wall_particle_bytes = kWallParticleBytes,
    .carries_on = carries_on,
    .pressure = pressure,
    .facts = facts,
    .signal_speed_name = "the numerical speed of sound",
    .signal_speed_multiple = 1,
    .unstable_remedy =
        "A smaller step helps most: time.step=auto, or a smaller time.cfl; then a larger "
        "solver.artificial_viscosity, and bodies that do not overlap",
    .compressed_remedy = "a larger solver.speed_of_sound",
    .speed_key = "solver.speed_of_sound",
    .speed_is_given = speed_is_given,
};

}  // namespace riffle::wcsph
