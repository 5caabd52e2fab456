#include "sim/dpd/dpd.h"
#include "sim/solver_info.h"
#include "sim/state.h"
#include "sim/units.h"

namespace riffle::dpd {

namespace {

const Units& units(const SimulationSetup& setup) {
  const bool of_temperature = setup.dpd.temperature == 1;
  if (setup.dpd.cutoff == 1) return of_temperature ? kReducedUnits : kEpsilonUnits;
  return of_temperature ? kNamelessUnits : kNamelessEpsilonUnits;
}

std::unique_ptr<Solver> make(const SimulationSetup& setup, ParticleSet& particles,
                             const std::shared_ptr<PlacedWalls>&) {
  return std::make_unique<DpdSolver>(setup, particles);
}

float signal_speed(const SimulationSetup& setup) { return 10 * thermal_speed(setup); }

float cutoff(const SimulationSetup& setup) { return setup.dpd.cutoff; }

std::string why_not_restored(const SimulationSetup& from, const SimulationSetup& to) {
  if (from.dpd.random == to.dpd.random) return "";
  return "the state's random numbers are of another kind than the simulation's";
}

/// The velocities of a leap-frog are half a step ahead of the positions.
std::vector<Vec4> start_velocities(const SimulationState& state) {
  std::vector<Vec4> velocity = *state.find<Vec4>("velocity");
  if (state.setup.dpd.integrator != DpdIntegrator::LeapFrog || !state.started) return velocity;
  const std::vector<Vec4>& previous = state.require<Vec4>("previous velocity");
  for (std::size_t i = 0; i < velocity.size(); ++i)
    velocity[i] = make_vec4(0.5f * (xyz(velocity[i]) + xyz(previous[i])));
  return velocity;
}

/// As the constructor adds them.
std::size_t state_bytes(const SimulationSetup& setup) {
  return 2 * sizeof(Vec4) + (walls_drag(setup) ? sizeof(Vec4) : 0) +
         (setup.dpd.integrator == DpdIntegrator::LeapFrog ? sizeof(Vec4) : 0) +
         (setup.dpd.random == RandomKind::KarpinskiStream ? sizeof(float) : 0);
}

}  // namespace

extern const SolverInfo kInfo;  // sim/solvers.cpp lists it
constinit const SolverInfo kInfo{
    .kind = SolverKind::Dpd,
    .name = "dpd",
    .summary =
        "dissipative particle dynamics, in reduced units: where this page says m, kg and s, read the cut-off "
        "radius r_c, a mass and tau = r_c sqrt(mass / eps); eps is the unit of energy, and kT itself while "
        "`temperature` is 1",
    .has_acceleration = true,
    .thermal = true,
    .walls_drag = true,
    .why_no_inlets = "its particles would enter without the forces, the temperature and the order of those around them",
    .reduced_units = units,
    .make = make,
    .step_bounds = step_bounds,
    .stable_dt = stable_dt,
    .signal_speed = signal_speed,
    .expected_speed_share = 0.35f,
    .support_radius = cutoff,
    .particle_bytes = particle_bytes,
    .state_bytes = state_bytes,
    .carries_on = same_forces,
    .start_velocities = start_velocities,
    .why_not_restored = why_not_restored,
    .signal_speed_name = "the speed that heat and repulsion give a particle",
    .unstable_remedy = "A smaller step helps most, a smaller time.step; then bodies that do not overlap",
};

}  // namespace riffle::dpd
