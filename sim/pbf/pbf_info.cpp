#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/pbf/pbf.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/state.h"

namespace riffle::pbf {

namespace {

std::unique_ptr<Solver> make(const SimulationSetup& setup, ParticleSet& particles,
                             const std::shared_ptr<PlacedWalls>& walls) {
  return std::make_unique<PbfSolver>(setup, particles, walls);
}

std::vector<SolverFact> facts(const SimulationSetup& setup, double dt) {
  const int dimension = setup.domain.dimension;
  const SmoothingKernel kernel = make_kernel(setup.pbf.kernel, dimension, setup.support_radius(), setup.spacing);
  return {{"iterations", fmt::format("{} per step, relaxation {:.3g}{}", setup.pbf.iterations,
                                     relaxation(setup.pbf, lattice_gradients(kernel, dimension, setup.spacing)),
                                     setup.pbf.relaxation < 0 ? " (automatic)" : "")},
          {"compression", fmt::format("about {:.2g} % on average", 100 * expected_compression(setup, dt))}};
}

std::vector<float> left_pressure(const SimulationState& state) {
  const std::vector<float>* pressure = state.find<float>("constraint pressure");
  return pressure && (state.knows_last_step || state.inheritance.begins) ? *pressure : std::vector<float>{};
}

std::function<double(double)> excess_under(const SimulationSetup& setup) {
  const SmoothingKernel kernel =
      make_kernel(setup.pbf.kernel, setup.domain.dimension, setup.support_radius(), setup.spacing);
  const LatticeGradients lattice = lattice_gradients(kernel, setup.domain.dimension, setup.spacing);
  const double dt = stable_dt(setup), squares = lattice.squares * (1 + relaxation(setup.pbf, lattice));
  float lightest = std::numeric_limits<float>::infinity();
  for (const FluidSetup& fluid : setup.fluids) lightest = std::min(lightest, fluid.rest_density);
  return
      [=, per_pressure = dt * dt * squares / (lightest * setup.pbf.iterations)](double p) { return per_pressure * p; };
}

constexpr float kEasedCfl = 0.3f;
constexpr int kEasedIterations = 2;

void ease(SimulationSetup& setup, double share) {
  const auto towards = [&](double own, double limit) { return own + share * (limit - own); };
  setup.step.cfl = static_cast<float>(towards(setup.step.cfl, std::max(setup.step.cfl, kEasedCfl)));
  const int fewest = std::min(setup.pbf.iterations, kEasedIterations);
  setup.pbf.iterations = static_cast<int>(std::lround(towards(setup.pbf.iterations, fewest)));
}

std::string ease_text(const SimulationSetup& setup) {
  return fmt::format("cfl {:.3g}, {} iterations", setup.step.cfl, setup.pbf.iterations);
}

/// As the constructor adds them.
std::size_t state_bytes(const SimulationSetup&) { return 2 * sizeof(float); }

}  // namespace

extern const SolverInfo kInfo;  // sim/solvers.cpp lists it
constinit const SolverInfo kInfo{
    .kind = SolverKind::Pbf,
    .name = "pbf",
    .summary = "position based fluids, which take longer steps",
    .has_density = true,
    .support_ratio = 2,
    .wall_particles = true,
    .adaptive_step = true,
    .lists_neighbors = true,
    .make = make,
    .step_bounds = step_bounds,
    .signal_speed = automatic_signal_speed,
    .search_radius = search_radius,
    .particle_bytes = particle_bytes,
    .wall_particle_bytes = wall_particle_bytes,
    .state_bytes = state_bytes,
    .ease = ease,
    .ease_text = ease_text,
    .left_pressure = left_pressure,
    .excess_under = excess_under,
    .facts = facts,
    .signal_speed_name = "what gravity and the bodies' velocities allow",
    .unstable_remedy = "A smaller step helps most, a smaller time.step; then bodies that do not overlap",
    .compressed_remedy = "more solver.iterations",
};

}  // namespace riffle::pbf
